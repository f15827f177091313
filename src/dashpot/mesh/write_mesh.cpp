#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot {
namespace {}  // namespace

std::vector<std::string> writable_mesh_extensions() { return {".msh", ".veg", ".obj", ".vtu"}; }

void write_mesh(const std::string& path, const Mesh& mesh) {
  const std::string extension = lower_extension(path);
  if (extension == ".msh") return write_file_atomically(path, msh_bytes(mesh));
  if (extension == ".veg") return write_file_atomically(path, veg_bytes(mesh));
  if (extension == ".obj") return write_file_atomically(path, obj_bytes(mesh));
  if (extension == ".vtu") return write_file_atomically(path, vtu_bytes(mesh));
  throw Error(Problem{path,
                      extension.empty() ? "an output name without extension" : "output format '" + extension + "'",
                      "one of .msh, .veg, .obj, .vtu", ""});
}

std::vector<Problem> lost_in_format(const Mesh& mesh, const std::string& path) {
  std::vector<Problem> lost;
  const auto lose = [&](std::string what) {
    lost.push_back({path, std::move(what), "", "write .msh to keep it", Problem::Severity::warning});
  };
  const std::string extension = lower_extension(path);
  const bool only_points = mesh.groups.size() == 1 && mesh.groups[0].kind == ElementKind::point;
  if ((extension == ".veg" || extension == ".obj") && !mesh.node_sets.empty())
    lose(fmt::format("{} node sets are not written", mesh.node_sets.size()));
  if (extension == ".msh" && only_points && !mesh.node_sets.empty())
    lose("node sets of a mesh of points read back as regions");
  if (extension == ".vtu" && !mesh.regions.empty()) lose("region names are not written, only their indices");
  for (const ElementGroup& group : mesh.groups) {
    if ((extension == ".veg" || extension == ".obj") && !group.fields.empty())
      lose(fmt::format("{} painted fields are not written", group.fields.size()));
    if (extension == ".veg" && group.kind != ElementKind::tet4)
      lose(fmt::format("{} elements of kind {} are not written", group.size(), to_string(group.kind)));
    if (extension == ".obj" && dimension(group.kind) == 3) lose("tets are written as their surface");
  }
  return lost;
}

}  // namespace dashpot
