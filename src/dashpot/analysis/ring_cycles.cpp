#include "dashpot/analysis/ring_cycles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace dashpot::analysis {

std::vector<Extremum> regular_extrema(const Samples& samples, double threshold, double period) {
  const std::vector<std::size_t> indices = turning_indices(samples.value, threshold);
  std::vector<Extremum> run, best;
  for (const std::size_t index : indices) {
    const Extremum extremum = refine_extremum(samples, index, period);
    const double gap = run.empty() ? 0 : extremum.time - run.back().time;
    // The release (a corner, not a smooth extremum) may only open a run; half a period is matched within a third.
    if (!run.empty() && !(extremum.is_inside && gap > 0.33 * period && gap < 0.67 * period)) run.clear();
    if (extremum.is_inside) run.push_back(extremum);
    if (run.size() > best.size()) best = run;
  }
  return best;
}

std::vector<RingCycle> ring_cycles(std::span<const Extremum> extrema, double min_amplitude) {
  std::vector<RingCycle> cycles;
  for (std::size_t k = 0; k + 4 < extrema.size(); ++k) {
    const auto second_difference = [&](std::size_t i) {
      return std::abs(extrema[i].value - 2 * extrema[i + 1].value + extrema[i + 2].value);
    };
    const double first = second_difference(k), second = second_difference(k + 2);
    const double delta = std::log(first / second);
    if (!std::isfinite(delta)) continue;
    const double r = std::exp(-delta / 2);
    RingCycle cycle;
    cycle.time = extrema[k + 2].time;
    cycle.amplitude = std::sqrt(first * second) * r / ((1 + r) * (1 + r));
    cycle.zeta = delta / std::hypot(2 * std::numbers::pi, delta);
    cycle.frequency = 1 / (extrema[k + 3].time - extrema[k + 1].time);
    // The smaller of the two peaks decides whether noise can reverse the reading.
    if (cycle.amplitude * std::min(r, 1 / r) >= min_amplitude) cycles.push_back(cycle);
  }
  return cycles;
}

std::vector<AmplitudeBin> bin_by_amplitude(std::vector<RingCycle> cycles) {
  std::vector<AmplitudeBin> bins;
  if (cycles.empty()) return bins;
  std::sort(cycles.begin(), cycles.end(),
            [](const RingCycle& a, const RingCycle& b) { return a.amplitude > b.amplitude; });
  const std::size_t num_bins = std::clamp<std::size_t>(cycles.size() / 4, 1, 8);
  for (std::size_t b = 0; b < num_bins; ++b) {
    const std::size_t begin = b * cycles.size() / num_bins, end = (b + 1) * cycles.size() / num_bins;
    std::vector<double> amplitude, zeta, frequency;
    for (std::size_t i = begin; i < end; ++i) {
      amplitude.push_back(cycles[i].amplitude);
      zeta.push_back(cycles[i].zeta);
      frequency.push_back(cycles[i].frequency);
    }
    AmplitudeBin bin;
    bin.amplitude = median(amplitude);
    bin.amplitude_high = amplitude.front();
    bin.amplitude_low = amplitude.back();
    bin.zeta = median(zeta);
    bin.zeta_spread = robust_deviation(zeta);
    bin.frequency = median(frequency);
    bin.num_cycles = static_cast<int>(end - begin);
    bins.push_back(bin);
  }
  return bins;
}

double RestLine::at(double t) const {
  const auto next = std::upper_bound(time.begin(), time.end(), t);
  if (next == time.begin()) return value.front();
  if (next == time.end()) return value.back();
  const auto i = static_cast<std::size_t>(next - time.begin());
  const double share = (t - time[i - 1]) / (time[i] - time[i - 1]);
  return value[i - 1] + share * (value[i] - value[i - 1]);
}

RestLine rest_line(const Samples& samples, std::span<const Extremum> extrema, double r, double period) {
  RestLine line;
  for (std::size_t k = 0; k + 1 < extrema.size(); ++k) {  // x_k = c + A (-r)^k: this combination is c
    line.time.push_back((extrema[k].time + extrema[k + 1].time) / 2);
    line.value.push_back((extrema[k + 1].value + r * extrema[k].value) / (1 + r));
  }
  // Without any swing only the end of the record can be taken for rest.
  const double last = extrema.empty() ? samples.time.back() - 0.05 * samples.duration() : extrema.back().time;
  const Samples tail = samples.between(last, samples.time.back());
  if (line.time.empty() || tail.duration() > 1.5 * period) {
    line.time.push_back((last + samples.time.back()) / 2);
    line.value.push_back(median(tail.value));
  }
  return line;
}

double settle_time(const Samples& samples, const RestLine& rest, double start, double band) {
  for (std::size_t i = samples.size(); i-- > 0;) {
    const double distance = std::abs(samples.value[i] - rest.at(samples.time[i]));
    if (distance <= band && samples.time[i] > start) continue;
    if (i + 1 == samples.size()) return std::numeric_limits<double>::quiet_NaN();
    const double next = std::abs(samples.value[i + 1] - rest.at(samples.time[i + 1]));
    const double share = distance > band ? (distance - band) / (distance - next) : 0;
    return samples.time[i] + share * (samples.time[i + 1] - samples.time[i]) - start;
  }
  return 0;
}

}  // namespace dashpot::analysis
