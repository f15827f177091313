#pragma once
// Friction against sliding at a crossing: a spring k_f [N/m] from where the yarn last stuck, anchored at the label
// ubar, and a damper c [N s/m] beside it, together never more than Coulomb's mu N:
//     F = k_f (u - ubar) + c udot,    |F| <= mu N.
// Where the bound is met, yarn slides: the anchor follows, ubar = u - F/k_f. Capping the spring alone would leave the
// damper free to exceed Coulomb. [reference ABCE, section 2.6]

#include "dashpot/math/scalar.hpp"

namespace dashpot::formula {

struct SlidingFriction {
  double force = 0;                  ///< F, on the side of the damping forces [N]
  double by_label = 0, by_rate = 0;  ///< dF/du [N/m], dF/d(udot) [N s/m]; zero while sliding
  double stretch = 0;                ///< u - ubar afterwards [m]
};

/// `most`: mu N [N]; `stretch`: u - ubar while the anchor stays [m].
DASHPOT_FORMULA inline SlidingFriction sliding_friction(double k_f, double c, double most, double stretch,
                                                        double rate) {
  const double trial = k_f * stretch + c * rate;
  if (math::abs(trial) <= most) return {trial, k_f, c, stretch};
  const double force = math::with_sign(most, trial);
  return {force, 0, 0, force / k_f};
}

}  // namespace dashpot::formula
