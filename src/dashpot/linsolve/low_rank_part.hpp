#pragma once
// A low-rank addition U S V^T to a sparse matrix, never formed. U and V are large and rarely change, S is small and
// changes with every iterate: so parts share U and V with the terms they come from instead of copying them.

#include <memory>
#include <utility>

#include "dashpot/core/types.hpp"

namespace dashpot {

/// An immutable matrix with several owners; copying it copies a pointer.
class SharedMatrix {
 public:
  SharedMatrix() = default;
  SharedMatrix(Matrix matrix) : matrix_(std::make_shared<const Matrix>(std::move(matrix))) {}
  template <class Derived>
  SharedMatrix(const Eigen::MatrixBase<Derived>& expression) : SharedMatrix(Matrix(expression)) {}

  bool empty() const { return !matrix_; }
  const Matrix& operator*() const { return *matrix_; }
  const Matrix* operator->() const { return matrix_.get(); }
  /// Whether both are one and the same object, which says more than equal entries do.
  bool is(const SharedMatrix& other) const { return matrix_ == other.matrix_; }

 private:
  std::shared_ptr<const Matrix> matrix_;
};

/// `U S V^T` added to A. U and V have a row for each dof from first_dof on, usually those of one body, and k columns; S
/// is k x k (may be non-symmetric).
struct LowRank {
  SharedMatrix U;
  Matrix S;
  SharedMatrix V;
  /// Optional, rows as U: displacements whose span holds roughly what a force of U moves, A^-1 U. An iterative
  /// solver estimates with them what a non-symmetric part does (low_rank_estimate.hpp).
  SharedMatrix reach = {};
  int first_dof = 0;

  Eigen::Index num_rows() const { return U->rows(); }
};

/// y += U S V^T x over vectors of all dofs.
void add_product(const LowRank& part, const Vector& x, Vector& y);
/// The rows of A, the first of which belongs to first_dof, among num_dofs rows that are zero elsewhere.
Matrix over_all_dofs(const Matrix& A, int first_dof, Eigen::Index num_dofs);

}  // namespace dashpot
