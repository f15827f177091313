#pragma once
// Points of a woven cloth: its crossings, x_i the first three numbers of block i. Contact and pictures see these.

#include <Eigen/Geometry>

#include "dashpot/model/kinematics.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

class YarnKinematics final : public Kinematics {
 public:
  explicit YarnKinematics(int num_crossings) : num_crossings_(num_crossings) {}
  int num_points() const override { return num_crossings_; }
  using Kinematics::wrench;
  /// Labels carry no force in space: what acts on yarn within a crossing acts on x too.
  LinearAngular wrench(const Vector& q, const Vector& f, BlockRange blocks) const override {
    LinearAngular total;
    const BlockRange crossings = blocks.clipped(num_crossings_);
    for (int i = crossings.begin; i < crossings.end; ++i) {
      const Vec3 force = Vec3::Map(f.data() + offset(i));
      total += {force, Vec3(Vec3::Map(q.data() + offset(i))).cross(force)};
    }
    return total;
  }
  Vec3 point_position(const double* q, int point) const override { return Vec3::Map(q + offset(point)); }
  void point_jacobian(const double*, int point, PointJacobian& J) const override {
    J.parts.assign(1, {point, static_cast<int>(offset(point)), crossing_size});
    J.columns.setZero(3, crossing_size);
    J.columns.leftCols<3>().setIdentity();
  }
  Vec3 point_velocity(const double*, const double* v, int point) const override { return Vec3::Map(v + offset(point)); }
  void add_point_force(const double*, int point, const Vec3& f, double* out) const override {
    Vec3::Map(out + offset(point)) += f;
  }
  std::vector<int> point_blocks(int point) const override { return {point}; }

 private:
  static std::ptrdiff_t offset(int point) { return std::ptrdiff_t{crossing_size} * point; }
  int num_crossings_;
};

}  // namespace dashpot
