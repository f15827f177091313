#include "dashpot/analysis/signal.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"

namespace dashpot::analysis {
namespace {

/// Value at t of the polynomial through samples [first, first + count) (Neville's scheme).
double interpolate(const Samples& s, std::size_t first, std::size_t count, double t) {
  double table[8];
  for (std::size_t i = 0; i < count; ++i) table[i] = s.value[first + i];
  for (std::size_t level = 1; level < count; ++level)
    for (std::size_t i = 0; i + level < count; ++i) {
      const double left = s.time[first + i], right = s.time[first + i + level];
      table[i] = ((t - left) * table[i + 1] + (right - t) * table[i]) / (right - left);
    }
  return table[0];
}

/// Root of the polynomial's derivative nearest to u = `start`, by Newton steps; NaN when it leaves [-1, 1].
double stationary_point(const Eigen::VectorXd& c, double start) {
  double u = start;
  for (int iteration = 0; iteration < 50; ++iteration) {
    double first = 0, second = 0;  // Horner of the first and second derivative
    for (Eigen::Index k = c.size() - 1; k >= 1; --k) first = first * u + static_cast<double>(k) * c[k];
    for (Eigen::Index k = c.size() - 1; k >= 2; --k) second = second * u + static_cast<double>(k * (k - 1)) * c[k];
    if (second == 0) break;
    const double step = first / second;
    u -= step;
    if (!(std::abs(u) <= 1)) break;
    if (std::abs(step) < 1e-14) return u;
  }
  return std::abs(u) <= 1 ? u : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Samples Samples::between(double from, double to) const {
  Samples part;
  for (std::size_t i = 0; i < size(); ++i)
    if (time[i] >= from && time[i] <= to) {
      part.time.push_back(time[i]);
      part.value.push_back(value[i]);
    }
  return part;
}

Samples clean_samples(std::span<const double> time, std::span<const double> value, std::size_t min_count) {
  if (time.size() != value.size())
    throw Error(Problem{"", fmt::format("{} times but {} values", time.size(), value.size()), "as many of both", ""});
  Samples samples;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (!std::isfinite(time[i]) || !std::isfinite(value[i])) {
      ++samples.num_dropped;
      continue;
    }
    if (!samples.time.empty() && time[i] <= samples.time.back())
      throw Error(Problem{fmt::format("sample {}", i),
                          fmt::format("time {} s after {} s", time[i], samples.time.back()),
                          "strictly increasing times", "sort the rows and remove repeated ones"});
    samples.time.push_back(time[i]);
    samples.value.push_back(value[i]);
  }
  if (samples.size() < min_count)
    throw Error(Problem{"", fmt::format("{} usable samples ({} not finite)", samples.size(), samples.num_dropped),
                        fmt::format("at least {}", min_count), "record longer or faster"});
  const auto [low, high] = std::minmax_element(samples.value.begin(), samples.value.end());
  if (!(*high - *low > 1e-14 * std::max(std::abs(*high), std::abs(*low))))
    throw Error(Problem{"", fmt::format("the signal is constant ({})", *low), "a motion",
                        "choose another column or another direction"});
  return samples;
}

double median_step(std::span<const double> time) {
  std::vector<double> steps(time.size() - 1);
  for (std::size_t i = 0; i + 1 < time.size(); ++i) steps[i] = time[i + 1] - time[i];
  return median(std::move(steps));
}

double step_irregularity(std::span<const double> time) {
  const double dt = median_step(time);
  double worst = 0;
  for (std::size_t i = 0; i + 1 < time.size(); ++i) worst = std::max(worst, std::abs((time[i + 1] - time[i]) / dt - 1));
  return worst;
}

Samples resample_evenly(const Samples& samples) {
  if (step_irregularity(samples.time) < 1e-6) return samples;
  const std::size_t n = samples.size(), order = std::min<std::size_t>(8, n);
  const auto steps =
      static_cast<std::size_t>(std::max(1.0, std::round(samples.duration() / median_step(samples.time))));
  // Missing stretches must not blow up the grid: never more than four times the samples there were.
  const std::size_t num_steps = std::min(steps, 4 * n);
  Samples even;
  std::size_t next = 0;
  for (std::size_t i = 0; i <= num_steps; ++i) {
    const double t =
        samples.time.front() + samples.duration() * static_cast<double>(i) / static_cast<double>(num_steps);
    while (next < n && samples.time[next] < t) ++next;
    const std::size_t first = std::min(next < order / 2 ? 0 : next - order / 2, n - order);
    even.time.push_back(t);
    // Inside a long gap a straight line is safer than a polynomial of degree 7.
    const bool is_gap =
        next > 0 && next < n && samples.time[next] - samples.time[next - 1] > 1.9 * median_step(samples.time);
    even.value.push_back(is_gap ? interpolate(samples, next - 1, 2, t) : interpolate(samples, first, order, t));
  }
  return even;
}

double noise_level(std::span<const double> value) {
  const std::size_t order = std::min<std::size_t>(8, value.size() / 3);
  if (order == 0) return 0;
  std::vector<double> d(value.begin(), value.end());
  double variance_gain = 1;  // binomial(2 order, order)
  for (std::size_t k = 1; k <= order; ++k) {
    for (std::size_t i = 0; i + 1 < d.size(); ++i) d[i] = d[i + 1] - d[i];
    d.pop_back();
    variance_gain *= static_cast<double>(2 * (2 * k - 1)) / static_cast<double>(k);
  }
  for (double& x : d) x = std::abs(x);
  return 1.4826 * median(std::move(d)) / std::sqrt(variance_gain);
}

std::vector<std::size_t> turning_indices(std::span<const double> value, double threshold) {
  std::vector<std::size_t> indices;
  std::size_t low = 0, high = 0;
  int direction = 0;  // +1 rising, -1 falling, 0 not yet known
  for (std::size_t i = 1; i < value.size(); ++i) {
    if (value[i] > value[high]) high = i;
    if (value[i] < value[low]) low = i;
    if (direction >= 0 && value[high] - value[i] > threshold) {
      indices.push_back(high);
      direction = -1;
      low = i;
    } else if (direction <= 0 && value[i] - value[low] > threshold) {
      indices.push_back(low);
      direction = 1;
      high = i;
    }
    if (direction > 0 && value[i] >= value[high]) high = i;
    if (direction < 0 && value[i] <= value[low]) low = i;
  }
  if (!indices.empty()) {  // the release is the last sample of a plateau, not the highest noise on it
    std::size_t& first = indices.front();
    const std::size_t end = indices.size() > 1 ? indices[1] : value.size();
    const double level = value[first];
    for (std::size_t i = first; i < end && std::abs(value[i] - level) <= threshold / 2; ++i) first = i;
  }
  return indices;
}

Extremum refine_extremum(const Samples& samples, std::size_t index, double period) {
  const Extremum plain{samples.time[index], samples.value[index], false};
  const double dt = samples.duration() / static_cast<double>(samples.size() - 1);
  const auto wanted = static_cast<std::size_t>(std::clamp(period / 4 / dt, 7.0, 4000.0)) + 1;
  const std::size_t count = std::min(wanted, samples.size());
  if (count < 5) return plain;
  const std::size_t first = std::min(index < count / 2 ? 0 : index - count / 2, samples.size() - count);
  const double center = samples.time[index];
  const double half = std::max(center - samples.time[first], samples.time[first + count - 1] - center);
  const Eigen::Index degree = std::min<Eigen::Index>(6, static_cast<Eigen::Index>(count) - 2);
  Eigen::MatrixXd basis(static_cast<Eigen::Index>(count), degree + 1);
  Eigen::VectorXd rhs(basis.rows());
  for (Eigen::Index i = 0; i < basis.rows(); ++i) {
    const auto k = first + static_cast<std::size_t>(i);
    const double u = (samples.time[k] - center) / half;
    basis(i, 0) = 1;
    for (Eigen::Index j = 1; j <= degree; ++j) basis(i, j) = basis(i, j - 1) * u;
    rhs[i] = samples.value[k] - samples.value[index];
  }
  const Eigen::VectorXd c = basis.householderQr().solve(rhs);
  const double u = stationary_point(c, 0);
  const double left = (samples.time[first] - center) / half, right = (samples.time[first + count - 1] - center) / half;
  if (!(u > left && u < right)) return plain;
  double value = 0;
  for (Eigen::Index k = degree; k >= 0; --k) value = value * u + c[k];
  return {center + half * u, samples.value[index] + value, true};
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double robust_deviation(const std::vector<double>& values) {
  const double center = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - center));
  return 1.4826 * median(std::move(distances));
}

}  // namespace dashpot::analysis
