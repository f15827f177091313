#pragma once
// Adds the stiffness blocks of four tets, computed lane by lane, to the block matrix. For .cpp files of energy/ only.

#include "dashpot/math/pack.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot::kernel {

using math::Pack4;

/// Number of blocks (a, b) with a <= b, and where block (a, b) stands among them (nine packs each, column-major).
template <int N>
inline constexpr int num_upper = N*(N + 1) / 2;
template <int N>
constexpr int upper(int a, int b) {
  return a * N - a * (a - 1) / 2 + b - a;
}

/// Adds nine numbers of four tets to four blocks: two 4 x 4 transposes turn lanes into blocks, the ninth goes alone.
[[gnu::always_inline]] inline void add_blocks(Pack4 b0, Pack4 b1, Pack4 b2, Pack4 b3, Pack4 b4, Pack4 b5, Pack4 b6,
                                              Pack4 b7, const Pack4& b8, double* const out[4], int lanes) {
  transpose(b0, b1, b2, b3);
  transpose(b4, b5, b6, b7);
  const Pack4 first[4] = {b0, b1, b2, b3}, second[4] = {b4, b5, b6, b7};
#pragma GCC unroll 4
  for (int l = 0; l < lanes; ++l) {
    (Pack4::load(out[l]) + first[l]).store(out[l]);
    (Pack4::load(out[l] + 4) + second[l]).store(out[l] + 4);
    out[l][8] += b8[l];
  }
}

/// Adds all N x N blocks, given the upper ones.
template <int N>
[[gnu::always_inline]] inline void scatter_lanes(const TetBatch& batch, int pack, int lanes, const Pack4* K,
                                                 double* values) {
  const int* slots[4];
  for (int l = 0; l < 4; ++l) slots[l] = batch.slots(pack * 4 + (l < lanes ? l : lanes - 1));
  double* out[4];
#pragma GCC unroll 4
  for (int a = 0; a < N; ++a)
#pragma GCC unroll 4
    for (int b = a; b < N; ++b) {
      const Pack4* k = K + 9 * upper<N>(a, b);
      for (int l = 0; l < 4; ++l) out[l] = values + 9 * static_cast<std::ptrdiff_t>(slots[l][a * N + b]);
      add_blocks(k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8], out, lanes);
      if (a == b) continue;
      for (int l = 0; l < 4; ++l) out[l] = values + 9 * static_cast<std::ptrdiff_t>(slots[l][b * N + a]);
      add_blocks(k[0], k[3], k[6], k[1], k[4], k[7], k[2], k[5], k[8], out, lanes);
    }
}

/// Matrices larger than this (4 MB) are worth prefetching; smaller ones live in the second cache, or nearly.
inline constexpr std::size_t prefetch_from_values = 500000;

/// Asks for the blocks that a pack will add to. Done one pack ahead: 1.3 x at 200k tets.
template <int N>
[[gnu::always_inline]] inline void prefetch_blocks(const TetBatch& batch, int pack, const double* values) {
  const int* slots = batch.slots(pack * 4);
  for (int k = 0; k < 4 * N * N; ++k) {
    const double* block = values + 9 * static_cast<std::ptrdiff_t>(slots[k]);
    __builtin_prefetch(block, 1);
    __builtin_prefetch(block + 8, 1);
  }
}

/// Row 0 of K from the condition that rows sum to zero (no force under translation).
template <int N>
[[gnu::always_inline]] inline void fill_first_row(Pack4* K) {
  for (int b = 1; b < N; ++b)
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) {
        Pack4 sum(0.0);
        for (int a = 1; a < N; ++a)
          sum -= a <= b ? K[9 * upper<N>(a, b) + 3 * c + r] : K[9 * upper<N>(b, a) + 3 * r + c];
        K[9 * upper<N>(0, b) + 3 * c + r] = sum;
      }
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r <= c; ++r) {  // symmetric, bit for bit
      Pack4 sum(0.0);
      for (int b = 1; b < N; ++b) sum += K[9 * upper<N>(0, b) + 3 * c + r] + K[9 * upper<N>(0, b) + 3 * r + c];
      K[3 * c + r] = K[3 * r + c] = Pack4(-0.5) * sum;
    }
}

}  // namespace dashpot::kernel
