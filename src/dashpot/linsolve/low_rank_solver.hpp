#pragma once
// Solvers that take a symmetric low-rank update A + sum_i U_i S_i U_i^T into their own iteration, where Woodbury's
// identity would cost one more solve per column. solve_with_low_rank() uses this where it can.

#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

class LowRankSolver {
 public:
  virtual ~LowRankSolver() = default;
  /// As LinearSolver::solve for A + sum_i U_i S_i U_i^T, which must be positive definite as a whole; all parts are
  /// symmetric (see is_symmetric_part).
  virtual SolveReport solve_low_rank(const std::vector<LowRank>& parts, const Eigen::Ref<const Matrix>& b,
                                     Eigen::Ref<Matrix> x) = 0;
  /// Whether parts that are not symmetric would cost many times what symmetric ones cost at present. Newton's method
  /// then does without them (only its rate suffers).
  virtual bool prefers_symmetric_parts() const = 0;
};

/// U = V and S = S^T, bit by bit.
bool is_symmetric_part(const LowRank& part);
/// What is left of parts for a solver that takes symmetric ones: sym(S) where U = V; others are dropped.
void keep_symmetric_parts(std::vector<LowRank>& parts);
/// Woodbury's identity over solve(), for any parts of matching sizes.
SolveReport solve_by_woodbury(LinearSolver& solver, const std::vector<LowRank>& parts,
                              const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x);

}  // namespace dashpot
