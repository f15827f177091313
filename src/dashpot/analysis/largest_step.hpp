#pragma once
// The largest time step at which something is stable, by trials. Stability need not be monotone in the step: a longer
// one may be stable where a shorter one is not (a resonance of the step with a motion). What is found is therefore not
// just a border between two trials: no trial at a shorter step was unstable, and steps a little and well below it were
// tried too.

#include <functional>
#include <vector>

namespace dashpot::analysis {

struct StepTrial {
  double dt = 0;  ///< [s]
  bool is_stable = false;
};

struct LargestStepOptions {
  double start = 0;         ///< first step tried [s]; > 0
  double shortest = 0;      ///< shorter ones are not tried [s]; > 0
  double longest = 0;       ///< longer ones are not tried [s]
  double ladder = 1.6;      ///< factor between trials until a border is enclosed; > 1
  double precision = 0.02;  ///< relative width of the enclosure at the end; > 0
  int attempts_below = 3;   ///< trials below the border that must be stable too, each twice as far from it as the last
  double first_below = 0.06;  ///< how far below the border the first of them is, relative
};

struct LargestStep {
  double dt = 0;                  ///< the largest step with no unstable trial at or below it [s]; 0: none was stable
  double unstable_dt = 0;         ///< the shortest unstable one that was tried [s]; 0: even the longest was stable
  std::vector<StepTrial> trials;  ///< by dt
};

/// Climbs or descends from `start` by `ladder` to an enclosure of the border, bisects its logarithm, then tries steps
/// below; where one of those is unstable, the search goes on below it. `is_stable` is asked for every step at most
/// once. dashpot::Error for options out of range. `should_stop` (may be empty) ends the search early.
LargestStep largest_stable_step(const std::function<bool(double dt)>& is_stable, const LargestStepOptions& options,
                                const std::function<bool()>& should_stop = {});

}  // namespace dashpot::analysis
