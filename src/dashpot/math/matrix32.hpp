#pragma once
// 3 x 2 matrices over any scalar, column-major: the deformation gradient of a triangle in space, and stresses on it.

#include "dashpot/core/formula.hpp"

namespace dashpot::math {

template <class T>
struct Matrix32 {
  T m[6];
  [[gnu::always_inline]] DASHPOT_FORMULA T& operator()(int row, int column) { return m[3 * column + row]; }
  [[gnu::always_inline]] DASHPOT_FORMULA const T& operator()(int row, int column) const { return m[3 * column + row]; }
};

}  // namespace dashpot::math
