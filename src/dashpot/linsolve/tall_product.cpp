// Compiled with floating-point contraction (see simd_pack.hpp).
#include "dashpot/linsolve/tall_product.hpp"

#include <algorithm>

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/simd_pack.hpp"

namespace dashpot {
namespace {

constexpr Eigen::Index rows_per_range = 2048;

int num_ranges(Eigen::Index rows) { return static_cast<int>((rows + rows_per_range - 1) / rows_per_range); }

/// visit(range, begin, count) for every range of rows.
template <class Visit>
void for_ranges(Eigen::Index rows, Visit visit) {
  parallel_for(num_ranges(rows), 1, [&](int first, int last) {
    for (int range = first; range < last; ++range) {
      const Eigen::Index begin = range * rows_per_range;
      visit(range, begin, std::min(rows_per_range, rows - begin));
    }
  });
}

constexpr Eigen::Index lanes = 4;
constexpr Eigen::Index rows_per_tile = 256;  // columns of a tile stay in L1

/// out(i, j) += A_i . B_j for I columns of A and J of B, over `rows` rows.
template <int I, int J>
void add_dots(const double* A, Eigen::Index stride_A, const double* B, Eigen::Index stride_B, Eigen::Index rows,
              double* out, Eigen::Index stride_out) {
  Lanes sums[I][J] = {};
  Eigen::Index row = 0;
  for (; row + lanes <= rows; row += lanes) {
    Lanes b[J];
    for (int j = 0; j < J; ++j) b[j] = load_lanes(B + j * stride_B + row);
    for (int i = 0; i < I; ++i) {
      const Lanes a = load_lanes(A + i * stride_A + row);
      for (int j = 0; j < J; ++j) sums[i][j] += a * b[j];
    }
  }
  for (int i = 0; i < I; ++i)
    for (int j = 0; j < J; ++j) {
      double sum = (sums[i][j][0] + sums[i][j][1]) + (sums[i][j][2] + sums[i][j][3]);
      for (Eigen::Index rest = row; rest < rows; ++rest) sum += A[i * stride_A + rest] * B[j * stride_B + rest];
      out[j * stride_out + i] += sum;
    }
}

/// The same for all columns of A and J of B.
template <int J>
void add_dots_of(const ConstMatrixRef& A, const double* B, Eigen::Index stride_B, Eigen::Index begin, Eigen::Index rows,
                 double* out) {
  const double* a = A.data() + begin;
  const Eigen::Index stride = A.outerStride();
  Eigen::Index i = 0;
  for (; i + 2 <= A.cols(); i += 2) add_dots<2, J>(a + i * stride, stride, B, stride_B, rows, out + i, A.cols());
  if (i < A.cols()) add_dots<1, J>(a + i * stride, stride, B, stride_B, rows, out + i, A.cols());
}

}  // namespace

Vector transposed_times(const ConstMatrixRef& A, const ConstVectorRef& x) {
  Matrix partial(A.cols(), num_ranges(A.rows()));
  for_ranges(A.rows(), [&](int range, Eigen::Index begin, Eigen::Index count) {
    partial.col(range).noalias() = A.middleRows(begin, count).transpose() * x.segment(begin, count);
  });
  Vector sum = Vector::Zero(A.cols());
  for (Eigen::Index i = 0; i < partial.cols(); ++i) sum += partial.col(i);
  return sum;
}

void add_times(const ConstMatrixRef& A, const Vector& c, VectorRef y) {
  for_ranges(A.rows(), [&](int, Eigen::Index begin, Eigen::Index count) {
    y.segment(begin, count).noalias() += A.middleRows(begin, count) * c;
  });
}

Matrix transposed_times_matrix(const ConstMatrixRef& A, const ConstMatrixRef& B) {
  Matrix partial = Matrix::Zero(A.cols() * B.cols(), num_ranges(A.rows()));
  for_ranges(A.rows(), [&](int range, Eigen::Index begin, Eigen::Index count) {
    double* out = partial.col(range).data();
    const Eigen::Index stride = B.outerStride(), end = begin + count;
    for (Eigen::Index first = begin; first < end; first += rows_per_tile) {
      const Eigen::Index rows = std::min(rows_per_tile, end - first);
      const double* b = B.data() + first;
      Eigen::Index j = 0;
      for (; j + 4 <= B.cols(); j += 4) add_dots_of<4>(A, b + j * stride, stride, first, rows, out + j * A.cols());
      for (; j + 2 <= B.cols(); j += 2) add_dots_of<2>(A, b + j * stride, stride, first, rows, out + j * A.cols());
      if (j < B.cols()) add_dots_of<1>(A, b + j * stride, stride, first, rows, out + j * A.cols());
    }
  });
  Matrix sum = Matrix::Zero(A.cols(), B.cols());
  for (Eigen::Index i = 0; i < partial.cols(); ++i) sum.reshaped() += partial.col(i);
  return sum;
}

Matrix times_small(const ConstMatrixRef& A, const Matrix& T) {
  Matrix product(A.rows(), T.cols());
  for_ranges(A.rows(), [&](int, Eigen::Index begin, Eigen::Index count) {
    product.middleRows(begin, count).noalias() = A.middleRows(begin, count) * T;
  });
  return product;
}

}  // namespace dashpot
