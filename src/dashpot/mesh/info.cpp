#include "dashpot/mesh/info.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/hinges.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot {
namespace {

void measure_edges(const Mesh& mesh, MeshInfo& info) {
  const std::vector<std::array<int, 2>> edges = unique_edges(mesh);
  if (edges.empty()) return;
  info.shortest_edge = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const auto& [a, b] : edges) {
    const double length = edge_length(mesh.nodes[at(a)], mesh.nodes[at(b)]);
    info.shortest_edge = std::min(info.shortest_edge, length);
    info.longest_edge = std::max(info.longest_edge, length);
    sum += length;
  }
  info.mean_edge = sum / static_cast<double>(edges.size());
}

void measure_tets(const Mesh& mesh, MeshInfo& info) {
  const ElementGroup* tets = mesh.tets();
  if (tets == nullptr || tets->size() == 0) return;
  info.min_dihedral = 180;
  double sum = 0;
  for (int e = 0; e < tets->size(); ++e) {
    info.volume += element_measure(mesh, *tets, e);
    const int* n = tets->element(e);
    const TetShape shape =
        tet_shape(mesh.nodes[at(n[0])], mesh.nodes[at(n[1])], mesh.nodes[at(n[2])], mesh.nodes[at(n[3])]);
    info.min_dihedral = std::min(info.min_dihedral, shape.min_dihedral);
    info.max_dihedral = std::max(info.max_dihedral, shape.max_dihedral);
    sum += shape.aspect;
    if (shape.aspect > info.worst_aspect) {
      info.worst_aspect = shape.aspect;
      info.worst_tet = e;
    }
  }
  info.mean_aspect = sum / tets->size();
}

void measure_surface(const Mesh& mesh, MeshInfo& info) {
  const Surface surface = boundary_surface(mesh);
  info.num_surface_triangles = static_cast<int>(surface.triangles.size());
  info.num_surface_nodes = static_cast<int>(surface_nodes(surface).size());
  info.surface_area = surface_area(mesh.nodes, surface.triangles);
  info.num_rim_edges = static_cast<int>(boundary_edges(surface.triangles).size());
  info.num_overlapping_faces = surface.num_faces_of_three;
  const ElementGroup* triangles = mesh.group(ElementKind::triangle);
  if (triangles == nullptr || triangles->size() == 0) return;
  info.min_triangle_angle = 180;
  for (int e = 0; e < triangles->size(); ++e) {
    const int* n = triangles->element(e);
    info.min_triangle_angle = std::min(
        info.min_triangle_angle, triangle_min_angle(mesh.nodes[at(n[0])], mesh.nodes[at(n[1])], mesh.nodes[at(n[2])]));
  }
}

void list_parts(const Mesh& mesh, MeshInfo& info) {
  for (const std::string& name : mesh.regions) info.regions.push_back({name, 0, 0, 0});
  std::vector<std::pair<int, int>> members;  // (region, node)
  for (const ElementGroup& group : mesh.groups)
    for (int e = 0; e < group.size() && !info.regions.empty(); ++e) {
      MeshInfo::Part& part = info.regions[at(group.region_of(e))];
      ++part.num_elements;
      if (dimension(group.kind) == info.dimension) part.measure += element_measure(mesh, group, e);
      for (int a = 0; a < nodes_per_element(group.kind); ++a)
        members.emplace_back(group.region_of(e), group.element(e)[a]);
    }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  for (const auto& [region, node] : members) ++info.regions[at(region)].num_nodes;
  for (const auto& [name, set] : mesh.node_sets) info.node_sets.push_back({name, 0, static_cast<int>(set.size()), 0});
  for (const ElementGroup& group : mesh.groups)
    for (const ElementField& field : group.fields) {
      const auto [low, high] = std::minmax_element(field.values.begin(), field.values.end());
      info.fields.push_back({field.name, group.kind, *low, *high});
    }
}

}  // namespace

MeshInfo mesh_info(const Mesh& mesh) {
  MeshInfo info;
  info.num_nodes = mesh.num_nodes();
  for (const ElementGroup& group : mesh.groups) {
    info.kinds.push_back({group.kind, group.size()});
    info.dimension = std::max(info.dimension, dimension(group.kind));
    for (int e = 0; group.kind == ElementKind::edge && e < group.size(); ++e)
      info.length += element_measure(mesh, group, e);
  }
  info.box = bounding_box(mesh.nodes);
  measure_edges(mesh, info);
  measure_tets(mesh, info);
  measure_surface(mesh, info);
  info.num_parts = num_connected_parts(mesh);
  const std::vector<HingedGroup> hinged = hinged_groups(mesh);
  info.num_hinged_groups = static_cast<int>(hinged.size());
  for (const HingedGroup& group : hinged) info.num_hinged_tets += static_cast<int>(group.tets.size());
  info.hinges = describe_hinges(mesh, hinged);
  info.num_unused_nodes = static_cast<int>(unused_nodes(mesh).size());
  const std::vector<int> twin = coincident_nodes(mesh, 1e-9 * info.box.diagonal());
  for (int i = 0; i < mesh.num_nodes(); ++i) info.num_duplicate_nodes += twin[at(i)] != i ? 1 : 0;
  info.bandwidth = bandwidth(mesh);
  list_parts(mesh, info);
  return info;
}

}  // namespace dashpot
