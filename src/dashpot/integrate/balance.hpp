#pragma once
// Evaluates the equation of motion at one instant: how far M a + c + f_int + f_d is from f_ext, and its tangent. Keeps
// the force of each damping apart, because the ledger needs them one by one.

#include <vector>

#include "dashpot/integrate/reductions.hpp"

namespace dashpot {

/// Coordinates, rates and accelerations at one instant.
struct StageState {
  Vector q, v, a;
};

/// Which instant: forces at `time`, `elapsed` after the start of the step.
struct Instant {
  double time = 0;     ///< [s]
  double elapsed = 0;  ///< [s]
};

/// Result of an evaluation, and the storage it reuses.
struct Balance {
  Vector residual;  ///< M a + c + f_int + f_d - f_ext [N], condensed where tied; reactions if prescribed
  /// Forces of the dissipation terms [N], one vector for each layer of them: f_j is on the blocks of term j.
  std::vector<Vector> damping;
  Vector external;                     ///< f_ext [N]
  std::vector<double> potential;       ///< value of each energy term [J]
  double driven_power = 0;             ///< of prescribed motions on energies, sum of dPsi_i/dt [W]
  std::vector<double> damping_driven;  ///< what each damping force gives to prescribed motions [W]
  double residual_norm = 0;            ///< |residual| over free dofs [N]
  /// |M a| + sum |dPsi_i/dq| + sum |f_j| + |f_ext| over free dofs [N]. Terms of one layer count as one: so does the
  /// elasticity of all bodies, and a thousand bodies are balanced as well as one.
  double force_scale = 0;
  bool is_finite = true;
  const StepGuard* refused_by = nullptr;  ///< the guard that does not let a step lead here; null: none
  /// Whether a step may end here.
  bool is_admissible() const { return is_finite && refused_by == nullptr; }

  Vector inertial, internal;  ///< parts of the residual [N]
  double internal_scale = 0;  ///< sum over layers of |dPsi_i/dq| [N]
  Vector gradient;            ///< of one layer of energy terms
};

/// The vector that holds the force of dissipation term j [N] on its dofs, and other forces beside them.
const Vector& damping_layer(const System& system, const Balance& balance, std::size_t j);
/// The dofs of dissipation term j.
DofRange damping_dofs(const System& system, std::size_t j);

/// Asks for a1 M + v1 (C + dc/dv) + K + d(Ma+c)/dq.
struct TangentRequest {
  double a1 = 0, v1 = 0;
  Projection projection = Projection::none;
  BlockMatrix* matrix = nullptr;
  std::vector<LowRank>* low_rank = nullptr;
  DynamicBlocks* couplings = nullptr;  ///< what lies outside the pattern of the matrix; finished on return
};

/// Which dissipation terms act as forces. Explicit steppers take those that are ImpulsiveLoss as impulses instead.
enum class DissipationSubset { all, without_impulsive };

/// Evaluates the forces at `motion` and, when asked, the tangent in the same pass over the elements.
void evaluate_balance(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                      const StageState& motion, const Instant& instant, const TangentRequest* tangent, Balance& balance,
                      DissipationSubset subset = DissipationSubset::all);
/// The tangent alone.
void evaluate_tangent(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                      const StageState& motion, const Instant& instant, const TangentRequest& tangent,
                      DissipationSubset subset = DissipationSubset::all);
/// Brings a tangent over all dofs to the free ones where some are tied.
void condense_tangent(const System& system, const TangentRequest& tangent);
/// Damping and external forces alone (the start of a step, whose residual is known from the step before).
void evaluate_losses(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                     const StageState& motion, const Instant& instant, Balance& balance,
                     DissipationSubset subset = DissipationSubset::all);

}  // namespace dashpot
