#include "dashpot/model/motion.hpp"

#include <Eigen/Geometry>

namespace dashpot {

Vec3 RigidPose::velocity_of(const Vec3& X) const { return velocity + angular_velocity.cross(R * X); }

Vec3 RigidPose::acceleration_of(const Vec3& X) const {
  const Vec3 arm = R * X;
  return acceleration + angular_acceleration.cross(arm) + angular_velocity.cross(angular_velocity.cross(arm));
}

RigidPose compose(const RigidPose& outer, const RigidPose& inner) {
  RigidPose pose;
  pose.R = outer.R * inner.R;
  pose.p = outer.point(inner.p);
  const Vec3 inner_velocity = outer.R * inner.velocity, inner_omega = outer.R * inner.angular_velocity;
  pose.velocity = outer.velocity_of(inner.p) + inner_velocity;
  pose.acceleration =
      outer.acceleration_of(inner.p) + 2 * outer.angular_velocity.cross(inner_velocity) + outer.R * inner.acceleration;
  pose.angular_velocity = outer.angular_velocity + inner_omega;
  pose.angular_acceleration =
      outer.angular_acceleration + outer.R * inner.angular_acceleration + outer.angular_velocity.cross(inner_omega);
  return pose;
}

CarriedPoints::CarriedPoints(std::shared_ptr<const RigidMotion> motion, std::vector<Vec3> rest)
    : motion_(std::move(motion)), rest_(std::move(rest)) {}

void CarriedPoints::evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const {
  const RigidPose pose = motion_->pose(time);
  const auto fill = [&](std::vector<Vec3>* out, auto of) {
    if (out == nullptr) return;
    out->resize(rest_.size());
    for (std::size_t i = 0; i < rest_.size(); ++i) (*out)[i] = of(rest_[i]);
  };
  fill(x, [&](const Vec3& X) { return pose.point(X); });
  fill(v, [&](const Vec3& X) { return pose.velocity_of(X); });
  fill(a, [&](const Vec3& X) { return pose.acceleration_of(X); });
}

}  // namespace dashpot
