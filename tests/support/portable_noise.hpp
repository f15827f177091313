#pragma once
// rnd(k) = sin(1.7 k k + 0.3 k + 0.5): the deterministic noise all reference tables are built on.
#include <cmath>

namespace dashpot::testing {
inline double rnd(int k) {
  const double x = static_cast<double>(k);
  return std::sin((1.7 * x) * x + 0.3 * x + 0.5);
}
}  // namespace dashpot::testing
