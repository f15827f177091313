#include "dashpot/shape/mesh_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/shape/sheet_mesh.hpp"
#include "dashpot/shape/solid_mesh.hpp"

namespace dashpot {
namespace {

Problem warning(std::string found, std::string remedy) {
  return {"", std::move(found), "", std::move(remedy), Problem::Severity::warning};
}

void check(const ShapeMeshOptions& options) {
  std::vector<Problem> problems;
  const bool has_count = options.elements != 0, has_spacing = options.spacing != 0;
  if (has_count == has_spacing)
    problems.push_back(
        {"", has_count ? "both a number of elements and a spacing" : "neither a number of elements nor a spacing",
         "one of them", ""});
  if (has_count && !(options.elements >= 10 && options.elements <= max_shape_elements))
    problems.push_back(
        {"", fmt::format("{:.0f} elements", options.elements), fmt::format("10 to {:.0f}", max_shape_elements), ""});
  if (has_spacing && !(options.spacing > 0 && options.spacing < 1e6))
    problems.push_back({"", fmt::format("a spacing of {:g} m", options.spacing), "a positive length", ""});
  if (options.height != 0 && !(options.height > 1e-6 && options.height < 1e6))
    problems.push_back({"", fmt::format("a height of {:g} m", options.height), "a positive length", ""});
  if (!problems.empty()) throw Error(std::move(problems));
}

/// Elements take the region at their centroid; names nobody uses are left out.
void assign_regions(const Shape& shape, Mesh& mesh) {
  if (shape.regions.empty()) return;
  ElementGroup& group = mesh.groups.front();
  const int corners = group.kind == ElementKind::triangle ? 3 : 4;
  group.region.assign(at(group.size()), 0);
  parallel_for(group.size(), 256, [&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      Vec3 sum = Vec3::Zero();
      for (int a = 0; a < corners; ++a) sum += mesh.nodes[at(group.element(e)[a])];
      group.region[at(e)] = shape.region(sum / corners);
    }
  });
  std::vector<int> new_of_old(shape.regions.size() + 1, -1);
  for (int& region : group.region) {
    int& renamed = new_of_old[at(region + 1)];
    if (renamed < 0) {
      renamed = static_cast<int>(mesh.regions.size());
      mesh.regions.push_back(region < 0 ? "body" : shape.regions[at(region)]);
    }
    region = renamed;
  }
}

/// Nodes inside each named body, the surface included.
void collect_sets(const Shape& shape, double spacing, Mesh& mesh) {
  for (const auto& [name, node] : shape.sets) {
    std::vector<int> set;
    for (int i = 0; i < mesh.num_nodes(); ++i)
      if (shape.node_value(node, mesh.nodes[at(i)]) <= 1e-6 * spacing) set.push_back(i);
    mesh.node_sets.emplace_back(name, std::move(set));
  }
}

void warn_about(const Shape& shape, ShapeMesh& result) {
  if (const int parts = num_connected_parts(result.mesh); parts > 1)
    result.warnings.push_back(
        warning(fmt::format("the mesh of '{}' falls into {} parts that share no node", shape.name, parts),
                "more elements may join thin places; parts drawn apart stay apart"));
  for (const auto& [name, set] : result.mesh.node_sets)
    if (set.empty())
      result.warnings.push_back(
          warning(fmt::format("no node lies in the region \"{}\"", name), "use more elements or enlarge the region"));
  for (const std::string& name : shape.regions)
    if (std::find(result.mesh.regions.begin(), result.mesh.regions.end(), name) == result.mesh.regions.end())
      result.warnings.push_back(
          warning(fmt::format("no element lies in the region \"{}\"", name), "use more elements or enlarge its nodes"));
}

}  // namespace

ShapeMesh mesh_shape(const Shape& shape, const ShapeMeshOptions& options) {
  check(options);
  ShapeMesh result = shape.sheet      ? mesh_sheet(shape, options)
                     : shape.is_shell ? mesh_shell(shape, options)
                                      : mesh_solid(shape, options);
  Mesh& mesh = result.mesh;
  mesh = reorder_nodes(mesh, locality_order(mesh));
  assign_regions(shape, mesh);
  collect_sets(shape, result.spacing, mesh);
  result.colors.resize(mesh.nodes.size());
  parallel_for(mesh.num_nodes(), 256, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) result.colors[at(i)] = shape.color(mesh.nodes[at(i)]);
  });
  warn_about(shape, result);
  if (options.height > 0) {
    const double scale = options.height / bounding_box(mesh.nodes).size().y();
    for (Vec3& x : mesh.nodes) x *= scale;
  }
  return result;
}

}  // namespace dashpot
