#pragma once
// Impulsive losses (model/impulsive_loss.hpp) in a step of an explicit stepper: v <- v - R p, one term after the other.
//
// What the ledger books is p . (v_before + v_after)/2 less what prescribed motions get, the work over the mean velocity
// of the interval: with it kinetic energies close exactly, and a contact that holds a load while nothing moves takes
// nothing. Where a load turns a motion round within one step that mean may point along the impulse although the kinetic
// energy falls; then nothing is booked for the term, and the loss is in `numerical`. So a loss is never negative.
//
// Impulses act before velocity filters, so that a contact that holds a load leaves nothing to filter, and are adjusted
// after them (apply_again), because filters drag along what was held.

#include <vector>

#include "dashpot/integrate/mass_solver.hpp"
#include "dashpot/integrate/step_report.hpp"

namespace dashpot {

/// When and where impulses act.
struct ImpulseInterval {
  const Vector& q;                       ///< positions [m]
  Instant instant;                       ///< of q
  double dt = 0;                         ///< how long [s]
  const Vector* law_velocity = nullptr;  ///< as ImpulseRequest
};

class StepImpulses {
 public:
  /// Whether the System has such losses at all.
  static bool has_any(const System& system);
  /// Changes v. False: M is singular.
  bool apply(const System& system, const Workspace& workspace, const ImpulseInterval& interval, MassSolver& mass,
             Vector& v);
  /// The same interval again, after filters have changed v: what already acts is reckoned in.
  bool apply_again(const System& system, const Workspace& workspace, const ImpulseInterval& interval, MassSolver& mass,
                   Vector& v);
  /// Whether the last call changed anything.
  bool acted() const;
  /// Books the last call; `before` is the velocity at the start of the interval, `after` at its end.
  void book(const System& system, const Vector& q, const Vector& before, const Vector& after, StepWork& work) const;
  /// Adds the last call's forces, which acted for dt [s] and changed velocities by `change`, to reactions.
  void add_reactions(const System& system, const Vector& q, double dt, const Vector& change, Vector& residual) const;

 private:
  struct Acting {
    bool touches = false;
    DofRange dofs;             ///< that the term touches
    Vector p;                  ///< impulse on those dofs [N s]
    double driven = 0;         ///< [J]
    std::vector<Vec3> lambda;  ///< of each contact, both calls together [N s]
  };
  /// Takes back what makes the term push contacts beyond rest as a whole: where w is a bound only, or sweeps ended
  /// early. `start` holds the velocities that may have changed.
  void limit(const System& system, const Vector& start, const DofRange& changed, Acting& acting, Vector& v);

  std::vector<Acting> acting_;  ///< one per dissipation term
  Vector impulse_;              ///< of the term at work, zero elsewhere [N s]
};

}  // namespace dashpot
