#pragma once
// What follows from an integrator's table. Nothing here knows an integrator by name.
//
// On the oscillator q'' + 2 zeta omega q' + omega^2 q = 0 a table is a linear recurrence y_{n+1} = A y_n over what it
// carries from step to step. A is made by applying the table, as data, to the unit vectors of y; its eigenvalues say
// how the computed motion decays and turns, its spectral radius whether it stays bounded.

#include <complex>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/integrate/integrator.hpp"

namespace dashpot {

/// One step on an oscillator, as a matrix over q, v and, where the table uses them, a, q_{n-1} - q_n, v_{n-1}.
/// An acceleration that balances the forces at the end of each step is not carried but -2 zeta omega v - omega^2 q.
struct Recurrence {
  Matrix step;
  bool carries_a = false, carries_history = false;
};
/// Table of a step of length h [s] after one of the same length; omega [1/s] may be infinite for implicit tables.
Recurrence recurrence(const StageTable& table, double omega, double zeta);

/// Eigenvalues of the recurrence for omega h > 0 (infinite: the limit, implicit integrators only).
std::vector<std::complex<double>> amplification_eigenvalues(const Integrator& integrator, double omega_h,
                                                            double zeta = 0);
/// Largest |eigenvalue|; infinite for explicit integrators at infinite frequency.
double spectral_radius(const Integrator& integrator, double omega_h, double zeta = 0);
/// Largest omega h up to which the recurrence stays bounded; infinite: no limit was found. Looked for at 100
/// frequencies a decade and refined: gaps narrower than that are not seen.
double stability_limit(const Integrator& integrator, double zeta = 0);

/// Order of convergence, as the slope of the error between two step lengths on a driven oscillator with cubic stiffness
/// and damping that depends on position, whose motion is known.
int order(const Integrator& integrator);

int num_stages(const Integrator& integrator);
/// Nonlinear systems solved in a step: the implicit stages.
int solves_per_step(const Integrator& integrator);

/// Whether the step changes the velocity by h times the acceleration of its only stage: one force, one impulse.
bool has_one_impulse(const Integrator& integrator);

/// Energy that appears by itself when a step d at constant speed meets a spring of stiffness k anywhere within the step
/// with equal probability, on average, as a share of k d^2: how well the quadrature of the table follows a kink.
double energy_made_at_kink(const Integrator& integrator);

}  // namespace dashpot
