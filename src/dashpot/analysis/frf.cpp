#include "dashpot/analysis/frf.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::analysis {
namespace {

using Complex = std::complex<double>;

/// y(s) = a + b (s - s0) + c (s - s0)^2 through three points; y = 1 / |H|^2, s = f^2.
struct Quadratic {
  double s0 = 0, a = 0, b = 0, c = 0;
  double value(double s) const { return a + (s - s0) * (b + c * (s - s0)); }
};

Quadratic quadratic_at(std::span<const FrfPoint> points, std::size_t middle) {
  const std::size_t i = std::clamp<std::size_t>(middle, 1, points.size() - 2);
  const auto s = [&](std::size_t k) { return points[k].frequency * points[k].frequency; };
  const auto y = [&](std::size_t k) { return 1 / std::norm(points[k].response); };
  Quadratic q{s(i), y(i), 0, 0};
  const double left = s(i - 1) - s(i), right = s(i + 1) - s(i);
  const double slope_left = (y(i - 1) - y(i)) / left, slope_right = (y(i + 1) - y(i)) / right;
  q.c = (slope_right - slope_left) / (right - left);
  q.b = slope_left - q.c * left;
  return q;
}

/// s between points i and i + 1 where the interpolated 1/|H|^2 equals `level`.
double crossing(std::span<const FrfPoint> points, std::size_t i, double level) {
  const Quadratic q = quadratic_at(points, i >= 1 ? i : i + 1);
  double low = points[i].frequency * points[i].frequency, high = points[i + 1].frequency * points[i + 1].frequency;
  const bool rises = q.value(high) > q.value(low);
  for (int k = 0; k < 200 && high - low > 1e-16 * high; ++k) {
    const double mid = (low + high) / 2;
    ((q.value(mid) < level) == rises ? low : high) = mid;
  }
  return (low + high) / 2;
}

void half_power(std::span<const FrfPoint> points, std::size_t peak, ResonanceFit& fit) {
  const Quadratic q = quadratic_at(points, peak);
  const double s_peak = q.c > 0 ? q.s0 - q.b / (2 * q.c) : q.s0;
  const double y_peak = q.value(s_peak), level = 2 * y_peak;
  fit.resonance_frequency = std::sqrt(std::max(s_peak, 0.0));
  fit.peak_response = 1 / std::sqrt(y_peak);
  const auto y = [&](std::size_t k) { return 1 / std::norm(points[k].response); };
  std::size_t low = peak, high = peak;
  while (low > 0 && y(low) < level) --low;
  while (high + 1 < points.size() && y(high) < level) ++high;
  fit.half_power_low = y(low) >= level ? std::sqrt(crossing(points, low, level)) : nan;
  fit.half_power_high = y(high) >= level ? std::sqrt(crossing(points, high - 1, level)) : nan;
  const double s1 = fit.half_power_low * fit.half_power_low, s2 = fit.half_power_high * fit.half_power_high;
  fit.zeta_half_power = std::sin(std::atan((s2 - s1) / (s2 + s1)) / 2);
  fit.zeta_bandwidth = (fit.half_power_high - fit.half_power_low) / (2 * fit.resonance_frequency);
}

/// Points with at least `share` of the peak's magnitude around it, at least 5.
std::span<const FrfPoint> band_around(std::span<const FrfPoint> points, std::size_t peak, double share) {
  std::size_t begin = peak, end = peak + 1;
  const double limit = share * std::abs(points[peak].response);
  while (begin > 0 && (std::abs(points[begin - 1].response) > limit || end - begin < 5)) --begin;
  while (end < points.size() && (std::abs(points[end].response) > limit || end - begin < 5)) ++end;
  return points.subspan(begin, end - begin);
}

void rational_fit(std::span<const FrfPoint> band, ResonanceFit& fit) {
  const double scale = two_pi * band[band.size() / 2].frequency;  // unknowns k, m scale^2, c scale are of one size
  Eigen::MatrixXd a(2 * static_cast<Eigen::Index>(band.size()), 3);
  Eigen::VectorXd rhs(a.rows());
  for (std::size_t i = 0; i < band.size(); ++i) {
    const double w = two_pi * band[i].frequency / scale;
    const Complex h = band[i].response, terms[3] = {h, -w * w * h, Complex(0, w) * h};
    const auto row = 2 * static_cast<Eigen::Index>(i);
    for (int c = 0; c < 3; ++c) a(row, c) = terms[c].real(), a(row + 1, c) = terms[c].imag();
    rhs[row] = 1;
    rhs[row + 1] = 0;
  }
  const Eigen::Vector3d x = a.colPivHouseholderQr().solve(rhs);
  fit.stiffness = x[0];
  fit.mass = x[1] / (scale * scale);
  fit.dashpot = x[2] / scale;
  fit.natural_frequency = std::sqrt(fit.stiffness / fit.mass) / two_pi;
  fit.zeta_fit = fit.dashpot / (2 * std::sqrt(fit.stiffness * fit.mass));
  fit.fit_residual = (rhs - a * x).norm() / std::sqrt(static_cast<double>(band.size()));
}

void circle_fit(std::span<const FrfPoint> band, ResonanceFit& fit) {
  const auto mobility = [](const FrfPoint& p) { return Complex(0, two_pi * p.frequency) * p.response; };
  double size = 0;
  for (const FrfPoint& p : band) size = std::max(size, std::abs(mobility(p)));
  const auto n = static_cast<Eigen::Index>(band.size());
  Eigen::MatrixXd a(n, 3);  // x^2 + y^2 = 2 cx x + 2 cy y + d, in units of the largest mobility
  Eigen::VectorXd rhs(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Complex y = mobility(band[static_cast<std::size_t>(i)]) / size;
    a.row(i) << 2 * y.real(), 2 * y.imag(), 1;
    rhs[i] = std::norm(y);
  }
  const Eigen::Vector3d c = a.colPivHouseholderQr().solve(rhs);
  const Complex center(c[0], c[1]);
  const double radius = std::sqrt(std::max(0.0, c[2] + std::norm(center)));
  // w tan(theta/2) 2 zeta w0 = w0^2 - w^2 is linear in (2 zeta w0, w0^2); weighted down near theta = pi, where tan
  // blows up.
  Eigen::MatrixXd lines(n, 2);
  Eigen::VectorXd squares(n);
  double misfit = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const FrfPoint& p = band[static_cast<std::size_t>(i)];
    const Complex arm = mobility(p) / size - center;
    const double theta = std::arg(arm), weight = std::cos(theta / 2), w = p.frequency;
    lines.row(i) << weight * w * std::tan(theta / 2), -weight;
    squares[i] = -weight * w * w;
    misfit += std::pow(std::abs(arm) / radius - 1, 2);
  }
  const Eigen::Vector2d x = lines.colPivHouseholderQr().solve(squares);
  fit.circle_natural_frequency = std::sqrt(x[1]);
  fit.zeta_circle = x[0] / (2 * fit.circle_natural_frequency);
  fit.circle_residual = std::sqrt(misfit / static_cast<double>(n));
}

