#pragma once
// Checks derivatives by the slope of their Taylor remainder: |f(x + eps d) - f(x) - eps J d| must fall as eps^2 (or be
// round-off). A wrong Jacobian gives slope 1 at once, whatever the scale of f; a zero derivative is refused.
#include <functional>

#include "dashpot/core/types.hpp"

namespace dashpot::testing {

struct SlopeResult {
  double slope = 0;               ///< measured exponent of the remainder between the largest and smallest usable eps
  double relative_remainder = 0;  ///< smallest remainder over |eps J d|
  double derivative_norm = 0;     ///< |J d|: assert it is not zero
  bool ok() const { return derivative_norm > 0 && (slope > 1.8 || relative_remainder < 1e-7); }
};

/// f: R^n -> R^m; directional_derivative(d) = J(x) d.
SlopeResult derivative_slope(const std::function<Vector(const Vector&)>& f, const Vector& x, const Vector& direction,
                             const Vector& directional_derivative, double eps0 = 1e-2);

}  // namespace dashpot::testing
