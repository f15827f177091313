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

/// Dahl's model of a tensor of strain E: xi' = E' - xi |E'| / z_0. With S = C:xi, C >= 0, the stored energy xi:C:xi/2
/// falls behind the work by xi:C:xi |E'| / z_0 >= 0, and |xi| <= z_0. Along a straight way from xi_n, of length s in
/// units of z_0,
///     xi = keep xi_n + take (E - E_n),   keep = exp(-s),   take = (1 - exp(-s)) / s.
/// [Dahl1968; of a tensor, the endochronic theory of Valanis1971]
struct DahlStep {
  double keep = 1, take = 1;
};
DASHPOT_FORMULA inline DahlStep dahl_step(double s) {
  return {std::exp(-s), s > 1e-5 ? -std::expm1(-s) / s : 1 - s / 2 + s * s / 6};
}

}  // namespace dashpot::formula
