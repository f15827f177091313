#pragma once
// Cubic B-splines on equal intervals, linear in their weights, made for element loops:
//
//     y(x) = sum_k w_k (B_k(x) - B_k(1)),   low <= x <= high,      B_k centered at low + (k - 1) h,  h = (high -
//     low)/(K - 3)
//
// with two continuous derivatives inside and straight beyond the ends. y(1) = 0, so that a stress drawn over a stretch
// vanishes at rest; 0 < low < 1 < high. The same curves as Curve::uniform_bspline [deBoor2001]; here every piece is a
// row of numbers, found without a search, so that four arguments are evaluated together.

#include <array>
#include <vector>

#include "dashpot/math/scalar.hpp"

namespace dashpot::math {

/// Where a curve is drawn and by how many weights: none (the curve is zero), or at least 4.
struct UniformKnots {
  double low = 0.5, high = 1.5;
  int count = 0;

  double spacing() const { return (high - low) / (count - 3); }
  bool operator==(const UniformKnots&) const = default;
};

/// B_k(x), straight beyond the ends, or constant there where `is_flat` (a mask).
template <class T, class Mask>
inline T uniform_basis(const UniformKnots& knots, int k, T x, Mask is_flat) {
  const double h = knots.spacing();
  const T inside = max(T(knots.low), min(T(knots.high), x));
  const T u = (inside - T(knots.low)) * T(1 / h) - T(k - 1.0), a = abs(u), rest = max(T(0.0), T(2.0) - a);
  const auto near = a < T(1.0);
  const T value = select(near, T(4.0) + a * a * (T(3.0) * a - T(6.0)), rest * rest * rest) * T(1.0 / 6);
  const T slope = select(near, a * (T(1.5) * a - T(2.0)), T(-0.5) * rest * rest) * T(1 / h);
  return value + select(is_flat, T(0.0), with_sign(T(1.0), u) * slope * (x - inside));
}

/// B_k(x) - B_k(1) of a number.
inline double uniform_basis_from_rest(const UniformKnots& knots, int k, double x) {
  return uniform_basis(knots, k, x, false) - uniform_basis(knots, k, 1.0, false);
}

/// A curve ready to be sampled.
class UniformCurve {
 public:
  template <class T>
  struct Sample {
    T value, slope, integral;  ///< integral from 1
  };

  /// Zero everywhere.
  UniformCurve() = default;
  /// As many weights as the knots count. Throws Error where knots or weights make no curve.
  UniformCurve(const UniformKnots& knots, const double* weights);

  bool is_zero() const { return pieces_.empty(); }
  const UniformKnots& knots() const { return knots_; }
  double low_slope() const { return pieces_.front().slope; }
  double high_slope() const { return pieces_.back().slope; }

  Sample<double> sample(double x) const {
    const Piece& p = pieces_[piece_of(x)];
    const double t = x - p.start;
    return {p.value + t * (p.slope + t * (p.second + t * p.third)), p.slope + t * (2 * p.second + t * 3 * p.third),
            p.integral + t * (p.value + t * (p.slope / 2 + t * (p.second / 3 + t * (p.third / 4))))};
  }
  /// The same of four numbers (math/pack.hpp).
  template <class T>
  Sample<T> sample(T x) const {
    T value, slope, second, third, start, integral;
    const Piece* piece[4];
    for (int lane = 0; lane < 4; ++lane) piece[lane] = &pieces_[piece_of(x[lane])];
    value = T::load(&piece[0]->value), slope = T::load(&piece[1]->value);
    second = T::load(&piece[2]->value), third = T::load(&piece[3]->value);
    transpose(value, slope, second, third);
    for (int lane = 0; lane < 4; ++lane) start.set(lane, piece[lane]->start), integral.set(lane, piece[lane]->integral);
    const T t = x - start;
    return {value + t * (slope + t * (second + t * third)), slope + t * (T(2.0) * second + t * T(3.0) * third),
            integral + t * (value + t * (T(0.5) * slope + t * (T(1.0 / 3) * second + t * (T(0.25) * third))))};
  }

 private:
  /// A cubic in x - start. The one that holds x = 1 starts there: near rest no digits cancel.
  struct Piece {
    double value, slope, second, third, start, integral;
  };
  std::size_t piece_of(double x) const {
    if (!(x > knots_.low)) return 0;
    if (!(x < knots_.high)) return pieces_.size() - 1;
    const auto i = static_cast<std::size_t>((x - knots_.low) * per_spacing_) + 1;
    return i < pieces_.size() - 1 ? i : pieces_.size() - 2;
  }

  UniformKnots knots_;
  double per_spacing_ = 0;
  std::vector<Piece> pieces_;  ///< the line before the knots, one of every interval, the line behind them
};

}  // namespace dashpot::math
