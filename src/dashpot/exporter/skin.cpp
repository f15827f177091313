#include "dashpot/exporter/skin.hpp"

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot::exporter {
std::vector<Vec3> Skin::of(const std::vector<Vec3>& mesh_values) const {
  std::vector<Vec3> values;
  values.reserve(nodes.size());
  for (const int node : nodes) values.push_back(mesh_values[at(node)]);
  return values;
}

Mesh Skin::mesh(std::vector<Vec3> positions) const {
  Mesh mesh;
  mesh.nodes = std::move(positions);
  const auto add = [&](ElementKind kind, const auto& elements) {
    if (elements.empty()) return;
    std::vector<int>& flat = mesh.group_or_new(kind).nodes;
    for (const auto& element : elements) flat.insert(flat.end(), element.begin(), element.end());
  };
  add(ElementKind::triangle, triangles);
  add(ElementKind::edge, edges);
  if (!points.empty()) mesh.group_or_new(ElementKind::point).nodes = points;
  return mesh;
}

Skin skin_of(const Mesh& mesh, bool all_nodes) {
  Skin skin;
  skin.triangles = boundary_surface(mesh).triangles;
  if (const ElementGroup* group = mesh.group(ElementKind::edge))
    for (int e = 0; e < group->size(); ++e) skin.edges.push_back({group->element(e)[0], group->element(e)[1]});
  if (const ElementGroup* group = mesh.group(ElementKind::point)) skin.points = group->nodes;

  std::vector<int> new_of_old(mesh.nodes.size(), all_nodes ? 0 : -1);
  const auto visit = [&](auto&& change) {
    for (auto& triangle : skin.triangles)
      for (int& node : triangle) change(node);
    for (auto& edge : skin.edges)
      for (int& node : edge) change(node);
    for (int& node : skin.points) change(node);
  };
  visit([&](int& node) { new_of_old[at(node)] = 0; });
  for (int node = 0; node < mesh.num_nodes(); ++node) {
    if (new_of_old[at(node)] < 0) continue;
    new_of_old[at(node)] = static_cast<int>(skin.nodes.size());
    skin.nodes.push_back(node);
  }
  visit([&](int& node) { node = new_of_old[at(node)]; });
  return skin;
}

}  // namespace dashpot::exporter
