#pragma once
// The peaks' reading of a ring-down: extrema, cycles, bins, rest line and settle times (equations in ring_down.hpp).
#include <span>
#include <vector>

#include "dashpot/analysis/ring_down.hpp"

namespace dashpot::analysis {

/// Longest run of alternating extrema about half a `period` [s] apart that turn by more than `threshold`.
std::vector<Extremum> regular_extrema(const Samples& samples, double threshold, double period);

/// Cycles of alternating extrema, amplitudes above `min_amplitude` only.
std::vector<RingCycle> ring_cycles(std::span<const Extremum> extrema, double min_amplitude);

/// Up to 8 bins of equally many cycles, falling amplitude.
std::vector<AmplitudeBin> bin_by_amplitude(std::vector<RingCycle> cycles);

/// Rest position over time as a line through points; constant beyond its ends.
struct RestLine {
  std::vector<double> time;
  std::vector<double> value;
  double at(double t) const;
};

/// Rest line from extrema whose half-cycle ratio is `r`; the tail after the last one is averaged.
RestLine rest_line(const Samples& samples, std::span<const Extremum> extrema, double r, double period);

/// Time from `start` until the motion stays within `band` of the rest line; NaN when it does not.
double settle_time(const Samples& samples, const RestLine& rest, double start, double band);

}  // namespace dashpot::analysis
