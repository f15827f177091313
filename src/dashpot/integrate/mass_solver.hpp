#pragma once
// Accelerations from forces: M(q) a = f on the free dofs. Diagonal mass divides; constant mass is factorized once.

#include <memory>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/linsolve/linear_solver.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {

class MassSolver {
 public:
  /// Adds to `a` the correction that brings `imbalance` to zero on free dofs. False: M is singular there.
  bool correct(const System& system, const Vector& q, const Vector& imbalance, Vector& a);

 private:
  void prepare(const System& system, const Vector& q);

  std::shared_ptr<const BlockPattern> pattern_;
  Vector inverse_diagonal_;
  std::unique_ptr<LinearSolver> solver_;
  bool usable_ = false;
};

/// Fills motion.a such that the forces at (motion.q, motion.v) are balanced, and `balance` with those forces; its
/// imbalance keeps the reactions. False: the forces are not finite or M is singular.
bool accelerate(const System& system, const Workspace& workspace, const std::vector<Vector>& memory,
                const Instant& instant, MassSolver& mass, Motion& motion, Balance& balance);

}  // namespace dashpot
