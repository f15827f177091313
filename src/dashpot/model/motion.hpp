#pragma once
// Motions that are given: where keyframed nodes, supports and colliders are at every time, with exact first and second
// derivatives, so that every stage of every integrator gets d, d' and d'' of the same smooth path.
//
//   PointMotion   x_i(t) of a fixed list of points (a skinned creature, a point cache, a formula)
//   RigidMotion   x(t) = R(t) X + p(t) of anything that was at X (a shaken table, a turning wheel)
//
// A motion is a function of time: constant, shareable between threads and bodies, and defined for every finite time.
// What it does before its first and after its last key is part of its own documentation (docs/theory/constraint.md).

#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

/// Points that move as told.
class PointMotion {
 public:
  virtual ~PointMotion() = default;
  virtual int num_points() const = 0;
  /// Positions [m], velocities [m/s] and accelerations [m/s^2] at `time`, resized to num_points; null pointers are
  /// skipped.
  virtual void evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const = 0;
};

/// A rigid placement and how it changes: what was at X is at R X + p.
struct RigidPose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();                     ///< [m]
  Vec3 velocity = Vec3::Zero();              ///< p' [m/s]
  Vec3 acceleration = Vec3::Zero();          ///< p'' [m/s^2]
  Vec3 angular_velocity = Vec3::Zero();      ///< omega in world axes, R' = [omega] R [rad/s]
  Vec3 angular_acceleration = Vec3::Zero();  ///< omega' in world axes [rad/s^2]

  Vec3 point(const Vec3& X) const { return R * X + p; }
  Vec3 velocity_of(const Vec3& X) const;
  Vec3 acceleration_of(const Vec3& X) const;
};

/// This pose seen after another: x = outer(inner(X)), derivatives included.
RigidPose compose(const RigidPose& outer, const RigidPose& inner);

/// Something rigid that moves as told.
class RigidMotion {
 public:
  virtual ~RigidMotion() = default;
  virtual RigidPose pose(double time) const = 0;
};

/// Points carried by a rigid motion.
class CarriedPoints final : public PointMotion {
 public:
  CarriedPoints(std::shared_ptr<const RigidMotion> motion, std::vector<Vec3> rest);
  int num_points() const override { return static_cast<int>(rest_.size()); }
  void evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const override;

 private:
  std::shared_ptr<const RigidMotion> motion_;
  std::vector<Vec3> rest_;
};

}  // namespace dashpot
