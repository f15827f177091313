#include "dashpot/mesh/select.hpp"

#include <algorithm>
#include <limits>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

[[noreturn]] void unknown_name(const std::string& kind, const std::string& word,
                               const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + ("'" + name + "'");
  const std::string near = nearest_name(word, known);
  throw Error(Problem{"", "the mesh has no " + kind + " '" + word + "'",
                      known.empty() ? "a mesh with a named " + kind : "one of " + list,
                      near.empty() ? "" : "did you mean '" + near + "'?"});
}

template <class Condition>
std::vector<int> nodes_where(const Mesh& mesh, Condition condition) {
  std::vector<int> selected;
  for (int i = 0; i < mesh.num_nodes(); ++i)
    if (condition(mesh.nodes[static_cast<std::size_t>(i)])) selected.push_back(i);
  return selected;
}

/// The node set of a name that is not a region's; nullptr when there is none. A region of that name comes first.
const std::vector<int>* set_in_place_of_region(const Mesh& mesh, const std::string& name) {
  if (std::find(mesh.regions.begin(), mesh.regions.end(), name) != mesh.regions.end()) return nullptr;
  for (const auto& [set_name, set] : mesh.node_sets)
    if (set_name == name) return &set;
  return nullptr;
}

[[noreturn]] void unknown_region(const Mesh& mesh, const std::string& name) {
  std::vector<std::string> known = mesh.regions;
  for (const auto& [set_name, set] : mesh.node_sets) known.push_back(set_name);
  unknown_name("region", name, known);
}

}  // namespace

std::vector<int> nodes_in_box(const Mesh& mesh, const Vec3& low, const Vec3& high) {
  return nodes_where(
      mesh, [&](const Vec3& x) { return (x.array() >= low.array()).all() && (x.array() <= high.array()).all(); });
}

std::vector<int> nodes_in_sphere(const Mesh& mesh, const Vec3& center, double radius) {
  return nodes_where(mesh, [&](const Vec3& x) { return (x - center).norm() <= radius; });
}

int nearest_node(const Mesh& mesh, const Vec3& point) {
  int best = -1;
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < mesh.num_nodes(); ++i)
    if (const double distance = (mesh.nodes[static_cast<std::size_t>(i)] - point).squaredNorm(); distance < smallest) {
      smallest = distance;
      best = i;
    }
  return best;
}

int region_index(const Mesh& mesh, const std::string& region) {
  const auto found = std::find(mesh.regions.begin(), mesh.regions.end(), region);
  if (found == mesh.regions.end()) unknown_region(mesh, region);
  return static_cast<int>(found - mesh.regions.begin());
}

std::vector<int> elements_of_region(const Mesh& mesh, const ElementGroup& group, const std::string& region) {
  std::vector<int> elements;
  if (const std::vector<int>* set = set_in_place_of_region(mesh, region)) {
    const int count = nodes_per_element(group.kind);
    for (int e = 0; e < group.size(); ++e)
      if (std::all_of(group.element(e), group.element(e) + count,
                      [&](int n) { return std::binary_search(set->begin(), set->end(), n); }))
        elements.push_back(e);
    return elements;
  }
  const int wanted = region_index(mesh, region);
  for (int e = 0; e < group.size(); ++e)
    if (group.region_of(e) == wanted) elements.push_back(e);
  return elements;
}

std::vector<int> nodes_of_region(const Mesh& mesh, const std::string& region) {
  if (const std::vector<int>* set = set_in_place_of_region(mesh, region)) return *set;
  std::vector<int> nodes;
  for (const ElementGroup& group : mesh.groups)
    for (const int e : elements_of_region(mesh, group, region))
      nodes.insert(nodes.end(), group.element(e), group.element(e) + nodes_per_element(group.kind));
  if (mesh.groups.empty()) region_index(mesh, region);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<int> nodes_of_set(const Mesh& mesh, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [set_name, set] : mesh.node_sets) {
    if (set_name == name) return set;
    known.push_back(set_name);
  }
  unknown_name("node set", name, known);
}

}  // namespace dashpot
