#pragma once
// What the element formulas need of a number besides + - * /, for double. pack.hpp gives the same names for four
// numbers at once, so that one template serves both. A comparison yields a Mask; select() takes the place of `if`.

#include <cmath>

#include "dashpot/core/formula.hpp"

namespace dashpot::math {

DASHPOT_FORMULA inline double select(bool mask, double if_true, double if_false) { return mask ? if_true : if_false; }
DASHPOT_FORMULA inline bool any(bool mask) { return mask; }
DASHPOT_FORMULA inline bool all(bool mask) { return mask; }

DASHPOT_FORMULA inline double pow(double x, double exponent) { return std::pow(x, exponent); }
DASHPOT_FORMULA inline double sqrt(double x) { return std::sqrt(x); }
DASHPOT_FORMULA inline double atan2(double y, double x) { return std::atan2(y, x); }
DASHPOT_FORMULA inline double abs(double x) { return std::abs(x); }
DASHPOT_FORMULA inline double log(double x) { return std::log(x); }
DASHPOT_FORMULA inline double max(double a, double b) { return a < b ? b : a; }
DASHPOT_FORMULA inline double min(double a, double b) { return b < a ? b : a; }
/// |x| with the sign of `sign` (+0 counts as positive).
DASHPOT_FORMULA inline double with_sign(double x, double sign) { return std::copysign(x, sign); }

}  // namespace dashpot::math
