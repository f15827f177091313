// Compiled with floating-point contraction (see simd_pack.hpp).
#include "dashpot/linsolve/low_rank_update.hpp"

#include <algorithm>
#include <utility>

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/simd_pack.hpp"
#include "dashpot/linsolve/tall_product.hpp"

namespace dashpot {
namespace {

constexpr int max_fused = 12;  // columns whose sums fit in registers
constexpr int lanes = 4;

/// The four entries of a group; zero past the end.
Lanes load_group(const double* x, std::size_t left) {
  if (left >= lanes) return load_lanes(x);
  Lanes v = {0, 0, 0, 0};
  std::memcpy(&v, x, left * sizeof(double));
  return v;
}
void store_group(const Lanes& v, double* x, std::size_t left) {
  std::memcpy(x, &v, std::min<std::size_t>(left, lanes) * sizeof(double));
}
double sum(const Lanes& v) { return (v[0] + v[1]) + (v[2] + v[3]); }

/// dots[j] = sum over groups of W_j . x for K columns and, where y is given, y += sum_j W_j coefficient_j. x may be y.
template <int K>
void pass_columns(const double* W, std::size_t group_size, std::size_t size, const double* x,
                  const double* coefficients, double* y, double* dots) {
  Lanes sums[K] = {};
  for (std::size_t i = 0; i < size; i += lanes, W += group_size) {
    const Lanes entries = load_group(x + i, size - i);
    Lanes even = y ? load_group(y + i, size - i) : entries, odd = {0, 0, 0, 0};  // two chains: additions overlap
    for (int j = 0; j < K; ++j) {
      const Lanes column = load_lanes(W + j * lanes);
      sums[j] += column * entries;
      if (y) (j % 2 ? odd : even) += column * coefficients[j];
    }
    if (y) store_group(even + odd, y + i, size - i);
  }
  for (int j = 0; j < K; ++j) dots[j] = sum(sums[j]);
}

using Pass = void (*)(const double*, std::size_t, std::size_t, const double*, const double*, double*, double*);
template <int... K>
Pass pass_of(int count, std::integer_sequence<int, K...>) {
  constexpr Pass table[] = {pass_columns<K + 1>...};
  return table[count - 1];
}

/// The same for any number of columns up to max_fused, from column `first` of num_columns.
void pass(const double* W, int first, int count, int num_columns, std::size_t size, const double* x,
          const double* coefficients, double* y, double* dots) {
  const Pass one = pass_of(count, std::make_integer_sequence<int, max_fused>());
  one(W + static_cast<std::size_t>(first) * lanes, static_cast<std::size_t>(num_columns) * lanes, size, x, coefficients,
      y, dots);
}

/// W for block sizes whose rows are not one group.
void solve_forward_one_by_one(const SsorSystem& system, int chunk, const std::vector<const double*>& column,
                              double* W) {
  const std::size_t from = system.chunk_begin(chunk), size = system.chunk_end(chunk) - from, k = column.size();
  std::fill(W, W + (size + lanes - 1) / lanes * lanes * k, 0.0);
  std::vector<double> internal(system.vector_size());
  for (std::size_t j = 0; j < k; ++j) {
    system.scale_force(chunk, column[j], internal.data());
    system.solve_forward(chunk, internal.data());
    for (std::size_t i = 0; i < size; ++i) W[i / lanes * lanes * k + j * lanes + i % lanes] = internal[from + i];
  }
}

/// W^T W over groups of four entries.
Matrix grouped_gram(const double* W, int num_columns, std::size_t num_groups) {
  Matrix G = Matrix::Zero(num_columns, num_columns);
  for (int i = 0; i < num_columns; ++i)
    for (int j = 0; j <= i; j += 4) {  // four sums at once: one load of column i for four products
      Lanes sums[4] = {};
      const int count = std::min(4, i + 1 - j);
      for (std::size_t g = 0; g < num_groups; ++g) {
        const double* w = W + g * static_cast<std::size_t>(num_columns * lanes);
        const Lanes a = load_lanes(w + i * lanes);
        for (int c = 0; c < count; ++c) sums[c] += a * load_lanes(w + (j + c) * lanes);
      }
      for (int c = 0; c < count; ++c) G(i, j + c) = G(j + c, i) = sum(sums[c]);
    }
  return G;
}

void add(const double* W, int num_columns, std::size_t size, const double* coefficients, double* y) {
  for (std::size_t i = 0; i < size; i += lanes) {
    Lanes out = load_group(y + i, size - i);
    for (int j = 0; j < num_columns; ++j)
      out += load_lanes(W + i * static_cast<std::size_t>(num_columns) + static_cast<std::size_t>(j) * lanes) *
             coefficients[j];
    store_group(out, y + i, size - i);
  }
}

}  // namespace

void LowRankUpdate::assemble(const SsorSystem& system, const std::vector<LowRank>& parts) {
  parts_ = &parts;
  std::vector<const double*> column;
  for (const LowRank& part : parts)
    for (Eigen::Index j = 0; j < part.U->cols(); ++j) column.push_back(part.U->col(j).data());
  num_columns_ = static_cast<int>(column.size());
  S_ = Matrix::Zero(num_columns_, num_columns_);
  Eigen::Index first = 0;
  for (const LowRank& part : parts) {
    S_.block(first, first, part.S.rows(), part.S.cols()) = part.S;
    first += part.S.rows();
  }
  const std::size_t k = column.size();
  chunk_offset_.assign(1, 0);
  for (int chunk = 0; chunk < system.num_chunks(); ++chunk) {
    const std::size_t size = system.chunk_end(chunk) - system.chunk_begin(chunk);
    chunk_offset_.push_back(chunk_offset_.back() + (size + lanes - 1) / lanes * lanes * k);
  }
  W_.resize(chunk_offset_.back());
  std::vector<Matrix> gram_of_chunk(static_cast<std::size_t>(system.num_chunks()));
  parallel_for(system.num_chunks(), 1, [&](int begin, int end) {
    for (int chunk = begin; chunk < end; ++chunk) {
      double* W = W_.data() + chunk_offset_[static_cast<std::size_t>(chunk)];
      if (system.stride() == lanes)
        system.solve_forward_columns(chunk, column, W);
      else
        solve_forward_one_by_one(system, chunk, column, W);
      const std::size_t size = system.chunk_end(chunk) - system.chunk_begin(chunk);
      gram_of_chunk[static_cast<std::size_t>(chunk)] = grouped_gram(W, num_columns_, (size + lanes - 1) / lanes);
    }
  });
  gram_ = Matrix::Zero(num_columns_, num_columns_);
  for (const Matrix& G : gram_of_chunk) gram_ += G;
}

Vector LowRankUpdate::dots(const SsorSystem& system, const double* x) const {
  Matrix partial(num_columns_, system.num_chunks());
  parallel_for(system.num_chunks(), 1, [&](int begin, int end) {
    for (int chunk = begin; chunk < end; ++chunk) {
      const std::size_t from = system.chunk_begin(chunk), size = system.chunk_end(chunk) - from;
      for (int first = 0; first < num_columns_; first += max_fused)
        pass(groups(chunk), first, std::min(max_fused, num_columns_ - first), num_columns_, size, x + from, nullptr,
             nullptr, partial.col(chunk).data() + first);
    }
  });
  Vector result = Vector::Zero(num_columns_);
  for (Eigen::Index chunk = 0; chunk < partial.cols(); ++chunk) result += partial.col(chunk);
  return result;
}

void LowRankUpdate::add_and_dot(const SsorSystem& system, int chunk, const double* coefficients, double* q,
                                double* dots_of_chunk) const {
  const std::size_t from = system.chunk_begin(chunk), size = system.chunk_end(chunk) - from;
  if (num_columns_ <= max_fused) {
    pass(groups(chunk), 0, num_columns_, num_columns_, size, q + from, coefficients, q + from, dots_of_chunk);
    return;
  }
  for (int first = 0; first < num_columns_; first += max_fused)
    pass(groups(chunk), first, std::min(max_fused, num_columns_ - first), num_columns_, size, q + from, nullptr,
         nullptr, dots_of_chunk + first);
  add(groups(chunk), num_columns_, size, coefficients, q + from);
}

void LowRankUpdate::multiply(const Vector& x, Vector& force) const {
  force.setZero(x.size());
  for (const LowRank& part : *parts_) add_times(*part.U, part.S * transposed_times(*part.U, x), force);
}

}  // namespace dashpot
