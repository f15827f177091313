#pragma once
// Pins: nodes held where they are, wholly or along some axes; and supports that shake (base excitation).

#include <array>

#include "dashpot/model/constraint.hpp"

namespace dashpot {

/// Holds dofs at given values.
class Pins final : public Constraint {
 public:
  Pins(std::vector<int> dofs, std::vector<double> values);
  const std::vector<int>& dofs() const override { return dofs_; }
  void prescribe(double time, Vector* q, Vector* v, Vector* a) const override;
  bool is_fixed() const override { return true; }

 private:
  std::vector<int> dofs_;
  std::vector<double> values_;
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

/// Dofs at value + amplitude[axis] s(t): a shaken support.
class ShakenSupport final : public Constraint {
 public:
  /// axes[i] in {0,1,2} is the spatial axis of dofs[i].
  ShakenSupport(std::vector<int> dofs, std::vector<int> axes, std::vector<double> values, HarmonicMotion motion);
  const std::vector<int>& dofs() const override { return dofs_; }
  void prescribe(double time, Vector* q, Vector* v, Vector* a) const override;
  bool is_fixed() const override { return false; }

 private:
  std::vector<int> dofs_, axes_;
  std::vector<double> values_;
  HarmonicMotion motion_;
};

}  // namespace dashpot
