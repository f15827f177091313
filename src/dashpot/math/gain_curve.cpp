#include "dashpot/math/gain_curve.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::math {
namespace {

constexpr double log_of_10 = 2.302585092994045684;
const char* const place = "gain curve";

bool in_range(double gamma) {
  // Round-off of 10^s must not turn the limits themselves away.
  return gamma >= GainCurve::smallest * (1 - 1e-12) && gamma <= GainCurve::largest * (1 + 1e-12);
}

std::string expected_range() { return fmt::format("{} <= gamma <= {}", GainCurve::smallest, GainCurve::largest); }

void check_points(const std::vector<GainCurve::Point>& points, GainCurve::Kind kind) {
  std::vector<Problem> problems;
  if (points.empty()) problems.push_back({place, "no points", "at least one point (x, gamma)", ""});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x, gamma] = points[i];
    const std::string where = fmt::format("{}: point {}", place, i + 1);
    if (!std::isfinite(x) || !std::isfinite(gamma)) {
      problems.push_back({where, fmt::format("({}, {})", x, gamma), "finite numbers", ""});
      continue;
    }
    if (x < 0) problems.push_back({where, fmt::format("x = {}", x), "x >= 0", "gain depends on the size of a motion"});
    if (!in_range(gamma))
      problems.push_back({where, fmt::format("gamma = {}", gamma), expected_range(),
                          gamma == 0 ? "gamma = 0 is possible as a constant only" : ""});
    if (i > 0 && x <= points[i - 1].x)
      problems.push_back({where, fmt::format("x = {} after x = {}", x, points[i - 1].x), "increasing x",
                          "sort the points and drop doubles"});
  }
  if (kind == GainCurve::Kind::bezier && points.size() % 3 != 1)
    problems.push_back({place, fmt::format("{} points", points.size()), "3 n + 1 points: knot, handle, handle, knot",
                        "or use 'monotone', which needs no handles"});
  if (!problems.empty()) throw Error(std::move(problems));
}

/// A cubic Bezier polynomial and its derivative in t.
std::pair<double, double> bernstein(const double* p, double t) {
  const double u = 1 - t;
  return {u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3],
          3 * (u * u * (p[1] - p[0]) + 2 * u * t * (p[2] - p[1]) + t * t * (p[3] - p[2]))};
}

/// t with x(t) = x for x(t) increasing: Newton's method inside a shrinking bracket.
double parameter_at(const double* px, double x) {
  double low = 0, high = 1, t = (x - px[0]) / (px[3] - px[0]);
  for (int i = 0; i < 60 && high - low > 0; ++i) {
    const auto [value, slope] = bernstein(px, t);
    (value < x ? low : high) = t;
    double next = t - (value - x) / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) <= 1e-16) return next;
    t = next;
  }
  return t;
}

}  // namespace

GainCurve GainCurve::constant(double gamma) {
  if (gamma != 0 && !in_range(gamma))
    throw Error(Problem{place, fmt::format("gamma = {}", gamma), "0, or " + expected_range(), ""});
  GainCurve result{Plain()};
  result.points_ = {{0, gamma}};
  result.s_ = {gamma > 0 ? std::log10(gamma) : 0};
  return result;
}

GainCurve GainCurve::through(const std::vector<Point>& points, Kind kind) {
  check_points(points, kind);
  GainCurve result{Plain()};
  result.kind_ = kind;
  result.points_ = points;
  std::vector<std::pair<double, double>> pairs;
  for (const Point& point : points) {
    result.s_.push_back(std::log10(point.gamma));
    pairs.emplace_back(point.x, result.s_.back());
  }
  if (kind == Kind::monotone) result.curve_ = Curve::monotone(pairs, Extrapolation::constant);
  return result;
}

const std::vector<GainCurve::Preset>& GainCurve::presets() {
  static const std::vector<Preset> table = {
      {"soft_landing",
       "large swings are caught (gamma = strength from the amplitude on), small ones ring as before",
       {{0.25, 0}, {1, 1}}},
      {"calm_when_small",
       "small trembling dies quickly (gamma = strength below a tenth), full swings are untouched",
       {{0.1, 1}, {1, 0}}},
      {"lively_when_small",
       "small motion keeps ringing (gamma = 1 / strength below a tenth), full swings as before",
       {{0.1, -1}, {1, 0}}},
      {"lively_then_caught",
       "small motion rings longer (1 / strength), beyond the amplitude it is caught (strength)",
       {{0.1, -1}, {1, 1}}},
      {"end_stop", "nothing changes up to the amplitude; at one and a half of it gamma = strength", {{1, 0}, {1.5, 1}}},
      {"sticky_middle",
       "strongest (gamma = strength) at the amplitude, unchanged at rest and from twice on",
       {{0, 0}, {1, 1}, {2, 0}}},
  };
  return table;
}

