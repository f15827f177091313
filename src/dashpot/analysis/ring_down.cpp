#include "dashpot/analysis/ring_down.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dashpot/analysis/ring_cycles.hpp"
#include "dashpot/analysis/ring_fit.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::analysis {
namespace {

Samples without_other_modes(Samples samples, const ModeFit& fit) {
  for (std::size_t m = 1; m < fit.modes.size(); ++m)
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples.value[i] -= fit.modes[m].value(samples.time[i] - fit.start_time);
  return samples;
}

double peak_frequency(const std::vector<Extremum>& extrema) {
  if (extrema.size() < 2) return nan;
  return 0.5 * static_cast<double>(extrema.size() - 1) / (extrema.back().time - extrema.front().time);
}

void read_peaks(const Samples& dominant, const RingDownOptions& options, RingDown& result) {
  const double period = 1 / result.frequency;
  const double threshold = std::max(6 * result.noise, 1e-5 * range_of(dominant.value));
  result.extrema = regular_extrema(dominant, threshold, period);
  result.cycles = ring_cycles(result.extrema, options.noise_factor * result.noise);
  result.by_amplitude = bin_by_amplitude(result.cycles);
  result.peak_frequency = peak_frequency(result.extrema);
}

/// What the scatter of the cycles says about the fitted zeta: neighboring readings share extrema, hence half of them
/// count.
double deviation_from_cycles(const std::vector<RingCycle>& cycles) {
  if (cycles.size() < 3) return 0;
  std::vector<double> zeta;
  for (const RingCycle& cycle : cycles) zeta.push_back(cycle.zeta);
  return robust_deviation(zeta) / std::sqrt(static_cast<double>(cycles.size()) / 2);
}

void measure_settling(const Samples& samples, RingDown& result) {
  const double period = std::isfinite(result.frequency) ? 1 / result.frequency : samples.duration() / 10;
  const double zeta = std::isfinite(result.zeta) ? std::clamp(result.zeta, -0.9, 0.9) : 0;
  const double r = std::exp(-std::numbers::pi * zeta / std::sqrt(1 - zeta * zeta));
  const RestLine rest = rest_line(samples, result.extrema, r, period);
  result.rest = rest.value.back();
  double largest = 0;
  for (std::size_t i = 0; i < samples.size() && samples.time[i] < samples.time.front() + period; ++i) {
    const double distance = std::abs(samples.value[i] - rest.at(samples.time[i]));
    if (distance > largest) {
      largest = distance;
      result.start_time = samples.time[i];
    }
  }
  result.initial_amplitude = largest;
  for (const double fraction : {0.05, 0.02, 0.01})
    result.settle.push_back({fraction, settle_time(samples, rest, result.start_time, fraction * largest),
                             result.decay_rate > 0 ? -std::log(fraction) / result.decay_rate : nan});
  const auto [low, high] = std::minmax_element(rest.value.begin(), rest.value.end());
  const double allowed = 0.05 * largest + 3 * result.noise;
  if (*high - *low > allowed) result.flags.push_back(RingDownFlag::drifting_rest);
}

bool depends_on_amplitude(const std::vector<AmplitudeBin>& bins) {
  if (bins.size() < 2) return false;
  const auto [low, high] = std::minmax_element(
      bins.begin(), bins.end(), [](const AmplitudeBin& a, const AmplitudeBin& b) { return a.zeta < b.zeta; });
  const auto error = [](const AmplitudeBin& bin) { return bin.zeta_spread / std::sqrt(0.5 * bin.num_cycles); };
  const double difference = high->zeta - low->zeta;
  return difference > 3 * std::hypot(error(*low), error(*high)) && difference > 0.05 * std::abs(high->zeta);
}

/// Decay rate of the tail of a motion that does not oscillate: slope of ln|x - rest| between 50 % and 5 % of its start.
double creeping_decay_rate(const Samples& samples, double rest) {
  const double start = std::abs(samples.value.front() - rest);
  double n = 0, st = 0, sy = 0, stt = 0, sty = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double distance = std::abs(samples.value[i] - rest), t = samples.time[i];
    if (distance > 0.5 * start || distance < 0.05 * start) continue;
    const double y = std::log(distance);
    n += 1, st += t, sy += y, stt += t * t, sty += t * y;
  }
  return n < 3 ? nan : -(n * sty - st * sy) / (n * stt - st * st);
}

