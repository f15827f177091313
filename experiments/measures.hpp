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

/// The smaller of two measures, and the least: not a number where one is not.
inline double smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }
inline double least(const std::vector<double>& values) {
  if (values.empty()) return not_measured;
  return std::accumulate(values.begin() + 1, values.end(), values.front(), smaller);
}

/// Whether it was run to this time [s].
inline bool reaches(const RecordedRun& motion, double time) {
  return !motion.diverged && !motion.time.empty() && motion.time.back() >= time - 1e-9 * (1 + std::abs(time));
}
/// Whether it was run to the end of its scene.
inline bool is_complete(const RecordedRun& motion) { return reaches(motion, motion.scene.run.end); }

/// A measure of a run, where the run is complete; otherwise not a number.
inline double of_complete(const RecordedRun& motion, double measure) {
  return is_complete(motion) ? measure : not_measured;
}

/// Least over most of what a column that only grows gained in a step: below zero it has given something back. Not a
/// number where it never grew, or is none somewhere.
inline double least_gain(const std::vector<double>& taken) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 1; i < taken.size(); ++i) {
    least = smaller(least, taken[i] - taken[i - 1]);
    most = larger(most, taken[i] - taken[i - 1]);
  }
  return most > 0 ? least / most : not_measured;
}

/// Kinetic energy of every sample of a complete run [J]; nothing of others.
inline std::vector<double> kinetic_energy(const RecordedRun& motion) {
  return is_complete(motion) ? motion.ledger.column("kinetic") : std::vector<double>();
}

/// How far two curves are apart: mean |a - b| over the mean of b, and largest over largest. Not a number where they
/// were not both measured.
inline double mean_gap(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size() || a.empty()) return not_measured;
  double gap = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) gap += std::abs(a[i] - b[i]), size += std::abs(b[i]);
  return gap / size;
}
inline double largest_gap(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size() || a.empty()) return not_measured;
  double gap = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    gap = larger(gap, std::abs(a[i] - b[i]));
    size = larger(size, std::abs(b[i]));
  }
  return gap / size;
}

}  // namespace dashpot::cli
