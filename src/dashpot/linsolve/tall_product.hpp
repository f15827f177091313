#pragma once
// Products with tall thin matrices (num_dofs x k, k up to some dozens), parallel over ranges of rows; sums are added in
// range order, so that bits do not depend on the thread count.

#include "dashpot/core/types.hpp"

namespace dashpot {

using ConstMatrixRef = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;

/// A^T x.
Vector transposed_times(const ConstMatrixRef& A, const ConstVectorRef& x);
/// y += A c.
void add_times(const ConstMatrixRef& A, const Vector& c, VectorRef y);
/// A^T B.
Matrix transposed_times_matrix(const ConstMatrixRef& A, const ConstMatrixRef& B);
/// A T for a small square T.
Matrix times_small(const ConstMatrixRef& A, const Matrix& T);

}  // namespace dashpot
