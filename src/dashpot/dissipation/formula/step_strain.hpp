#pragma once
// How far a velocity gradient `rate` [1/s] strains a body within a time dt, rotation left out:
//     F = I + dt rate = R S,   strain = (F - R)/dt [1/s],   sym(rate) for dt = 0.
// Its derivative along d(rate) is d(rate) - [omega]x R with omega = spin_inverse ax(.): for d(rate) = x (x) g,
//     strain' g_a = (g_a . g_b) x + [R g_a]x spin_inverse [R g_b]x x,   spin_inverse = R (tr(S) I - S)^-1 R^T.

#include "dashpot/math/svd3.hpp"

namespace dashpot::formula {

template <class T>
struct StepStrain {
  math::Matrix3<T> R;
  math::Matrix3<T> strain;           ///< [1/s]
  math::Symmetric3<T> spin_inverse;  ///< pseudo-inverse where sums of two stretches vanish
};

/// 1/x, or 0 where |x| is round-off of `largest`.
template <class T>
DASHPOT_FORMULA inline T pseudo_reciprocal(T x, T largest) {
  using math::abs, math::select;
  const auto usable = abs(x) > T(1e-12) * largest;
  return select(usable, T(1) / select(usable, x, T(1)), T(0));
}

template <class T>
DASHPOT_FORMULA inline StepStrain<T> step_strain(const math::Matrix3<T>& rate, double dt) {
  using math::abs, math::max;
  StepStrain<T> result;
  if (!(dt > 0)) {
    result.R = math::identity3<T>();
    result.spin_inverse = {{T(0.5), T(0.5), T(0.5), T(0), T(0), T(0)}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) result.strain(i, j) = T(0.5) * (rate(i, j) + rate(j, i));
    return result;
  }
  math::Matrix3<T> F;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) F(i, j) = T(i == j ? 1 : 0) + T(dt) * rate(i, j);
  const math::Svd3<T> f = math::svd3(F);
  result.R = math::multiply_transposed(f.U, f.V);
  for (int k = 0; k < 9; ++k) result.strain.m[k] = (F.m[k] - result.R.m[k]) / T(dt);
  const T sums[3] = {f.s[1] + f.s[2], f.s[2] + f.s[0], f.s[0] + f.s[1]};
  const T largest = max(abs(sums[0]), max(abs(sums[1]), abs(sums[2])));
  T d[3];
  for (int k = 0; k < 3; ++k) d[k] = pseudo_reciprocal(sums[k], largest);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      result.spin_inverse(i, j) =
          f.U(i, 0) * d[0] * f.U(j, 0) + f.U(i, 1) * d[1] * f.U(j, 1) + f.U(i, 2) * d[2] * f.U(j, 2);
  return result;
}

}  // namespace dashpot::formula
