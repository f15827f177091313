#pragma once
// The scene document of a session: changes by JSON pointers, and what a page may not put into it. Pure, but for the
// look at the file system that finds where a path leads.

#include <filesystem>
#include <string>
#include <vector>

#include "studio_commands.hpp"

namespace dashpot::studio {

/// The document with these changes made in order; dashpot::Error names the first that leads nowhere.
JsonValue changed(JsonValue document, const std::vector<command::Change>& changes);

/// Sets or removes the member `key` of an object.
void put_member(JsonValue& object, const std::string& key, JsonValue value);
void remove_member(JsonValue& object, const std::string& key);

/// The folder's name without links and dots, for path_inside().
std::filesystem::path real_folder(const std::filesystem::path& folder);
/// `path`, relative to `folder`, as an absolute path without links; dashpot::Error where it leads out of `project`
/// (both from real_folder()). The file need not exist.
std::filesystem::path path_inside(const std::filesystem::path& project, const std::filesystem::path& folder,
                                  const std::string& path);

/// dashpot::Error with every file name of the document that leads out of the project folder.
void require_inside(const JsonValue& document, const std::string& file, const std::filesystem::path& folder,
                    const std::filesystem::path& project);

/// File names of the document, relative to `from`, as names relative to `to`.
void move_file_names(JsonValue& document, const std::filesystem::path& from, const std::filesystem::path& to);

/// The document without what does not change the bodies: title, design, and, of examples, their gains.
JsonValue what_is_built(const JsonValue& document);

}  // namespace dashpot::studio
