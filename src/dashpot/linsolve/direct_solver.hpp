#pragma once
// What all direct solvers share: free dofs, the gather into a scalar sparse matrix, finite-ness, and what solve() says
// after a failed factorization. A concrete solver orders, factors and substitutes.

#include "dashpot/linsolve/free_rows.hpp"
#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

class DirectSolver : public LinearSolver {
 public:
  void analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) final;
  SolveStatus factorize(const BlockMatrix& matrix) final;
  SolveReport solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) final;

  /// Floating-point operations of one factorization and entries of the factor, known after analyze(); 0 when not known.
  virtual double factor_operations() const { return 0; }
  virtual double factor_entries() const { return 0; }
  /// Whether only the upper triangle of a matrix is read.
  bool is_symmetric() const { return symmetric_; }

 protected:
  /// `symmetric`: the solver sees the upper rows only (compressed columns of the lower triangle).
  explicit DirectSolver(bool symmetric) : symmetric_(symmetric) {}
  /// Ordering and symbolic factorization; never called for an empty system.
  virtual void order(const BlockPattern& pattern, const FreeDofs& dofs, const FreeRows& rows) = 0;
  /// Numeric factorization of finite values.
  virtual SolveStatus factor(const FreeRows& rows, std::vector<double>& values) = 0;
  /// x = A^-1 b over the free unknowns.
  virtual SolveStatus substitute(const Matrix& b, Matrix& x) = 0;

 private:
  bool symmetric_;
  bool factorized_ = false;
  SolveStatus status_ = SolveStatus::ok;
  std::shared_ptr<const BlockPattern> pattern_;
  FreeDofs dofs_;
  FreeRows rows_;
  std::vector<double> values_;
  Matrix free_b_, free_x_;
};

/// Throws dashpot::Error unless `matrix` is on the analyzed pattern.
void check_pattern(const std::shared_ptr<const BlockPattern>& analyzed, const BlockMatrix& matrix);
/// Throws dashpot::Error unless b and x are num_dofs x k and a factorization was made.
void check_solve(const std::shared_ptr<const BlockPattern>& analyzed, bool factorized,
                 const Eigen::Ref<const Matrix>& b, const Eigen::Ref<Matrix>& x);

}  // namespace dashpot
