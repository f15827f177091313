#include "dashpot/learn/depth_camera.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace dashpot::learn {

Vec3 DepthCamera::towards(const Vec3& x) const {
  return position ? Vec3((*position - x).stableNormalized()) : direction;
}

double DepthCamera::apparent_size(const Vec3& area, const Vec3& center) const {
  const double across = area.dot(towards(center));
  return position ? across / std::max((*position - center).squaredNorm(), 1e-300) : across;
}

Vec3 area_vector(const Triangle& t, const std::vector<Vec3>& x) {
  return 0.5 * (x[at(t[1])] - x[at(t[0])]).cross(x[at(t[2])] - x[at(t[0])]);
}

Occlusion::Occlusion(std::vector<Triangle> triangles, std::vector<Vec3> positions)
    : triangles_(std::move(triangles)), positions_(std::move(positions)), order_(triangles_.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (triangles_.empty()) return;
  nodes_.reserve(2 * triangles_.size());
  nodes_.emplace_back();
  split(0, 0, static_cast<int>(triangles_.size()));
  size_ = (nodes_[0].high - nodes_[0].low).norm();
}

void Occlusion::split(std::size_t node, int begin, int end) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  const auto twice_center = [&](int t, int axis) {
    const auto [lower, upper] =
        std::minmax({positions_[at(triangles_[at(t)][0])][axis], positions_[at(triangles_[at(t)][1])][axis],
                     positions_[at(triangles_[at(t)][2])][axis]});
    return lower + upper;
  };
  for (int i = begin; i < end; ++i)
    for (const int corner : triangles_[at(order_[at(i)])]) {
      low = low.cwiseMin(positions_[at(corner)]);
      high = high.cwiseMax(positions_[at(corner)]);
    }
  nodes_[node].low = low;
  nodes_[node].high = high;
  if (end - begin <= 4) {
    nodes_[node].first = begin;
    nodes_[node].count = end - begin;
    return;
  }
  Eigen::Index longest = 0;
  (high - low).maxCoeff(&longest);
  const int axis = static_cast<int>(longest), middle = (begin + end) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
    const double at_a = twice_center(a, axis), at_b = twice_center(b, axis);
    return at_a < at_b || (at_a == at_b && a < b);
  });
  const std::size_t left = nodes_.size();
  nodes_.resize(left + 2);
  nodes_[node].first = static_cast<int>(left);
  split(left, begin, middle);
  split(left + 1, middle, end);
}

bool Occlusion::sees(const DepthCamera& camera, const Vec3& x, int own) const {
  const double length = camera.position ? (*camera.position - x).norm() : std::numeric_limits<double>::infinity();
  return !hits(x, camera.towards(x), length, own);
}

namespace {

/// Whether a ray meets a box before `length`. A direction of zero along an axis gives infinities, and NaN only for rays
/// in a side of the box, which then counts as met.
bool ray_meets_box(const Vec3& origin, const Vec3& inverse, const Vec3& low, const Vec3& high, double length) {
  double enter = 0, leave = length;
  for (int axis = 0; axis < 3; ++axis) {
    double a = (low[axis] - origin[axis]) * inverse[axis], b = (high[axis] - origin[axis]) * inverse[axis];
    if (a > b) std::swap(a, b);
    if (a > enter) enter = a;
    if (b < leave) leave = b;
  }
  return enter <= leave * (1 + 1e-12);
}

/// Distance along a unit direction to a triangle; infinity: it is missed [MollerTrumbore1997].
double distance_along(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, p = direction.cross(ac);
  const double determinant = ab.dot(p);
  if (determinant == 0) return std::numeric_limits<double>::infinity();
  const Vec3 s = origin - a, q = s.cross(ab);
  const double u = s.dot(p) / determinant, v = direction.dot(q) / determinant;
  if (!(u >= 0 && v >= 0 && u + v <= 1)) return std::numeric_limits<double>::infinity();
  return ac.dot(q) / determinant;
}

}  // namespace

bool Occlusion::hits(const Vec3& origin, const Vec3& direction, double length, int own) const {
  if (nodes_.empty()) return false;
  const Vec3 inverse = direction.cwiseInverse();
  const double nearest = 1e-9 * size_;
  int stack[64], depth = 0;  // median splits: never deeper than log2 of the number of triangles
  stack[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[at(stack[--depth])];
    if (!ray_meets_box(origin, inverse, node.low, node.high, length)) continue;
    if (node.count == 0) {
      stack[depth++] = node.first;
      stack[depth++] = node.first + 1;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int t = order_[at(i)];
      if (t == own) continue;
      const Triangle& k = triangles_[at(t)];
      const double distance =
          distance_along(origin, direction, positions_[at(k[0])], positions_[at(k[1])], positions_[at(k[2])]);
      if (distance > nearest && distance < length) return true;
    }
  }
  return false;
}

}  // namespace dashpot::learn
