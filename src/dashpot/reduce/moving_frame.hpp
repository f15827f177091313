#pragma once
// A reduced body whose pins are carried by a rigid motion (a skeleton's hip, keyframes, a shaken table):
//
//     x = R(t) y + p(t),   y = X + Phi z,   x'' = R'' y + 2 R' y' + R y'' + p''
//
// The subspace rides along. Coordinates are (z, p, R), r + 12 of them, of which p (3) and R (9, column by column) are
// prescribed; the inertia is that of the moving body, exactly, so that what is felt in the frame follows from it:
//
//     z'' + Phi^T M [R^T R'' y + 2 R^T R' y' + R^T p''] + (elastic and damping forces in the frame) = 0
//
// (centrifugal and Euler, Coriolis, translation). Kinetic energy, momentum, gravity and positions are those in the
// world; the work of the carrier is the reaction of p and R.
//
// Limits: dampings see velocities in the frame, so that a mass-proportional one resists motion against the carrier, not
// through the world; loads other than gravity and velocity filters are refused. The mass must act alike along x, y, z.

#include <memory>

#include "dashpot/model/motion.hpp"
#include "dashpot/reduce/reduced_system.hpp"

namespace dashpot {

/// Integrals of mass that the inertia of a moving body needs, in subspace coordinates.
class FrameMoments {
 public:
  explicit FrameMoments(const Subspace& subspace);

  int size() const { return static_cast<int>(linear_.cols()); }
  double mass() const { return mass_; }  ///< [kg]
  /// sum m y [kg m].
  Vec3 first(const Vector& z) const { return first_ + linear_ * z; }
  /// sum m y'.
  Vec3 rate(const Vector& w) const { return linear_ * w; }
  /// Phi^T M (d, d, ...).
  Vector uniform(const Vec3& d) const { return linear_.transpose() * d; }
  /// sum m y y^T [kg m^2].
  Mat3 second(const Vector& z) const;
  /// sum m (Phi w) y^T.
  Mat3 mixed(const Vector& w, const Vector& z) const;
  /// Phi^T M [A] Phi, where A acts on every node.
  Matrix turned(const Mat3& A) const;
  /// Phi^T M [A] y.
  Vector turned(const Mat3& A, const Vector& z) const;

 private:
  double mass_ = 0;
  Vec3 first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
  Eigen::Matrix3Xd linear_;  ///< 3 x r
  Vector h_[3][3];           ///< Phi_a^T M X_b
  Matrix B_[3][3];           ///< Phi_a^T M Phi_b
};

/// The System in (z, p, R). `gravity` [m/s^2] takes the place of the gravity of the model. Throws dashpot::Error for
/// what the frame cannot carry.
std::shared_ptr<const System> in_moving_frame(const ReducedModel& model, std::shared_ptr<const RigidMotion> motion,
                                              const Vec3& gravity);

/// A state of the reduced System riding along: the same z, and rates in the frame.
State in_moving_frame(const System& moving, const State& still);

}  // namespace dashpot
