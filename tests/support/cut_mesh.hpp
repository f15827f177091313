#pragma once
// A mesh cut into parts whose common nodes are doubled, and the ties that glue it together again: the glued body must
// behave as the whole one does.
#include <functional>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/model/ties.hpp"

namespace dashpot::testing {

struct CutMesh {
  Mesh mesh;              ///< nodes of the whole mesh keep their numbers; doubles follow
  std::vector<Tie> ties;  ///< each double to the node it came from, or to its double in the part before
};

/// Cuts where part(centroid of a tet) changes. A node common to parts p < q < r belongs to p, is doubled for q (tied to
/// that of p) and again for r (tied to that of q: a chain).
inline CutMesh cut(const Mesh& whole, const std::function<int(const Vec3&)>& part) {
  CutMesh result{whole, {}};
  ElementGroup* tets = result.mesh.group(whole.tets()->kind);
  const int n = nodes_per_element(tets->kind);
  std::vector<std::vector<int>> parts(whole.nodes.size());
  std::vector<int> part_of;
  for (int e = 0; e < tets->size(); ++e) {
    Vec3 center = Vec3::Zero();
    for (int a = 0; a < 4; ++a) center += whole.nodes[static_cast<std::size_t>(tets->element(e)[a])] / 4;
    part_of.push_back(part(center));
  }
  const auto node_in = [&](int node, int p) {
    std::vector<int>& copies = parts[static_cast<std::size_t>(node)];
    if (copies.size() <= static_cast<std::size_t>(p)) copies.resize(static_cast<std::size_t>(p) + 1, -1);
    return copies.data() + p;
  };
  for (int e = 0; e < tets->size(); ++e)
    for (int a = 0; a < n; ++a) *node_in(tets->element(e)[a], part_of[static_cast<std::size_t>(e)]) = -2;  // wanted
  for (std::size_t node = 0; node < parts.size(); ++node) {
    int last = -1;
    for (int& copy : parts[node]) {
      if (copy != -2) continue;
      copy = static_cast<int>(node);
      if (last >= 0) {
        copy = result.mesh.num_nodes();
        result.mesh.nodes.push_back(whole.nodes[node]);
        result.ties.push_back({copy, {last}, {1.0}, {}});
      }
      last = copy;
    }
  }
  for (int e = 0; e < tets->size(); ++e)
    for (int a = 0; a < n; ++a) {
      int& node = tets->nodes[static_cast<std::size_t>(e * n + a)];
      node = *node_in(node, part_of[static_cast<std::size_t>(e)]);
    }
  return result;
}

}  // namespace dashpot::testing
