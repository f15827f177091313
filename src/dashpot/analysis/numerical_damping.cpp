#include "dashpot/analysis/numerical_damping.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "dashpot/core/error.hpp"

namespace dashpot::analysis {
namespace {

using Complex = std::complex<double>;
using Eigenvalues = std::vector<Complex>;

constexpr std::array<const char*, 9> names = {"backward_euler",    "bdf2",  "trapezoid",        "midpoint", "newmark",
                                              "generalized_alpha", "bathe", "symplectic_euler", "leapfrog"};

/// Exponent of the exact motion times h, upper half plane.
Complex exact_exponent(double omega_h, double zeta) {
  return omega_h * Complex(-zeta, std::sqrt((1 - zeta) * (1 + zeta)));
}

Eigenvalues with_conjugate(Complex lambda) { return {lambda, std::conj(lambda)}; }

Eigenvalues bdf2_eigenvalues(Complex w) {
  const Complex root = std::sqrt(1.0 + 2.0 * w);
  const Complex principal = (2.0 + root) / (3.0 - 2.0 * w), parasitic = (2.0 - root) / (3.0 - 2.0 * w);
  return {principal, std::conj(principal), parasitic, std::conj(parasitic)};
}

/// Eigenvalues of a real 2x2 matrix. The discriminant is formed from the off-diagonal products, not as tr^2/4 - det,
/// which would cancel for small steps; for a conjugate pair |lambda|^2 = det.
Eigenvalues eigenvalues_2x2(double a, double b, double c, double d) {
  const double half_trace = (a + d) / 2, half_gap = (a - d) / 2;
  const double discriminant = half_gap * half_gap + b * c;
  if (discriminant < 0) return with_conjugate({half_trace, std::sqrt(-discriminant)});
  const double root = std::sqrt(discriminant);
  return {half_trace + root, half_trace - root};
}

/// Newmark in (q, h v), acceleration eliminated by equilibrium at both ends.
Eigenvalues newmark_eigenvalues(double beta, double gamma, double z, double zeta) {
  const double k = z * z, c = 2 * zeta * z;  // h^2 a = -k q - c (h v)
  Eigen::Matrix2d left, right;
  left << 1 + beta * k, beta * c, gamma * k, 1 + gamma * c;
  right << 1 - (0.5 - beta) * k, 1 - (0.5 - beta) * c, -(1 - gamma) * k, 1 - (1 - gamma) * c;
  const double det = left(0, 0) * left(1, 1) - left(0, 1) * left(1, 0);
  Eigen::Matrix2d inverse;
  inverse << left(1, 1) / det, -left(0, 1) / det, -left(1, 0) / det, left(0, 0) / det;
  const Eigen::Matrix2d a = inverse * right;
  return eigenvalues_2x2(a(0, 0), a(0, 1), a(1, 0), a(1, 1));
}

Eigenvalues eigenvalues_3x3(const Eigen::Matrix3d& a) {
  const Eigen::EigenSolver<Eigen::Matrix3d> solver(a, false);
  return {solver.eigenvalues()[0], solver.eigenvalues()[1], solver.eigenvalues()[2]};
}

/// Leapfrog in (q, h v, h^2 a): p_half = p + a/2, q' = q + p_half, a' = -k q' - c (p + a), p' = p_half + a'/2.
Eigenvalues leapfrog_eigenvalues(double k, double c) {
  Eigen::Matrix3d a;
  a.row(0) << 1, 1, 0.5;
  a.row(2) << -k, -k - c, -k / 2 - c;
  a.row(1) = Eigen::RowVector3d(0, 1, 0.5) + a.row(2) / 2;
  return eigenvalues_3x3(a);
}

/// Generalised-alpha in (q, h v, h^2 a).
Eigenvalues generalised_alpha_eigenvalues(double rho, double z, double zeta) {
  const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
  const double gamma = 0.5 - am + af, beta = 0.25 * (1 - am + af) * (1 - am + af);
  const double k = z * z, c = 2 * zeta * z;
  Eigen::Matrix3d left, right;
  left << 1, 0, -beta, 0, 1, -gamma, (1 - af) * k, (1 - af) * c, 1 - am;
  right << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, -af * k, -af * c, -am;
  return eigenvalues_3x3(left.partialPivLu().solve(right));
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

void check(const SchemeSpec& spec, double omega_h, double zeta) {
  std::vector<Problem> problems;
  if (!(std::isfinite(omega_h) && omega_h > 0))
    problems.push_back(
        {"", fmt::format("omega h = {}", omega_h), "a value above zero", "2 pi times frequency times step"});
  if (!(zeta >= 0 && zeta < 1))
    problems.push_back({"", fmt::format("zeta = {}", zeta), "0 <= zeta < 1", "only oscillating modes have a period"});
  if (spec.scheme == Scheme::generalised_alpha && !(spec.rho_inf >= 0 && spec.rho_inf <= 1))
    problems.push_back({"", fmt::format("rho_inf = {}", spec.rho_inf), "0 <= rho_inf <= 1", ""});
  if (spec.scheme == Scheme::newmark && !(spec.beta >= 0 && spec.gamma >= 0 && std::isfinite(spec.beta + spec.gamma)))
    problems.push_back({"", fmt::format("beta = {}, gamma = {}", spec.beta, spec.gamma), "both at least zero", ""});
  if (!problems.empty()) throw Error(problems);
}

}  // namespace

std::vector<Complex> amplification_eigenvalues(const SchemeSpec& spec, double omega_h, double physical_zeta) {
  check(spec, omega_h, physical_zeta);
  const Complex w = exact_exponent(omega_h, physical_zeta);
  const double k = omega_h * omega_h, c = 2 * physical_zeta * omega_h;
  Eigenvalues values;
  switch (spec.scheme) {
    case Scheme::backward_euler:
      values = with_conjugate(1.0 / (1.0 - w));
      break;
    case Scheme::bdf2:
      values = bdf2_eigenvalues(w);
      break;
    case Scheme::trapezoid:
    case Scheme::implicit_midpoint:
      values = with_conjugate((1.0 + w / 2.0) / (1.0 - w / 2.0));
      break;
    case Scheme::newmark:
      values = newmark_eigenvalues(spec.beta, spec.gamma, omega_h, physical_zeta);
      break;
    case Scheme::generalised_alpha:
      values = generalised_alpha_eigenvalues(spec.rho_inf, omega_h, physical_zeta);
      break;
    case Scheme::bathe:
      values = with_conjugate((4.0 * (1.0 + w / 4.0) / (1.0 - w / 4.0) - 1.0) / (3.0 - w));
      break;
    case Scheme::symplectic_euler:  // v' = v - h (k q + c v), q' = q + h v'
      values = eigenvalues_2x2(1 - k, 1 - c, -k, 1 - c);
      break;
    case Scheme::leapfrog:
      values = leapfrog_eigenvalues(k, c);
      break;
  }
  put_principal_first(values, std::exp(w));
  return values;
}

NumericalDamping numerical_damping(const SchemeSpec& spec, double omega_h, double physical_zeta) {
  const Eigenvalues values = amplification_eigenvalues(spec, omega_h, physical_zeta);
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

std::string scheme_name(Scheme scheme) { return names[static_cast<std::size_t>(scheme)]; }

std::vector<std::string> scheme_names() { return {names.begin(), names.end()}; }

Scheme scheme_from_name(const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Scheme>(found - names.begin());
  const std::string nearest = nearest_name(name, scheme_names());
  throw Error(Problem{"", fmt::format("stepper '{}'", name), fmt::format("one of {}", fmt::join(names, ", ")),
                      nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)});
}

}  // namespace dashpot::analysis
