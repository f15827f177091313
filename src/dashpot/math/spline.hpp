#pragma once
// Paths through keys: interpolating cubic splines y(t), vector-valued, with continuous first AND second derivatives
// everywhere, also where the keys end. Between neighboring knots y is a cubic; the second derivatives M_i at the knots
// solve one tridiagonal system [deBoor2001, ch. IV].
//
//   Ends::rest      y rests before the first and after the last key: y' = y'' = 0 there. The two conditions too many
//                   are paid for by one more knot, without a value, inside the first and the last interval.
//   Ends::straight  y'' = 0 at the ends ("natural"): the path goes on with the velocity it has.
//   Ends::cyclic    repeats with the period t_last - t_first; where the last key differs from the first, each cycle
//                   begins that much further on (a walk).

#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::math {

class Spline {
 public:
  enum class Ends { rest, straight, cyclic };

  Spline() = default;
  /// times: strictly increasing; values: one column per time. One key is a constant. Throws dashpot::Error when times
  /// do not increase, sizes differ or something is not finite.
  Spline(const std::vector<double>& times, const Matrix& values, Ends ends);

  int dimension() const { return static_cast<int>(value_.rows()); }
  /// y, y' and y'' at `time`, each of size dimension; null pointers are skipped.
  void evaluate(double time, Vector* y, Vector* dy, Vector* ddy) const;
  double first_time() const { return knot_.front(); }
  double last_time() const { return knot_.back(); }

 private:
  void insert_free_knots();
  void solve_open();
  void solve_cyclic();

  Ends ends_ = Ends::rest;
  std::vector<double> knot_;
  Matrix value_;              ///< y at knots, one column each
  Matrix curvature_;          ///< M = y'' at knots
  std::vector<double> free_;  ///< e_i: y_i = value + e_i M_i at knots without a value of their own, 0 elsewhere
  Vector drift_;              ///< cyclic: y(last) - y(first)
};

}  // namespace dashpot::math
