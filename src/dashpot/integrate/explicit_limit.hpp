#pragma once
// The longest step an explicit stepper can take. An oscillator of angular frequency w and damping ratio z stays bounded
// while w dt <= x(z): symplectic Euler x = 2 (sqrt(1 + z^2) - z), leapfrog x = 2 for z = 0 and less with damping, whose
// velocity it predicts. The highest frequency of the body is what counts. It is found by Lanczos iterations on
// M^-1/2 K M^-1/2 at the start, with the residual added, so that it errs on the high side; z is the damping of that
// mode at the velocities of the start. Contacts that do not press yet, stiffening under load and dampings that hold no
// matrix are not foreseen. Velocity filters allow longer steps, or forbid those that make them overshoot
// (integrate/filtered_limit.hpp); damping terms then shorten that step by the same factor as they would without
// filters, which is on the safe side.

#include "dashpot/integrate/filtered_limit.hpp"
#include "dashpot/integrate/stepper.hpp"

namespace dashpot {

struct ExplicitLimit {
  double omega = 0;                    ///< highest angular frequency [rad/s]
  double zeta = 0;                     ///< damping ratio of that mode at the velocities of `state`
  bool zeta_depends_on_speed = false;  ///< some damping is not linear in the velocity
  double dt = 0;                       ///< longest step [s]; infinite when nothing vibrates
  double dt_without_filters = 0;       ///< [s]
  FilteredLimit::Kind filters = FilteredLimit::Kind::modes;  ///< what sets dt when there are filters
};
/// `state` must be a state of the System; masses are lumped by rows. Only for explicit integrators.
ExplicitLimit explicit_limit(const System& system, const State& state, const Integrator& integrator);

}  // namespace dashpot
