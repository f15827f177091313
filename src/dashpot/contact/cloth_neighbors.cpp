#include "dashpot/contact/cloth_neighbors.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/contact/feature_gap.hpp"
#include "dashpot/core/parallel.hpp"

namespace dashpot::contact {
namespace {

constexpr int things_per_range = 2048;
constexpr double margin_of_reach = 0.5;  // a longer list is made more rarely, but takes longer to make

/// Pairs found by one part of the search.
struct Found {
  std::vector<NodeTriangle> node_triangles;
  std::vector<EdgePair> edge_pairs;
};

bool has_node(const std::array<int, 3>& triangle, int node) {
  return triangle[0] == node || triangle[1] == node || triangle[2] == node;
}
bool share_node(const std::array<int, 2>& a, const std::array<int, 2>& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

/// Looks at the nodes and edges of two triangles, each of which its owner speaks for.
class PairTest {
 public:
  PairTest(const ClothSurface& surface, const std::vector<Vec3>& x, const std::vector<Vec3>* ahead, double range,
           bool by_distance)
      : surface_(surface), x_(x), range_(range), by_distance_(by_distance) {
    cover(
        x.size(), [](int node) { return std::array<int, 1>{node}; }, ahead, nodes_);
    cover(
        surface.edges.size(), [&](int e) { return surface.edges[at(e)]; }, ahead, edges_);
    cover(
        surface.triangles.size(), [&](int t) { return surface.triangles[at(t)]; }, ahead, triangles_);
  }

  void nodes_with_triangle(int s, int t, Found& found) const {
    const std::array<int, 3>& corners = surface_.triangles[at(t)];
    for (const int node : surface_.triangles[at(s)])
      if (surface_.node_owner[at(node)] == s && !has_node(corners, node) && is_near(node, t))
        found.node_triangles.push_back({node, t});
  }
  void edges_with_edges(int s, int t, Found& found) const {
    for (const int e : surface_.triangle_edges[at(s)]) {
      if (surface_.edge_owner[at(e)] != s || !edges_[at(e)].is_within(triangles_[at(t)], range_)) continue;
      for (const int f : surface_.triangle_edges[at(t)])
        if (surface_.edge_owner[at(f)] == t && e != f && are_near(e, f))
          found.edge_pairs.push_back({std::min(e, f), std::max(e, f)});
    }
  }

 private:
  template <class NodesOf>
  void cover(std::size_t count, NodesOf nodes_of, const std::vector<Vec3>* ahead, std::vector<Box3>& boxes) const {
    boxes.assign(count, Box3());
    parallel_for(static_cast<int>(count), things_per_range, [&](int begin, int end) {
      for (int i = begin; i < end; ++i)
        for (const int node : nodes_of(i)) {
          boxes[at(i)].cover(x_[at(node)]);
          if (ahead != nullptr) boxes[at(i)].cover((*ahead)[at(node)]);
        }
    });
  }
  bool is_near(int node, int t) const {
    if (!nodes_[at(node)].is_within(triangles_[at(t)], range_)) return false;
    const std::array<int, 3>& c = surface_.triangles[at(t)];
    for (const int corner : c)
      if (!surface_.may_touch(node, corner)) return false;
    if (!by_distance_) return true;
    const Vec3& p = x_[at(node)];
    return (p - nearest_on_triangle(p, x_[at(c[0])], x_[at(c[1])], x_[at(c[2])]).point).squaredNorm() < range_ * range_;
  }
  bool are_near(int e, int f) const {
    if (!edges_[at(e)].is_within(edges_[at(f)], range_)) return false;
    const std::array<int, 2>&a = surface_.edges[at(e)], &b = surface_.edges[at(f)];
    if (share_node(a, b)) return false;
    for (const int i : a)
      for (const int j : b)
        if (!surface_.may_touch(i, j)) return false;
    if (!by_distance_) return true;
    const Vec3 xa[2] = {x_[at(a[0])], x_[at(a[1])]}, xb[2] = {x_[at(b[0])], x_[at(b[1])]};
    return closest_of_segments(xa, xb).distance2 < range_ * range_;
  }

  const ClothSurface& surface_;
  const std::vector<Vec3>& x_;
  double range_;
  bool by_distance_;
  std::vector<Box3> nodes_, edges_, triangles_;
};

}  // namespace

double largest_change(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  Vec3 together = Vec3::Zero();
  for (std::size_t i = 0; i < to.size(); ++i) together += to[i] - from[i];
  together /= static_cast<double>(std::max<std::size_t>(to.size(), 1));
  double largest2 = 0;
  for (std::size_t i = 0; i < to.size(); ++i) largest2 = std::max(largest2, (to[i] - from[i] - together).squaredNorm());
  return std::sqrt(largest2);
}

double ClothNeighbors::allowed_change(double reach) { return 0.5 * margin_of_reach * reach; }

bool ClothNeighbors::covers(const std::vector<Vec3>& x) const {
  return made_at_.size() == x.size() && !made_at_.empty() && largest_change(made_at_, x) <= 0.5 * margin_;
}

void ClothNeighbors::update(const ClothSurface& surface, const std::vector<Vec3>& x, double reach) {
  if (reach == reach_ && covers(x)) return;
  reach_ = reach;
  margin_ = margin_of_reach * reach;
  if (tree_.empty())
    tree_ = TriangleBvh(surface.triangles, x);
  else
    tree_.refit(x);
  search(surface, nullptr, reach_ + margin_, true);
  made_at_ = x;
}

void ClothNeighbors::update_swept(const ClothSurface& surface, const std::vector<Vec3>& x,
                                  const std::vector<Vec3>& ahead) {
  if (tree_.empty()) tree_ = TriangleBvh(surface.triangles, x);
  tree_.refit(x, ahead);
  search(surface, &ahead, 0, false);
  made_at_.clear();
}

void ClothNeighbors::search(const ClothSurface& surface, const std::vector<Vec3>* ahead, double range,
                            bool by_distance) {
  const std::vector<Vec3>& x = tree_.positions();
  const PairTest test(surface, x, ahead, range, by_distance);
  const std::vector<TriangleBvh::Meeting> meetings = tree_.meetings(range);
  std::vector<Found> parts(meetings.size());
  parallel_for(static_cast<int>(meetings.size()), 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      tree_.near_pairs(meetings[at(i)], range, [&](int s, int t) {
        test.nodes_with_triangle(s, t, parts[at(i)]);
        test.nodes_with_triangle(t, s, parts[at(i)]);
        test.edges_with_edges(s, t, parts[at(i)]);
      });
  });
  node_triangles_.clear();
  edge_pairs_.clear();
  for (const Found& found : parts) {
    node_triangles_.insert(node_triangles_.end(), found.node_triangles.begin(), found.node_triangles.end());
    edge_pairs_.insert(edge_pairs_.end(), found.edge_pairs.begin(), found.edge_pairs.end());
  }
  std::sort(node_triangles_.begin(), node_triangles_.end(), [](const NodeTriangle& a, const NodeTriangle& b) {
    return a.node != b.node ? a.node < b.node : a.triangle < b.triangle;
  });
  std::sort(edge_pairs_.begin(), edge_pairs_.end(), [](const EdgePair& a, const EdgePair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

}  // namespace dashpot::contact
