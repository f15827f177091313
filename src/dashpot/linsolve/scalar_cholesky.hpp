#pragma once
// Cholesky of a scalar symmetric positive definite matrix over the blocks (nodes) of a pattern, one number per slot,
// solved for the x, y and z components together: the constant matrix of projective dynamics and of Laplacian damping.
//
//     A = L L^T over the free blocks;   A X = B,   X and B have one row of 3 per block
//
// analyze (once per pattern and set of free blocks) -> factorize (per matrix) -> solve (many right-hand sides). The
// order is nested dissection (METIS) and the numeric factor CHOLMOD's [Chen2008]; the triangular solves are our own
// (supernodal_solve.hpp). Bits of a solution do not depend on the number of threads. Without SuiteSparse Eigen's
// simplicial factorization takes over: the same answers, slower.

#include <cstdint>
#include <memory>
#include <vector>

#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

class ScalarCholesky {
 public:
  ScalarCholesky();
  ~ScalarCholesky();
  ScalarCholesky(ScalarCholesky&&) noexcept;
  ScalarCholesky& operator=(ScalarCholesky&&) noexcept;

  /// Symbolic work. block_is_free has one entry per block; rows and columns of the others are left out. Throws Error
  /// when memory does not suffice.
  void analyze(const BlockPattern& pattern, const std::vector<std::uint8_t>& block_is_free);
  /// of_slot: the matrix, one number per slot of the analyzed pattern. It is taken as symmetric: slots below the
  /// diagonal are not read. Returns ok, not_positive_definite or not_finite.
  SolveStatus factorize(const std::vector<double>& of_slot);
  /// Solves for 3 numbers per block; x is zero at blocks that are not free. x == b is allowed, other overlaps are not.
  /// After a failed factorize() x is zero and its status is returned. b is not searched for NaN: they come out again.
  SolveStatus solve(const double* b, double* x);
  /// The same for each column of B (3 numbers per block, any number of columns); X has its size and may be B.
  SolveStatus solve(const Eigen::Ref<const Matrix>& B, Eigen::Ref<Matrix> X);

  int num_free_blocks() const;
  /// Numbers in the factor as the solves read it (padding included); 0 before the first analysis.
  std::size_t factor_entries() const;
  /// Independent parts of the elimination tree that are solved side by side, and the share of the factor in what must
  /// follow one after the other.
  int num_parts() const;
  double sequential_share() const;

 private:
  struct LowerTriangle;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dashpot
