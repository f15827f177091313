#pragma once
// Accelerations from forces: T^T M(q) T a = T^T f on the free dofs. Diagonal mass divides, except where several blocks
// carry a tied one and share its mass: those few are solved together. Constant mass is factorized once; that of large
// bodies is solved by conjugate gradients.

#include <memory>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {

class MassSolver {
 public:
  /// Adds to `a` the correction that brings `residual` to zero on free dofs; tied dofs follow. False: M is singular
  /// there.
  bool correct(const System& system, const Vector& q, const Vector& residual, Vector& a);
  /// w per dof [1/kg] with R <= diag(w), R the response `correct` gives; 0 where prescribed. Lumped masses: 1/m, also
  /// of tied blocks (a constraint never makes a body more mobile). Otherwise the diagonal of M over the least
  /// eigenvalue of M relative to it, found once by Lanczos iteration.
  const Vector& mobility_bound(const System& system, const Vector& q);
  /// True when R = diag(w).
  bool bound_is_exact(const System& system) const { return system.inertia().is_diagonal() && system.ties().empty(); }

 private:
  void prepare(const System& system, const Vector& q);
  /// Mass of the blocks that others follow, where the mass is diagonal; false: singular.
  bool factorize_masters(const System& system, const Vector& diagonal);
  /// Solves for all free dofs; tied ones follow.
  bool solve(const System& system, const Vector& right_side, Vector& solution);

  std::shared_ptr<const BlockPattern> pattern_;
  std::uint64_t inertia_id_ = 0;  ///< System::inertia_id() of what is prepared
  Vector inverse_diagonal_;
  Vector mobility_;                       ///< of the masses that are prepared; empty: not known
  std::unique_ptr<LinearSolver> solver_;  ///< of all dofs, or of the blocks that others follow
  bool usable_ = false;
};

/// Fills motion.a such that the forces at (motion.q, motion.v) are balanced, and `balance` with those forces; its
/// residual keeps the reactions. False: the forces are not finite or M is singular.
bool accelerate(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                const Instant& instant, MassSolver& mass, StageState& motion, Balance& balance,
                DissipationSubset subset = DissipationSubset::all);

}  // namespace dashpot
