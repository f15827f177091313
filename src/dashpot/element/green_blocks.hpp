#pragma once
// Stiffness blocks of a GreenTangent (tet_law.hpp). For .cpp files of kernels only.

#include "dashpot/element/tet_law.hpp"

namespace dashpot::kernel {

using math::Matrix3;
using math::Symmetric3;

/// Whether blocks are written or added to.
enum class Store { write, add };

/// Blocks of weight w; a symmetric tangent has upper ones alone.
template <int N, bool symmetric, Store store>
[[gnu::always_inline]] inline void green_blocks(const Matrix3<Pack4>& F, const GreenTangent<Pack4>& t,
                                                const double* rest, Pack4 w, StiffnessPacks K) {
  Pack4 g[3 * N], h[3 * N], k_lambda[3 * N], k_mu[3 * N];
  for (int a = 1; a < N; ++a) {
    for (int c = 0; c < 3; ++c) g[3 * a + c] = Pack4::load(rest + 12 * a + 4 * c);
    const Pack4* ga = g + 3 * a;
    for (int i = 0; i < 3; ++i) {
      h[3 * a + i] = w * (F(i, 0) * ga[0] + F(i, 1) * ga[1] + F(i, 2) * ga[2]);
      k_lambda[3 * a + i] = t.G_lambda(i, 0) * ga[0] + t.G_lambda(i, 1) * ga[1] + t.G_lambda(i, 2) * ga[2];
      k_mu[3 * a + i] = t.G_mu(i, 0) * ga[0] + t.G_mu(i, 1) * ga[1] + t.G_mu(i, 2) * ga[2];
    }
  }
  Matrix3<Pack4> FG = multiply_transposed(F, t.G_mu);
  for (Pack4& x : FG.m) x *= w;
  const auto put = [](Pack4& out, Pack4 entry) { out = store == Store::write ? entry : out + entry; };
#pragma GCC unroll 3
  for (int b = 1; b < N; ++b) {
    const Pack4* gb = g + 3 * b;
    Pack4 Sg[3];
    for (int i = 0; i < 3; ++i) Sg[i] = w * (t.S(i, 0) * gb[0] + t.S(i, 1) * gb[1] + t.S(i, 2) * gb[2]);
#pragma GCC unroll 3
    for (int a = 1; a <= b; ++a) {
      const Pack4 *ga = g + 3 * a, *ha = h + 3 * a, *hb = h + 3 * b;
      const Pack4 overlap = ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2];
      const Pack4 stress = ga[0] * Sg[0] + ga[1] * Sg[1] + ga[2] * Sg[2];
      Pack4* out = K.upper + 9 * upper<N>(a, b);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const Pack4 entry = ha[r] * k_lambda[3 * b + c] + hb[r] * k_mu[3 * a + c] + overlap * FG(r, c);
          put(out[3 * c + r], r == c ? entry + stress : entry);
        }
      if (symmetric || a == b) continue;
      out = K.lower + 9 * upper<N>(a, b);  // K_ba, transposed
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          const Pack4 entry = hb[c] * k_lambda[3 * a + r] + ha[c] * k_mu[3 * b + r] + overlap * FG(c, r);
          put(out[3 * c + r], r == c ? entry + stress : entry);
        }
    }
  }
}

}  // namespace dashpot::kernel
