#pragma once
// Stiffness blocks of laws whose stress P = F S depends on the motion through the Green strain alone, as elasticity
// with Lame parameters does: dS = lambda tr(de) I + 2 mu de, de = sym(F^T dF') with F' either F or Fdot. A law that
// answers to both, dv_scale dP/dFdot + dq_scale dP/dF, has with G = dv_scale F + dq_scale Fdot, h = F g, k = G g
//     K_ab = w [ lambda h_a k_b^T + mu (h_b k_a^T + (g_a . g_b) F G^T) + (g_a . S g_b) I ],
// symmetric where G is a multiple of F. [reference ABCE, section 2.1] For .cpp files of kernels only.

#include "dashpot/element/point_law.hpp"

namespace dashpot::kernel {

using math::Matrix3;
using math::Symmetric3;

/// lambda, mu and S times w; S times the scale of dF S as well. Adds to both triangles where K has two.
template <int N, bool symmetric>
[[gnu::always_inline]] inline void add_green_blocks(const Matrix3<Pack4>& F, const Matrix3<Pack4>& G, Pack4 lambda,
                                                    Pack4 mu, const Symmetric3<Pack4>& S, const double* rest,
                                                    StiffnessPacks K) {
  Pack4 g[3 * N], h[3 * N], lambda_k[3 * N], mu_k[3 * N];
  for (int a = 1; a < N; ++a) {
    for (int c = 0; c < 3; ++c) g[3 * a + c] = Pack4::load(rest + 12 * a + 4 * c);
    const Pack4* ga = g + 3 * a;
    for (int i = 0; i < 3; ++i) {
      h[3 * a + i] = F(i, 0) * ga[0] + F(i, 1) * ga[1] + F(i, 2) * ga[2];
      const Pack4 k = G(i, 0) * ga[0] + G(i, 1) * ga[1] + G(i, 2) * ga[2];
      lambda_k[3 * a + i] = lambda * k;
      mu_k[3 * a + i] = mu * k;
    }
  }
  Matrix3<Pack4> FG = multiply_transposed(F, G);
  for (Pack4& x : FG.m) x *= mu;
#pragma GCC unroll 3
  for (int b = 1; b < N; ++b) {
    const Pack4* gb = g + 3 * b;
    Pack4 Sg[3];
    for (int i = 0; i < 3; ++i) Sg[i] = S(i, 0) * gb[0] + S(i, 1) * gb[1] + S(i, 2) * gb[2];
#pragma GCC unroll 3
    for (int a = 1; a <= b; ++a) {
      const Pack4 *ga = g + 3 * a, *ha = h + 3 * a, *hb = h + 3 * b;
      const Pack4 overlap = ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2];
      const Pack4 stress = ga[0] * Sg[0] + ga[1] * Sg[1] + ga[2] * Sg[2];
      Pack4* out = K.upper + 9 * upper<N>(a, b);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const Pack4 entry = ha[r] * lambda_k[3 * b + c] + hb[r] * mu_k[3 * a + c] + overlap * FG(r, c);
          out[3 * c + r] += r == c ? entry + stress : entry;
        }
      if (symmetric || a == b) continue;
      out = K.lower + 9 * upper<N>(a, b);  // K_ba, transposed
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const Pack4 entry = hb[c] * lambda_k[3 * a + r] + ha[c] * mu_k[3 * b + r] + overlap * FG(c, r);
          out[3 * c + r] += r == c ? entry + stress : entry;
        }
    }
  }
}

}  // namespace dashpot::kernel
