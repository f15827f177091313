#pragma once
// Nodes that move as told: d(t) = x_i(t) of a PointMotion along chosen axes, with its exact velocity and acceleration.
// Also the rigid motions that need no file: shaking tables, and translation and rotation by keys.

#include <array>
#include <memory>
#include <vector>

#include "dashpot/math/spline.hpp"
#include "dashpot/model/constraint.hpp"
#include "dashpot/model/motion.hpp"

namespace dashpot {

/// Prescribes dofs from the points of a motion.
class DrivenNodes final : public Constraint {
 public:
  /// dofs[i] is coordinate axes[i] (0, 1, 2) of point points[i] of the motion.
  DrivenNodes(std::shared_ptr<const PointMotion> motion, std::vector<int> dofs, std::vector<int> points,
              std::vector<int> axes);
  const std::vector<int>& dofs() const override { return dofs_; }
  void prescribe(double time, Vector* q, Vector* v, Vector* a) const override;
  bool is_fixed() const override { return false; }

 private:
  std::shared_ptr<const PointMotion> motion_;
  std::vector<int> dofs_, points_, axes_;
};

/// A displacement A sin(2 pi f t + phase) along a direction, faded in by a quintic over `ramp` seconds so that
/// position, velocity and acceleration all start from zero; before `start` and for ramp = 0 it is the plain sine of t -
/// start.
struct HarmonicMotion {
  Vec3 amplitude = Vec3::Zero();  ///< [m]
  double frequency = 1;           ///< [Hz]
  double phase = 0;               ///< [rad]
  double ramp = 0;                ///< [s]
  double start = 0;               ///< [s]
  /// Scalar factor s(t) with displacement = amplitude s(t), and its first two derivatives [1], [1/s], [1/s^2].
  std::array<double, 3> evaluate(double time) const;
};

/// The quintic 10 x^3 - 15 x^4 + 6 x^5 of x = time / ramp and its first two derivatives in time; 0 before, 1 after.
std::array<double, 3> fade_in(double time, double ramp);

/// Everything shaken alike (base excitation).
class ShakenTable final : public RigidMotion {
 public:
  explicit ShakenTable(HarmonicMotion motion) : motion_(std::move(motion)) {}
  RigidPose pose(double time) const override;

 private:
  HarmonicMotion motion_;
};

/// x(t) = pivot + tau(t) + exp([phi(t)]) (X - pivot): tau [m] and the rotation vector phi [rad] are splines of
/// dimension 3.
class KeyedRigidMotion final : public RigidMotion {
 public:
  KeyedRigidMotion(math::Spline translation, math::Spline rotation, Vec3 pivot);
  RigidPose pose(double time) const override;

 private:
  math::Spline translation_, rotation_;
  Vec3 pivot_;
};

/// A motion that begins `start` seconds later and is faded in from rest positions X: x = X + s(t) (m(t - start) - X).
class DelayedMotion final : public PointMotion {
 public:
  DelayedMotion(std::shared_ptr<const PointMotion> motion, std::vector<Vec3> rest, double start, double ramp);
  int num_points() const override { return motion_->num_points(); }
  void evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const override;

 private:
  std::shared_ptr<const PointMotion> motion_;
  std::vector<Vec3> rest_;
  double start_, ramp_;
};

}  // namespace dashpot
