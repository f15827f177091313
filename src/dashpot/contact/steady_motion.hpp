#pragma once
// Constant velocity and constant turning about an axis: a conveyor belt, a turntable, a lift.
//
//     x(t) = about + exp([omega] s) (X - about) + velocity s,   s(t) = time run at full speed
//
// s = 0 before `start`; over `ramp` seconds s' rises from 0 to 1 by the quintic 10 u^3 - 15 u^4 + 6 u^5, u = t / ramp.

#include "dashpot/model/motion.hpp"

namespace dashpot {

struct SteadyMotionOptions {
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< omega, world axes [rad/s]
  Vec3 about = Vec3::Zero();             ///< a point of the axis at the start [m]
  double start = 0;                      ///< [s]
  double ramp = 0;                       ///< [s]; 0: at full speed at once
};

class SteadyMotion final : public RigidMotion {
 public:
  explicit SteadyMotion(const SteadyMotionOptions& options) : options_(options) {}
  RigidPose pose(double time) const override;

 private:
  SteadyMotionOptions options_;
};

}  // namespace dashpot
