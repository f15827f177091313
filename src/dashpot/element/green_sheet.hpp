#pragma once
// Stresses on triangles that depend on the rate of the Green strain, from their density alone. With F = [f1 f2] and
// Fdot = [u1 u2], strains as (E11, E22, 2 E12) and stresses as (S11, S22, S12),
//     Edot = (f1 . u1, f2 . u2, f1 . u2 + f2 . u1),     P = F S = sum_i b_i(F) S_i,
// where b_i(F) = dE_i/dF is linear in F, and
//     dv dP/dFdot + dq dP/dF = sum_ij b_i(F) C_ij b_j(dv F + dq Fdot)^T + dq (. S),     C = dS/dEdot.
// [reference ABCE, section 2.1]

#include "dashpot/element/sheet_law.hpp"

namespace dashpot {

/// Edot as above.
template <class T>
inline void green_sheet_rate(const math::Matrix32<T>& F, const math::Matrix32<T>& Fdot, T rate[3]) {
  const auto dot = [&](int i, int k) { return F(0, i) * Fdot(0, k) + F(1, i) * Fdot(1, k) + F(2, i) * Fdot(2, k); };
  rate[0] = dot(0, 0);
  rate[1] = dot(1, 1);
  rate[2] = dot(0, 1) + dot(1, 0);
}

/// P = F S.
template <class T>
inline void green_sheet_stress(const math::Matrix32<T>& F, const T S[3], math::Matrix32<T>& P) {
  for (int r = 0; r < 3; ++r) {
    P(r, 0) = F(r, 0) * S[0] + F(r, 1) * S[2];
    P(r, 1) = F(r, 0) * S[2] + F(r, 1) * S[1];
  }
}

/// tangent += dv dP/dFdot + dq dP/dF; C is 3 x 3 and symmetric, row by row.
template <class T>
inline void add_green_sheet_tangent(const math::Matrix32<T>& F, const math::Matrix32<T>& Fdot, const T S[3],
                                    const T C[9], T dv, T dq, SheetTangent<T>& tangent) {
  math::Matrix32<T> G;
  for (int k = 0; k < 6; ++k) G.m[k] = dv * F.m[k] + dq * Fdot.m[k];
  for (int l = 0; l < 2; ++l) {
    T right[3][3];  // sum_j C_ij b_j(G) of column l
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c) right[i][c] = C[3 * i + l] * G(c, l) + C[3 * i + 2] * G(c, 1 - l);
    for (int k = 0; k < 2; ++k) {
      const T stress = dq * S[k == l ? k : 2];
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const T entry = F(r, k) * right[k][c] + F(r, 1 - k) * right[2][c];
          tangent.block[k][l][3 * c + r] += r == c ? entry + stress : entry;
        }
    }
  }
}

}  // namespace dashpot
