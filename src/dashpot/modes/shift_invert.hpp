#pragma once
// Eigenpairs of K phi = lambda M phi nearest to a shift sigma, by Lanczos on (K - sigma M)^-1 M.

#include <memory>

#include "dashpot/linsolve/free_rows.hpp"
#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

class ShiftInvert {
 public:
  /// Factors K - sigma M by Cholesky, or by LU when it is not positive definite and `may_be_indefinite`.
  ShiftInvert(const BlockMatrix& K, const BlockMatrix& M, const std::vector<std::uint8_t>& is_free, double sigma,
              bool may_be_indefinite);

  /// ok, or why nothing can be solved: not_positive_definite means that there are eigenvalues below sigma.
  SolveStatus status() const { return status_; }
  int num_free() const { return dofs_.num_free(); }
  double sigma() const { return sigma_; }
  const LinearSolver& solver() const { return *solver_; }
  const FreeDofs& dofs() const { return dofs_; }

  /// Products over the free dofs.
  void multiply_mass(const double* x, double* y) { multiply(M_, x, y); }
  void multiply_stiffness(const double* x, double* y) { multiply(K_, x, y); }
  /// y = (K - sigma M)^-1 x.
  void solve(const double* x, double* y);

  /// Up to `count` M-orthonormal vectors (columns, num_free rows) whose eigenvalues are nearest to sigma among those
  /// M-orthogonal to `found`; fewer when the iteration did not converge.
  Matrix nearest(int count, const Matrix& found, double tolerance);

 private:
  void multiply(const BlockMatrix& A, const double* x, double* y);

  const BlockMatrix &K_, &M_;
  FreeDofs dofs_;
  double sigma_;
  SolveStatus status_;
  std::unique_ptr<LinearSolver> solver_;
  Vector full_x_, full_y_;
};

}  // namespace dashpot
