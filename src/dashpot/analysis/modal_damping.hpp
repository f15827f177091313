#pragma once
// What a System's own dampings do to one vibration mode: for a mode shape phi with circular frequency omega,
//     zeta_j = phi . f_j(q, phi) / (2 omega  phi . M phi),
// where f_j is the force of damping j at velocity phi. Exact for dampings that are linear in the velocity (Rayleigh,
// drag); for others it is the ratio at the amplitude given by phi. A velocity filter v -> v' counts as the force M (v -
// v') / dt. The ratios add up to what a ring-down of that mode shows, apart from the integrator's own
// (numerical_damping.hpp).
#include <string>
#include <vector>

#include "dashpot/model/system.hpp"

namespace dashpot::analysis {

struct ModalDamping {
  std::string name;  ///< "<body>.<model>"
  double zeta = 0;   ///< [-]
};

/// One entry per dissipation term, then per velocity filter. `shape` has num_dofs entries and is zero where prescribed;
/// omega > 0 [rad/s]; dt > 0 [s] is the step filters act over.
std::vector<ModalDamping> modal_damping(const System& system, const State& at, const Vector& shape, double omega,
                                        double dt);

}  // namespace dashpot::analysis
