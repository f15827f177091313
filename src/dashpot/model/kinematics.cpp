#include "dashpot/model/kinematics.hpp"

#include <algorithm>

#include "dashpot/model/pattern_builder.hpp"

namespace dashpot {

void Kinematics::positions(const Vector& q, std::vector<Vec3>& x) const {
  x.resize(at(num_points()));
  for (int i = 0; i < num_points(); ++i) x[at(i)] = position(q, i);
}

void Kinematics::velocities(const Vector& q, const Vector& v, std::vector<Vec3>& xdot) const {
  xdot.resize(at(num_points()));
  for (int i = 0; i < num_points(); ++i) xdot[at(i)] = velocity(q, v, i);
}

PointJacobian Kinematics::jacobian(const Vector& q, int point) const {
  PointJacobian J;
  if (is_node(point)) {
    J.parts.push_back({point, 3 * point, 3});
    J.columns = Mat3::Identity();
  } else {
    point_jacobian(q.data(), point, J);
  }
  return J;
}

std::vector<int> Kinematics::blocks_of(int point) const {
  return is_node(point) ? std::vector<int>{point} : point_blocks(point);
}

BlockRange Kinematics::block_range(int point) const {
  return is_node(point) ? BlockRange{point, point + 1} : range_of(point_blocks(point));
}

BlockRange Kinematics::block_range(const std::vector<int>& points) const {
  if (std::all_of(points.begin(), points.end(), [&](int point) { return is_node(point); })) return range_of(points);
  BlockRange range;
  for (const int point : points) range = hull(range, block_range(point));
  return range;
}

void Kinematics::couple(const int* points, int count, PatternBuilder& pattern) const {
  if (std::all_of(points, points + count, [&](int point) { return is_node(point); }))
    return count > 1 ? pattern.add_group(points, count) : void();  // diagonal blocks are always present
  std::vector<int> group;
  for (int k = 0; k < count; ++k) {
    const std::vector<int> blocks = blocks_of(points[k]);
    group.insert(group.end(), blocks.begin(), blocks.end());
  }
  std::sort(group.begin(), group.end());
  group.erase(std::unique(group.begin(), group.end()), group.end());
  if (group.size() > 1) pattern.add_group(group.data(), static_cast<int>(group.size()));
}

Vec3 Kinematics::point_velocity(const double* q, const double* v, int point) const {
  PointJacobian J;
  point_jacobian(q, point, J);
  Vec3 velocity = Vec3::Zero();
  int column = 0;
  for (const PointJacobian::Part& part : J.parts) {
    velocity += J.columns.middleCols(column, part.size) * Eigen::Map<const Vector>(v + part.first_dof, part.size);
    column += part.size;
  }
  return velocity;
}

void Kinematics::add_point_force(const double* q, int point, const Vec3& f, double* out) const {
  PointJacobian J;
  point_jacobian(q, point, J);
  int column = 0;
  for (const PointJacobian::Part& part : J.parts) {
    Eigen::Map<Vector>(out + part.first_dof, part.size) += J.columns.middleCols(column, part.size).transpose() * f;
    column += part.size;
  }
}

}  // namespace dashpot
