#pragma once
// Solves A x = b over the free degrees of freedom: analyze (once per pattern) -> factorize (per matrix) -> solve
// (many right-hand sides) -> status. A is assembled over all dofs; rows and columns of prescribed dofs are ignored, and
// the solution is zero there.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/linsolve/block_chains.hpp"
#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/dynamic_blocks.hpp"
#include "dashpot/linsolve/low_rank_part.hpp"

namespace dashpot {

enum class SolveStatus {
  ok,
  not_positive_definite,  ///< Cholesky met a non-positive pivot, or CG a direction of non-positive curvature (in solve)
  singular,               ///< LU met a zero pivot
  not_converged,          ///< CG used all its iterations; x holds the best iterate
  not_finite,             ///< the matrix or the right-hand side holds NaN or Inf
};
std::string to_string(SolveStatus status);

enum class LinearSolverKind { automatic, cholmod, conjugate_gradient, lu, eigen_cholesky };

/// The names users write: "automatic", "cholmod", "conjugate_gradient", "lu", "eigen_cholesky".
std::string to_string(LinearSolverKind kind);

/// What a direct solver does about blocks outside its pattern (DynamicBlocks).
enum class CouplingStrategy {
  automatic,     ///< iterate until that has cost as much as a new analysis, then analyze again
  precondition,  ///< conjugate gradients preconditioned with the factor of what is inside the pattern
  reanalyze,     ///< extend the pattern at once
};

/// Options of every linear solver; a solver reads the ones that concern it.
struct LinearSolverOptions {
  LinearSolverKind kind = LinearSolverKind::automatic;
  double cg_tolerance = 1e-8;    ///< CG stops at ||r|| <= cg_tolerance ||b||
  int cg_max_iterations = 2000;  ///< per right-hand side
  CouplingStrategy couplings = CouplingStrategy::automatic;
  /// Where the matrix is stiff, for conjugate gradients (chain_conjugate_gradient.hpp); null: nothing is known.
  std::shared_ptr<const BlockChains> chains = nullptr;
};

/// What a solve cost, for reports.
struct SolveReport {
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;   ///< CG iterations (largest over right-hand sides); 0 for direct solvers
  double residual = 0;  ///< ||b - A x|| / ||b|| where the solver knows it
};

class BlockComponents;
class IterativeSolver;
class LowRankSolver;

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual std::string name() const = 0;
  /// Symbolic work for a pattern; is_free has one entry per dof (0: prescribed, left out of the system).
  virtual void analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) = 0;
  virtual SolveStatus factorize(const BlockMatrix& matrix) = 0;
  /// Prepares for A + B, where B holds blocks outside the pattern. Throws dashpot::Error where the solver cannot and B
  /// is not empty; what make_linear_solver() returns always can.
  virtual SolveStatus factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings);
  /// How often couplings made a new analysis necessary since the solver was made.
  virtual std::int64_t num_reanalyses() const { return 0; }
  /// Solves for each column of b into x (same size; x is also the starting guess of iterative solvers). Unless the
  /// status is ok or not_converged, x is zero; after a failed factorize() it repeats that status.
  virtual SolveReport solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) = 0;
  /// Whether factorize() accepts indefinite or non-symmetric matrices.
  virtual bool handles_nonsymmetric() const { return false; }
  /// Whether solve_with_low_rank() may be used, for symmetric or for any updates.
  virtual bool accepts_low_rank(bool symmetric) const { return static_cast<void>(symmetric), true; }
  /// Itself, where it approaches the solution and can be told how near (iterative_solver.hpp); null: it is direct.
  virtual IterativeSolver* iterative_solver() { return nullptr; }
  /// Itself, where it takes symmetric low-rank updates into its own work (low_rank_solver.hpp); null: Woodbury it is.
  virtual LowRankSolver* low_rank_solver() { return nullptr; }
  /// The connected components of the factorized matrix; null: not known, all may be one.
  virtual const BlockComponents* components() { return nullptr; }
  /// Bytes held by the factor (0 for iterative solvers).
  virtual std::size_t factor_bytes() const { return 0; }
  /// What a solver that learns remembers between matrices; it belongs to a checkpoint, so that a resumed run makes the
  /// same choices. Empty: nothing, and set_history({}) forgets.
  virtual std::vector<std::int64_t> history() const { return {}; }
  virtual void set_history(const std::vector<std::int64_t>& history) { static_cast<void>(history); }
};

/// Makes the solver asked for, and throws dashpot::Error where it cannot work (Cholesky or CG for a non-symmetric
/// system, a library that was not compiled in). `automatic` is LU for non-symmetric systems, Cholesky where the matrix
/// is reused, and otherwise a solver that tries CG and learns when Cholesky is cheaper (adaptive_solver.hpp).
std::unique_ptr<LinearSolver> make_linear_solver(const LinearSolverOptions& options, int num_dofs,
                                                 bool matrix_changes_each_solve, bool symmetric);

/// Solves (A + sum_i U_i S_i V_i^T) x = b by the Woodbury identity over a factorized solver (reference ABCE 1.2):
///     y = A^-1 b,  Y = A^-1 U,  x = y - Y solve(I + S V^T Y, S V^T y)
/// with U = [U_1 U_2 ...] and so on. One block solve for b and all columns of U; no inverse of S is needed. Parts in
/// components of A that have nothing to do with each other (bodies that do not touch) share columns: a thousand
/// damped bodies cost a thousand times what one costs. Rows of U and V at prescribed dofs are ignored. Throws
/// dashpot::Error when the solver refuses the update (accepts_low_rank).
SolveReport solve_with_low_rank(LinearSolver& solver, const std::vector<LowRank>& parts,
                                const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x);

}  // namespace dashpot
