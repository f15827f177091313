#pragma once
// One Maxwell element, a spring and a dashpot in series, on the deviator of the Green strain E = (F^T F - I)/2. xi is
// the strain of the spring, e' = dev(E)' - xi/tau the rest:
//     xi' = dev(E)' - xi / tau,   S = 2 G xi,   P = F S,   energy of the spring G xi : xi [J/m^3],
//     loss of the dashpot (2 G / tau) xi : xi >= 0.
// Where the strain moves evenly from E_n to E within dt, exactly
//     xi = keep xi_n + take dev(E - E_n),   keep = exp(-dt/tau),   take = (1 - keep) tau/dt.
// [SimoHughes1998, section 10.3]

#include <cmath>

#include "dashpot/math/matrix3.hpp"

namespace dashpot::formula {

/// What is left of xi after dt, and how much of the strain of that time enters it.
struct Relaxation {
  double keep = 1, take = 0;
};

/// dt = 0 is the start of a step itself, where xi is what memory says.
DASHPOT_FORMULA inline Relaxation relaxation(double dt, double tau) {
  if (!(dt > 0)) return {};
  const double r = dt / tau;
  return {std::exp(-r), -std::expm1(-r) / r};
}

/// Deviator of the Green strain.
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> green_deviator(const math::Matrix3<T>& F) {
  math::Symmetric3<T> e = math::gram(F);
  const T mean = (e.m[0] + e.m[1] + e.m[2]) * T(1.0 / 3);
  for (int k = 0; k < 6; ++k) e.m[k] = T(0.5) * (k < 3 ? e.m[k] - mean : e.m[k]);
  return e;
}

/// a : a.
template <class T>
DASHPOT_FORMULA inline T squared(const math::Symmetric3<T>& a) {
  return a.m[0] * a.m[0] + a.m[1] * a.m[1] + a.m[2] * a.m[2] +
         T(2) * (a.m[3] * a.m[3] + a.m[4] * a.m[4] + a.m[5] * a.m[5]);
}

}  // namespace dashpot::formula
