#include "dashpot/analysis/rayleigh_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::analysis {
namespace {

void check(const DampingPoint& point) {
  std::vector<Problem> problems;
  if (!(std::isfinite(point.frequency) && point.frequency > 0))
    problems.push_back({"", fmt::format("frequency = {} Hz", point.frequency), "a frequency above zero", ""});
  if (!(std::isfinite(point.zeta) && point.zeta >= 0))
    problems.push_back({"", fmt::format("zeta = {}", point.zeta), "a damping ratio of at least zero", ""});
  if (!problems.empty()) throw Error(problems);
}

/// Non-negative least squares of A (alpha, beta) = 1 given the sums of its normal equations.
RayleighCoefficients solve_non_negative(double aa, double ab, double bb, double ra, double rb) {
  const double determinant = aa * bb - ab * ab;
  if (determinant > 1e-12 * aa * bb) {
    const double alpha = (ra * bb - rb * ab) / determinant;
    const double beta = (rb * aa - ra * ab) / determinant;
    if (alpha >= 0 && beta >= 0) return {alpha, beta};
  } else {
    return {ra / (2 * aa), rb / (2 * bb)};  // all points at one frequency: half each
  }
  // One coefficient is at its bound; the one that alone explains more stays.
  return ra * ra / aa > rb * rb / bb ? RayleighCoefficients{ra / aa, 0} : RayleighCoefficients{0, rb / bb};
}

void measure_errors(RayleighFit& fit, std::span<const DampingPoint> points) {
  double sum = 0;
  for (const DampingPoint& point : points) {
    const double error = fit.coefficients.zeta(point.frequency) / point.zeta - 1;
    sum += error * error;
    if (std::abs(error) > fit.worst_error) {
      fit.worst_error = std::abs(error);
      fit.worst_error_frequency = point.frequency;
    }
  }
  fit.rms_error = std::sqrt(sum / static_cast<double>(points.size()));
}

double shear_modulus(double young, double poisson) {
  std::vector<Problem> problems;
  if (!(std::isfinite(young) && young > 0))
    problems.push_back({"", fmt::format("young = {} Pa", young), "a modulus above zero", ""});
  if (!(poisson > -1 && poisson < 0.5))
    problems.push_back({"", fmt::format("poisson = {}", poisson), "-1 < poisson < 0.5", "use 0.49 for rubber"});
  if (!problems.empty()) throw Error(problems);
  return young / (2 * (1 + poisson));
}

}  // namespace

double RayleighCoefficients::zeta(double f) const {
  const double omega = two_pi * f;
  return alpha / (2 * omega) + beta * omega / 2;
}

RayleighCoefficients rayleigh_from_point(DampingPoint point, RayleighShare share) {
  check(point);
  const double omega = two_pi * point.frequency;
  switch (share) {
    case RayleighShare::stiffness_only:
      return {0, 2 * point.zeta / omega};
    case RayleighShare::mass_only:
      return {2 * point.zeta * omega, 0};
    case RayleighShare::flattest:
      break;
  }
  return {point.zeta * omega, point.zeta / omega};
}

RayleighCoefficients rayleigh_from_two_points(DampingPoint first, DampingPoint second) {
  check(first);
  check(second);
  if (first.frequency == second.frequency)
    throw Error(Problem{"", fmt::format("both points at {} Hz", first.frequency), "two different frequencies",
                        "give one point, or a second frequency"});
  const double w1 = two_pi * first.frequency, w2 = two_pi * second.frequency;
  const double square = (w2 - w1) * (w2 + w1);
  const double alpha = 2 * w1 * w2 * (first.zeta * w2 - second.zeta * w1) / square;
  const double beta = 2 * (second.zeta * w2 - first.zeta * w1) / square;
  const double round_off = 1e-14 * std::max(first.zeta, second.zeta);
  if (alpha < -round_off * std::max(w1, w2) || beta < -round_off / std::min(w1, w2)) {
    const double ratio = w2 / w1;
    throw Error(Problem{"",
                        fmt::format("zeta = {} at {} Hz and {} at {} Hz need a negative {}", first.zeta,
                                    first.frequency, second.zeta, second.frequency, alpha < 0 ? "alpha" : "beta"),
                        fmt::format("zeta between {:.6g} and {:.6g} at {} Hz", first.zeta * std::min(ratio, 1 / ratio),
                                    first.zeta * std::max(ratio, 1 / ratio), second.frequency),
                        "Rayleigh damping cannot change faster than in proportion to the frequency; move the points or "
                        "use modal damping"});
  }
  return {std::max(alpha, 0.0), std::max(beta, 0.0)};
}

