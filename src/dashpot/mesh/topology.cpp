#include "dashpot/mesh/topology.hpp"

#include <algorithm>

#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

/// Corner pairs of an element that are edges of its shape.
template <class Visit>
void for_each_edge(const ElementGroup& group, Visit visit) {
  for (int e = 0; e < group.size(); ++e) {
    const int* n = group.element(e);
    if (group.kind == ElementKind::edge) visit(n[0], n[1]);
    if (group.kind == ElementKind::triangle)
      for (int i = 0; i < 3; ++i) visit(n[i], n[(i + 1) % 3]);
    if (dimension(group.kind) == 3)
      for (const auto& [i, j] : tet_edges) visit(n[i], n[j]);
  }
}

/// Indices of element middles, made on demand: one table slot per edge, chained by its smaller node.
class EdgeMiddles {
 public:
  explicit EdgeMiddles(Mesh& mesh) : mesh_(mesh), first_(mesh.nodes.size(), -1) {}

  int between(int a, int b) {
    const int low = std::min(a, b), high = std::max(a, b);
    for (int m = first_[at(low)]; m >= 0; m = edges_[at(m)].next)
      if (edges_[at(m)].high == high) return edges_[at(m)].node;
    edges_.push_back({high, mesh_.num_nodes(), first_[at(low)], low});
    first_[at(low)] = static_cast<int>(edges_.size()) - 1;
    mesh_.nodes.push_back(0.5 * (mesh_.nodes[at(a)] + mesh_.nodes[at(b)]));
    return edges_.back().node;
  }

  /// Adds to a sorted node set the middle of every edge whose two ends are in it.
  void complete(std::vector<int>& set) const {
    std::vector<int> added;
    const auto has = [&](int n) { return std::binary_search(set.begin(), set.end(), n); };
    for (const Record& edge : edges_)
      if (has(edge.low) && has(edge.high)) added.push_back(edge.node);
    set.insert(set.end(), added.begin(), added.end());
    std::sort(set.begin(), set.end());
  }

 private:
  struct Record {
    int high, node, next, low;
  };
  Mesh& mesh_;
  std::vector<int> first_;
  std::vector<Record> edges_;
};

/// Before elements of `from` are appended to `target`: fields that both have go on, others are left out, because some
/// elements would have no value.
void append_fields(ElementGroup& target, const ElementGroup& from) {
  if (target.size() == 0) {
    target.fields = from.fields;
    return;
  }
  std::erase_if(target.fields, [&](const ElementField& field) { return from.field(field.name) == nullptr; });
  for (ElementField& field : target.fields) {
    const std::vector<double>& more = from.field(field.name)->values;
    field.values.insert(field.values.end(), more.begin(), more.end());
  }
}

void apply_node_map(Mesh& mesh, const NodeMap& map) {
  std::vector<Vec3> nodes(at(map.num_new));
  for (std::size_t i = mesh.nodes.size(); i-- > 0;)
    if (map.new_of_old[i] >= 0) nodes[at(map.new_of_old[i])] = mesh.nodes[i];
  mesh.nodes = std::move(nodes);
  for (ElementGroup& group : mesh.groups)
    for (int& n : group.nodes) n = map.new_of_old[at(n)];
  for (auto& [name, set] : mesh.node_sets) {
    for (int& n : set) n = map.new_of_old[at(n)];
    std::erase(set, -1);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
}

}  // namespace

Mesh to_quadratic(const Mesh& mesh) {
  Mesh result = mesh;
  const ElementGroup* linear = mesh.group(ElementKind::tet4);
  if (linear == nullptr) return result;
  std::erase_if(result.groups, [](const ElementGroup& group) { return group.kind == ElementKind::tet4; });
  ElementGroup& quadratic = result.group_or_new(ElementKind::tet10);
  const bool has_regions = !linear->region.empty() || !quadratic.region.empty();
  if (has_regions && quadratic.region.empty()) quadratic.region.assign(at(quadratic.size()), 0);
  append_fields(quadratic, *linear);
  EdgeMiddles middles(result);
  quadratic.nodes.reserve(quadratic.nodes.size() + at(linear->size()) * 10);
  for (int e = 0; e < linear->size(); ++e) {
    const int* corner = linear->element(e);
    quadratic.nodes.insert(quadratic.nodes.end(), corner, corner + 4);
    for (const auto& [i, j] : tet_edges) quadratic.nodes.push_back(middles.between(corner[i], corner[j]));
    if (has_regions) quadratic.region.push_back(linear->region_of(e));
  }
  for (auto& [name, set] : result.node_sets) middles.complete(set);
  return result;
}

