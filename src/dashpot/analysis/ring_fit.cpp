#include "dashpot/analysis/ring_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dashpot/analysis/ring_cycles.hpp"

namespace dashpot::analysis {
namespace {

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

}  // namespace

double range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

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

}  // namespace dashpot::analysis
