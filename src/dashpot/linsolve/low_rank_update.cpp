// Compiled with floating-point contraction (see simd_pack.hpp).
#include "dashpot/linsolve/low_rank_update.hpp"

#include <algorithm>
#include <deque>
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

/// y += sum_j W_j coefficient_j where coefficients are given, then dots[j] = W_j . y, for K columns in one reading of
/// W. A column has E entries in a group: 4, or 3 where y has a fourth that is zero and stays zero.
template <int K, int E>
void pass_columns(const double* W, std::size_t group_size, std::size_t size, const double* coefficients, double* y,
                  double* dots) {
  Lanes sums[K] = {};
  for (std::size_t i = 0; i < size; i += lanes, W += group_size) {
    const std::size_t left = E == 3 ? lanes : size - i;
    Lanes entries = load_group(y + i, left);
    if (coefficients) {
      Lanes odd = {0, 0, 0, 0};  // two chains: additions overlap
      for (int j = 0; j < K; ++j) (j % 2 ? odd : entries) += load_lanes(W + j * E) * coefficients[j];
      entries += odd;
      if (E == 3) entries[3] = 0;  // the next column's first entries met here
      store_group(entries, y + i, left);
    }
    for (int j = 0; j < K; ++j) sums[j] += load_lanes(W + j * E) * entries;
  }
  for (int j = 0; j < K; ++j) dots[j] = sum(sums[j]);
}

using Pass = void (*)(const double*, std::size_t, std::size_t, const double*, double*, double*);
template <int E, int... K>
Pass pass_of(int count, std::integer_sequence<int, K...>) {
  constexpr Pass table[] = {pass_columns<K + 1, E>...};
  return table[count - 1];
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

}  // namespace

void LowRankUpdate::assemble(const SsorSystem& system, const std::vector<LowRank>& parts, Eigen::Index num_dofs) {
  bool same = is_current_ && parts.size() == U_.size();
  for (std::size_t i = 0; same && i < parts.size(); ++i)
    same = parts[i].U.is(U_[i]) && parts[i].first_dof == first_dof_[i];
  U_.clear();
  first_dof_.clear();
  Eigen::Index k = 0;
  for (const LowRank& part : parts) U_.push_back(part.U), first_dof_.push_back(part.first_dof), k += part.U->cols();
  S_ = Matrix::Zero(k, k);
  k = 0;
  for (const LowRank& part : parts) {
    S_.block(k, k, part.S.rows(), part.S.cols()) = part.S;
    k += part.S.rows();
  }
  num_columns_ = static_cast<int>(k);
  if (!same) solve_forward(system, num_dofs);
  is_current_ = true;
}

void LowRankUpdate::solve_forward(const SsorSystem& system, Eigen::Index num_dofs) {
  std::deque<Matrix> padded;  // of parts that have rows for one body among several
  std::vector<const double*> column;
  for (std::size_t i = 0; i < U_.size(); ++i) {
    const bool is_whole = U_[i]->rows() == num_dofs;
    if (!is_whole) padded.push_back(over_all_dofs(*U_[i], first_dof_[i], num_dofs));
    const Matrix& U = is_whole ? *U_[i] : padded.back();
    for (Eigen::Index j = 0; j < U.cols(); ++j) column.push_back(U.col(j).data());
  }
  entries_ = system.stride() == lanes && system.block_size() == 3 ? 3 : lanes;
  const std::size_t group_size = column.size() * static_cast<std::size_t>(entries_);
  chunk_offset_.assign(1, 0);
  for (int chunk = 0; chunk < system.num_chunks(); ++chunk) {
    const std::size_t size = system.chunk_end(chunk) - system.chunk_begin(chunk);
    chunk_offset_.push_back(chunk_offset_.back() + (size + lanes - 1) / lanes * group_size + 1);
  }
  W_.resize(chunk_offset_.back());
  parallel_for(system.num_chunks(), 1, [&](int begin, int end) {
    for (int chunk = begin; chunk < end; ++chunk) {
      double* W = W_.data() + chunk_offset_[static_cast<std::size_t>(chunk)];
      if (entries_ == 3)
        system.solve_forward_columns(chunk, column, W);
      else
        solve_forward_one_by_one(system, chunk, column, W);
    }
  });
}

/// Columns that one reading of W cannot hold in registers are added first, all of them, and then met again.
void LowRankUpdate::pass(const SsorSystem& system, int chunk, const double* coefficients, double* y,
                         double* dots_of_chunk) const {
  const std::size_t from = system.chunk_begin(chunk), size = system.chunk_end(chunk) - from;
  const std::size_t entries = static_cast<std::size_t>(entries_);
  const std::size_t group_size = static_cast<std::size_t>(num_columns_) * entries;
  const double* W = W_.data() + chunk_offset_[static_cast<std::size_t>(chunk)];
  const auto meet = [&](int first, const double* some, double* dots) {
    const int count = std::min(max_fused, num_columns_ - first);
    const auto counts = std::make_integer_sequence<int, max_fused>();
    const Pass one = entries_ == 3 ? pass_of<3>(count, counts) : pass_of<4>(count, counts);
    one(W + static_cast<std::size_t>(first) * entries, group_size, size, some ? some + first : nullptr, y + from,
        dots + first);
  };
  for (int first = 0; first < num_columns_; first += max_fused) meet(first, coefficients, dots_of_chunk);
  if (!coefficients) return;
  const int last = (num_columns_ - 1) / max_fused * max_fused;
  for (int first = 0; first < last; first += max_fused) meet(first, nullptr, dots_of_chunk);
}

Vector LowRankUpdate::dots(const SsorSystem& system, double* x) const {
  Matrix partial(num_columns_, system.num_chunks());
  parallel_for(system.num_chunks(), 1, [&](int begin, int end) {
    for (int chunk = begin; chunk < end; ++chunk) pass(system, chunk, nullptr, x, partial.col(chunk).data());
  });
  Vector result = Vector::Zero(num_columns_);
  for (Eigen::Index chunk = 0; chunk < partial.cols(); ++chunk) result += partial.col(chunk);
  return result;
}

Vector LowRankUpdate::transposed_times(const Vector& x) const {
  Vector all(num_columns_);
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < U_.size(); ++i) {
    const Matrix& U = *U_[i];
    all.segment(row, U.cols()) = dashpot::transposed_times(U, x.segment(first_dof_[i], U.rows()));
    row += U.cols();
  }
  return all;
}

void LowRankUpdate::force(const Vector& Ux, Vector& force) const {
  const Vector coefficients = S_ * Ux;
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < U_.size(); ++i) {
    const Matrix& U = *U_[i];
    add_times(U, coefficients.segment(row, U.cols()), force.segment(first_dof_[i], U.rows()));
    row += U.cols();
  }
}

}  // namespace dashpot
