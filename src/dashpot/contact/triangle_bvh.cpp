#include "dashpot/contact/triangle_bvh.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dashpot {
namespace {

constexpr int leaf_size = 4;
constexpr int max_depth = 64;  // halving: 2^31 triangles need 30

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

NearestOnTriangle nearest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  using F = TriangleFeature;
  const auto result = [&](double u, double v, double w, F feature, int which) {
    return NearestOnTriangle{u * a + v * b + w * c, Vec3(u, v, w), feature, which};
  };
  const Vec3 ab = b - a, ac = c - a, ax = x - a;
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0 && d2 <= 0) return result(1, 0, 0, F::corner, 0);
  const Vec3 bx = x - b;
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0 && d4 <= d3) return result(0, 1, 0, F::corner, 1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double t = d1 / (d1 - d3);
    return result(1 - t, t, 0, F::edge, 0);
  }
  const Vec3 cx = x - c;
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0 && d5 <= d6) return result(0, 0, 1, F::corner, 2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double t = d2 / (d2 - d6);
    return result(1 - t, 0, t, F::edge, 2);
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return result(0, 1 - t, t, F::edge, 1);
  }
  const double scale = 1 / (va + vb + vc);
  return result(1 - (vb + vc) * scale, vb * scale, vc * scale, F::face, 0);
}

TriangleBvh::TriangleBvh(std::vector<std::array<int, 3>> triangles, std::vector<Vec3> x)
    : triangles_(std::move(triangles)), x_(std::move(x)), order_(triangles_.size()), boxes_(triangles_.size()) {
  if (triangles_.empty()) return;
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vec3> centroid;
  for (const std::array<int, 3>& t : triangles_) centroid.push_back((x_[at(t[0])] + x_[at(t[1])] + x_[at(t[2])]) / 3);
  nodes_.reserve(triangles_.size());
  build(0, static_cast<int>(triangles_.size()), centroid);
  refit_boxes(nullptr);
}

int TriangleBvh::build(int first, int count, std::vector<Vec3>& centroid) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  nodes_.back().first = first;
  nodes_.back().count = count;
  if (count <= leaf_size) return index;
  Box3 spread;
  for (int k = first; k < first + count; ++k) spread.cover(centroid[at(order_[at(k)])]);
  Eigen::Index axis = 0;
  (spread.high - spread.low).maxCoeff(&axis);
  const int half = count / 2;
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](int a, int b) {
    const double u = centroid[at(a)][axis], v = centroid[at(b)][axis];
    return u != v ? u < v : a < b;  // ties by index: the same tree everywhere
  });
  build(first, half, centroid);
  const int right = build(first + half, count - half, centroid);
  nodes_[at(index)].right = right;
  return index;
}

void TriangleBvh::refit(const std::vector<Vec3>& x) {
  x_ = x;
  refit_boxes(nullptr);
}

void TriangleBvh::refit(const std::vector<Vec3>& x, const std::vector<Vec3>& ahead) {
  x_ = x;
  refit_boxes(&ahead);
}

void TriangleBvh::refit_boxes(const std::vector<Vec3>* ahead) {
  for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {  // children come after their parents
    Node& node = nodes_[at(i)];
    node.box = Box3();
    if (node.right != 0) {
      node.box.cover(nodes_[at(i + 1)].box);
      node.box.cover(nodes_[at(node.right)].box);
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      Box3& box = boxes_[at(k)] = Box3();
      for (const int vertex : triangles_[at(order_[at(k)])]) {
        box.cover(x_[at(vertex)]);
        if (ahead != nullptr) box.cover((*ahead)[at(vertex)]);
      }
      node.box.cover(box);
    }
  }
}

bool TriangleBvh::nearest(const Vec3& p, double reach, NearestTriangle& result) const {
  if (nodes_.empty()) return false;
  double best = reach < 1e150 ? reach * reach : std::numeric_limits<double>::infinity();
  int found = -1;
  std::array<std::pair<int, double>, max_depth> stack;
  int depth = 0;
  stack[at(depth++)] = {0, nodes_[0].box.squared_distance(p)};
  while (depth > 0) {
    const auto [index, squared] = stack[at(--depth)];
    if (squared > best) continue;
    const Node& node = nodes_[at(index)];
    if (node.right != 0) {
      std::pair<int, double> near{index + 1, nodes_[at(index + 1)].box.squared_distance(p)};
      std::pair<int, double> far{node.right, nodes_[at(node.right)].box.squared_distance(p)};
      if (far.second < near.second) std::swap(near, far);
      if (far.second <= best) stack[at(depth++)] = far;
      if (near.second <= best) stack[at(depth++)] = near;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      const int t = order_[at(k)];
      const std::array<int, 3>& corners = triangles_[at(t)];
      const NearestOnTriangle spot = nearest_on_triangle(p, x_[at(corners[0])], x_[at(corners[1])], x_[at(corners[2])]);
      const double distance = (spot.point - p).squaredNorm();
      if (distance > best || (distance == best && found >= 0 && t > found)) continue;
      best = distance;
      found = t;
      static_cast<NearestOnTriangle&>(result) = spot;
    }
  }
  if (found < 0) return false;
  result.triangle = found;
  result.distance = std::sqrt(best);
  return true;
}

void TriangleBvh::overlapping(const Box3& box, FunctionRef<void(int)> visit) const {
  if (nodes_.empty()) return;
  std::array<int, max_depth> stack;
  int depth = 0;
  stack[at(depth++)] = 0;
  while (depth > 0) {
    const int index = stack[at(--depth)];
    const Node& node = nodes_[at(index)];
    if (!node.box.overlaps(box)) continue;
    if (node.right != 0) {
      stack[at(depth++)] = node.right;
      stack[at(depth++)] = index + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k)
      if (boxes_[at(k)].overlaps(box)) visit(order_[at(k)]);
  }
}

}  // namespace dashpot
