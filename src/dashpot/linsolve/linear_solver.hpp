#pragma once
// Solves A x = b over the free degrees of freedom: analyze (once per pattern) -> factorize (per matrix) -> solve
// (many right-hand sides) -> status. A is assembled over all dofs; rows and columns of prescribed dofs are ignored, and
// the solution is zero there.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

enum class SolveStatus {
  ok,
  not_positive_definite,  ///< Cholesky met a non-positive pivot, or CG a direction of non-positive curvature
  singular,               ///< LU met a zero pivot
  not_converged,          ///< CG used all its iterations; x holds the best iterate
  not_finite,             ///< the matrix or the right-hand side holds NaN or Inf
};
std::string to_string(SolveStatus status);

enum class LinearSolverKind { automatic, cholmod, conjugate_gradient, lu, eigen_cholesky };

/// Options of every linear solver; a solver reads the ones that concern it.
struct LinearSolverOptions {
  LinearSolverKind kind = LinearSolverKind::automatic;
  double cg_tolerance = 1e-8;    ///< CG stops at ||r|| <= cg_tolerance ||b||
  int cg_max_iterations = 2000;  ///< per right-hand side
};

/// What a solve cost, for reports.
struct SolveReport {
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;     ///< CG iterations (largest over right-hand sides); 0 for direct solvers
  double residual = 0;    ///< ||b - A x|| / ||b|| where the solver knows it
};

/// `U S V^T` added to A without being formed: U and V are num_dofs x k, S is k x k (may be non-symmetric).
struct LowRank {
  Matrix U, S, V;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual std::string name() const = 0;
  /// Symbolic work for a pattern; is_free has one entry per dof (0: prescribed, left out of the system).
  virtual void analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) = 0;
  virtual SolveStatus factorize(const BlockMatrix& matrix) = 0;
  /// Solves for each column of b into x (same size; x is also the starting guess of iterative solvers).
  virtual SolveReport solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) = 0;
  /// Whether factorize() accepts indefinite or non-symmetric matrices.
  virtual bool handles_nonsymmetric() const { return false; }
  /// Bytes held by the factor (0 for iterative solvers).
  virtual std::size_t factor_bytes() const { return 0; }
};

/// Makes the solver asked for. `automatic` chooses by size and by whether the matrix changes each solve:
/// direct where it is small or reused, CG where a large matrix changes each step.
std::unique_ptr<LinearSolver> make_linear_solver(const LinearSolverOptions& options, int num_dofs,
                                                 bool matrix_changes_each_solve, bool symmetric);

/// Solves (A + sum_i U_i S_i V_i^T) x = b by the Woodbury identity over a factorized solver (reference ABCE 1.2).
/// Uses one block solve for all columns of U; no inverse of S is needed.
SolveReport solve_with_low_rank(LinearSolver& solver, const std::vector<LowRank>& parts, const Eigen::Ref<const Matrix>& b,
                                Eigen::Ref<Matrix> x);

}  // namespace dashpot
