#pragma once
// Measures of runs that claims are made of: what could not be measured is not a number, and passes no bar.

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "experiment.hpp"

namespace dashpot::cli {

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// The larger of two measures; not a number where one is not (std::max would drop it).
inline double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

/// The largest; not a number where there are none, or one is not.
inline double largest(const std::vector<double>& values) {
  if (values.empty()) return not_measured;
  return std::accumulate(values.begin() + 1, values.end(), values.front(), larger);
}

/// Whether it was run to this time [s].
inline bool reaches(const RecordedRun& motion, double time) {
  return !motion.diverged && !motion.time.empty() && motion.time.back() >= time - 1e-9 * (1 + std::abs(time));
}

}  // namespace dashpot::cli
