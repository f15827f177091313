#pragma once
// Polar decomposition F = R S with R a rotation (det R = +1 for every F) and S symmetric; S has a negative eigenvalue
// where F is inverted. R = U V^T, S = V diag(s) V^T: the rotation nearest to F.

#include "dashpot/math/svd3.hpp"

namespace dashpot::math {

template <class T>
struct Polar3 {
  Matrix3<T> R;
  Symmetric3<T> S;
};

template <class T>
DASHPOT_FORMULA inline Polar3<T> polar3(const Matrix3<T>& F) {
  const Svd3<T> f = svd3(F);
  Polar3<T> result;
  result.R = multiply_transposed(f.U, f.V);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      result.S(i, j) = f.V(i, 0) * f.s[0] * f.V(j, 0) + f.V(i, 1) * f.s[1] * f.V(j, 1) + f.V(i, 2) * f.s[2] * f.V(j, 2);
  return result;
}

}  // namespace dashpot::math
