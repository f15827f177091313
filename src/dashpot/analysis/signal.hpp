#pragma once
// Sampled signals before anybody interprets them: cleaned, put on an even grid, their noise judged, their turning
// points found. Times [s] increase strictly; values in any unit. Rows with NaN or infinite entries (gaps of a tracker)
// are left out.
#include <cstddef>
#include <span>
#include <vector>

namespace dashpot::analysis {

/// A finite signal with strictly increasing times.
struct Samples {
  std::vector<double> time;     ///< [s]
  std::vector<double> value;    ///< unit of the signal
  std::size_t num_dropped = 0;  ///< rows left out because they were not finite
  std::size_t size() const { return time.size(); }
  /// Total duration [s].
  double duration() const { return time.back() - time.front(); }
  /// Rows whose time lies in [from, to].
  Samples between(double from, double to) const;
};

/// dashpot::Error when lengths differ, fewer than `min_count` finite rows remain, times do not increase or nothing
/// moves.
Samples clean_samples(std::span<const double> time, std::span<const double> value, std::size_t min_count = 8);

/// Median time step [s].
double median_step(std::span<const double> time);
/// Largest |step / median step - 1|: 0 for an even grid, >= 1 where samples are missing.
double step_irregularity(std::span<const double> time);

/// The same signal on an even grid of about the same number of samples, by local polynomials through 8 points.
/// Returned unchanged when it is even already (irregularity below 1e-6).
Samples resample_evenly(const Samples& samples);

/// Standard deviation of the uncorrelated noise in an evenly sampled signal: median of its high differences, which
/// smooth motion (more than about 10 samples a cycle) hardly contributes to.
double noise_level(std::span<const double> value);

/// Indices where the signal turns by more than `threshold`: alternating maxima and minima. The first one may be the
/// last sample of a plateau before the release; the last one is never the end of the record.
std::vector<std::size_t> turning_indices(std::span<const double> value, double threshold);

struct Extremum {
  double time = 0;  ///< [s]
  double value = 0;
  bool is_inside = false;  ///< a true extremum was found inside the window; otherwise the sample itself is returned
};

/// Time and height of the extremum near sample `index`: least-squares polynomial (degree up to 6) over a window of
/// about a quarter period, at least 8 samples.
Extremum refine_extremum(const Samples& samples, std::size_t index, double period);

/// Median; the input is copied. NaN for an empty range.
double median(std::vector<double> values);
/// 1.4826 times the median distance from the median: the standard deviation of a normal sample, robust to outliers.
double robust_deviation(const std::vector<double>& values);

}  // namespace dashpot::analysis
