#pragma once
// The damping an integrator brings along. A time stepper with step h turns the oscillator q'' + 2 zeta omega q' +
// omega^2 q = 0 into a linear recurrence y_{n+1} = A(omega h, zeta) y_n. Its principal eigenvalue
//     lambda = exp(-(damping) + i (angle)),   exact: exp((-zeta + i sqrt(1 - zeta^2)) omega h),
// says what the computed motion does: -ln|lambda| per step is its decay, arg(lambda) its angle of oscillation.
//     equivalent damping ratio   -ln|lambda| / arg(lambda)       (convention of the integrator literature, Table A1)
//     measured damping ratio     -ln|lambda| / |ln lambda|       (what a ring-down of the computed motion gives)
//     period elongation          (computed period - exact damped period) / exact damped period
// A is derived from the integrator's table (integrate/table_analysis.hpp); nothing is said twice.
#include <complex>
#include <vector>

#include "dashpot/integrate/integrator.hpp"

namespace dashpot::analysis {

/// What the stepper does to one oscillator.
struct NumericalDamping {
  double spectral_radius = 1;    ///< largest |eigenvalue| of the recurrence; above 1: unstable
  double period_elongation = 0;  ///< [-]; NaN when the computed motion does not oscillate
  double equivalent_zeta = 0;    ///< -ln|lambda| / arg(lambda), physical damping included [-]
  double zeta = 0;               ///< -ln|lambda| / |ln lambda|: what a ring-down would measure, physical included [-]
  double numerical_zeta = 0;     ///< zeta minus the physical damping ratio [-]
  double energy_lost_per_cycle = 0;  ///< share of the energy lost in one computed period, physical included [-]
  bool is_stable = true;             ///< spectral_radius <= 1 (to round-off)
  bool oscillates = true;            ///< principal eigenvalue is not real
};

/// `omega_h` = 2 pi f dt > 0; `physical_zeta` in [0, 1). dashpot::Error when out of range.
NumericalDamping numerical_damping(const Integrator& integrator, double omega_h, double physical_zeta = 0);

/// Eigenvalues of the recurrence, principal first.
std::vector<std::complex<double>> recurrence_eigenvalues(const Integrator& integrator, double omega_h,
                                                         double physical_zeta = 0);

}  // namespace dashpot::analysis
