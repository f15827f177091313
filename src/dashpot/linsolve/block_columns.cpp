// Compiled with floating-point contraction (see simd_pack.hpp).
#include "dashpot/linsolve/block_columns.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/block_product.hpp"
#include "dashpot/linsolve/simd_pack.hpp"
#include "dashpot/linsolve/tall_product.hpp"

namespace dashpot {
namespace {

constexpr int lanes = 4;
constexpr int max_packs = 3;  // nine sums of four columns stay in registers

/// Up to four V columns of X, for each block three rows of 4 V entries, zero past the last column.
template <int V>
std::unique_ptr<double[]> interleaved(const Eigen::Ref<const Matrix>& X, int first, int count) {
  constexpr int width = lanes * V;
  std::unique_ptr<double[]> rows(new double[static_cast<std::size_t>(X.rows() * width)]);  // every entry is set below
  const double* from = X.data() + first * X.outerStride();
  parallel_for(static_cast<int>(X.rows()), 3 * 1024, [&](int begin, int end) {
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      double* row = rows.get() + i * width;
      for (int k = 0; k < width; ++k) row[k] = k < count ? from[k * X.outerStride() + i] : 0.0;
    }
  });
  return rows;
}

/// 0 <= i < count.
inline bool is_within(int i, int count) { return static_cast<unsigned>(i) < static_cast<unsigned>(count); }

template <int V>
using BlockRow = std::array<std::array<Lanes, V>, 3>;

/// sum += block * (the three rows of x).
template <int V>
inline void add_block(const double* block, const double* x, BlockRow<V>& sum) {
  for (int c = 0; c < 3; ++c)
    for (int v = 0; v < V; ++v) {
      const Lanes entries = load_lanes(x + (c * V + v) * lanes);
      for (std::size_t r = 0; r < 3; ++r)
        sum[r][static_cast<std::size_t>(v)] += entries * block[3 * c + static_cast<int>(r)];
    }
}

template <int V>
void multiply_packs(const BlockMatrix& A, const Eigen::Ref<const Matrix>& X, int first, int count, Matrix& Y) {
  const std::unique_ptr<double[]> rows = interleaved<V>(X, first, count);
  const int* row_start = A.pattern().row_start().data();
  const int* column = A.pattern().column().data();
  const BlockRange stored = A.rows();
  parallel_for(stored.size(), product_rows_per_range(3), [&](int begin, int end) {
    for (int row = stored.begin + begin; row < stored.begin + end; ++row) {
      BlockRow<V> sum = {};
      for (int s = row_start[row]; s < row_start[row + 1]; ++s)
        if (const int own = column[s] - stored.begin; is_within(own, stored.size()))
          add_block<V>(A.block(s), rows.get() + static_cast<std::ptrdiff_t>(own) * 3 * lanes * V, sum);
      for (int k = 0; k < count; ++k)
        for (int r = 0; r < 3; ++r)
          Y(3 * (row - stored.begin) + r, first + k) =
              sum[static_cast<std::size_t>(r)][static_cast<std::size_t>(k / lanes)][k % lanes];
    }
  });
}

/// Half of X^T A X, in that its sum with its transpose is the whole.
template <int V>
Matrix half_form(const BlockMatrix& A, const Eigen::Ref<const Matrix>& X) {
  constexpr int width = lanes * V;
  const int count = static_cast<int>(X.cols()), num_rows = A.rows().size(), first_row = A.rows().begin;
  const std::unique_ptr<double[]> rows = interleaved<V>(X, 0, count);
  const int* row_start = A.pattern().row_start().data();
  const int* column = A.pattern().column().data();
  const int grain = product_rows_per_range(3);
  std::vector<std::array<Lanes, V * width>> partial(static_cast<std::size_t>((num_rows + grain - 1) / grain));
  parallel_for(num_rows, grain, [&](int begin, int end) {
    std::array<Lanes, V* width> form = {};  // row by row
    for (int row = first_row + begin; row < first_row + end; ++row) {
      BlockRow<V> sum = {};
      const double* mine = rows.get() + static_cast<std::ptrdiff_t>(row - first_row) * 3 * width;
      const int diagonal = A.pattern().diagonal_slot(row);
      add_block<V>(A.block(diagonal), mine, sum);
      for (auto& of_row : sum)
        for (Lanes& pack : of_row) pack *= 0.5;
      for (int s = diagonal + 1; s < row_start[row + 1]; ++s)
        if (const int own = column[s] - first_row; is_within(own, num_rows))
          add_block<V>(A.block(s), rows.get() + static_cast<std::ptrdiff_t>(own) * 3 * width, sum);
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        for (std::size_t v = 0; v < V; ++v)
          form[i * V + v] += sum[0][v] * mine[i] + (sum[1][v] * mine[width + i] + sum[2][v] * mine[2 * width + i]);
    }
    partial[static_cast<std::size_t>(begin / grain)] = form;
  });
  Matrix half = Matrix::Zero(count, count);
  for (const auto& form : partial)
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < count; ++k) half(i, k) += form[static_cast<std::size_t>(i * V + k / lanes)][k % lanes];
  return half;
}

bool has_nodes_only(const BlockMatrix& A) {
  return A.pattern().is_uniform() && A.pattern().layout().leading_size() == 3;
}

}  // namespace

void multiply_columns(const BlockMatrix& A, const Eigen::Ref<const Matrix>& X, Matrix& Y) {
  const DofRange dofs = A.pattern().layout().dofs(A.rows());
  Y.resize(X.rows(), X.cols());
  const int num_columns = static_cast<int>(X.cols());
  if (!has_nodes_only(A)) {
    Vector whole = Vector::Zero(A.pattern().num_dofs()), product(whole.size());
    for (int k = 0; k < num_columns; ++k) {
      whole.segment(dofs.begin, dofs.size()) = X.col(k);
      A.multiply(whole, product);
      Y.col(k) = product.segment(dofs.begin, dofs.size());
    }
    return;
  }
  for (int first = 0; first < num_columns; first += max_packs * lanes) {
    const int count = std::min(max_packs * lanes, num_columns - first);
    if (count > 2 * lanes)
      multiply_packs<3>(A, X, first, count, Y);
    else if (count > lanes)
      multiply_packs<2>(A, X, first, count, Y);
    else
      multiply_packs<1>(A, X, first, count, Y);
  }
}

Matrix quadratic_form(const BlockMatrix& A, const Eigen::Ref<const Matrix>& X) {
  Matrix half;
  if (!has_nodes_only(A) || X.cols() > max_packs * lanes) {
    Matrix AX;
    multiply_columns(A, X, AX);
    half = 0.5 * transposed_times_matrix(X, AX);
  } else if (X.cols() > 2 * lanes) {
    half = half_form<3>(A, X);
  } else {
    half = X.cols() > lanes ? half_form<2>(A, X) : half_form<1>(A, X);
  }
  return half + half.transpose();
}

}  // namespace dashpot
