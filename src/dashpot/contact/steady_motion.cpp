#include "dashpot/contact/steady_motion.hpp"

#include <Eigen/Geometry>

namespace dashpot {

RigidPose SteadyMotion::pose(double time) const {
  const double t = time - options_.start, ramp = options_.ramp;
  double s = t, rate = 1, growth = 0;  // s, s', s''
  if (t <= 0) {
    s = rate = 0;
  } else if (t < ramp) {
    const double u = t / ramp;
    s = ramp * u * u * u * u * (2.5 + u * (u - 3));
    rate = u * u * u * (10 + u * (6 * u - 15));
    growth = 30 * u * u * (1 - u) * (1 - u) / ramp;
  } else {
    s = t - 0.5 * ramp;
  }
  const Vec3 &omega = options_.angular_velocity, &about = options_.about;
  const double speed = omega.norm();
  RigidPose pose;
  if (speed > 0) pose.R = Eigen::AngleAxisd(speed * s, omega / speed).toRotationMatrix();
  const Vec3 arm = pose.R * about;
  pose.p = about - arm + s * options_.velocity;
  pose.angular_velocity = rate * omega;
  pose.angular_acceleration = growth * omega;
  pose.velocity = rate * (options_.velocity - omega.cross(arm));
  pose.acceleration = growth * (options_.velocity - omega.cross(arm)) - rate * rate * omega.cross(omega.cross(arm));
  return pose;
}

}  // namespace dashpot
