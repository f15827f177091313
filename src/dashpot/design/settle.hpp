#pragma once
// "Let go from a times this example, it shall stay within a band of it after a time t": the smallest constant gain that
// does so. Settling is fastest somewhat below critical damping and slow again beyond it (the body creeps back), so the
// search goes upwards from the weakest gain and stops at the first that settles in time.

#include "dashpot/design/unloading.hpp"

namespace dashpot::design {

struct SettleTarget {
  int example = 0;
  double amplitude = 1;  ///< a > 0, in units of the example
  double time = 0;       ///< t [s] > 0
  double band = 0.05;    ///< share of a, 0 < band < 1
};

struct SettleDesign {
  Gains gains;
  double gain = 1;
  double settled_after = 0;  ///< [s] with that gain; NaN: not within twice the time asked for
  int simulations = 0;
  bool reached = false, stopped = false;
  std::string explanation;  ///< of a target that was not reached
};

/// Bounds and callbacks of `options` are used; its tolerance is that of the time. dashpot::Error for targets that make
/// no sense.
SettleDesign design_settle(const Designable& body, const Gains& start, const SettleTarget& target,
                           const UnloadingOptions& options);

}  // namespace dashpot::design
