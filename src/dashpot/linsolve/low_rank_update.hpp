#pragma once
// The update W S W^T in the preconditioned unknowns of an SsorSystem, W = (I + L)^-1 S_d^-1 U (S_d: the factors of the
// diagonal blocks). Conjugate gradients with B + W S W^T read W once an iteration: the pass that makes
// q = B p + W S (W^T p) also finds W^T q, and W^T of residual, direction and solution follow by the recurrences of CG.
// W is stored by groups of four entries of a vector (for blocks of 3 by rows of three), all columns of a group
// together.

#include <vector>

#include "dashpot/linsolve/ssor_system.hpp"

namespace dashpot {

class LowRankUpdate {
 public:
  /// Takes the symmetric parts for the matrix that `system` holds now. An empty list: no update. W is kept from the
  /// last call where neither the matrix (see reset) nor any U is another one.
  void assemble(const SsorSystem& system, const std::vector<LowRank>& parts, Eigen::Index num_dofs);
  /// The system holds another matrix.
  void reset() { is_current_ = false; }
  /// No update; W stays known.
  void clear() { num_columns_ = 0; }
  int num_columns() const { return num_columns_; }
  const Matrix& S() const { return S_; }

  /// W^T x for an internal vector, which is not changed.
  Vector dots(const SsorSystem& system, double* x) const;
  /// q += W coefficients over a chunk, then dots_of_chunk = W^T q; num_columns entries each.
  void add_and_dot(const SsorSystem& system, int chunk, const double* coefficients, double* q,
                   double* dots_of_chunk) const {
    pass(system, chunk, coefficients, q, dots_of_chunk);
  }
  /// U^T x over dofs; x is zero at prescribed ones.
  Vector transposed_times(const Vector& x) const;
  /// force += U S (U^T x) over dofs, from U^T x.
  void force(const Vector& Ux, Vector& force) const;

 private:
  void solve_forward(const SsorSystem& system, Eigen::Index num_dofs);
  void pass(const SsorSystem& system, int chunk, const double* coefficients, double* y, double* dots_of_chunk) const;

  bool is_current_ = false;  ///< W belongs to the matrix and to U
  int num_columns_ = 0;
  int entries_ = 4;  ///< of a column in a group
  std::vector<SharedMatrix> U_;
  std::vector<int> first_dof_;  ///< of each U
  Matrix S_;
  std::vector<double> W_;  ///< by chunks, with one spare entry after each that may be read in vain
  std::vector<std::size_t> chunk_offset_;
};

}  // namespace dashpot
