#pragma once
// Finds the gain gamma in [low, high] for which a falling function r(gamma) meets a target; every evaluation is a
// simulation, so they are few. On a linear oscillator r = a exp(-c gamma): secants are taken in (gamma, ln r), where
// that is a straight line, and bisection in log10 gamma takes over where a secant does not halve the bracket (regula
// falsi alone can stall; reference ABCE, 1.9).

#include <functional>

namespace dashpot::design {

struct GainSearchOptions {
  double low = 1e-3, high = 1e3;
  double tolerance = 0.01;  ///< of |r / target - 1|; of |r| / scale where the target is 0
  double scale = 1;         ///< what r is at most: the amplitude released
  int max_evaluations = 15;
};

struct GainSearchResult {
  enum class End { reached, too_weak_at_high, too_strong_at_low, out_of_evaluations, stopped };
  End end = End::stopped;
  double gain = 1, value = 0;
  double error = 0;  ///< as the tolerance measures it
  int evaluations = 0;
};

/// `r` returns NaN to stop the search. `start` is tried first.
GainSearchResult find_gain(const std::function<double(double gamma)>& r, double target, double start,
                           const GainSearchOptions& options);

/// |value / target - 1|, or |value| / scale where the target is 0.
double target_error(double value, double target, double scale);

}  // namespace dashpot::design
