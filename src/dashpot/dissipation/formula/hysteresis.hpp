#pragma once
// Bouc-Wen hysteresis of one measure s: T = c z, where z follows s and yields at z_0, whatever the speed. With
// y = z/z_0 and u = s/z_0,
//     dy/du = 1 - |y|^n            where |y| grows,
//     dy/du = 1 + delta |y|^n      where it falls,       n = 1 or 2,  0 <= delta <= 1.
// n = 1, delta = 1 is Dahl's model: dy/du = 1 - sign(u') y. In Bouc's and Wen's letters beta + gamma = 1/z_0^n and
// beta - gamma = delta/z_0^n. Stored c z^2/2; lost at the rate c |z| |s'| |y|^n, delta times that where |y| falls:
// never negative. Where s moves one way within a step y is had in closed form, whatever the length of the step.
// [Bouc1967; Wen1976; Dahl1968]

#include <cmath>

#include "dashpot/core/formula.hpp"

namespace dashpot::formula {

struct Hysteresis {
  double y = 0, slope = 1;  ///< z/z_0, and dz/ds on the way on
};

/// From y (-1 <= y <= 1) over a change of u; exponent 1 or 2.
DASHPOT_FORMULA inline Hysteresis follow_hysteresis(double y, double u, int exponent, double delta) {
  const double way = u < 0 ? -1 : 1;
  double left = way * u, x = way * y;  // along the way x rises: first from below zero, where |y| falls
  if (x < 0) {
    const double root = std::sqrt(delta);
    double to_zero = -x;
    if (delta > 0) to_zero = exponent == 1 ? std::log1p(-delta * x) / delta : std::atan(-root * x) / root;
    if (left <= to_zero) {
      if (delta == 0)
        x += left;
      else if (exponent == 1)
        x = x * std::exp(-delta * left) - std::expm1(-delta * left) / delta;
      else
        x = std::tan(root * left + std::atan(root * x)) / root;
      return {way * x, 1 + delta * (exponent == 1 ? -x : x * x)};
    }
    left -= to_zero;
    x = 0;
  }
  if (exponent == 1)
    x = 1 + (x - 1) * std::exp(-left);
  else
    x = (x + std::tanh(left)) / (1 + x * std::tanh(left));
  return {way * x, 1 - (exponent == 1 ? x : x * x)};
}

}  // namespace dashpot::formula
