#pragma once
// Stresses on triangles that depend on the Green strain or its rate, from their density alone. With F = [f1 f2] and
// Fdot = [u1 u2], strains as (E11, E22, 2 E12) and stresses as (S11, S22, S12),
//     Edot = (f1 . u1, f2 . u2, f1 . u2 + f2 . u1),     P = F S,     f_a = w B_a(F) S,
// B_a(F) = [ f1 g_a1, f2 g_a2, f1 g_a2 + f2 g_a1 ] = dE/dx_a, w the weight, g_a the rest gradients of node a. A density
// with C = dS/dEdot has
//     K_ab = w [ B_a(F) C B_b(G)^T + (g_a . S g_b) I ],
// G = F for elasticity, G = dv F + dq Fdot and dq S for damping. [reference ABCE, section 2.1]

#include "dashpot/element/sheet_law.hpp"

namespace dashpot {

/// Edot as above; of F twice it is twice (E11, E22, 2 E12), plus one in the first two.
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

/// Sets the negative eigenvalues of S to zero.
template <class T>
inline void clamp_sheet_stress(T S[3]) {
  using math::max, math::select, math::sqrt;
  const T mean = T(0.5) * (S[0] + S[1]), half = T(0.5) * (S[0] - S[1]), radius = sqrt(half * half + S[2] * S[2]);
  const T high = max(mean + radius, T(0)), low = max(mean - radius, T(0));
  // S = mean I + radius Q with Q of eigenvalues 1 and -1; Q is any such matrix where the radius is zero.
  const auto has_axes = radius > T(0);
  const T share = select(has_axes, T(0.5) * (high - low) / select(has_axes, radius, T(1)), T(0));
  const T middle = T(0.5) * (high + low);
  S[0] = middle + share * half;
  S[1] = middle - share * half;
  S[2] = share * S[2];
}

/// B_a(F), strain by strain.
template <class T>
inline void green_sheet_strains(const math::Matrix32<T>& F, const T& g1, const T& g2, T B[9]) {
  for (int r = 0; r < 3; ++r) {
    B[r] = F(r, 0) * g1;
    B[3 + r] = F(r, 1) * g2;
    B[6 + r] = F(r, 0) * g2 + F(r, 1) * g1;
  }
}

/// K_ab += w B_a(F) C B_b(G)^T of the nodes 1 and 2; C is 3 x 3, row by row. `g`: TriangleBatch::pack_gradients.
inline void add_green_sheet_blocks(const math::Matrix32<math::Pack4>& F, const math::Matrix32<math::Pack4>& G,
                                   const math::Pack4 C[9], math::Pack4 w, const double* g, StiffnessPacks K) {
  using math::Pack4;
  const auto gradient = [&](int a, int k) { return Pack4::load(g + 8 * a - 8 + 4 * k); };
  Pack4 left[3][9];
  for (int a = 1; a < 3; ++a) green_sheet_strains(F, gradient(a, 0), gradient(a, 1), left[a]);
  for (int b = 1; b < 3; ++b) {
    Pack4 B[9], right[9];  // right: w C B_b(G)^T, row i by strain
    green_sheet_strains(G, gradient(b, 0), gradient(b, 1), B);
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c)
        right[3 * i + c] = w * (C[3 * i] * B[c] + C[3 * i + 1] * B[3 + c] + C[3 * i + 2] * B[6 + c]);
    for (int a = 1; a < (K.lower != nullptr ? 3 : b + 1); ++a) {
      // Below the diagonal K_ab is kept transposed, at (b, a).
      Pack4* out = a <= b ? K.upper + 9 * kernel::upper<3>(a, b) : K.lower + 9 * kernel::upper<3>(b, a);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
          out[a <= b ? 3 * c + r : 3 * r + c] +=
              left[a][r] * right[c] + left[a][3 + r] * right[3 + c] + left[a][6 + r] * right[6 + c];
    }
  }
}

/// K_ab += w (g_a . S g_b) I.
inline void add_sheet_stress_blocks(const math::Pack4 S[3], math::Pack4 w, const double* g, StiffnessPacks K) {
  using math::Pack4;
  const auto gradient = [&](int a, int k) { return Pack4::load(g + 8 * a - 8 + 4 * k); };
  for (int a = 1; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      const Pack4 along = w * (gradient(a, 0) * (S[0] * gradient(b, 0) + S[2] * gradient(b, 1)) +
                               gradient(a, 1) * (S[2] * gradient(b, 0) + S[1] * gradient(b, 1)));
      for (int r = 0; r < 3; ++r) {
        K.upper[9 * kernel::upper<3>(a, b) + 4 * r] += along;
        if (a != b && K.lower != nullptr) K.lower[9 * kernel::upper<3>(a, b) + 4 * r] += along;
      }
    }
}

}  // namespace dashpot
