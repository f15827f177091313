#pragma once
// Adds the stiffness blocks of four elements, computed lane by lane, to the block matrix. For .cpp files of
// kernels only.

#include "dashpot/math/pack.hpp"
#include "dashpot/model/element_batch.hpp"

namespace dashpot::kernel {

using math::Pack4;

/// Number of blocks (a, b) with a <= b, and where block (a, b) stands among them (nine packs each, column-major).
template <int N>
inline constexpr int num_upper = N*(N + 1) / 2;
template <int N>
constexpr int upper(int a, int b) {
  return a * N - a * (a - 1) / 2 + b - a;
}

/// Adds nine numbers of four elements to four blocks: two 4 x 4 transposes turn lanes into blocks, the ninth goes
/// alone.
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

/// Adds all N x N blocks, given K_ab (a <= b) and the transposes of K_ba; both are the same where K is symmetric.
template <int N>
[[gnu::always_inline]] inline void scatter_lanes(const ElementBatch& batch, int pack, int lanes, const Pack4* K,
                                                 const Pack4* lower, double* values) {
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
      k = lower + 9 * upper<N>(a, b);
      for (int l = 0; l < 4; ++l) out[l] = values + 9 * static_cast<std::ptrdiff_t>(slots[l][b * N + a]);
      add_blocks(k[0], k[3], k[6], k[1], k[4], k[7], k[2], k[5], k[8], out, lanes);
    }
}

/// Matrices larger than this (4 MB) are worth prefetching; smaller ones live in the second cache, or nearly.
inline constexpr std::size_t prefetch_from_values = 500000;

/// Asks for the blocks that a pack will add to. Done one pack ahead: 1.3 x at 200k tets.
template <int N>
[[gnu::always_inline]] inline void prefetch_blocks(const ElementBatch& batch, int pack, const double* values) {
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

/// The same without symmetry: K_0b and K_b0 from the condition that forces sum to zero, and that translation gives
/// none.
template <int N>
[[gnu::always_inline]] inline void fill_first_row(Pack4* K, Pack4* lower) {
  for (int e = 0; e < 9; ++e) K[e] = Pack4(0.0);
  for (int b = 1; b < N; ++b) {
    Pack4 *row = K + 9 * upper<N>(0, b), *column = lower + 9 * upper<N>(0, b);
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) {
        const int here = 3 * c + r, there = 3 * r + c;
        Pack4 of_row(0.0), of_column(0.0);  // sums of K_ab, and of the transposes of K_ba, over a >= 1
        for (int a = 1; a < N; ++a) {
          of_row += a <= b ? K[9 * upper<N>(a, b) + here] : lower[9 * upper<N>(b, a) + there];
          of_column += a < b ? lower[9 * upper<N>(a, b) + here] : K[9 * upper<N>(b, a) + there];
        }
        row[here] = -of_row;
        column[here] = -of_column;
        K[here] += of_row;
      }
  }
}

/// Completes the blocks of nodes 1 .. N-1 and adds all N x N to the matrix.
template <int N>
[[gnu::always_inline]] inline void scatter_symmetric(const ElementBatch& batch, int pack, int lanes, Pack4* K,
                                                     double* values) {
  fill_first_row<N>(K);
  if (lanes == 4)
    scatter_lanes<N>(batch, pack, 4, K, K, values);
  else
    scatter_lanes<N>(batch, pack, lanes, K, K, values);
}
/// The same; null `lower`: symmetric.
template <int N>
void scatter_stiffness(const ElementBatch& batch, int pack, int lanes, Pack4* K, Pack4* lower, double* values);
extern template void scatter_stiffness<3>(const ElementBatch&, int, int, Pack4*, Pack4*, double*);
extern template void scatter_stiffness<4>(const ElementBatch&, int, int, Pack4*, Pack4*, double*);
extern template void scatter_stiffness<10>(const ElementBatch&, int, int, Pack4*, Pack4*, double*);

}  // namespace dashpot::kernel
