#pragma once
// Damping coefficients given element by element.
#include <algorithm>
#include <vector>

namespace dashpot {

/// Whether any element is damped at all.
inline bool any_positive(const std::vector<double>& coefficients) {
  return std::any_of(coefficients.begin(), coefficients.end(), [](double x) { return x > 0; });
}

}  // namespace dashpot
