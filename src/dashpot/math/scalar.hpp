#pragma once
// What the element formulas need of a number besides + - * /, for double. pack.hpp gives the same names for four
// numbers at once, so that one template serves both. A comparison yields a Mask; select() takes the place of `if`.

#include <algorithm>
#include <cmath>

namespace dashpot::math {

inline double select(bool mask, double if_true, double if_false) { return mask ? if_true : if_false; }
inline bool any(bool mask) { return mask; }
inline bool all(bool mask) { return mask; }

inline double sqrt(double x) { return std::sqrt(x); }
inline double abs(double x) { return std::abs(x); }
inline double log(double x) { return std::log(x); }
inline double max(double a, double b) { return std::max(a, b); }
inline double min(double a, double b) { return std::min(a, b); }
/// |x| with the sign of `sign` (+0 counts as positive).
inline double with_sign(double x, double sign) { return std::copysign(x, sign); }

}  // namespace dashpot::math
