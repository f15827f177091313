#pragma once
// Viscous stress in the rate of the Green strain E = (F^T F - I)/2, in rest coordinates [reference ABCE, section 2.1]:
//     Edot = sym(F^T Fdot),   S = 2 eta Edot + lambda_d tr(Edot) I,   P = F S,
// which derives from the dissipation potential R = eta Edot : Edot + lambda_d/2 tr(Edot)^2 >= 0; P : Fdot = 2 R. Rigid
// motion of the deformed body has Edot = 0. R >= 0 for eta >= 0 and 3 lambda_d + 2 eta >= 0.

#include "dashpot/math/matrix3.hpp"

namespace dashpot::formula {

/// Shear viscosity eta and second viscosity lambda_d [Pa s] of one element (T = double) or of four.
template <class T>
struct Viscosities {
  T eta, lambda;
};

/// sym(F^T Fdot) [1/s].
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> green_strain_rate(const math::Matrix3<T>& F, const math::Matrix3<T>& Fdot) {
  const auto dot = [](const math::Matrix3<T>& A, int i, const math::Matrix3<T>& B, int j) {
    return A(0, i) * B(0, j) + A(1, i) * B(1, j) + A(2, i) * B(2, j);
  };
  math::Symmetric3<T> rate;
  for (int i = 0; i < 3; ++i) {
    rate(i, i) = dot(F, i, Fdot, i);
    for (int j = i + 1; j < 3; ++j) rate(i, j) = T(0.5) * (dot(F, i, Fdot, j) + dot(F, j, Fdot, i));
  }
  return rate;
}

/// S of a strain rate [Pa].
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> viscous_stress(const Viscosities<T>& m, const math::Symmetric3<T>& rate) {
  math::Symmetric3<T> S;
  const T twice = T(2) * m.eta, pressure = m.lambda * (rate.m[0] + rate.m[1] + rate.m[2]);
  for (int k = 0; k < 3; ++k) S.m[k] = twice * rate.m[k] + pressure;
  for (int k = 3; k < 6; ++k) S.m[k] = twice * rate.m[k];
  return S;
}

}  // namespace dashpot::formula
