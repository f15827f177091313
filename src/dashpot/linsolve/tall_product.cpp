// Compiled with floating-point contraction (see simd_pack.hpp).
#include "dashpot/linsolve/tall_product.hpp"

#include <algorithm>

#include "dashpot/core/parallel.hpp"

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
  Matrix partial(A.cols() * B.cols(), num_ranges(A.rows()));
  for_ranges(A.rows(), [&](int range, Eigen::Index begin, Eigen::Index count) {
    Eigen::Map<Matrix>(partial.col(range).data(), A.cols(), B.cols()).noalias() =
        A.middleRows(begin, count).transpose() * B.middleRows(begin, count);
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
