#pragma once
// Conjugate gradients preconditioned along chains (block_chains.hpp), for matrices whose stiff directions are chains:
// woven cloth, whose yarns are a thousand times stiffer than their weave. With T_f the part of A along the chains of
// family f (chain_factor.hpp), z = M^-1 r is made of corrections w T_f^-1 (r - A z), family after family and back
// again. What is left after a correction z_f is (1 - w)(what was left before) - (A - T_f) z_f, so that only what the
// chains leave out of A is multiplied. [Xu1992: successive subspace correction]
//
// Chains do nothing for what is smooth along all of them, the slow bending of a sheet: where places on a grid are
// given, a coarse space of splines adds its own correction (grid_coarse.hpp).
//
// M is positive definite as long as w lambda(T_f^-1 A) < 2. For bending along two families lambda is at most 16/6, for
// blocks of k neighbors at most k; w = 0.7 is tried first and halved where r.z comes out negative.
//
// Stops when ||b - A x|| <= tolerance ||b|| over the free dofs, checked with the true residual.

#include <vector>

#include "dashpot/linsolve/chain_factor.hpp"
#include "dashpot/linsolve/grid_coarse.hpp"
#include "dashpot/linsolve/iterative_solver.hpp"

namespace dashpot {

class ChainConjugateGradient final : public LinearSolver, public IterativeSolver {
 public:
  /// options.chains must be given.
  explicit ChainConjugateGradient(const LinearSolverOptions& options);
  std::string name() const override { return "conjugate_gradient (chains)"; }
  IterativeSolver* iterative_solver() override { return this; }
  /// Throws Error for blocks that chains cannot be made of.
  void analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) override;
  SolveStatus factorize(const BlockMatrix& matrix) override { return factorize_coupled(matrix, DynamicBlocks()); }
  SolveStatus factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) override;
  SolveReport solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) override;
  void set_tolerance(double tolerance) override;

 private:
  SolveReport solve_column(const double* b, double* x);
  double start(const double* b, const double* x);
  SolveStatus iterate(double goal, int& iterations);
  /// r = b - A x; returns its norm.
  double true_residual(const double* b);
  /// y = A x at free dofs, zero elsewhere.
  void multiply(const Vector& x, Vector& y) const;
  /// z = M^-1 r.
  void precondition(const Vector& r, Vector& z);

  double finest_tolerance_, tolerance_;
  int max_iterations_;
  std::shared_ptr<const BlockChains> chains_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::uint8_t> is_free_;
  std::vector<ChainFactor> families_;
  std::unique_ptr<GridCoarse> coarse_;  ///< null: places are not known
  BlockMatrix matrix_;
  DynamicBlocks couplings_;
  bool factorized_ = false;
  SolveStatus status_ = SolveStatus::ok;
  double relaxation_ = 0;  ///< w
  Vector x_, r_, z_, p_, q_, left_, rest_, correction_;
};

}  // namespace dashpot
