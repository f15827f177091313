#pragma once
// What a System's own dampings do to one vibration mode. While the mode phi swings with amplitude a,
//     q(t) = q + a sin(omega t) phi,   v(t) = a omega cos(omega t) phi,
// damping j takes the mean power P_j, and its damping ratio is that of a linear damping that takes as much:
//     zeta_j = P_j / (a^2 omega^3  phi . M phi).
// For dampings that are linear in the velocity and vanishing amplitudes this is phi . C phi / (2 omega phi . M phi). A
// velocity filter v -> v' counts as the force M (v - v') / dt. The ratios add up to what a ring-down of that mode
// shows, apart from the integrator's own (numerical_damping.hpp).
//
// Dampings with memory (model/oscillation_response.hpp) stiffen the mode too: it swings and dies out with exp(s t),
//     s^2 phi . M phi + phi . K phi + sum_j W_j(s) = 0,   W_j(s) = phi . K*_j(s) phi,
// its frequency is |s|, and zeta_j = Im W_j / (2 |s| Im(s) phi . M phi). At vanishing damping that is the loss factor
// over two. Their coupling of modes is left out: where they act in proportion to the stiffness there is none.
#include <string>
#include <vector>

#include "dashpot/model/system.hpp"

namespace dashpot::analysis {

struct ModalDamping {
  std::string name;  ///< "<body>.<model>"
  double zeta = 0;   ///< [-]
};

/// One entry per dissipation term, then per velocity filter. `shape` has num_dofs entries and is zero where prescribed;
/// omega > 0 [rad/s], by energies alone; dt > 0 [s] is the step filters act over; amplitude >= 0: `a`, in units of
/// `shape`; 0: vanishing.
std::vector<ModalDamping> modal_damping(const System& system, const State& at, const Vector& shape, double omega,
                                        double dt, double amplitude = 0);

/// Frequency |s| [rad/s] of a mode whose frequency is omega by energies alone: with the memory of dampings.
double omega_with_memory(const System& system, const State& at, const Vector& shape, double omega,
                         double amplitude = 0);

/// Whether the ratios depend on the amplitude: some damping is neither constant nor, at fixed shape, linear.
bool depends_on_amplitude(const System& system);

}  // namespace dashpot::analysis
