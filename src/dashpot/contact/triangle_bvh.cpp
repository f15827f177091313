#include "dashpot/contact/triangle_bvh.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

constexpr int leaf_size = 4;
constexpr int max_depth = 64;           // halving: 2^31 triangles need 30
constexpr std::size_t num_parts = 256;  // of a search for pairs, at least, where there are as many

}  // namespace

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

bool TriangleBvh::split(const Meeting& part, double range, std::vector<Meeting>& parts) const {
  const Node &a = nodes_[at(part.first)], &b = nodes_[at(part.second)];
  if (a.right == 0 && b.right == 0) return false;
  const auto add = [&](int first, int second) {
    if (nodes_[at(first)].box.is_within(nodes_[at(second)].box, range)) parts.push_back({first, second});
  };
  if (part.first == part.second) {
    parts.push_back({part.first + 1, part.first + 1});
    parts.push_back({a.right, a.right});
    add(part.first + 1, a.right);
  } else if (b.right == 0 || (a.right != 0 && a.count >= b.count)) {
    add(part.first + 1, part.second);
    add(a.right, part.second);
  } else {
    add(part.first, part.second + 1);
    add(part.first, b.right);
  }
  return true;
}

std::vector<TriangleBvh::Meeting> TriangleBvh::meetings(double range) const {
  std::vector<Meeting> parts, next;
  if (nodes_.empty()) return parts;
  parts.push_back({0, 0});
  for (bool grew = true; grew && parts.size() < num_parts; parts.swap(next)) {
    grew = false;
    next.clear();
    for (const Meeting& part : parts)
      if (split(part, range, next))
        grew = true;
      else
        next.push_back(part);
  }
  return parts;
}

void TriangleBvh::near_pairs(const Meeting& part, double range, FunctionRef<void(int, int)> visit) const {
  std::vector<Meeting> stack{part};
  while (!stack.empty()) {
    const Meeting here = stack.back();
    stack.pop_back();
    if (split(here, range, stack)) continue;
    const Node &a = nodes_[at(here.first)], &b = nodes_[at(here.second)];
    const bool is_same = here.first == here.second;
    for (int k = a.first; k < a.first + a.count; ++k)
      for (int l = is_same ? k + 1 : b.first; l < b.first + b.count; ++l)
        if (boxes_[at(k)].is_within(boxes_[at(l)], range)) visit(order_[at(k)], order_[at(l)]);
  }
}

}  // namespace dashpot
