#include <algorithm>
#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/read.hpp"

namespace dashpot {
namespace {

namespace fs = std::filesystem;

std::string bring(const std::string& path, const ReadOptions& options) {
  return options.read ? options.read(path) : read_file(path);
}

Mesh read_tetgen_files(const std::string& path, MeshReport* report, const ReadOptions& options) {
  const std::string base = (fs::path(path).parent_path() / fs::path(path).stem()).string();
  const std::string nodes = bring(base + ".node", options);
  const bool wants_elements = lower_extension(path) == ".ele" || fs::exists(base + ".ele");
  const std::string elements = wants_elements ? bring(base + ".ele", options) : std::string();
  return read_tetgen(nodes, wants_elements ? std::string_view(elements) : std::string_view(), base, report, options);
}

}  // namespace

std::vector<std::string> readable_mesh_extensions() {
  return {".msh", ".veg", ".node", ".ele", ".obj", ".ply", ".off", ".stl"};
}

Mesh read_veg_file(const std::string& path, VegaProperties* properties, MeshReport* report,
                   const ReadOptions& options) {
  const fs::path folder = fs::path(path).parent_path();
  return read_veg(bring(path, options), path, properties, report, options,
                  [&](const std::string& name) { return bring((folder / name).string(), options); });
}

Mesh read_mesh(const std::string& path, MeshReport* report, const ReadOptions& options) {
  const std::string extension = lower_extension(path);
  if (extension == ".msh") return read_msh(bring(path, options), path, report, options);
  if (extension == ".veg") return read_veg_file(path, nullptr, report, options);
  if (extension == ".node" || extension == ".ele") return read_tetgen_files(path, report, options);
  if (extension == ".obj") return read_obj(bring(path, options), path, report, options);
  if (extension == ".ply") return read_ply(bring(path, options), path, report, options);
  if (extension == ".off") return read_off(bring(path, options), path, report, options);
  if (extension == ".stl") return read_stl(bring(path, options), path, report, options);
  std::string known;
  for (const std::string& name : readable_mesh_extensions()) known += (known.empty() ? "" : ", ") + name;
  throw Error(Problem{path, extension.empty() ? "a mesh file without extension" : "mesh format '" + extension + "'",
                      "one of " + known, ""});
}

}  // namespace dashpot
