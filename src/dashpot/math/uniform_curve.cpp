#include "dashpot/math/uniform_curve.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::math {

UniformCurve::UniformCurve(const UniformKnots& knots, const double* weights) : knots_(knots) {
  if (knots.count == 0) return;
  if (knots.count < 4 || !(knots.low > 0) || !(knots.low < 1) || !(knots.high > 1) || !std::isfinite(knots.high))
    throw Error(Problem{"curve", fmt::format("{} weights on [{:g}, {:g}]", knots.count, knots.low, knots.high),
                        "none or at least 4 weights, on an interval with 0 < low < 1 < high", ""});
  for (int k = 0; k < knots.count; ++k)
    if (!std::isfinite(weights[k]))
      throw Error(Problem{"curve", fmt::format("weight {} is {}", k, weights[k]), "finite numbers", ""});
  const double h = knots.spacing();
  const int num_intervals = knots.count - 3;
  per_spacing_ = 1 / h;
  const auto line = [](double value, double slope, double start) { return Piece{value, slope, 0, 0, start, 0}; };
  pieces_.push_back(
      line((weights[0] + 4 * weights[1] + weights[2]) / 6, (weights[2] - weights[0]) / (2 * h), knots.low));
  for (int i = 0; i < num_intervals; ++i) {
    const double* w = weights + i;
    pieces_.push_back({(w[0] + 4 * w[1] + w[2]) / 6, (w[2] - w[0]) / (2 * h), (w[0] - 2 * w[1] + w[2]) / (2 * h * h),
                       (w[3] - 3 * w[2] + 3 * w[1] - w[0]) / (6 * h * h * h), knots.low + i * h, 0});
  }
  const double* w = weights + num_intervals;
  pieces_.push_back(line((w[0] + 4 * w[1] + w[2]) / 6, (w[2] - w[0]) / (2 * h), knots.high));

  const std::size_t rest = piece_of(1);
  Piece& p = pieces_[rest];
  const double t = 1 - p.start, at_rest = p.value + t * (p.slope + t * (p.second + t * p.third));
  p = {0, p.slope + t * (2 * p.second + t * 3 * p.third), p.second + 3 * t * p.third, p.third, 1, 0};
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    if (i != rest) pieces_[i].value -= at_rest;
  // Integrals grow from the piece of x = 1 to both sides.
  const auto end_of = [&](std::size_t i, double x) {
    const Piece& q = pieces_[i];
    const double d = x - q.start;
    return q.integral + d * (q.value + d * (q.slope / 2 + d * (q.second / 3 + d * (q.third / 4))));
  };
  const auto knot = [&](std::size_t i) { return i == pieces_.size() - 1 ? knots.high : knots.low + (i - 1.0) * h; };
  for (std::size_t i = rest + 1; i < pieces_.size(); ++i) pieces_[i].integral = end_of(i - 1, knot(i));
  for (std::size_t i = rest; i-- > 1;) pieces_[i].integral = end_of(i + 1, knot(i + 1)) - end_of(i, knot(i + 1));
  pieces_[0].integral = end_of(1, knots.low);
}

}  // namespace dashpot::math
