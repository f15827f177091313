#pragma once
// What a System's own dampings do to one vibration mode. While the mode phi swings with amplitude a,
//     q(t) = q + a sin(omega t) phi,   v(t) = a omega cos(omega t) phi,
// damping j takes the mean power P_j, and its damping ratio is that of a linear damping that takes as much:
//     zeta_j = P_j / (a^2 omega^3  phi . M phi).
// For dampings that are linear in the velocity and vanishing amplitudes this is phi . C phi / (2 omega phi . M phi). A
// velocity filter v -> v' counts as the force M (v - v') / dt. The ratios add up to what a ring-down of that mode
// shows, apart from the integrator's own (numerical_damping.hpp). Dampings with memory are taken as they act at once.
#include <string>
#include <vector>

#include "dashpot/model/system.hpp"

namespace dashpot::analysis {

struct ModalDamping {
  std::string name;  ///< "<body>.<model>"
  double zeta = 0;   ///< [-]
};

/// One entry per dissipation term, then per velocity filter. `shape` has num_dofs entries and is zero where prescribed;
/// omega > 0 [rad/s]; dt > 0 [s] is the step filters act over; amplitude >= 0: `a`, in units of `shape`; 0: vanishing.
std::vector<ModalDamping> modal_damping(const System& system, const State& at, const Vector& shape, double omega,
                                        double dt, double amplitude = 0);

/// Whether the ratios depend on the amplitude: some damping is neither constant nor, at fixed shape, linear.
bool depends_on_amplitude(const System& system);

}  // namespace dashpot::analysis
