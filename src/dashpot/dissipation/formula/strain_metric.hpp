#pragma once
// Strain rates of a deformation gradient, the stress P = F Z that a stress T in them is, and how Z varies
// (docs/design/0016). With A = sym(F^T Fdot),
//   Green          e = A,           Z = T
//   corotational   e = L^-1(A),     Z = L^-1(T),     L(X) = (U X + X U)/2,  U = sqrt(F^T F),
// the second the rate of U - I = R^T F - I, rotation rate included. Both vanish in a rigid motion of the deformed body,
// and Z is symmetric: no torque. [reference ABCE, sections 2.1 and 2.4]
//
// The corotational metric works in the eigenbasis of U, where L^-1 is a factor 2/(s_i + s_j) on each component; sums of
// stretches below `least_stretch_sum` count as that much.

#include "dashpot/dissipation/formula/rate_density.hpp"
#include "dashpot/math/symmetric3.hpp"

namespace dashpot::formula {

constexpr double least_stretch_sum = 1e-6;

/// sym(F^T Fdot) [1/s].
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> green_strain_rate(const math::Matrix3<T>& F, const math::Matrix3<T>& Fdot) {
  const auto dot = [](const math::Matrix3<T>& A, int i, const math::Matrix3<T>& B, int j) {
    return A(0, i) * B(0, j) + A(1, i) * B(1, j) + A(2, i) * B(2, j);
  };
  math::Symmetric3<T> rate;
  for (int i = 0; i < 3; ++i) {
    rate(i, i) = dot(F, i, Fdot, i);
    for (int j = i + 1; j < 3; ++j) rate(i, j) = T(0.5) * (dot(F, i, Fdot, j) + dot(F, j, Fdot, i));
  }
  return rate;
}

/// sym(A B) of symmetric A and B.
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> symmetric_product(const math::Symmetric3<T>& A,
                                                             const math::Symmetric3<T>& B) {
  math::Symmetric3<T> C;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      T sum = T(0);
      for (int k = 0; k < 3; ++k) sum += A(i, k) * B(k, j) + B(i, k) * A(k, j);
      C(i, j) = T(0.5) * sum;
    }
  return C;
}

/// L^-1 in the eigenbasis of U: componentwise.
template <class T>
struct StretchSolve {
  math::Symmetric3<T> factor;
  DASHPOT_FORMULA math::Symmetric3<T> operator()(const math::Symmetric3<T>& X) const {
    math::Symmetric3<T> Y;
    for (int k = 0; k < 6; ++k) Y.m[k] = factor.m[k] * X.m[k];
    return Y;
  }
};

/// The eigenbasis V of F^T F, and L^-1 in it.
template <class T>
DASHPOT_FORMULA inline StretchSolve<T> stretch_solve(const math::Matrix3<T>& F, math::Matrix3<T>& V) {
  using math::max, math::sqrt;
  T w[3], s[3];
  eigen_symmetric3(gram(F), w, V);
  for (int i = 0; i < 3; ++i) s[i] = sqrt(max(w[i], T(0)));
  StretchSolve<T> solve;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) solve.factor(i, j) = T(2) / max(s[i] + s[j], T(least_stretch_sum));
  return solve;
}

}  // namespace dashpot::formula