RayleighFit rayleigh_least_squares(std::span<const DampingPoint> points) {
  if (points.empty()) throw Error(Problem{"", "no damping points", "at least one (frequency, zeta)", ""});
  double aa = 0, ab = 0, bb = 0, ra = 0, rb = 0;
  for (const DampingPoint& point : points) {
    check(point);
    if (point.zeta == 0)
      throw Error(Problem{"", fmt::format("zeta = 0 at {} Hz", point.frequency), "a damping ratio above zero",
                          "leave the point out: relative errors have no meaning at zero"});
    const double omega = two_pi * point.frequency;
    const double a = 1 / (2 * omega * point.zeta), b = omega / (2 * point.zeta);
    aa += a * a, ab += a * b, bb += b * b, ra += a, rb += b;
  }
  RayleighFit fit;
  fit.coefficients = solve_non_negative(aa, ab, bb, ra, rb);
  measure_errors(fit, points);
  return fit;
}

RayleighFit rayleigh_over_band(double zeta, double f_low, double f_high, BandCriterion criterion) {
  check({f_low, zeta});
  check({f_high, zeta});
  if (!(f_low < f_high) || zeta == 0)
    throw Error(Problem{"", fmt::format("zeta = {} from {} Hz to {} Hz", zeta, f_low, f_high),
                        "zeta above zero and an increasing band", "swap the two frequencies"});
  constexpr int num_samples = 401;  // log-spaced, ends and geometric middle included
  std::vector<DampingPoint> samples(num_samples);
  for (int i = 0; i < num_samples; ++i)
    samples[static_cast<std::size_t>(i)] = {f_low * std::pow(f_high / f_low, double(i) / (num_samples - 1)), zeta};
  samples.back().frequency = f_high;
  if (criterion == BandCriterion::least_squares) return rayleigh_least_squares(samples);
  // zeta(f) = m (x + 1/x) / 2 with x = f / sqrt(f_low f_high): largest at both ends (m c), smallest in the middle (m).
  const double x = std::sqrt(f_high / f_low);
  const double end_over_middle = (x + 1 / x) / 2;
  const double middle = 2 * zeta / (1 + end_over_middle);
  RayleighFit fit;
  fit.coefficients = rayleigh_from_point({std::sqrt(f_low * f_high), middle});
  measure_errors(fit, samples);
  return fit;
}

Viscosities viscosities_from_beta(double beta, double young, double poisson) {
  const double mu = shear_modulus(young, poisson);
  if (!(std::isfinite(beta) && beta >= 0))
    throw Error(Problem{"", fmt::format("beta = {} s", beta), "at least zero", ""});
  return {beta * 2 * mu * poisson / (1 - 2 * poisson), beta * mu};
}

double beta_from_shear_viscosity(double mu_d, double young, double poisson) {
  const double mu = shear_modulus(young, poisson);
  if (!(std::isfinite(mu_d) && mu_d >= 0))
    throw Error(Problem{"", fmt::format("shear viscosity = {} Pa s", mu_d), "at least zero", ""});
  return mu_d / mu;
}

BetasByMotion betas_by_motion(const Viscosities& viscosities, double young, double poisson) {
  const double mu = shear_modulus(young, poisson), kappa = young / (3 * (1 - 2 * poisson));
  if (!(std::isfinite(viscosities.mu) && viscosities.mu >= 0))
    throw Error(Problem{"", fmt::format("shear viscosity = {} Pa s", viscosities.mu), "at least zero", ""});
  if (!(std::isfinite(viscosities.lambda) && viscosities.bulk() >= 0))
    throw Error(Problem{"", fmt::format("second viscosity = {} Pa s", viscosities.lambda),
                        fmt::format("at least {} Pa s, -2/3 of the shear viscosity", -2 * viscosities.mu / 3), ""});
  BetasByMotion betas{viscosities.mu / mu, viscosities.bulk() / kappa, 0};
  // E = 9 kappa mu/(3 kappa + mu), so that dE/E = (mu dkappa/kappa + 3 kappa dmu/mu)/(3 kappa + mu).
  betas.stretch = (mu * betas.volume + 3 * kappa * betas.shear) / (3 * kappa + mu);
  return betas;
}

}  // namespace dashpot::analysis
