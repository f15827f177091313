#pragma once
// A body whose damping can be designed: examples, a System for any gains, and how it is stepped. Full and reduced
// models look the same from here.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/math/gain_curve.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot::design {

using Gains = std::vector<math::GainCurve>;  ///< one per example

struct Designable {
  std::vector<std::string> names;  ///< of the examples
  Matrix shapes;                   ///< num_dofs x k, displacements from rest [m]
  /// The System with these gains.
  std::function<std::shared_ptr<const System>(const Gains&)> with_gains;
  std::function<std::unique_ptr<Stepper>()> make_stepper;
  double dt = 0;  ///< [s]
  /// Where releases are counted from and examples are added to; empty: rest.
  Vector origin = {};

  int num_examples() const { return static_cast<int>(shapes.cols()); }
};

/// How much of each example is in a displacement or velocity: chi = (X^T M X)^-1 X^T M u [XuBarbic2017, sec. 4.2].
class ExampleShares {
 public:
  /// Throws dashpot::Error where examples depend on each other.
  ExampleShares(const System& system, const Matrix& shapes);
  Vector operator()(const Vector& u) const { return P_ * u; }

 private:
  Matrix P_;
};

}  // namespace dashpot::design
