#pragma once
// The project folder as a page sees it: which scenes and runs there are, and a mesh that is put there. Nothing outside
// of it is read or written; links that lead out are not followed.

#include <filesystem>
#include <string>
#include <string_view>

namespace dashpot::studio {

/// {"scenes": [{"path", "title"}], "runs": [{"path"}]}. Looks six folders deep and at 2000 entries at most; names that
/// begin with a point are left out.
std::string list_files(const std::filesystem::path& project);

/// Writes a mesh into project/meshes and reads it: {"path", "points", "tets"}. dashpot::Error where `name` is no plain
/// file name with the ending of a mesh, or the bytes are no mesh (nothing is kept then). A name that is taken gets a
/// number.
std::string keep_mesh(const std::filesystem::path& project, const std::string& name, std::string_view bytes);

}  // namespace dashpot::studio
