#pragma once
// The update W S W^T in the preconditioned unknowns of an SsorSystem, W = (I + L)^-1 S_d^-1 U (S_d: the factors of the
// diagonal blocks). Conjugate gradients with B + W S W^T read W once an iteration: W^T p and W^T r follow from
// recurrences, because W^T B p is found in the pass that adds W S (W^T p). W is stored by groups of four entries of a
// vector, all columns of a group together.

#include <vector>

#include "dashpot/linsolve/ssor_system.hpp"

namespace dashpot {

class LowRankUpdate {
 public:
  /// Takes the symmetric parts for the matrix that `system` holds now. An empty list: no update.
  void assemble(const SsorSystem& system, const std::vector<LowRank>& parts);
  void clear() { parts_ = nullptr, num_columns_ = 0; }
  int num_columns() const { return num_columns_; }
  const Matrix& S() const { return S_; }
  /// W^T W.
  const Matrix& gram() const { return gram_; }

  /// W^T x for an internal vector.
  Vector dots(const SsorSystem& system, const double* x) const;
  /// q += W coefficients over a chunk, and dots_of_chunk = W^T q for the q before; num_columns entries each.
  void add_and_dot(const SsorSystem& system, int chunk, const double* coefficients, double* q,
                   double* dots_of_chunk) const;
  /// force = U S U^T x over dofs (not over prescribed ones, where x is zero).
  void multiply(const Vector& x, Vector& force) const;

 private:
  const double* groups(int chunk) const { return W_.data() + chunk_offset_[static_cast<std::size_t>(chunk)]; }

  const std::vector<LowRank>* parts_ = nullptr;
  int num_columns_ = 0;
  Matrix S_, gram_;
  std::vector<double> W_;
  std::vector<std::size_t> chunk_offset_;
};

}  // namespace dashpot
