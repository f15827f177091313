#include "dashpot/analysis/shape_ratio.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace dashpot::analysis {
namespace {

double stiffness_along(const System& system, const Vector& x) {
  BlockMatrix K(system.pattern());
  for (const auto& energy : system.energies()) energy->evaluate({.q = system.rest(), .hessian = &K});
  Vector Kx(x.size());
  K.multiply(x, Kx);
  return x.dot(Kx);
}

double power_along(const DissipationTerm& damping, const System& system, const Vector& x) {
  const std::unique_ptr<TermScratch> scratch = damping.make_scratch();
  const State rest = system.initial_state();
  damping.begin_step(rest, scratch.get());
  const Vector internal_variables = Vector::Zero(damping.num_internal_variables());
  return damping.evaluate({rest.q, x, internal_variables, 0, scratch.get()});
}

}  // namespace

ShapeRatio shape_ratio(const System& system, const DissipationTerm& damping, const Vector& shape) {
  const double mass = 2 * system.inertia().kinetic_energy(system.rest(), shape);
  const double omega = std::sqrt(stiffness_along(system, shape) / mass);
  if (!(omega > 0)) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  return {omega / (2 * std::numbers::pi), power_along(damping, system, shape) / (2 * omega * mass)};
}

}  // namespace dashpot::analysis
