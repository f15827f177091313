#pragma once
// The damping an integrator brings along. A time stepper with step h turns the oscillator q'' + 2 zeta omega q' +
// omega^2 q = 0 into a linear recurrence y_{n+1} = A(omega h, zeta) y_n. Its principal eigenvalue
//     lambda = exp(-(damping) + i (angle)),   exact: exp((-zeta + i sqrt(1 - zeta^2)) omega h),
// says what the computed motion does: -ln|lambda| per step is its decay, arg(lambda) its angle of oscillation.
//     equivalent damping ratio   -ln|lambda| / arg(lambda)       (convention of the integrator literature, Table A1)
//     measured damping ratio     -ln|lambda| / |ln lambda|       (what a ring-down of the computed motion gives)
//     period elongation          (computed period - exact damped period) / exact damped period
// One-step methods on the first-order system have lambda = R(s h), s the exact exponent:
//     backward Euler 1/(1-w); trapezoid, midpoint (1+w/2)/(1-w/2); BDF2 (2 + sqrt(1+2w))/(3-2w);
//     Bathe (4 (1+w/4)/(1-w/4) - 1)/(3-w)  [XuBarbic2017, eq. 20-25].
// Newmark, generalised-alpha [ChungHulbert1993], symplectic Euler and leapfrog: eigenvalues of the amplification
// matrix. Damping of the explicit pair: symplectic Euler takes it from the velocity at the start of the step, leapfrog
// from that velocity advanced by the known acceleration, as the steppers of integrate/ do.
#include <complex>
#include <string>
#include <vector>

namespace dashpot::analysis {

enum class Scheme {
  backward_euler,
  bdf2,
  trapezoid,
  implicit_midpoint,
  newmark,
  generalised_alpha,
  bathe,
  symplectic_euler,
  leapfrog
};

/// A stepper by name, with the parameters it has.
struct SchemeSpec {
  Scheme scheme = Scheme::trapezoid;
  double beta = 0.25;    ///< Newmark beta [-]
  double gamma = 0.5;    ///< Newmark gamma [-]
  double rho_inf = 0.8;  ///< generalised-alpha: spectral radius at infinite frequency, 0..1 [-]
};

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
NumericalDamping numerical_damping(const SchemeSpec& spec, double omega_h, double physical_zeta = 0);

/// Eigenvalues of the recurrence, principal first.
std::vector<std::complex<double>> amplification_eigenvalues(const SchemeSpec& spec, double omega_h,
                                                            double physical_zeta = 0);

/// "backward_euler", "bdf2", ... as written in scenes.
std::string scheme_name(Scheme scheme);
/// All scheme names in the order of the enum.
std::vector<std::string> scheme_names();
/// Inverse of scheme_name; dashpot::Error with the nearest known name.
Scheme scheme_from_name(const std::string& name);

}  // namespace dashpot::analysis