std::vector<std::array<int, 2>> unique_edges(const Mesh& mesh) {
  std::vector<std::array<int, 2>> edges;
  for (const ElementGroup& group : mesh.groups)
    for_each_edge(group, [&](int a, int b) { edges.push_back({std::min(a, b), std::max(a, b)}); });
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::vector<int> unused_nodes(const Mesh& mesh) {
  std::vector<char> used(mesh.nodes.size(), 0);
  for (const ElementGroup& group : mesh.groups)
    for (const int n : group.nodes) used[at(n)] = 1;
  std::vector<int> unused;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] == 0) unused.push_back(static_cast<int>(i));
  return unused;
}

NodeMap merge_coincident_nodes(Mesh& mesh, double tolerance) {
  const std::vector<int> twin = coincident_nodes(mesh, tolerance);
  NodeMap map{std::vector<int>(twin.size()), 0};
  for (std::size_t i = 0; i < twin.size(); ++i)
    map.new_of_old[i] = at(twin[i]) == i ? map.num_new++ : map.new_of_old[at(twin[i])];
  apply_node_map(mesh, map);
  return map;
}

NodeMap remove_unused_nodes(Mesh& mesh) {
  NodeMap map{std::vector<int>(mesh.nodes.size(), 0), 0};
  for (const int n : unused_nodes(mesh)) map.new_of_old[at(n)] = -1;
  for (int& n : map.new_of_old)
    if (n >= 0) n = map.num_new++;
  apply_node_map(mesh, map);
  return map;
}

Mesh reorder_nodes(const Mesh& mesh, const std::vector<int>& new_of_old) {
  Mesh result = mesh;
  apply_node_map(result, NodeMap{new_of_old, mesh.num_nodes()});
  return result;
}

int bandwidth(const Mesh& mesh) {
  int widest = 0;
  for (const ElementGroup& group : mesh.groups)
    for (int e = 0; e < group.size(); ++e) {
      const int* n = group.element(e);
      const auto [low, high] = std::minmax_element(n, n + nodes_per_element(group.kind));
      widest = std::max(widest, *high - *low);
    }
  return widest;
}

Mesh join(const Mesh& a, const Mesh& b) {
  Mesh result = a;
  const int offset = a.num_nodes();
  result.nodes.insert(result.nodes.end(), b.nodes.begin(), b.nodes.end());
  if (result.regions.empty()) result.regions.emplace_back();
  const std::vector<std::string> b_regions = b.regions.empty() ? std::vector<std::string>{""} : b.regions;
  std::vector<int> region_of_b;
  for (const std::string& name : b_regions) {
    const auto found = std::find(result.regions.begin(), result.regions.end(), name);
    region_of_b.push_back(static_cast<int>(found - result.regions.begin()));
    if (found == result.regions.end()) result.regions.push_back(name);
  }
  for (const ElementGroup& group : b.groups) {
    ElementGroup& target = result.group_or_new(group.kind);
    append_fields(target, group);
    if (target.region.empty()) target.region.assign(at(target.size()), 0);
    for (const int n : group.nodes) target.nodes.push_back(n + offset);
    for (int e = 0; e < group.size(); ++e) target.region.push_back(region_of_b[at(group.region_of(e))]);
  }
  for (const auto& [name, set] : b.node_sets) {
    const std::string& wanted = name;
    auto found = std::find_if(result.node_sets.begin(), result.node_sets.end(),
                              [&](const auto& s) { return s.first == wanted; });
    if (found == result.node_sets.end()) found = result.node_sets.insert(found, {name, {}});
    for (const int n : set) found->second.push_back(n + offset);
  }
  if (result.regions.size() == 1 && result.regions[0].empty()) result.regions.clear();
  return result;
}

}  // namespace dashpot
