#pragma once
// Block-sparse products with several columns at once, which read A once for up to twelve of them where blocks are
// 3 x 3. Bits do not depend on the thread count.

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

/// Y = A X; Y gets the size of X. X and Y have the rows that A stores, beside which X is zero.
void multiply_columns(const BlockMatrix& A, const Eigen::Ref<const Matrix>& X, Matrix& Y);

/// X^T A X, X likewise, for a symmetric A, of which only the upper triangle is read.
Matrix quadratic_form(const BlockMatrix& A, const Eigen::Ref<const Matrix>& X);

}  // namespace dashpot
