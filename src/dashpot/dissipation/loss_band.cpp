#include "dashpot/dissipation/loss_band.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/math/nonnegative_least_squares.hpp"

namespace dashpot {
namespace {

constexpr double two_pi_of_time = 2 * std::numbers::pi;
constexpr double branches_a_decade = 2, margin = 0.5;  // decades beyond the band, on both sides
constexpr int samples_a_decade = 40;

/// z / (1 + z) at z = i x.
ModulusFactor branch_factor(double x) { return {x * x / (1 + x * x), x / (1 + x * x)}; }

/// From low to high, evenly in the logarithm.
std::vector<double> log_spaced(double low, double high, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(low * std::pow(high / low, i / (count - 1.0)));
  return values;
}

}  // namespace

ModulusFactor modulus_factor(const std::vector<LossBranch>& branches, double frequency) {
  ModulusFactor sum;
  for (const LossBranch& branch : branches) {
    const ModulusFactor one = branch_factor(two_pi_of_time * frequency * branch.tau);
    sum.storage += branch.share * one.storage;
    sum.loss += branch.share * one.loss;
  }
  return sum;
}

LossBranch zener_branch(double loss_factor, double frequency) {
  if (!(std::isfinite(loss_factor) && loss_factor >= 0 && std::isfinite(frequency) && frequency > 0))
    throw Error(Problem{"", fmt::format("a peak loss factor of {} at {} Hz", loss_factor, frequency),
                        "a loss factor >= 0 at a frequency > 0", ""});
  const double g = 2 * loss_factor * (loss_factor + std::sqrt(1 + loss_factor * loss_factor));
  return {g, 1 / (two_pi_of_time * frequency * std::sqrt(1 + g))};
}

LossBand constant_loss_factor(double eta, double low, double high) {
  std::vector<Problem> problems;
  if (!(eta >= 0 && eta < 1))
    problems.push_back({"", fmt::format("loss factor {}", eta), "0 <= loss factor < 1",
                        "damping ratios are half of it; use zener for more"});
  if (!(std::isfinite(low) && std::isfinite(high) && low > 0 && high > low))
    problems.push_back({"", fmt::format("a band from {} to {} Hz", low, high), "0 < from < to", ""});
  if (!problems.empty()) throw Error(problems);

  const double decades = std::log10(high / low), widening = std::pow(10, margin);
  const int count = 1 + static_cast<int>(std::ceil(branches_a_decade * (decades + 2 * margin) - 1e-9));
  const std::vector<double> centers = log_spaced(low / widening, high * widening, count);
  const std::vector<double> samples =
      log_spaced(low, high, std::max(2 * count, static_cast<int>(samples_a_decade * decades) + 1));
  Matrix A(static_cast<Eigen::Index>(samples.size()), count);
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index k = 0; k < count; ++k) {
      const ModulusFactor one = branch_factor(samples[at(i)] / centers[at(k)]);
      A(i, k) = one.loss - eta * one.storage;
    }
  const Vector shares = math::nonnegative_least_squares(A, Vector::Constant(A.rows(), eta));
  LossBand band;
  for (Eigen::Index k = 0; k < count; ++k)
    if (shares[k] > 0) band.branches.push_back({shares[k], 1 / (two_pi_of_time * centers[at(k)])});
  if (eta == 0) return band;
  for (const double f : log_spaced(low, high, 10 * static_cast<int>(samples.size())))
    band.worst_error = std::max(band.worst_error, std::abs(modulus_factor(band.branches, f).loss_factor() / eta - 1));
  band.stiffening = modulus_factor(band.branches, high).storage / modulus_factor(band.branches, low).storage;
  return band;
}

}  // namespace dashpot
