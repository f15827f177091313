#include "dashpot/energy/tet_kernel.hpp"

namespace dashpot::kernel {
namespace {

/// Adds nine numbers of four tets to four blocks: two 4 x 4 transposes and one number each.
[[gnu::always_inline]] inline void add_blocks(Pack4 b0, Pack4 b1, Pack4 b2, Pack4 b3, Pack4 b4, Pack4 b5, Pack4 b6,
                                              Pack4 b7, const Pack4& b8, double* const out[4], int lanes) {
  transpose(b0, b1, b2, b3);
  transpose(b4, b5, b6, b7);
  const Pack4 first[4] = {b0, b1, b2, b3}, second[4] = {b4, b5, b6, b7};
  for (int l = 0; l < lanes; ++l) {
    (Pack4::load(out[l]) + first[l]).store(out[l]);
    (Pack4::load(out[l] + 4) + second[l]).store(out[l] + 4);
    out[l][8] += b8[l];
  }
}

template <int N>
[[gnu::always_inline]] inline void scatter_lanes(const TetBatch& batch, int pack, int lanes, const Pack4* K,
                                                 double* values) {
  const int* slots[4];
  for (int l = 0; l < 4; ++l) slots[l] = batch.slots(pack * 4 + (l < lanes ? l : lanes - 1));
  const auto where = [&](int a, int b, double* out[4]) {
    for (int l = 0; l < 4; ++l) out[l] = values + 9 * static_cast<std::size_t>(slots[l][a * N + b]);
  };
  double* out[4];
  for (int a = 0; a < N; ++a)
    for (int b = a; b < N; ++b) {
      const Pack4* k = K + 9 * upper<N>(a, b);
      where(a, b, out);
      add_blocks(k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8], out, lanes);
      if (a == b) continue;
      where(b, a, out);
      add_blocks(k[0], k[3], k[6], k[1], k[4], k[7], k[2], k[5], k[8], out, lanes);
    }
}

}  // namespace

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

template <int N>
void scatter_stiffness(const TetBatch& batch, int pack, int lanes, Pack4* K, double* values) {
  for (int b = 1; b < N; ++b)
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) {
        Pack4 sum(0.0);
        for (int a = 1; a < N; ++a)
          sum += a <= b ? K[9 * upper<N>(a, b) + 3 * c + r] : K[9 * upper<N>(b, a) + 3 * r + c];
        K[9 * upper<N>(0, b) + 3 * c + r] = -sum;
      }
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      Pack4 sum(0.0);
      for (int b = 1; b < N; ++b) sum += K[9 * upper<N>(0, b) + 3 * c + r] + K[9 * upper<N>(0, b) + 3 * r + c];
      K[3 * c + r] = Pack4(-0.5) * sum;  // symmetric, bit for bit
    }
  if (lanes == 4)
    scatter_lanes<N>(batch, pack, 4, K, values);
  else
    scatter_lanes<N>(batch, pack, lanes, K, values);
}

template void add_stiffness<4>(const FrameTangent<Pack4>&, const double*, Pack4, Pack4*);
template void add_stiffness<10>(const FrameTangent<Pack4>&, const double*, Pack4, Pack4*);
template void scatter_stiffness<4>(const TetBatch&, int, int, Pack4*, double*);
template void scatter_stiffness<10>(const TetBatch&, int, int, Pack4*, double*);

}  // namespace dashpot::kernel
