#include "dashpot/analysis/ring_down.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dashpot/analysis/ring_cycles.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot::analysis {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

/// Number of samples between turning points (median, or another share of the sorted gaps); 0 when there are none.
double half_period_samples(const Samples& even, double threshold, double share = 0.5) {
  const std::vector<std::size_t> turns = turning_indices(even.value, threshold);
  std::vector<double> gaps;
  for (std::size_t i = 0; i + 1 < turns.size(); ++i) gaps.push_back(static_cast<double>(turns[i + 1] - turns[i]));
  if (gaps.empty()) return 0;
  std::sort(gaps.begin(), gaps.end());
  return gaps[static_cast<std::size_t>(share * static_cast<double>(gaps.size() - 1))];
}

/// Every `stride`-th sample, at most `limit` of them.
Samples thin(const Samples& even, std::size_t stride, std::size_t limit) {
  Samples result;
  for (std::size_t i = 0; i < even.size() && result.size() < limit; i += stride) {
    result.time.push_back(even.time[i]);
    result.value.push_back(even.value[i]);
  }
  return result;
}

/// A plateau before the release does not belong to the motion: starts at the release when it comes later than 3/4
/// period.
double find_release(const Samples& even, double noise) {
  const double coarse = std::max(6 * noise, 0.1 * range_of(even.value));
  const double gap = half_period_samples(even, coarse);
  if (gap == 0) return even.time.front();
  const double dt = even.duration() / static_cast<double>(even.size() - 1);
  const std::vector<std::size_t> turns = turning_indices(even.value, coarse);
  const std::vector<Extremum> run = regular_extrema(even, coarse, 2 * gap * dt);
  if (run.size() < 2) return even.time.front();
  double release = run.front().time;
  // The turning point just before the run is the release itself when it lies about half a period earlier.
  for (const std::size_t turn : turns)
    if (even.time[turn] < release - 0.25 * gap * dt && even.time[turn] > release - 2 * gap * dt) {
      release = even.time[turn];
      break;
    }
  if (release - even.time.front() < 1.5 * gap * dt) return even.time.front();
  // Other modes can make the first cycles irregular: only a quiet stretch is left out.
  const bool is_quiet = range_of(even.between(even.time.front(), release).value) < 0.15 * range_of(even.value);
  return is_quiet ? release : even.time.front();
}

/// Modes whose frequency is at least 15 % away from every more energetic one.
std::vector<DampedMode> well_separated(const std::vector<DampedMode>& modes) {
  std::vector<DampedMode> kept;
  for (const DampedMode& mode : modes)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const DampedMode& k) { return std::abs(mode.omega / k.omega - 1) < 0.15; }))
      kept.push_back(mode);
  return kept;
}

/// Fits as many modes as the signal supports: all when they explain it down to the noise (or round-off), otherwise the
/// separated ones when they at least halve what the dominant one leaves (an amplitude-dependent mode looks like several
/// close ones), otherwise the dominant one alone.
ModeFit fit_supported(const Samples& samples, const std::vector<DampedMode>& found, double noise) {
  ModeFit dominant = fit_modes(samples, {found.front()});
  if (found.size() == 1) return dominant;
  const double amplitude = range_of(samples.value) / 2;
  ModeFit all = fit_modes(samples, found);
  if (all.converged && all.residual_rms < std::max(2 * noise, 1e-5 * amplitude)) {
    std::erase_if(all.modes, [&](const DampedMode& m) { return m.amplitude() < 1e-6 * amplitude; });
    // More modes must earn their place: when one explains the signal as well, it is one.
    return dominant.converged && dominant.residual_rms < 1.1 * all.residual_rms ? dominant : all;
  }
  const std::vector<DampedMode> separated = well_separated(found);
  if (separated.size() > 1) {
    ModeFit several = fit_modes(samples, separated);
    if (several.converged && 2 * several.residual_rms < dominant.residual_rms) return several;
  }
  return dominant;
}

