#pragma once
// Densities of dissipation Psi_d(e) [W/m^3] of a symmetric strain rate e [1/s], whatever strain that is the rate of:
// the stress T = dPsi_d/de [Pa] and its derivative.
//
//   Newtonian      Psi_d = lambda/2 tr(e)^2 + mu e:e,   T = lambda tr(e) I + 2 mu e
//   power law      T = lambda tr(e) I + 2 mu a(r) e,    a = ((r^2 + (r_0/1000)^2) / r_0^2)^((n-1)/2),   r^2 = 2 e:e
//
// n < 1 thins, n > 1 thickens with the rate; at the rate r_0 the viscosity is mu. Below a thousandth of it the law is
// Newtonian: that keeps dT/de finite at rest. Psi_d is convex, and T:e >= 0, for n > 0, mu >= 0 and 3 lambda + 2 mu a
// >= 0.

#include "dashpot/math/matrix3.hpp"

namespace dashpot::formula {

/// Shear viscosity mu and second viscosity lambda [Pa s] of one element (T = double) or of four.
template <class T>
struct Viscosities {
  T mu, lambda;
};

/// r_0 [1/s] and n; n = 1: Newtonian.
struct PowerLaw {
  double exponent = 1, reference_rate = 1;
};

/// dT = lambda tr(de) I + 2 mu de + along (e:de) e.
template <class T>
struct RateStiffness {
  T lambda, mu, along;
  math::Symmetric3<T> e;
};

/// A:B.
template <class T>
DASHPOT_FORMULA inline T contract(const math::Symmetric3<T>& A, const math::Symmetric3<T>& B) {
  return A.m[0] * B.m[0] + A.m[1] * B.m[1] + A.m[2] * B.m[2] +
         T(2) * (A.m[3] * B.m[3] + A.m[4] * B.m[4] + A.m[5] * B.m[5]);
}

template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> isotropic_stress(T lambda, T mu, const math::Symmetric3<T>& e) {
  math::Symmetric3<T> S;
  const T twice = T(2) * mu, pressure = lambda * (e.m[0] + e.m[1] + e.m[2]);
  for (int k = 0; k < 3; ++k) S.m[k] = twice * e.m[k] + pressure;
  for (int k = 3; k < 6; ++k) S.m[k] = twice * e.m[k];
  return S;
}

template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> apply(const RateStiffness<T>& D, const math::Symmetric3<T>& de) {
  math::Symmetric3<T> S = isotropic_stress(D.lambda, D.mu, de);
  const T amount = D.along * contract(D.e, de);
  for (int k = 0; k < 6; ++k) S.m[k] += amount * D.e.m[k];
  return S;
}

/// T of a strain rate; D, where asked for.
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> rate_stress(const Viscosities<T>& m, const PowerLaw& law,
                                                       const math::Symmetric3<T>& e, RateStiffness<T>* D) {
  T mu = m.mu, along = T(0);
  if (law.exponent != 1) {
    using math::pow;
    const double r0 = law.reference_rate, power = 0.5 * (law.exponent - 1);
    const T square = (T(2) * contract(e, e) + T(1e-6 * r0 * r0)) / T(r0 * r0);
    mu *= pow(square, power);
    along = T(8 * power / (r0 * r0)) * mu / square;  // dT = 2 dmu e, dmu = mu power / square * 4 e:de / r_0^2
  }
  if (D != nullptr) *D = {m.lambda, mu, along, e};
  return isotropic_stress(m.lambda, mu, e);
}

}  // namespace dashpot::formula
