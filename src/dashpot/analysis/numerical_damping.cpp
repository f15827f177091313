#include "dashpot/analysis/numerical_damping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/table_analysis.hpp"

namespace dashpot::analysis {
namespace {

using Complex = std::complex<double>;
using Eigenvalues = std::vector<Complex>;

/// Exponent of the exact motion times h, upper half plane.
Complex exact_exponent(double omega_h, double zeta) {
  return omega_h * Complex(-zeta, std::sqrt((1 - zeta) * (1 + zeta)));
}

/// Puts the eigenvalue that continues the exact one first: the oscillating pair where there is one, else the slowest.
void put_principal_first(Eigenvalues& values, Complex exact) {
  const auto better = [&](Complex a, Complex b) {
    const bool a_turns = a.imag() > 0, b_turns = b.imag() > 0;
    if (a_turns != b_turns) return a_turns;
    return a_turns ? std::abs(a - exact) < std::abs(b - exact) : std::abs(a) > std::abs(b);
  };
  std::iter_swap(values.begin(), std::min_element(values.begin(), values.end(), better));
}

void check(double omega_h, double zeta) {
  std::vector<Problem> problems;
  if (!(std::isfinite(omega_h) && omega_h > 0))
    problems.push_back(
        {"", fmt::format("omega h = {}", omega_h), "a value above zero", "2 pi times frequency times step"});
  if (!(zeta >= 0 && zeta < 1))
    problems.push_back({"", fmt::format("zeta = {}", zeta), "0 <= zeta < 1", "only oscillating modes have a period"});
  if (!problems.empty()) throw Error(problems);
}

}  // namespace

std::vector<Complex> recurrence_eigenvalues(const Integrator& integrator, double omega_h, double physical_zeta) {
  check(omega_h, physical_zeta);
  Eigenvalues values = amplification_eigenvalues(integrator, omega_h, physical_zeta);
  put_principal_first(values, std::exp(exact_exponent(omega_h, physical_zeta)));
  return values;
}

NumericalDamping numerical_damping(const Integrator& integrator, double omega_h, double physical_zeta) {
  const Eigenvalues values = recurrence_eigenvalues(integrator, omega_h, physical_zeta);
  NumericalDamping result;
  result.spectral_radius = 0;
  for (Complex value : values) result.spectral_radius = std::max(result.spectral_radius, std::abs(value));
  result.is_stable = result.spectral_radius <= 1 + 1e-12;
  const Complex lambda = values.front();
  const double decay = -std::log(std::abs(lambda)), angle = std::arg(lambda);
  result.oscillates = lambda.imag() > 0;
  result.zeta = decay / std::hypot(decay, angle);
  result.numerical_zeta = result.zeta - physical_zeta;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double exact_angle = exact_exponent(omega_h, physical_zeta).imag();
  result.equivalent_zeta = result.oscillates ? decay / angle : nan;
  result.period_elongation = result.oscillates ? exact_angle / angle - 1 : nan;
  result.energy_lost_per_cycle = result.oscillates ? -std::expm1(-4 * std::numbers::pi * decay / angle) : nan;
  return result;
}

}  // namespace dashpot::analysis
