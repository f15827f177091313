#pragma once
// Losses that an explicit stepper takes as impulses: friction, impact damping. As a force f(v_n) such a loss overshoots
// where its slope c gives c h/m > 2: it reverses the motion it should stop, and creates energy. As an impulse it
// cannot:
//
//     v+ = v* - R p,   p = sum J^T lambda,   lambda = h f(u+),   u+ = J v+ - v_given,
//
// R the response of the velocities to impulses (M^-1 on free dofs). Where f is the gradient of a convex potential the
// kinetic energy falls, p . (v* + v+)/2 >= 0 (relative to what is given), for every h, slope and mass, and u+ never
// points against u*. As h -> 0 it is the force.
//
// A term knows nothing of M. It is given w, one number per dof, with R <= diag(w) as quadratic forms; then
//     p . v* - p . R p/2 >= p . v* - p . diag(w) p/2,
// so that what a term proves with w holds for R. For lumped masses w = 1/m and R = diag(w).
// Implicit steppers use DissipationTerm::evaluate, and never ask for impulses.

#include <vector>

#include "dashpot/model/state.hpp"

namespace dashpot {

struct ImpulseRequest {
  const Vector& q;               ///< where normal forces are taken
  double time = 0, elapsed = 0;  ///< of q: instant and time since the start of the step [s]
  double dt = 0;                 ///< how long the loss acts [s]
  const TermScratch* scratch;    ///< what begin_step left
  const Vector& inverse_mass;    ///< w [1/kg]; 0: prescribed
  /// Null: the law holds at v+. Else at this velocity, which makes the second half of a step of second order; where
  /// that would more than stop a contact, v+ counts again, and no contact is ever more than stopped.
  const Vector* law_velocity = nullptr;
  /// In: impulse of each contact that already acts (empty: none), when filters have changed v since; out: all of it.
  std::vector<Vec3>& lambda;
  Vector& v;        ///< v* -> v* - diag(w) p [m/s]
  Vector& impulse;  ///< += p [N s], what is new in lambda
  double& driven;   ///< += what p gives to prescribed motions, sum of lambda . v_given [J]
};

class ImpulsiveLoss {
 public:
  virtual ~ImpulsiveLoss() = default;
  /// Returns false, and leaves all as it was, when nothing touches.
  virtual bool add_impulse(const ImpulseRequest& request) const = 0;
};

}  // namespace dashpot
