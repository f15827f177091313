#include "dashpot/energy/tet_kernel.hpp"

namespace dashpot::kernel {
template <int N>
void add_stiffness(const FrameTangent<Pack4>& t, const double* g, Pack4 w, Pack4* K) {
  constexpr int pair_of[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  Pack4 r[3 * N];  // gradients in the right frame
  for (int a = 1; a < N; ++a) {
    const Pack4 g0 = Pack4::load(g + 12 * a), g1 = Pack4::load(g + 12 * a + 4), g2 = Pack4::load(g + 12 * a + 8);
    for (int j = 0; j < 3; ++j) r[3 * a + j] = t.R(0, j) * g0 + t.R(1, j) * g1 + t.R(2, j) * g2;
  }
  for (int b = 1; b < N; ++b) {
    // w C : (. (x) g_b), the entries that are not zero.
    Pack4 H[3][3], same[3][3], swap[3][3];
    for (int i = 0; i < 3; ++i) {
      const Pack4 wr = w * r[3 * b + i];
      for (int k = 0; k < 3; ++k) {
        H[k][i] = t.H.m[pair_of[k][i]] * wr;
        if (k == i) continue;
        same[k][i] = t.same(k, i) * wr;
        swap[i][k] = t.swap.m[pair_of[k][i]] * wr;
      }
    }
    Pack4 Sb[3];
    if (t.has_stress)
      for (int i = 0; i < 3; ++i)
        Sb[i] = w * (t.S(i, 0) * r[3 * b] + t.S(i, 1) * r[3 * b + 1] + t.S(i, 2) * r[3 * b + 2]);
    for (int a = 1; a <= b; ++a) {
      const Pack4* ra = r + 3 * a;
      Matrix3<Pack4> k;
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        k(i, i) = ra[i] * H[i][i] + ra[j] * same[i][j] + ra[l] * same[i][l];
        k(i, j) = ra[i] * H[i][j] + ra[j] * swap[i][j];
        k(i, l) = ra[i] * H[i][l] + ra[l] * swap[i][l];
      }
      const Matrix3<Pack4> block = multiply_transposed(multiply(t.L, k), t.L);
      Pack4* out = K + 9 * upper<N>(a, b);
      for (int e = 0; e < 9; ++e) out[e] += block.m[e];
      if (t.has_stress) {
        const Pack4 stress = ra[0] * Sb[0] + ra[1] * Sb[1] + ra[2] * Sb[2];
        for (int e = 0; e < 9; e += 4) out[e] += stress;
      }
    }
  }
}

template void add_stiffness<4>(const FrameTangent<Pack4>&, const double*, Pack4, Pack4*);
template void add_stiffness<10>(const FrameTangent<Pack4>&, const double*, Pack4, Pack4*);

}  // namespace dashpot::kernel
