#include "dashpot/contact/cloth_neighbors.hpp"

#include <algorithm>
#include <numeric>

#include "dashpot/contact/feature_gap.hpp"
#include "dashpot/core/parallel.hpp"

namespace dashpot::contact {
namespace {

constexpr int triangles_per_range = 256;
constexpr double margin_of_edge = 0.5;  // of a mean edge: a longer list is made more rarely, and takes longer to read

/// Pairs found by one range of triangles.
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
      : surface_(surface), x_(x), ahead_(ahead), range_(range), by_distance_(by_distance) {}

  void node_with_triangle(int s, int t, Found& found) const {
    const std::array<int, 3>& corners = surface_.triangles[at(t)];
    for (const int node : surface_.triangles[at(s)])
      if (surface_.node_owner[at(node)] == s && !has_node(corners, node) && surface_.may_touch(node, corners[0]) &&
          is_near(node, corners))
        found.node_triangles.push_back({node, t});
  }
  void edges_with_edges(int s, int t, Found& found) const {
    for (const int e : surface_.triangle_edges[at(s)]) {
      if (surface_.edge_owner[at(e)] != s) continue;
      for (const int f : surface_.triangle_edges[at(t)])
        if (surface_.edge_owner[at(f)] == t && e != f && are_near(e, f))
          found.edge_pairs.push_back({std::min(e, f), std::max(e, f)});
    }
  }

 private:
  Box3 box(const int* nodes, int count) const {
    Box3 around;
    for (int k = 0; k < count; ++k) {
      around.cover(x_[at(nodes[k])]);
      if (ahead_ != nullptr) around.cover((*ahead_)[at(nodes[k])]);
    }
    return around;
  }
  bool is_near(int node, const std::array<int, 3>& corners) const {
    if (surface_.is_pair &&
        std::any_of(corners.begin(), corners.end(), [&](int c) { return surface_.is_tied[at(c)] != 0; }))
      return false;
    Box3 around = box(&node, 1);
    around.grow(range_);
    if (!around.overlaps(box(corners.data(), 3))) return false;
    if (!by_distance_) return true;
    const Vec3& p = x_[at(node)];
    const NearestOnTriangle spot = nearest_on_triangle(p, x_[at(corners[0])], x_[at(corners[1])], x_[at(corners[2])]);
    return (p - spot.point).squaredNorm() < range_ * range_;
  }
  bool are_near(int e, int f) const {
    const std::array<int, 2>&a = surface_.edges[at(e)], &b = surface_.edges[at(f)];
    if (share_node(a, b)) return false;
    for (const int i : a)
      for (const int j : b)
        if (!surface_.may_touch(i, j)) return false;
    Box3 around = box(a.data(), 2);
    around.grow(range_);
    if (!around.overlaps(box(b.data(), 2))) return false;
    if (!by_distance_) return true;
    const Vec3 xa[2] = {x_[at(a[0])], x_[at(a[1])]}, xb[2] = {x_[at(b[0])], x_[at(b[1])]};
    return closest_of_segments(xa, xb).distance2 < range_ * range_;
  }

  const ClothSurface& surface_;
  const std::vector<Vec3>& x_;
  const std::vector<Vec3>* ahead_;
  double range_;
  bool by_distance_;
};

}  // namespace

bool ClothNeighbors::covers(const std::vector<Vec3>& x) const {
  if (made_at_.size() != x.size()) return false;
  Vec3 together = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) together += x[i] - made_at_[i];
  together /= static_cast<double>(std::max<std::size_t>(x.size(), 1));
  const double limit = 0.25 * margin_ * margin_;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!((x[i] - made_at_[i] - together).squaredNorm() <= limit)) return false;
  return true;
}

void ClothNeighbors::update(const ClothSurface& surface, const std::vector<Vec3>& x, double reach) {
  if (reach == reach_ && covers(x)) return;
  const double edge = std::accumulate(surface.edge_length.begin(), surface.edge_length.end(), 0.0) /
                      static_cast<double>(std::max<std::size_t>(surface.edges.size(), 1));
  reach_ = reach;
  margin_ = std::max(reach, margin_of_edge * edge);
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
  const int count = static_cast<int>(surface.triangles.size());
  std::vector<Found> parts(at((count + triangles_per_range - 1) / triangles_per_range));
  parallel_for(count, triangles_per_range, [&](int begin, int end) {
    Found& found = parts[at(begin / triangles_per_range)];
    for (int s = begin; s < end; ++s) {
      Box3 box;
      for (const int node : surface.triangles[at(s)]) {
        box.cover(x[at(node)]);
        if (ahead != nullptr) box.cover((*ahead)[at(node)]);
      }
      box.grow(range);
      tree_.overlapping(box, [&](int t) {
        if (s != t) test.node_with_triangle(s, t, found);
        if (s < t) test.edges_with_edges(s, t, found);
      });
    }
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
