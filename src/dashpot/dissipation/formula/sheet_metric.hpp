#pragma once
// Strain rates of a triangle's deformation gradient F (3 x 2), as strain_metric.hpp has them of tets. Strains are
// (E11, E22, 2 E12), stresses (S11, S22, S12), row by row 3 x 3 matrices map one to the other. With A = sym(F^T Fdot),
//   Green          e = A,            Z = T
//   corotational   e = Lambda A,     Z = Lambda^T T,
// where Lambda is L^-1, L(X) = (U X + X U)/2, U = sqrt(F^T F): for 2 x 2 matrices, with t = tr U, d = det U and
// V = t I - U,
//   L^-1(X) = (d X + V X V) / (t d).
// P = F Z. [reference ABCE, section 2.4]

#include "dashpot/core/formula.hpp"
#include "dashpot/math/matrix32.hpp"
#include "dashpot/math/scalar.hpp"

namespace dashpot::formula {

/// C = A B, of 3 x 3 matrices row by row.
template <class T>
DASHPOT_FORMULA inline void multiply3(const T A[9], const T B[9], T C[9]) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) C[3 * i + k] = A[3 * i] * B[k] + A[3 * i + 1] * B[3 + k] + A[3 * i + 2] * B[6 + k];
}
/// C = A^T B.
template <class T>
DASHPOT_FORMULA inline void multiply3_transposed(const T A[9], const T B[9], T C[9]) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) C[3 * i + k] = A[i] * B[k] + A[3 + i] * B[3 + k] + A[6 + i] * B[6 + k];
}

/// Lambda of F. det U counts as at least 1e-6 t^2: collapsed triangles have no rate across.
template <class T>
DASHPOT_FORMULA inline void sheet_stretch_solve(const math::Matrix32<T>& F, T Lambda[9]) {
  using math::max, math::sqrt;
  const auto dot = [&](int i, int k) { return F(0, i) * F(0, k) + F(1, i) * F(1, k) + F(2, i) * F(2, k); };
  const T a = dot(0, 0), b = dot(0, 1), c = dot(1, 1);
  const T determinant = sqrt(max(a * c - b * b, T(0))), t = sqrt(max(a + c + T(2) * determinant, T(1e-300)));
  const T p = (c + determinant) / t, q = (a + determinant) / t, o = b / t;  // V = [p, -o; -o, q]
  const T d = max(determinant, T(1e-6) * t * t), over = T(1) / (t * d), plain = T(1) / t;
  Lambda[0] = over * p * p + plain;
  Lambda[1] = over * o * o;
  Lambda[2] = -over * p * o;
  Lambda[3] = over * o * o;
  Lambda[4] = over * q * q + plain;
  Lambda[5] = -over * o * q;
  Lambda[6] = T(-2) * over * p * o;
  Lambda[7] = T(-2) * over * o * q;
  Lambda[8] = over * (p * q + o * o) + plain;
}

/// M_2 of docs/design/0016: dZ = M_1 dA + M_2 dE with M_1 = Lambda^T D Lambda, where
/// M_2 = -Lambda^T (D Lambda {e, .} + {Z, .}) Lambda and {a, b} = (ab + ba)/2.
template <class T>
DASHPOT_FORMULA inline void corotational_sheet_turning(const T Lambda[9], const T M1[9], const T e[3], const T Z[3],
                                                       T M2[9]) {
  const T half(0.5), e12 = half * e[2];
  const T of_e[9] = {e[0], T(0), half * e12, T(0), e[1], half * e12, e12, e12, half * (e[0] + e[1])};
  const T zero(0), quarter(0.25);
  const T of_Z[9] = {
      Z[0], zero, half * Z[2], zero, Z[1], half * Z[2], half * Z[2], half * Z[2], quarter * (Z[0] + Z[1])};
  T turned[9], left[9], right[9];
  multiply3(of_e, Lambda, turned);
  multiply3(M1, turned, left);  // Lambda^T D Lambda {e, Lambda .}
  multiply3(of_Z, Lambda, turned);
  multiply3_transposed(Lambda, turned, right);
  for (int k = 0; k < 9; ++k) M2[k] = -left[k] - right[k];
}

}  // namespace dashpot::formula
