#pragma once
// Between the normal damping c [s/m] of penalty_law.hpp and the coefficient of restitution e at an impact speed v:
//     y - ln(1 + y) = (e y)^2/2 + (e y)^3/3,   y = c v.
// Left: energy per mass that reaches the penalty on the way in; right: what it gives back. Exact for a point mass
// (or a body whose nodes hit together) without other forces; a deformable body also keeps energy in vibration.

namespace dashpot::contact {

/// Restitution e in (0, 1] of damping c >= 0 [s/m] at impact speed v > 0 [m/s].
double restitution_of(double damping, double speed);
/// Damping [s/m] that gives restitution e at impact speed v > 0 [m/s]. Throws Error unless 0 < e <= 1.
double damping_for_restitution(double restitution, double speed);

}  // namespace dashpot::contact
