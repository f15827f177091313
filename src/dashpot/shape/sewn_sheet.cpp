#include "dashpot/shape/sewn_sheet.hpp"

#include <algorithm>
#include <map>

namespace dashpot {
namespace {

/// Splits inner edges that join two marked nodes in their middle.
void split_chords(TriangleMesh& flat, std::vector<char>& is_sewn) {
  std::map<std::array<int, 2>, std::vector<int>> triangles_at;
  for (std::size_t t = 0; t < flat.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = flat.triangles[t][at(k)], b = flat.triangles[t][at((k + 1) % 3)];
      triangles_at[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(t));
    }
  for (const auto& [ends, around] : triangles_at) {
    if (around.size() != 2 || is_sewn[at(ends[0])] == 0 || is_sewn[at(ends[1])] == 0) continue;
    const int middle = static_cast<int>(flat.nodes.size());
    flat.nodes.push_back(0.5 * (flat.nodes[at(ends[0])] + flat.nodes[at(ends[1])]));
    is_sewn.push_back(0);
    // The triangles that have the edge now: earlier splits may have cut those of the list.
    const std::size_t count = flat.triangles.size();
    for (std::size_t t = 0; t < count; ++t) {
      const std::array<int, 3> old = flat.triangles[t];
      const auto has = [&](int node) { return std::find(old.begin(), old.end(), node) != old.end(); };
      if (!has(ends[0]) || !has(ends[1])) continue;
      std::array<int, 3> first = old, second = old;
      std::replace(first.begin(), first.end(), ends[0], middle);
      std::replace(second.begin(), second.end(), ends[1], middle);
      flat.triangles[t] = first;
      flat.triangles.push_back(second);
    }
  }
}

}  // namespace

Mesh sewn_sheets(TriangleMesh flat, FunctionRef<bool(const Vec3&)> is_open) {
  std::vector<char> is_sewn(flat.nodes.size(), 0);
  for (const int node : rim_nodes(flat)) is_sewn[at(node)] = is_open(flat.nodes[at(node)]) ? 0 : 1;
  split_chords(flat, is_sewn);
  Mesh mesh;
  mesh.nodes = flat.nodes;
  std::vector<int> front, back, seam, back_of(flat.nodes.size());
  for (std::size_t i = 0; i < flat.nodes.size(); ++i) {
    const int node = static_cast<int>(i);
    back_of[i] = node;
    if (is_sewn[i] != 0) {
      seam.push_back(node);
      continue;
    }
    front.push_back(node);
    back_of[i] = mesh.num_nodes();
    back.push_back(back_of[i]);
    mesh.nodes.push_back(flat.nodes[i]);
  }
  std::vector<int>& elements = mesh.group_or_new(ElementKind::triangle).nodes;
  for (const std::array<int, 3>& t : flat.triangles) elements.insert(elements.end(), t.begin(), t.end());
  for (const std::array<int, 3>& t : flat.triangles)
    elements.insert(elements.end(), {back_of[at(t[0])], back_of[at(t[2])], back_of[at(t[1])]});
  mesh.node_sets = {{"front", front}, {"back", back}, {"seam", seam}};
  return mesh;
}

}  // namespace dashpot