void check(std::span<const FrfPoint> points) {
  if (points.size() < 5)
    throw Error(Problem{"", fmt::format("{} frequencies", points.size()), "at least 5 around the resonance", ""});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_ordered = i == 0 ? points[i].frequency > 0 : points[i].frequency > points[i - 1].frequency;
    const Complex h = points[i].response;
    if (!is_ordered || !std::isfinite(h.real()) || !std::isfinite(h.imag()) || h == 0.0)
      throw Error(Problem{fmt::format("point {}", i),
                          fmt::format("response {} + {} i at {} Hz", h.real(), h.imag(), points[i].frequency),
                          "increasing frequencies above zero and finite responses that are not zero",
                          "sort or drop the point"});
  }
}

}  // namespace

ResonanceFit fit_resonance(std::span<const FrfPoint> points) {
  check(points);
  const auto largest = std::max_element(points.begin(), points.end(), [](const FrfPoint& a, const FrfPoint& b) {
    return std::norm(a.response) < std::norm(b.response);
  });
  const auto peak = static_cast<std::size_t>(largest - points.begin());
  ResonanceFit fit;
  half_power(points, peak, fit);
  const std::span<const FrfPoint> band = band_around(points, peak, 0.35);
  rational_fit(band, fit);
  circle_fit(band, fit);
  const auto [low, high] = std::minmax({fit.zeta_half_power, fit.zeta_fit, fit.zeta_circle});
  fit.methods_agree = std::isfinite(fit.zeta_half_power) && low > 0 && high < 1.1 * low;
  return fit;
}

}  // namespace dashpot::analysis
