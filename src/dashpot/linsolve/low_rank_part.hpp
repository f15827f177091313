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

/// `U S V^T` added to A: U and V are num_dofs x k, S is k x k (may be non-symmetric).
struct LowRank {
  SharedMatrix U;
  Matrix S;
  SharedMatrix V;
  /// Optional, num_dofs x any: displacements whose span holds roughly what a force of U moves, A^-1 U. An iterative
  /// solver estimates with them what a non-symmetric part does (low_rank_estimate.hpp).
  SharedMatrix reach = {};
};

}  // namespace dashpot
