#pragma once
// Densities of dissipation Psi_d(e) [W/m^3] of a symmetric strain rate e [1/s], whatever strain that is the rate of:
// the stress T = dPsi_d/de [Pa] and its derivative. a is a factor of the rate's size r, 1 in Newtonian laws.
//
//   isotropic      T = lambda tr(e) I + 2 mu a(r) e,     r^2 = 2 e:e
//   anisotropic    T = a(r) D:e,                         r^2 = (e:D:e) / mu_D,  mu_D the mean of D's shear viscosities
//
// so that r is the shear rate in simple shear. Psi_d is convex, and T:e >= 0, where r a(r) does not fall, D >= 0,
// mu >= 0 and 3 lambda + 2 mu a >= 0. A power law is
//
//   a = ((r^2 + (r_0/1000)^2) / r_0^2)^((n-1)/2):
//
// n < 1 thins, n > 1 thickens with the rate; at the rate r_0 the viscosity is the one given. Below a thousandth of it
// the law is Newtonian: that keeps dT/de finite at rest.

#include "dashpot/math/matrix3.hpp"
#include "dashpot/math/scalar.hpp"

namespace dashpot::formula {

/// r_0 [1/s] and n; n = 1: Newtonian.
struct PowerLaw {
  double exponent = 1, reference_rate = 1;
};

/// a and da/d(r^2).
template <class T>
struct RateFactor {
  T factor, slope;
};

template <class T>
DASHPOT_FORMULA inline RateFactor<T> power_factor(const PowerLaw& law, T square_of_rate) {
  using math::pow;
  const double r0 = law.reference_rate, power = 0.5 * (law.exponent - 1);
  const T square = (square_of_rate + T(1e-6 * r0 * r0)) / T(r0 * r0), factor = pow(square, power);
  return {factor, T(power / (r0 * r0)) * factor / square};
}

/// Shear viscosity mu and second viscosity lambda [Pa s] of one element (T = double) or of four.
template <class T>
struct Viscosities {
  T mu, lambda;
};

/// dT = lambda tr(de) I + 2 mu de + along (e:de) e.
template <class T>
struct IsotropicRateStiffness {
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
DASHPOT_FORMULA inline math::Symmetric3<T> apply(const IsotropicRateStiffness<T>& D, const math::Symmetric3<T>& de) {
  math::Symmetric3<T> S = isotropic_stress(D.lambda, D.mu, de);
  const T amount = D.along * contract(D.e, de);
  for (int k = 0; k < 6; ++k) S.m[k] += amount * D.e.m[k];
  return S;
}

/// T of an isotropic law, with the factor at r^2 = 2 e:e; sets D.
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> isotropic_rate_stress(const Viscosities<T>& m, const RateFactor<T>& a,
                                                                 const math::Symmetric3<T>& e,
                                                                 IsotropicRateStiffness<T>& D) {
  D = {m.lambda, m.mu * a.factor, T(8) * m.mu * a.slope, e};  // dT = 2 dmu e, dmu = mu slope 4 e:de
  return isotropic_stress(m.lambda, D.mu, e);
}

/// The upper triangle of a symmetric 6 x 6 matrix, row by row, between (e11, e22, e33, 2 e12, 2 e13, 2 e23) and
/// stresses.
template <class T>
struct SolidViscosity {
  T m[21];
};

/// D:e.
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> multiply(const SolidViscosity<T>& D, const math::Symmetric3<T>& e) {
  math::Symmetric3<T> S;
  for (int i = 0; i < 6; ++i) S.m[i] = T(0);
  int entry = 0;
  for (int i = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k, ++entry) {
      S.m[i] += D.m[entry] * (k < 3 ? e.m[k] : T(2) * e.m[k]);
      if (i != k) S.m[k] += D.m[entry] * (i < 3 ? e.m[i] : T(2) * e.m[i]);
    }
  return S;
}

/// dT = a D:de + along ((D:e):de) D:e, in axes turned by V: components there are V^T X V.
template <class T>
struct SolidRateStiffness {
  const SolidViscosity<T>* D;
  T factor, along;
  math::Symmetric3<T> De;  ///< in the turned axes
  math::Matrix3<T> V;
  bool is_turned;
};

/// V X V^T, or V^T X V.
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> turn(const math::Matrix3<T>& V, const math::Symmetric3<T>& X, bool back) {
  math::Matrix3<T> left;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      T sum = T(0);
      for (int l = 0; l < 3; ++l) sum += (back ? V(l, i) : V(i, l)) * X(l, k);
      left(i, k) = sum;
    }
  math::Symmetric3<T> Y;
  for (int i = 0; i < 3; ++i)
    for (int k = i; k < 3; ++k) {
      T sum = T(0);
      for (int l = 0; l < 3; ++l) sum += left(i, l) * (back ? V(l, k) : V(k, l));
      Y(i, k) = sum;
    }
  return Y;
}

template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> multiply_turned(const SolidRateStiffness<T>& D,
                                                           const math::Symmetric3<T>& e) {
  return D.is_turned ? turn(D.V, multiply(*D.D, turn(D.V, e, false)), true) : multiply(*D.D, e);
}

template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> apply(const SolidRateStiffness<T>& D, const math::Symmetric3<T>& de) {
  math::Symmetric3<T> S = multiply_turned(D, de);
  const T amount = D.along * contract(D.De, de);
  for (int k = 0; k < 6; ++k) S.m[k] = D.factor * S.m[k] + amount * D.De.m[k];
  return S;
}

}  // namespace dashpot::formula