/// One mode guessed from the extrema alone, for signals in which the pencil sees none (friction, impacts). May return
/// none.
std::vector<DampedMode> guess_from_extrema(const Samples& even, double noise) {
  const double threshold = std::max(6 * noise, 0.01 * range_of(even.value)), gap = half_period_samples(even, threshold);
  if (gap < 2) return {};
  const double dt = even.duration() / static_cast<double>(even.size() - 1);
  const std::vector<Extremum> run = regular_extrema(even, threshold, 2 * gap * dt);
  if (run.size() < 4) return {};
  const double first = std::abs(run[1].value - run[0].value),
               last = std::abs(run.back().value - run[run.size() - 2].value);
  const double duration = run.back().time - run.front().time;
  return {{std::log(first / last) / duration, std::numbers::pi * static_cast<double>(run.size() - 1) / duration}};
}

/// Best fit over two thinnings: one sees the fastest motion, the other the slow dominant one.
ModeFit find_and_fit(const Samples& even, const Samples& original, double noise, int max_modes) {
  const double range = range_of(even.value);
  ModeFit best;
  std::size_t last_stride = 0;
  struct Scale {
    double threshold, share;
  };
  for (const Scale scale : {Scale{0.1, 0.5}, Scale{1e-3, 0.1}}) {
    const double gap = half_period_samples(even, std::max(6 * noise, scale.threshold * range), scale.share);
    const auto stride = static_cast<std::size_t>(std::max(1.0, std::floor(gap / 5)));
    if (stride == last_stride) continue;
    last_stride = stride;
    const Samples thinned = thin(even, stride, 360);
    if (thinned.size() < 12) continue;
    const std::vector<DampedMode> found = find_modes(thinned, noise, 1e-3, max_modes);
    if (found.empty()) continue;
    ModeFit fit = fit_supported(original, found, noise);
    if (best.modes.empty() || fit.residual_rms < 0.5 * best.residual_rms) best = std::move(fit);
  }
  if (best.modes.empty()) best = fit_modes(original, guess_from_extrema(even, noise));
  return best;
}

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

/// What the scatter of the cycles says about the fitted zeta: neighbouring readings share extrema, hence half of them
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

std::string flag_name(RingDownFlag flag) {
  static constexpr const char* names[] = {
      "too_few_cycles", "overdamped", "coarse_sampling", "noisy",   "drifting_rest", "amplitude_dependent",
      "several_modes",  "gaps",       "not_decaying",    "poor_fit"};
  return names[static_cast<std::size_t>(flag)];
}

std::string flag_text(RingDownFlag flag) {
  switch (flag) {
    case RingDownFlag::too_few_cycles:
      return "Fewer than three full cycles rise above the noise: read the damping ratio as a rough value.";
    case RingDownFlag::overdamped:
      return "The motion creeps back without swinging: it has a decay rate but no frequency.";
    case RingDownFlag::coarse_sampling:
      return "Fewer than 8 samples per cycle: peaks are interpolated from very little; record faster.";
    case RingDownFlag::noisy:
      return "The noise exceeds 2 % of the initial amplitude: small amplitudes were left out.";
    case RingDownFlag::drifting_rest:
      return "The rest position moves by more than 5 % of the initial amplitude; the peaks' reading is not affected by "
             "it.";
    case RingDownFlag::amplitude_dependent:
      return "The damping ratio changes with amplitude: one number does not describe it, see the table by amplitude.";
    case RingDownFlag::several_modes:
      return "Several modes ring at once; the others were subtracted before the peaks were read.";
    case RingDownFlag::gaps:
      return "Samples are missing or unevenly spaced; gaps were bridged by straight lines.";
    case RingDownFlag::not_decaying:
      return "The motion does not decay within this record.";
    case RingDownFlag::poor_fit:
      return "A linear decay leaves more than 5 % of the motion unexplained; trust the table by amplitude instead.";
  }
  return {};
}

}  // namespace dashpot::analysis
