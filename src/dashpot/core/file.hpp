#pragma once
// Files that are either whole or absent. Written beside their final name, flushed to disk, then renamed.
#include <functional>
#include <string>
#include <string_view>

namespace dashpot {

/// Reads a whole file; dashpot::Error with the system's reason when it cannot.
std::string read_file(const std::string& path);
/// Brings the bytes of a file, as read_file does; for readers whose caller wants to know what they read.
using FileReader = std::function<std::string(const std::string& path)>;
/// Writes `content` so that `path` holds either the old or the whole new content, also under kill -9.
void write_file_atomically(const std::string& path, std::string_view content);
/// Creates a folder and its parents; dashpot::Error when something else is in the way.
void create_folder(const std::string& path);
/// The same file by a name that does not depend on the working folder, without "." and "..".
std::string absolute_path(const std::string& path);
/// ".obj" of "Bunny.OBJ": the extension with its point, in lower case; empty when there is none.
std::string lower_extension(const std::string& path);

}  // namespace dashpot
