// The inner loops of SsorSystem. Compiled with floating-point contraction (see simd_pack.hpp).
#include <algorithm>

#include "dashpot/linsolve/block_size.hpp"
#include "dashpot/linsolve/simd_pack.hpp"
#include "dashpot/linsolve/ssor_system.hpp"

namespace dashpot {
namespace {

/// Offsets into blocks exceed int for large bodies.
std::ptrdiff_t wide(int i) { return i; }

template <int B>
Pack<B> product(const SweepRows& rows, int position, const double* x) {
  return row_product<B>(rows.values.data(), rows.column.data(), rows.start[static_cast<std::size_t>(position)],
                        rows.start[static_cast<std::size_t>(position) + 1], x);
}

/// The product with the couplings outside the pattern, where there are any.
template <int B>
Pack<B> coupled_product(const SweepRows& rows, int row, const double* x) {
  return rows.column.empty() ? Pack<B>() : product<B>(rows, row, x);
}

/// out = T in, or T^T in, for a b x b lower triangle T (column-major).
void lower_times(int b, const double* T, const double* in, double* out) {
  for (int r = 0; r < b; ++r) {
    out[r] = 0;
    for (int c = 0; c <= r; ++c) out[r] += T[c * b + r] * in[c];
  }
}
void lower_transposed_times(int b, const double* T, const double* in, double* out) {
  for (int c = 0; c < b; ++c) {
    out[c] = 0;
    for (int r = c; r < b; ++r) out[c] += T[c * b + r] * in[r];
  }
}

}  // namespace

double SsorSystem::scale_force(int chunk, const double* b, double* scaled) const {
  const int size = block_size_;
  double norm2 = 0, masked[max_block_size];
  for (int row = rows_begin(chunk); row < rows_end(chunk); ++row) {
    const double* from = b + wide(block_[static_cast<std::size_t>(row)]) * size;
    for (int c = 0; c < size; ++c) {
      masked[c] = mask_[static_cast<std::size_t>(row * size + c)] ? from[c] : 0.0;
      norm2 += masked[c] * masked[c];
    }
    double* to = scaled + wide(row) * stride_;
    std::fill(to, to + stride_, 0.0);
    lower_times(size, inverse_.data() + wide(row) * size * size, masked, to);
  }
  return norm2;
}

void SsorSystem::scale_solution(int chunk, const double* x, double* scaled) const {
  const int size = block_size_;
  double masked[max_block_size];
  for (int row = rows_begin(chunk); row < rows_end(chunk); ++row) {
    const double* from = x + wide(block_[static_cast<std::size_t>(row)]) * size;
    for (int c = 0; c < size; ++c) masked[c] = mask_[static_cast<std::size_t>(row * size + c)] ? from[c] : 0.0;
    double* to = scaled + wide(row) * stride_;
    std::fill(to, to + stride_, 0.0);
    lower_transposed_times(size, factor_.data() + wide(row) * size * size, masked, to);
  }
}

void SsorSystem::unscale_solution(int chunk, const double* scaled, double* x) const {
  const int size = block_size_;
  double solution[max_block_size];
  for (int row = rows_begin(chunk); row < rows_end(chunk); ++row) {
    lower_transposed_times(size, inverse_.data() + wide(row) * size * size, scaled + wide(row) * stride_, solution);
    double* to = x + wide(block_[static_cast<std::size_t>(row)]) * size;
    for (int c = 0; c < size; ++c)
      if (mask_[static_cast<std::size_t>(row * size + c)]) to[c] = solution[c];
  }
}

double SsorSystem::residual(int chunk, const double* f, const double* y, double* r) const {
  return with_block_size(block_size_, [&](auto size) {
    constexpr int B = decltype(size)::value, stride = Pack<B>::stride;
    const int begin = rows_begin(chunk), end = rows_end(chunk);
    double norm2 = 0, unscaled[B];
    for (int row = begin; row < end; ++row) {
      const Pack<B> Ay = Pack<B>::load(y + wide(row) * stride) + product<B>(lower_, row, y) +
                         product<B>(upper_, begin + end - 1 - row, y) + product<B>(off_, row, y) +
                         coupled_product<B>(coupled_, row, y);
      (Pack<B>::load(f + wide(row) * stride) - Ay).store(r + wide(row) * stride);
      lower_times(B, factor_.data() + wide(row) * B * B, r + wide(row) * stride, unscaled);
      for (int c = 0; c < B; ++c) norm2 += unscaled[c] * unscaled[c];
    }
    return norm2;
  });
}

void SsorSystem::sweep_backward(int chunk, const double* p, double* t) const {
  with_block_size(block_size_, [&](auto size) {
    constexpr int B = decltype(size)::value, stride = Pack<B>::stride;
    const int begin = rows_begin(chunk), end = rows_end(chunk);
    for (int position = begin; position < end; ++position) {
      const int row = begin + end - 1 - position;
      (Pack<B>::load(p + wide(row) * stride) - product<B>(upper_, position, t)).store(t + wide(row) * stride);
    }
  });
}

double SsorSystem::sweep_forward(int chunk, const double* p, const double* t, double* q) const {
  return with_block_size(block_size_, [&](auto size) {
    constexpr int B = decltype(size)::value, stride = Pack<B>::stride;
    Pack<B> p_dot_q;
    // q holds z = (I+L)^-1 w while rows below still need it; t is added in a second, cheap pass.
    for (int row = rows_begin(chunk); row < rows_end(chunk); ++row) {
      const Pack<B> w = Pack<B>::load(p + wide(row) * stride) - Pack<B>::load(t + wide(row) * stride) +
                        product<B>(off_, row, t) + coupled_product<B>(coupled_, row, t);
      (w - product<B>(lower_, row, q)).store(q + wide(row) * stride);
    }
    for (int row = rows_begin(chunk); row < rows_end(chunk); ++row) {
      const Pack<B> sum = Pack<B>::load(q + wide(row) * stride) + Pack<B>::load(t + wide(row) * stride);
      sum.store(q + wide(row) * stride);
      p_dot_q.add_product(sum, Pack<B>::load(p + wide(row) * stride));
    }
    return p_dot_q.sum();
  });
}

double SsorSystem::solve_forward(int chunk, double* r) const {
  return with_block_size(block_size_, [&](auto size) {
    constexpr int B = decltype(size)::value, stride = Pack<B>::stride;
    Pack<B> norm2;
    for (int row = rows_begin(chunk); row < rows_end(chunk); ++row) {
      const Pack<B> z = Pack<B>::load(r + wide(row) * stride) - product<B>(lower_, row, r);
      z.store(r + wide(row) * stride);
      norm2.add_product(z, z);
    }
    return norm2.sum();
  });
}

namespace {

/// out_j -= sum of the blocks of a row times what was found for column j, for K columns of `count`, 3 entries each.
template <int K>
void subtract_products(const SweepRows& lower, int row, int first, int count, const double* rows, Lanes* out) {
  Lanes sum[K];
  for (int j = 0; j < K; ++j) sum[j] = out[j];
  for (int s = lower.start[static_cast<std::size_t>(row)]; s < lower.start[static_cast<std::size_t>(row) + 1]; ++s) {
    const double* v = lower.values.data() + wide(s) * 9;
    const Lanes c0 = {v[0], v[3], v[6], 0}, c1 = {v[1], v[4], v[7], 0}, c2 = {v[2], v[5], v[8], 0};
    const double* from = rows + wide(lower.column[static_cast<std::size_t>(s)] - first) * count * 3;
    for (int j = 0; j < K; ++j) {
      sum[j] -= c0 * from[3 * j];
      sum[j] -= c1 * from[3 * j + 1];
      sum[j] -= c2 * from[3 * j + 2];
    }
  }
  for (int j = 0; j < K; ++j) out[j] = sum[j];
}

/// The same for any number of columns: as many at once as registers hold.
void subtract_products(const SweepRows& lower, int row, int first, int count, double* rows, Lanes* out) {
  int j = 0;
  for (; j + 10 <= count; j += 10) subtract_products<10>(lower, row, first, count, rows + 3 * j, out + j);
  for (; j + 4 <= count; j += 4) subtract_products<4>(lower, row, first, count, rows + 3 * j, out + j);
  for (; j < count; ++j) subtract_products<1>(lower, row, first, count, rows + 3 * j, out + j);
}

}  // namespace

void SsorSystem::solve_forward_columns(int chunk, const std::vector<const double*>& b, double* rows) const {
  const int first = rows_begin(chunk), count = static_cast<int>(b.size());
  std::vector<Lanes> out(b.size());
  for (int row = first; row < rows_end(chunk); ++row) {
    const double* T = inverse_.data() + wide(row) * 9;
    const std::uint8_t* is_free = mask_.data() + wide(row) * 3;
    const std::ptrdiff_t dof = wide(block_[static_cast<std::size_t>(row)]) * 3;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const double* from = b[j] + dof;
      const double x = is_free[0] ? from[0] : 0, y = is_free[1] ? from[1] : 0, z = is_free[2] ? from[2] : 0;
      out[j] = Lanes{T[0] * x, T[1] * x + T[4] * y, T[2] * x + T[5] * y + T[8] * z, 0};
    }
    subtract_products(lower_, row, first, count, rows, out.data());
    double* to = rows + wide(row - first) * count * 3;
    for (std::size_t j = 0; j < b.size(); ++j) std::memcpy(to + 3 * j, &out[j], sizeof out[j]);
  }
}

}  // namespace dashpot
