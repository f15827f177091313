#pragma once
// The automatic choice between conjugate gradients and sparse Cholesky for matrices that change at every solve.
//
// A matrix is first given to CG. CG may spend at most what a Cholesky factorization and substitution would cost, both
// counted in operations, never in time: the choice is the same on every machine, thread count and run. When it needs
// more, or meets non-positive curvature, Cholesky solves that matrix and the next `pause` ones; then CG is tried again.
// The pause doubles with each failure (8 .. 256 matrices) and falls back to 8 when CG succeeds.
//
// Counted: one CG iteration is worth `cg_nanoseconds` for each 3 x 3 block of the matrix, one operation of the
// factorization and one entry of the factor in a substitution their own constant (adaptive_solver.cpp), measured on one
// core.

#include <memory>

#include "dashpot/linsolve/conjugate_gradient.hpp"
#include "dashpot/linsolve/coupled_direct_solver.hpp"

namespace dashpot {

class AdaptiveSolver final : public LinearSolver, public LowRankSolver, public IterativeSolver {
 public:
  AdaptiveSolver(const LinearSolverOptions& options, std::unique_ptr<DirectSolver> direct);
  /// "automatic (conjugate_gradient)" or "automatic (cholmod)": what solved last, or will solve next.
  std::string name() const override;
  IterativeSolver* iterative_solver() override { return this; }
  LowRankSolver* low_rank_solver() override { return this; }
  void analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) override;
  SolveStatus factorize(const BlockMatrix& matrix) override { return factorize_coupled(matrix, DynamicBlocks()); }
  SolveStatus factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) override;
  std::int64_t num_reanalyses() const override { return direct_->num_reanalyses(); }
  SolveReport solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) override {
    return solve_low_rank({}, b, x);
  }
  SolveReport solve_low_rank(const std::vector<LowRank>& parts, const Eigen::Ref<const Matrix>& b,
                             Eigen::Ref<Matrix> x) override;
  void set_tolerance(double tolerance) override { cg_.set_tolerance(tolerance); }
  bool prefers_symmetric_parts() const override { return !uses_direct_; }
  std::size_t factor_bytes() const override { return direct_->factor_bytes(); }
  /// {matrices left for Cholesky, next pause}, then the memory of the direct solver.
  std::vector<std::int64_t> history() const override;
  void set_history(const std::vector<std::int64_t>& history) override;

  /// CG iterations per right-hand side that cost as much as Cholesky for `num_rhs` right-hand sides, with an update of
  /// `rank` columns.
  int iteration_budget(int num_rhs, int rank = 0);

 private:
  void analyze_direct();
  SolveReport solve_direct(const std::vector<LowRank>& parts, const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x);

  LinearSolverOptions options_;
  ConjugateGradientSolver cg_;
  std::unique_ptr<CoupledDirectSolver> direct_;
  std::shared_ptr<const BlockPattern> pattern_;
  bool direct_analyzed_ = false;
  bool cg_possible_ = true;       ///< block size within what CG is compiled for
  bool uses_direct_ = false;      ///< for the current matrix
  BlockMatrix matrix_;            ///< kept for the case that CG gives up in solve()
  DynamicBlocks couplings_;       ///< likewise
  std::int64_t spent_ = 0;        ///< CG iterations on the current matrix
  std::int64_t direct_left_ = 0;  ///< matrices that go to Cholesky before CG is tried again
  std::int64_t pause_ = 8;        ///< next number of such matrices
};

}  // namespace dashpot
