#pragma once
// Conjugate gradients on the SSOR-preconditioned system (see ssor_system.hpp): symmetric positive definite matrices, no
// factor, each right-hand side in turn, x as the starting guess (a guess that is worse than zero is dropped). Stops
// when
// ||b - A x|| <= tolerance ||b|| over the free dofs, checked with the true residual. [HestenesStiefel1952,
// Eisenstat1981]

#include <algorithm>

#include "dashpot/linsolve/iterative_solver.hpp"
#include "dashpot/linsolve/low_rank_solver.hpp"
#include "dashpot/linsolve/low_rank_update.hpp"
#include "dashpot/linsolve/ssor_system.hpp"

namespace dashpot {

class ConjugateGradientSolver final : public LinearSolver, public LowRankSolver, public IterativeSolver {
 public:
  explicit ConjugateGradientSolver(const LinearSolverOptions& options);
  std::string name() const override { return "conjugate_gradient"; }
  IterativeSolver* iterative_solver() override { return this; }
  LowRankSolver* low_rank_solver() override { return this; }
  void analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) override;
  SolveStatus factorize(const BlockMatrix& matrix) override;
  SolveStatus factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) override;
  SolveReport solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) override;
  SolveReport solve_low_rank(const std::vector<LowRank>& parts, const Eigen::Ref<const Matrix>& b,
                             Eigen::Ref<Matrix> x) override;
  bool prefers_symmetric_parts() const override { return true; }
  /// The product with a non-symmetric update would not be symmetric.
  bool accepts_low_rank(bool symmetric) const override { return symmetric; }

  void set_tolerance(double tolerance) override { tolerance_ = std::max(tolerance, finest_tolerance_); }
  /// Iterations each right-hand side may use from now on.
  void set_max_iterations(int count) { max_iterations_ = count; }
  const SsorSystem& system() const { return system_; }

 private:
  SolveReport solve_column(const double* b, double* x);
  double start(const double* x, double norm_b);
  void restart();
  SolveStatus iterate(double target2, int& iterations);
  double true_residual();
  /// q = f - (scaled matrix with its update) y, where Ux is U^T of the solution; returns the norm of the residual
  /// before scaling.
  double residual_at(const Vector& y, const Vector& Ux);
  void write_solution(double* x) const;

  double finest_tolerance_, tolerance_;
  int max_iterations_;
  bool factorized_ = false;
  SolveStatus status_ = SolveStatus::ok;
  std::shared_ptr<const BlockPattern> pattern_;
  SsorSystem system_;
  // Internal vectors (see SsorSystem::stride). In scaled unknowns the solution is z = y0 + (I + L^T)^-1 y.
  Vector f_, y0_, y_, z_;  ///< right-hand side, start, preconditioned unknown, solution
  Vector r_, p_, t_, q_;   ///< preconditioned residual, direction, swept direction, product
  LowRankUpdate update_;
  Vector Wp_, Wr_, Wq_;   ///< W^T p, W^T r, W^T q of the update
  Vector Ux0_, Wy_;       ///< U^T x at the start of the Krylov space, and W^T y: what was added to it since
  Matrix chunk_dots_;     ///< by chunks
  Vector x_, force_, g_;  ///< over dofs: a solution and the update's force on it; f less that force, scaled
  double rr_ = 0;         ///< r . r
  double beta_ = 0;       ///< weight of the old direction in the next one
};

}  // namespace dashpot
