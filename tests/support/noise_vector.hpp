#pragma once
// Portable noise as vectors.

#include "dashpot/core/types.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing {

/// rnd(first), rnd(first + 1), ...
inline Vector noise(Eigen::Index size, int first) {
  Vector result(size);
  for (Eigen::Index k = 0; k < size; ++k) result[k] = rnd(first + static_cast<int>(k));
  return result;
}

}  // namespace dashpot::testing