GainCurve GainCurve::preset(const std::string& name, double amplitude, double strength) {
  std::vector<Problem> problems;
  std::vector<std::string> names;
  const Preset* found = nullptr;
  for (const Preset& preset : presets()) {
    names.push_back(preset.name);
    if (preset.name == name) found = &preset;
  }
  if (!found) {
    const std::string nearest = nearest_name(name, names);
    problems.push_back({place, fmt::format("preset '{}'", name), fmt::format("one of {}", fmt::join(names, ", ")),
                        nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest)});
  }
  if (!(amplitude > 0) || !std::isfinite(amplitude))
    problems.push_back({place, fmt::format("amplitude = {}", amplitude), "amplitude > 0", ""});
  if (!in_range(strength)) problems.push_back({place, fmt::format("strength = {}", strength), expected_range(), ""});
  if (!problems.empty()) throw Error(std::move(problems));
  std::vector<Point> points;
  for (const Preset::Knot& knot : found->knots)
    points.push_back({knot.amplitudes * amplitude, std::pow(strength, knot.exponent)});
  return through(points, Kind::monotone);
}

std::vector<GainCurve::Point> GainCurve::knot_derivatives(double x) const {
  if (is_constant()) return {{0, 1}};
  // Away from the border of what is allowed: knots keep their order and their range.
  const auto moved = [&](std::size_t k, double dx, double factor) {
    GainCurve other = *this;
    std::vector<std::pair<double, double>> pairs;
    other.points_[k].x += dx;
    other.points_[k].gamma *= factor;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      other.s_[i] = std::log10(other.points_[i].gamma);
      pairs.emplace_back(other.points_[i].x, other.s_[i]);
    }
    if (kind_ == Kind::monotone) other.curve_ = Curve::monotone(pairs, Extrapolation::constant);
    return other.value(x);
  };
  std::vector<Point> derivatives;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    double gap = points_.back().x - points_.front().x;
    if (k > 0) gap = std::min(gap, points_[k].x - points_[k - 1].x);
    if (k + 1 < points_.size()) gap = std::min(gap, points_[k + 1].x - points_[k].x);
    const double share = 1e-5, dx = share * gap, dg = share * points_[k].gamma;
    derivatives.push_back({(moved(k, dx, 1) - moved(k, -dx, 1)) / (2 * dx),
                           (moved(k, 0, 1 + share) - moved(k, 0, 1 - share)) / (2 * dg)});
  }
  return derivatives;
}

GainCurve::Sample GainCurve::log_sample(double x) const {
  if (x <= points_.front().x) return {s_.front(), 0};
  if (x >= points_.back().x) return {s_.back(), 0};
  if (kind_ == Kind::monotone) {
    const Curve::Sample sample = curve_.sample(x);
    return {sample.value, sample.derivative};
  }
  const auto above =
      std::upper_bound(points_.begin(), points_.end(), x, [](double value, const Point& p) { return value < p.x; });
  std::size_t i = static_cast<std::size_t>(above - points_.begin()) - 1;
  if (kind_ == Kind::linear) {
    const double slope = (s_[i + 1] - s_[i]) / (points_[i + 1].x - points_[i].x);
    return {s_[i] + slope * (x - points_[i].x), slope};
  }
  i -= i % 3;
  const double px[4] = {points_[i].x, points_[i + 1].x, points_[i + 2].x, points_[i + 3].x};
  const double t = parameter_at(px, x);
  const auto [s, ds_dt] = bernstein(&s_[i], t);
  return {s, ds_dt / bernstein(px, t).second};
}

GainCurve::Sample GainCurve::sample(double x) const {
  if (is_constant()) return {points_[0].gamma, 0};
  const Sample log = log_sample(x);
  const double gamma = std::pow(10.0, log.value);
  return {gamma, gamma * log_of_10 * log.derivative};
}

std::string to_string(GainCurve::Kind kind) {
  switch (kind) {
    case GainCurve::Kind::linear:
      return "linear";
    case GainCurve::Kind::monotone:
      return "monotone";
    case GainCurve::Kind::bezier:
      return "bezier";
  }
  return "unknown";
}

}  // namespace dashpot::math
