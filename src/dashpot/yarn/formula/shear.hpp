#pragma once
// Shear at a crossing: the angle phi between a warp segment a and a weft segment b that begin there,
//     V = k (phi - pi/2)^2/2,    k [N m].    [reference ABCE, section 2.6]
// phi is the angle of a bend (bend.hpp) with another zero.

#include <numbers>

#include "dashpot/yarn/formula/bend.hpp"

namespace dashpot::formula {

/// V [J], its gradient in (a, b), and its torque k (phi - pi/2) [N m].
template <class T>
DASHPOT_FORMULA inline T shear_energy(const T& k, const BendFrame<T>& f, BendGradient<T>& gradient) {
  const T shear = f.angle - T(std::numbers::pi / 2), torque = k * shear;
  gradient = {torque * f.of_angle.a, torque * f.of_angle.b, T(0)};
  return T(0.5) * torque * shear;
}

/// The exact Hessian k dphi^2 + torque d2phi, where phi is not 0 or pi:
///     d2phi = -(d2c + cos phi dphi^2)/sin phi.
template <class T>
DASHPOT_FORMULA inline PairHessian<T> shear_hessian(const T& k, const Bend<T>& corner, const BendFrame<T>& f) {
  const T pull = k * (f.angle - T(std::numbers::pi / 2)) / f.sine;
  return pair_hessian(corner, f, -pull, k - pull * f.cosine, f.of_angle.a, f.of_angle.b);
}

}  // namespace dashpot::formula
