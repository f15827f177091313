#include "dashpot/analysis/forced.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dashpot/analysis/damped_sinusoids.hpp"
#include "dashpot/analysis/signal.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::analysis {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

void require_same_length(std::size_t time, std::size_t force, std::size_t displacement) {
  if (time != force || time != displacement)
    throw Error(Problem{"", fmt::format("{} times, {} forces, {} displacements", time, force, displacement),
                        "as many of each", ""});
}

/// Fourier integral of samples at circular frequency omega (trapezoidal rule, also on uneven samples).
Complex fourier(std::span<const double> t, std::span<const double> x, double omega) {
  Complex sum = 0;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const double h = t[i + 1] - t[i];
    sum += h / 2 * (x[i] * std::polar(1.0, -omega * t[i]) + x[i + 1] * std::polar(1.0, -omega * t[i + 1]));
  }
  return sum;
}

}  // namespace

HarmonicFit fit_harmonics(std::span<const double> time, std::span<const double> value, double frequency,
                          int num_harmonics) {
  if (!(std::isfinite(frequency) && frequency > 0))
    throw Error(Problem{"", fmt::format("frequency = {} Hz", frequency), "a frequency above zero", ""});
  if (num_harmonics < 1 || num_harmonics > 50)
    throw Error(Problem{"", fmt::format("{} harmonics", num_harmonics), "1 to 50", ""});
  const Samples samples = clean_samples(time, value);
  if (samples.duration() * frequency < 0.99)
    throw Error(Problem{"", fmt::format("{:.3g} cycles of {} Hz", samples.duration() * frequency, frequency),
                        "at least one cycle", "record longer"});
  const auto n = static_cast<Eigen::Index>(samples.size());
  const Eigen::Index unknowns = 2 + 2 * num_harmonics;
  if (n < unknowns + 2)
    throw Error(
        Problem{"", fmt::format("{} samples for {} unknowns", n, unknowns), "more samples", "fit fewer harmonics"});
  Eigen::MatrixXd basis(n, unknowns);
  Eigen::VectorXd rhs(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double t = samples.time[static_cast<std::size_t>(i)], since = t - samples.time.front();
    basis(i, 0) = 1;
    basis(i, 1) = since / samples.duration();
    for (int k = 1; k <= num_harmonics; ++k) {
      basis(i, 2 * k) = std::cos(k * two_pi * frequency * t);
      basis(i, 2 * k + 1) = -std::sin(k * two_pi * frequency * t);  // Re((a + ib) e^{iwt}) = a cos - b sin
    }
    rhs[i] = samples.value[static_cast<std::size_t>(i)];
  }
  const Eigen::VectorXd c = basis.householderQr().solve(rhs);
  HarmonicFit fit;
  fit.frequency = frequency;
  fit.mean = c[0];
  fit.drift = c[1] / samples.duration();
  for (int k = 1; k <= num_harmonics; ++k) fit.amplitudes.emplace_back(c[2 * k], c[2 * k + 1]);
  fit.residual_rms = (rhs - basis * c).norm() / std::sqrt(static_cast<double>(n));
  return fit;
}

double find_drive_frequency(std::span<const double> time, std::span<const double> value) {
  const Samples samples = clean_samples(time, value, 12);
  const Samples even = resample_evenly(samples);
  const double noise = noise_level(even.value);
  Samples part;
  // A pencil over at most 360 samples sees the frequency; the fit over the whole record then refines it.
  const std::vector<std::size_t> turns =
      turning_indices(even.value, 0.2 * (*std::max_element(even.value.begin(), even.value.end()) -
                                         *std::min_element(even.value.begin(), even.value.end())));
  const std::size_t gap = turns.size() > 1 ? (turns.back() - turns.front()) / (turns.size() - 1) : 1;
  const std::size_t stride = std::max<std::size_t>(1, gap / 6);
  for (std::size_t i = 0; i < even.size() && part.size() < 360; i += stride) {
    part.time.push_back(even.time[i]);
    part.value.push_back(even.value[i]);
  }
  std::vector<DampedMode> modes;
  if (part.size() >= 12) modes = find_modes(part, noise, 0.3, 1);
  if (modes.empty()) throw Error(Problem{"", "no steady oscillation", "a harmonic force", "state the drive frequency"});
  return fit_modes(samples, modes).modes.front().frequency();
}

ForcedResponse measure_forced(std::span<const double> time, std::span<const double> force,
                              std::span<const double> displacement, double frequency) {
  require_same_length(time.size(), force.size(), displacement.size());
  const double samples_per_cycle = time.size() < 2 ? 0 : 1 / (frequency * median_step(time));
  const int num_harmonics = std::clamp(static_cast<int>(samples_per_cycle / 3), 1, 9);
  const HarmonicFit f = fit_harmonics(time, force, frequency, num_harmonics);
  const HarmonicFit x = fit_harmonics(time, displacement, frequency, num_harmonics);
  ForcedResponse r;
  r.frequency = frequency;
  r.force_amplitude = std::abs(f.amplitudes[0]);
  r.displacement_amplitude = std::abs(x.amplitudes[0]);
  r.receptance = x.amplitudes[0] / f.amplitudes[0];
  const Complex stiffness = f.amplitudes[0] / x.amplitudes[0];
  r.storage_stiffness = stiffness.real();
  r.loss_stiffness = stiffness.imag();
  r.loss_angle = std::arg(stiffness);
  r.loss_factor = stiffness.imag() / stiffness.real();
  double higher = 0;
  for (std::size_t n = 0; n < x.amplitudes.size(); ++n) {
    r.energy_lost_per_cycle += pi * static_cast<double>(n + 1) * (f.amplitudes[n] * std::conj(x.amplitudes[n])).imag();
    if (n > 0) higher += std::norm(x.amplitudes[n]);
  }
  r.equivalent_dashpot = r.energy_lost_per_cycle / (pi * two_pi * frequency * std::norm(x.amplitudes[0]));
  r.distortion = std::sqrt(higher) / r.displacement_amplitude;
  return r;
}

std::vector<FrfPoint> frf_from_steps(std::span<const double> time, std::span<const double> force,
                                     std::span<const double> displacement, std::span<const SweepSegment> segments) {
  require_same_length(time.size(), force.size(), displacement.size());
  std::vector<FrfPoint> points;
  for (const SweepSegment& segment : segments) {
    const double from = (segment.start + segment.end) / 2;
    const auto begin = static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), from) - time.begin());
    const auto end = static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), segment.end) - time.begin());
    const std::size_t count = end > begin ? end - begin : 0;
    const Complex f =
        fit_harmonics(time.subspan(begin, count), force.subspan(begin, count), segment.frequency).amplitudes[0];
    const Complex x =
        fit_harmonics(time.subspan(begin, count), displacement.subspan(begin, count), segment.frequency).amplitudes[0];
    points.push_back({segment.frequency, x / f});
  }
  return points;
}

std::vector<FrfPoint> frf_from_transient(std::span<const double> time, std::span<const double> force,
                                         std::span<const double> displacement, std::span<const double> frequencies) {
  require_same_length(time.size(), force.size(), displacement.size());
  const Samples f = clean_samples(time, force), x = clean_samples(time, displacement);
  std::vector<FrfPoint> points;
  for (const double frequency : frequencies) {
    const double omega = two_pi * frequency;
    points.push_back({frequency, fourier(x.time, x.value, omega) / fourier(f.time, f.value, omega)});
  }
  return points;
}

}  // namespace dashpot::analysis