void raise_flags(const Samples& samples, RingDown& result) {
  const auto raise = [&](bool condition, RingDownFlag flag) {
    if (condition) result.flags.push_back(flag);
  };
  raise(result.cycles.size() < 5, RingDownFlag::too_few_cycles);
  raise(result.samples_per_cycle < 8, RingDownFlag::coarse_sampling);
  raise(result.noise > 0.02 * result.initial_amplitude, RingDownFlag::noisy);
  raise(depends_on_amplitude(result.by_amplitude), RingDownFlag::amplitude_dependent);
  for (std::size_t m = 1; m < result.fit.modes.size(); ++m)
    if (result.fit.modes[m].amplitude() > 0.01 * result.fit.modes[0].amplitude()) {
      raise(true, RingDownFlag::several_modes);
      break;
    }
  raise(result.zeta <= 2 * result.zeta_deviation && result.zeta < 1e-6, RingDownFlag::not_decaying);
  double mean = 0, squares = 0;
  for (const double v : samples.value) mean += v / static_cast<double>(samples.size());
  for (const double v : samples.value) squares += (v - mean) * (v - mean);
  raise(result.fit.residual_rms > 0.05 * std::sqrt(squares / static_cast<double>(samples.size())),
        RingDownFlag::poor_fit);
}

void check(const RingDownOptions& options) {
  std::vector<Problem> problems;
  if (!(options.start < options.end))
    problems.push_back(
        {"", fmt::format("start = {} s, end = {} s", options.start, options.end), "start before end", ""});
  if (options.max_modes < 1 || options.max_modes > 8)
    problems.push_back({"", fmt::format("max_modes = {}", options.max_modes), "1 to 8", ""});
  if (!(options.noise_factor >= 0))
    problems.push_back({"", fmt::format("noise_factor = {}", options.noise_factor), "at least 0", ""});
  if (!problems.empty()) throw Error(problems);
}

}  // namespace

bool RingDown::has(RingDownFlag flag) const { return std::find(flags.begin(), flags.end(), flag) != flags.end(); }

RingDown measure_ring_down(std::span<const double> time, std::span<const double> value,
                           const RingDownOptions& options) {
  check(options);
  const Samples all = clean_samples(time, value);
  Samples samples = all.between(options.start, options.end);
  samples = clean_samples(samples.time, samples.value);
  RingDown result;
  if (all.num_dropped > 0 || step_irregularity(samples.time) > 0.1) result.flags.push_back(RingDownFlag::gaps);
  Samples even = resample_evenly(samples);
  result.noise = noise_level(even.value);
  const double release = find_release(even, result.noise);
  if (release > samples.time.front()) {
    samples = samples.between(release, samples.time.back());
    even = even.between(release, even.time.back());
  }
  result.fit = find_and_fit(even, samples, result.noise, options.max_modes);
  if (result.fit.modes.empty()) {
    result.flags.push_back(RingDownFlag::overdamped);
    result.frequency = result.natural_frequency = result.peak_frequency = result.zeta = nan;
    measure_settling(samples, result);
    result.decay_rate = creeping_decay_rate(samples, result.rest);
    return result;
  }
  const DampedMode& mode = result.fit.modes.front();
  result.frequency = mode.frequency();
  result.frequency_deviation = mode.omega_deviation / (2 * std::numbers::pi);
  result.natural_frequency = mode.natural_frequency();
  result.zeta = mode.zeta();
  result.decay_rate = mode.decay_rate;
  result.samples_per_cycle = 1 / (result.frequency * median_step(samples.time));
  read_peaks(without_other_modes(even, result.fit), options, result);
  result.zeta_deviation = std::max(
      mode.zeta_deviation(), result.fit.residual_rms > 3 * result.noise ? deviation_from_cycles(result.cycles) : 0.0);
  measure_settling(samples, result);
  raise_flags(samples, result);
  return result;
}

}  // namespace dashpot::analysis
