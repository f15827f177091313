#pragma once
// The longest step of the explicit steppers with velocity filters. One step of symplectic Euler, and of leapfrog in its
// half-step velocities, is
//     v+ = B (v - h M^-1 K q),   q+ = q + h v+,
// with B what the filters do together. Solutions lambda^n satisfy (lambda^2 B^-1 - lambda (B^-1 + I - h^2 M^-1 K) + I)
// q = 0. If B is self-adjoint in the inner product of M and 0 < B <= I, they stay bounded exactly while
//     h^2 M^-1 K < 2 (B^-1 + I),   that is   h^2 lambda_max( B (I + B)^-1 M^-1 K ) < 2:
// damping makes longer steps possible; motions that B takes out altogether set no limit. For one oscillator and
// B = 1 - gamma it reads h omega < sqrt(2 (2 - gamma)/(1 - gamma)). Where B reverses a motion (an eigenvalue < 0) that
// resists, some lambda is real and above 1 for every h: a filter that overshoots is never stable here.
//
// B depends on h through its rates. h <- sqrt(2/lambda_max(h)) rises from the undamped limit to the smallest h that
// solves the condition, since lambda_max falls with h: every iterate is safe. Limits: K, B at one state; dissipation
// terms not included; filters that are not linear and self-adjoint are found out on a few vectors and give no result.

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

struct FilteredLimit {
  enum class Kind {
    modes,       ///< dt is where a mode becomes unstable; infinite: none does
    overshoot,   ///< dt is where the filters begin to reverse motions
    not_linear,  ///< the filters are not linear, not self-adjoint or add energy: dt is the undamped limit
  };
  Kind kind = Kind::modes;
  double dt = 0;  ///< longest step [s]
};

/// `K` is the tangent of the energies at `state`, over the free dofs (folded where tied); `undamped_dt` = 2/omega_max.
FilteredLimit filtered_limit(const System& system, const State& state, const BlockMatrix& K, double undamped_dt);

}  // namespace dashpot
