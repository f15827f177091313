#include "dashpot/math/curve.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::math {
namespace {

/// Slope at an end from the two nearest intervals (h0, secant d0 is the outer one), limited so that the curve stays
/// monotone.
double end_slope(double h0, double h1, double d0, double d1) {
  const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0) return 0;
  if (d0 * d1 <= 0 && std::abs(slope) > 3 * std::abs(d0)) return 3 * d0;
  return slope;
}

std::vector<double> monotone_slopes(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  if (n == 1) return {0};
  std::vector<double> h(n - 1), d(n - 1), slope(n);
  for (std::size_t i = 0; i + 1 < n; ++i) h[i] = x[i + 1] - x[i], d[i] = (y[i + 1] - y[i]) / h[i];
  if (n == 2) return {d[0], d[0]};
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (d[i - 1] * d[i] <= 0) continue;
    const double w0 = 2 * h[i] + h[i - 1], w1 = h[i] + 2 * h[i - 1];
    slope[i] = (w0 + w1) / (w0 / d[i - 1] + w1 / d[i]);
  }
  slope[0] = end_slope(h[0], h[1], d[0], d[1]);
  slope[n - 1] = end_slope(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
  return slope;
}

void check_points(const std::vector<std::pair<double, double>>& points) {
  std::vector<Problem> problems;
  if (points.empty()) problems.push_back({"curve", "no points", "at least one point", ""});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x, y] = points[i];
    if (!std::isfinite(x) || !std::isfinite(y))
      problems.push_back({"curve", fmt::format("point {} = ({}, {})", i, x, y), "finite numbers", ""});
    else if (i > 0 && !(x > points[i - 1].first))
      problems.push_back({"curve", fmt::format("x = {} after x = {}", x, points[i - 1].first), "increasing x",
                          "sort the points and drop doubles"});
  }
  if (!problems.empty()) throw Error(problems);
}

}  // namespace

Curve::Curve(std::vector<double> x, std::vector<double> y, std::vector<double> slope, Extrapolation outside)
    : x_(std::move(x)), y_(std::move(y)), slope_(std::move(slope)), integral_(x_.size(), 0.0), outside_(outside) {
  for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
    const double h = x_[i + 1] - x_[i];
    integral_[i + 1] = integral_[i] + h * (y_[i] + y_[i + 1]) / 2 + h * h * (slope_[i] - slope_[i + 1]) / 12;
  }
}

Curve Curve::monotone(const std::vector<std::pair<double, double>>& points, Extrapolation outside,
                      std::optional<std::pair<int, double>> fixed) {
  check_points(points);
  std::vector<double> x, y;
  for (const auto& [px, py] : points) x.push_back(px), y.push_back(py);
  std::vector<double> slope = monotone_slopes(x, y);
  if (fixed) {
    const std::size_t k = static_cast<std::size_t>(fixed->first);
    double limit = std::abs(fixed->second);
    for (const std::size_t i : {k, k + 1})  // secants left and right of knot k
      if (i >= 1 && i < x.size()) limit = std::min(limit, 3 * std::abs((y[i] - y[i - 1]) / (x[i] - x[i - 1])));
    slope[k] = std::copysign(limit, fixed->second);
  }
  return Curve(std::move(x), std::move(y), std::move(slope), outside);
}

Curve Curve::uniform_bspline(double low, double high, const std::vector<double>& coefficients, Extrapolation outside) {
  if (coefficients.size() < 4 || !(high > low) || !std::isfinite(high - low))
    throw Error(Problem{"B-spline", fmt::format("{} coefficients on [{}, {}]", coefficients.size(), low, high),
                        "at least 4 coefficients on an interval of positive length", ""});
  const std::size_t num_knots = coefficients.size() - 2;
  const double h = (high - low) / static_cast<double>(num_knots - 1);
  std::vector<double> x(num_knots), y(num_knots), slope(num_knots);
  for (std::size_t i = 0; i < num_knots; ++i) {  // a uniform cubic B-spline and its slope at a knot
    x[i] = low + h * static_cast<double>(i);
    y[i] = (coefficients[i] + 4 * coefficients[i + 1] + coefficients[i + 2]) / 6;
    slope[i] = (coefficients[i + 2] - coefficients[i]) / (2 * h);
  }
  return Curve(std::move(x), std::move(y), std::move(slope), outside);
}

Curve::Sample Curve::sample(double x) const {
  const std::size_t last = x_.size() - 1;
  if (x <= x_[0] || x >= x_[last] || std::isnan(x)) {
    const std::size_t end = x >= x_[last] ? last : 0;
    const double d = x - x_[end], slope = outside_ == Extrapolation::linear ? slope_[end] : 0;
    return {y_[end] + slope * d, slope, integral_[end] + d * (y_[end] + 0.5 * slope * d)};
  }
  const std::size_t i = static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin()) - 1;
  const double h = x_[i + 1] - x_[i], t = x - x_[i], secant = (y_[i + 1] - y_[i]) / h;
  const double c2 = (3 * secant - 2 * slope_[i] - slope_[i + 1]) / h,
               c3 = (slope_[i] + slope_[i + 1] - 2 * secant) / (h * h);
  return {y_[i] + t * (slope_[i] + t * (c2 + t * c3)), slope_[i] + t * (2 * c2 + t * 3 * c3),
          integral_[i] + t * (y_[i] + t * (slope_[i] / 2 + t * (c2 / 3 + t * c3 / 4)))};
}

}  // namespace dashpot::math
