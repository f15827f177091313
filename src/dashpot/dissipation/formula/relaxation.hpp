#pragma once
// A spring and a dashpot in series (a Maxwell element) on a strain E: xi is the strain of the spring, the rest that of
// the dashpot,
//     xi' = E' - xi / tau,   stress C:xi,   stored xi:C:xi / 2,   lost xi:C:xi / tau >= 0.
// With r = dt/tau, where the strain moves evenly from E_n to E within dt, exactly
//     xi = keep xi_n + take (E - E_n),   keep = exp(-r),   take = (1 - keep) / r,
// which is of second order in dt where the rate changes. With the rates at both ends, E as a cubic in time, it is
//     xi = keep xi_n + take (E - E_n) + dt (start E'_n + end E'),   start + end = (1 - keep)/r - take,
// with an error of dt^5 in a step. [SimoHughes1998, section 10.3]

#include <cmath>

#include "dashpot/core/formula.hpp"

namespace dashpot::formula {

/// What is left of xi after dt, and how much of the strain of that time enters it.
struct Relaxation {
  double keep = 1, take = 0;
  double slope = 1;  ///< dxi/dE: take, and its limit 1 at the start of a step
};

/// dt = 0 is the start of a step itself, where xi is what memory says.
DASHPOT_FORMULA inline Relaxation relaxation(double dt, double tau) {
  if (!(dt > 0)) return {};
  const double r = dt / tau;
  if (r > 0.1) {
    const double keep = std::exp(-r), take = (1 - keep) / r;
    return {keep, take, take};
  }
  // Series of (1 - exp(-r)) / r, in pairs: no cancellation, and cheaper than the exponential. The first term left out
  // is r^9/10!.
  const double s = r * r;
  const double low = (1 - r * (1.0 / 2)) + s * (1.0 / 6 - r * (1.0 / 24)),
               high = (1.0 / 120 - r * (1.0 / 720)) + s * (1.0 / 5040 - r * (1.0 / 40320));
  const double take = low + (s * s) * (high + (s * s) * (1.0 / 362880));
  return {1 - r * take, take, take};
}

/// The same with the rates at both ends of the step.
struct RateRelaxation {
  double keep = 1, take = 0, start = 0, end = 0;
};

/// E'(u) = (1 - u) E'_n + u E' + 6 u (1 - u) [(E - E_n)/dt - (E'_n + E')/2], u = t/dt, against exp(-r (1 - u)).
DASHPOT_FORMULA inline RateRelaxation rate_relaxation(double dt, double tau) {
  if (!(dt > 0)) return {};
  const double r = dt / tau;
  double m[3];  // integrals of w^j exp(-r w) over [0, 1]
  const double keep = std::exp(-r);
  if (r > 0.5) {
    m[0] = (1 - keep) / r;
    m[1] = (m[0] - keep) / r;
    m[2] = (2 * m[1] - keep) / r;
  } else {
    for (int j = 0; j < 3; ++j) {
      double term = 1;
      m[j] = 1.0 / (j + 1);
      for (int n = 1; n < 16; ++n) {
        term *= -r / n;
        m[j] += term / (j + 1 + n);
      }
    }
  }
  const double bump = m[1] - m[2];
  return {keep, 6 * bump, m[1] - 3 * bump, m[0] - m[1] - 3 * bump};
}

}  // namespace dashpot::formula
