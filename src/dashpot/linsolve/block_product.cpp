#include "dashpot/linsolve/block_product.hpp"

#include <algorithm>

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/simd_pack.hpp"

// This file is compiled with floating-point contraction: each line below is one fused multiply-add.

namespace dashpot {
namespace {

inline void fma_to(Lanes& sum, const double* p, double x) { sum += load_lanes(p) * x; }

// 16 blocks ahead: far enough for memory, near enough to stay in L1.
template <int B>
inline void prefetch(const double* block) {
  for (int line = 0; line < B * B; line += 8) __builtin_prefetch(block + 16 * B * B + line);
}

struct RowArguments {
  const int* row_start;
  const int* column;
  const double* values;
  double scale;
  bool add;
  const double* x;
  double* y;
};

template <int B>
inline void store_row(const RowArguments& in, int row, const double* sum) {
  double* out = in.y + static_cast<std::ptrdiff_t>(row) * B;
  for (int r = 0; r < B; ++r) out[r] = in.add ? out[r] + in.scale * sum[r] : in.scale * sum[r];
}

// Nine contiguous doubles a block. Columns 0 and 1 are read with one lane too many; column 2 is read one entry early,
// so that no load leaves the block; the surplus lanes are dropped at the end of the row.
void rows3(const RowArguments& in, int begin, int end) {
  for (int row = begin; row < end; ++row) {
    Lanes sum0 = {0, 0, 0, 0}, sum1 = sum0, early = sum0;
    const int last = in.row_start[row + 1];
    for (int s = in.row_start[row]; s < last; ++s) {
      const double* block = in.values + 9 * static_cast<std::ptrdiff_t>(s);
      const double* x = in.x + 3 * static_cast<std::ptrdiff_t>(in.column[s]);
      prefetch<3>(block);
      fma_to(sum0, block, x[0]);
      fma_to(sum1, block + 3, x[1]);
      fma_to(early, block + 5, x[2]);
    }
    const double sum[3] = {sum0[0] + sum1[0] + early[1], sum0[1] + sum1[1] + early[2], sum0[2] + sum1[2] + early[3]};
    store_row<3>(in, row, sum);
  }
}

// 25 doubles a block: columns 0..3 as four lanes plus the fifth entry apart; column 4 likewise.
void rows5(const RowArguments& in, int begin, int end) {
  for (int row = begin; row < end; ++row) {
    Lanes sum0 = {0, 0, 0, 0}, sum1 = sum0;
    double fifth0 = 0, fifth1 = 0;
    const int last = in.row_start[row + 1];
    for (int s = in.row_start[row]; s < last; ++s) {
      const double* block = in.values + 25 * static_cast<std::ptrdiff_t>(s);
      const double* x = in.x + 5 * static_cast<std::ptrdiff_t>(in.column[s]);
      prefetch<5>(block);
      fma_to(sum0, block, x[0]);
      fma_to(sum1, block + 5, x[1]);
      fma_to(sum0, block + 10, x[2]);
      fma_to(sum1, block + 15, x[3]);
      fma_to(sum0, block + 20, x[4]);
      fifth0 += block[4] * x[0];
      fifth1 += block[9] * x[1];
      fifth0 += block[14] * x[2];
      fifth1 += block[19] * x[3];
      fifth0 += block[24] * x[4];
    }
    const Lanes total = sum0 + sum1;
    const double sum[5] = {total[0], total[1], total[2], total[3], fifth0 + fifth1};
    store_row<5>(in, row, sum);
  }
}

template <int B>
void rows_small(const RowArguments& in, int begin, int end) {
  for (int row = begin; row < end; ++row) {
    double sum[B] = {};
    for (int s = in.row_start[row]; s < in.row_start[row + 1]; ++s) {
      const double* block = in.values + B * B * static_cast<std::ptrdiff_t>(s);
      const double* x = in.x + B * static_cast<std::ptrdiff_t>(in.column[s]);
      for (int c = 0; c < B; ++c)
        for (int r = 0; r < B; ++r) sum[r] += block[c * B + r] * x[c];
    }
    store_row<B>(in, row, sum);
  }
}

void rows_generic(const RowArguments& in, int b, int begin, int end) {
  for (int row = begin; row < end; ++row) {
    double* out = in.y + static_cast<std::ptrdiff_t>(row) * b;
    if (!in.add) std::fill(out, out + b, 0.0);
    for (int s = in.row_start[row]; s < in.row_start[row + 1]; ++s) {
      const double* block = in.values + static_cast<std::ptrdiff_t>(s) * b * b;
      const double* x = in.x + static_cast<std::ptrdiff_t>(in.column[s]) * b;
      for (int c = 0; c < b; ++c)
        for (int r = 0; r < b; ++r) out[r] += in.scale * x[c] * block[c * b + r];
    }
  }
}

/// Blocks of different sizes.
void rows_mixed(const BlockMatrix& A, const RowArguments& in, int begin, int end) {
  const DofLayout& layout = A.pattern().layout();
  for (int row = begin; row < end; ++row) {
    const int rows = layout.size(row);
    double* out = in.y + layout.offset(row);
    if (!in.add) std::fill(out, out + rows, 0.0);
    for (int s = in.row_start[row]; s < in.row_start[row + 1]; ++s) {
      const double* block = A.block(s);
      const double* x = in.x + layout.offset(in.column[s]);
      const int columns = layout.size(in.column[s]);
      for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rows; ++r) out[r] += in.scale * x[c] * block[c * rows + r];
    }
  }
}

}  // namespace

int product_rows_per_range(int block_size) { return std::max(1, 768 / block_size); }

void multiply_rows(const BlockMatrix& A, int begin, int end, double scale, bool add, const double* x, double* y) {
  const BlockPattern& pattern = A.pattern();
  const RowArguments in{pattern.row_start().data(), pattern.column().data(), A.origin(), scale, add, x, y};
  if (!pattern.is_uniform()) return rows_mixed(A, in, begin, end);
  switch (pattern.block_size()) {
    case 1:
      return rows_small<1>(in, begin, end);
    case 2:
      return rows_small<2>(in, begin, end);
    case 3:
      return rows3(in, begin, end);
    case 5:
      return rows5(in, begin, end);
    default:
      return rows_generic(in, pattern.block_size(), begin, end);
  }
}

}  // namespace dashpot
