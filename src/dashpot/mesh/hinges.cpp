#include "dashpot/mesh/hinges.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot {
namespace {

/// More groups at one node are not compared pair by pair.
constexpr std::size_t most_groups_at_a_node = 64;
/// Rounds of joining groups; each may let further ones join.
constexpr int most_rounds = 32;

/// Disjoint sets of 0 .. count - 1; the smallest member stands for a set.
class Sets {
 public:
  explicit Sets(int count) : parent_(at(count)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int of(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  bool unite(int a, int b) {
    const int low = std::min(of(a), of(b)), high = std::max(of(a), of(b));
    parent_[at(high)] = low;
    return low != high;
  }

 private:
  std::vector<int> parent_;
};

void unite_across_faces(const ElementGroup& tets, Sets& sets) {
  std::vector<std::array<int, 4>> faces;  // three sorted corners, tet
  faces.reserve(at(tets.size()) * 4);
  for (int e = 0; e < tets.size(); ++e)
    for (const auto& [a, b, c] : tet_faces) {
      std::array<int, 3> corners{tets.element(e)[a], tets.element(e)[b], tets.element(e)[c]};
      std::sort(corners.begin(), corners.end());
      faces.push_back({corners[0], corners[1], corners[2], e});
    }
  std::sort(faces.begin(), faces.end());
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (std::equal(faces[i].begin(), faces[i].begin() + 3, faces[i - 1].begin()))
      sets.unite(faces[i][3], faces[i - 1][3]);
}

/// For every node the sets its tets belong to, sorted; empty where it is only one.
std::vector<std::vector<int>> sets_at_nodes(const Mesh& mesh, const ElementGroup& tets, Sets& sets) {
  std::vector<std::vector<int>> found(mesh.nodes.size());
  for (int e = 0; e < tets.size(); ++e)
    for (int a = 0; a < nodes_per_element(tets.kind); ++a) {
      std::vector<int>& here = found[at(tets.element(e)[a])];
      if (here.empty() || here.back() != sets.of(e)) here.push_back(sets.of(e));
    }
  for (std::vector<int>& here : found) {
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    if (here.size() < 2) here.clear();
  }
  return found;
}

bool span_a_plane(const Mesh& mesh, const std::vector<int>& nodes) {
  if (nodes.size() < 3) return false;
  const Vec3& origin = mesh.nodes[at(nodes[0])];
  Vec3 far = Vec3::Zero();
  for (const int n : nodes)
    if ((mesh.nodes[at(n)] - origin).norm() > far.norm()) far = mesh.nodes[at(n)] - origin;
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](int n) { return far.cross(mesh.nodes[at(n)] - origin).norm() > 1e-6 * far.squaredNorm(); });
}

/// Joins sets that share three nodes not in a line; false when there were none.
bool unite_across_nodes(const Mesh& mesh, const ElementGroup& tets, Sets& sets) {
  std::map<std::pair<int, int>, std::vector<int>> shared;
  const std::vector<std::vector<int>> at_nodes = sets_at_nodes(mesh, tets, sets);
  for (int n = 0; n < mesh.num_nodes(); ++n) {
    const std::vector<int>& here = at_nodes[at(n)];
    if (here.size() > most_groups_at_a_node) continue;
    for (std::size_t i = 0; i < here.size(); ++i)
      for (std::size_t j = i + 1; j < here.size(); ++j) shared[{here[i], here[j]}].push_back(n);
  }
  bool joined = false;
  for (const auto& [pair, nodes] : shared)
    if (span_a_plane(mesh, nodes)) joined |= sets.unite(pair.first, pair.second);
  return joined;
}

}  // namespace

std::vector<HingedGroup> hinged_groups(const Mesh& mesh) {
  const ElementGroup* tets = mesh.tets();
  if (tets == nullptr || tets->size() == 0) return {};
  Sets held(tets->size());
  unite_across_faces(*tets, held);
  for (int round = 0; round < most_rounds && unite_across_nodes(mesh, *tets, held); ++round) {
  }
  const std::vector<std::vector<int>> at_nodes = sets_at_nodes(mesh, *tets, held);
  Sets connected(tets->size());  // of representatives, through shared nodes
  for (const std::vector<int>& here : at_nodes)
    for (std::size_t i = 1; i < here.size(); ++i) connected.unite(here[0], here[i]);

  std::map<int, HingedGroup> groups;
  for (int e = 0; e < tets->size(); ++e) {
    HingedGroup& group = groups[held.of(e)];
    group.tets.push_back(e);
    group.volume += element_measure(mesh, *tets, e);
  }
  for (int n = 0; n < mesh.num_nodes(); ++n)
    for (const int set : at_nodes[at(n)]) groups[set].nodes.push_back(n);
  std::map<int, int> main_group;  // of each connected part: its largest
  for (const auto& [set, group] : groups) {
    const auto [main, is_new] = main_group.try_emplace(connected.of(set), set);
    if (group.tets.size() > groups[main->second].tets.size()) main->second = set;
  }
  std::vector<HingedGroup> hinged;
  for (auto& [set, group] : groups)
    if (main_group[connected.of(set)] != set) hinged.push_back(std::move(group));
  std::stable_sort(hinged.begin(), hinged.end(),
                   [](const HingedGroup& a, const HingedGroup& b) { return a.tets.size() > b.tets.size(); });
  return hinged;
}

std::string describe_hinges(const Mesh& mesh, const std::vector<HingedGroup>& groups) {
  if (groups.empty()) return {};
  const HingedGroup& first = groups.front();
  Vec3 center = Vec3::Zero();
  for (const int n : first.nodes) center += mesh.nodes[at(n)] / static_cast<double>(first.nodes.size());
  return fmt::format(
      "{} on the rest by a vertex or an edge only and can turn there without resistance; {} {} tets, at ({:.3g}, "
      "{:.3g}, {:.3g}) m",
      groups.size() == 1 ? std::string("a group of tets hangs") : fmt::format("{} groups of tets hang", groups.size()),
      groups.size() == 1 ? "it has" : "the largest has", first.tets.size(), center[0], center[1], center[2]);
}

Mesh without_tets(const Mesh& mesh, const std::vector<HingedGroup>& groups) {
  Mesh result = mesh;
  ElementGroup* tets = result.group(mesh.tets()->kind);
  std::vector<char> goes(at(tets->size()), 0);
  for (const HingedGroup& group : groups)
    for (const int e : group.tets) goes[at(e)] = 1;
  std::vector<int> kept;
  for (int e = 0; e < tets->size(); ++e)
    if (goes[at(e)] == 0) kept.push_back(e);
  *tets = tets->subset(kept);
  remove_unused_nodes(result);
  return result;
}

}  // namespace dashpot
