#pragma once
// Scalar laws of contact: energy of a gap, rate-dependent resistance, friction against slip speed. Pure functions of a
// few numbers, templated on the scalar (double, pack), so that colliders and deformable pairs share them.
//
// Penalty [J/m^2] of the gap g [m] (negative: overlap), stiffness k [Pa/m], onset width w [m]:
//
//     with p = w/2 - g:   0                      p <= 0
//                         k p^3 / (6 w)          0 < p < w      (psi'' rises linearly from 0 to k)
//                         k (g^2/2 + w^2/24)     p >= w         (a linear spring, force -k g)
//
// Twice continuously differentiable; zero beyond g = w/2; deeper than w/2 it is a linear spring whose zero is g = 0.
// Times an area [m^2] it is an energy; a stiffness in N/m in place of k A does the same for a single point.
//
// Normal damping (Hunt-Crossley [HuntCrossley1975], limited): the pressure p of the penalty becomes
//     p (1 - chi(c u)),   u: separation speed [m/s],   chi(y) = y for y <= 0, y / (1 + y) for y > 0.
// Since chi < 1 it never pulls; since chi has the sign of u it never feeds. For a point mass the restitution e at
// impact speed v depends on y = c v alone, whatever mass, stiffness and onset: y - ln(1 + y) = (e y)^2/2 + (e y)^3/3.
//
// Friction (Coulomb, made smooth below the speed v_eps): |f| = mu N phi(s), s = |v_t| / v_eps,
//     phi(s) = 2 s - s^2 (s < 1), 1 otherwise [LiEtAl2020, eq. 18 with speeds in place of displacements].

#include "dashpot/math/scalar.hpp"

namespace dashpot::contact {

/// Energy per area [J/m^2] and its derivatives in the gap [Pa], [Pa/m].
template <class T>
struct Penalty {
  T value, slope, curvature;
};

/// slope <= 0: the pressure is -slope.
template <class T>
[[gnu::always_inline]] inline Penalty<T> penalty(T gap, T stiffness, T onset) {
  using math::max;
  using math::select;
  const T p = max(onset * T(0.5) - gap, T(0));
  const T over = p / onset;
  const auto deep = onset <= p;
  return {select(deep, stiffness * (T(0.5) * gap * gap + onset * onset * T(1.0 / 24)),
                 stiffness * p * p * over * T(1.0 / 6)),
          select(deep, stiffness * gap, stiffness * p * over * T(-0.5)), select(deep, stiffness, stiffness * over)};
}

/// chi(y) and its derivative; y = damping [s/m] times separation speed [m/s].
template <class T>
struct RateFactor {
  T value, slope;
};
template <class T>
[[gnu::always_inline]] inline RateFactor<T> rate_factor(T y) {
  using math::max;
  const T down = T(1) / (T(1) + max(y, T(0)));
  return {y * down, down * down};
}

/// phi(speed / v_eps) / speed [s/m], finite at speed = 0.
template <class T>
[[gnu::always_inline]] inline T friction_over_speed(T speed, T v_eps) {
  using math::max;
  using math::select;
  return select(speed < v_eps, (T(2) - speed / v_eps) / v_eps, T(1) / max(speed, v_eps));
}
/// d phi / d speed [s/m].
template <class T>
[[gnu::always_inline]] inline T friction_slope(T speed, T v_eps) {
  using math::select;
  return select(speed < v_eps, T(2) * (T(1) - speed / v_eps) / v_eps, T(0));
}
/// Integral of phi over speed [m/s]: the dissipation potential over mu N.
template <class T>
[[gnu::always_inline]] inline T friction_potential(T speed, T v_eps) {
  using math::select;
  const T s = speed / v_eps;
  return select(speed < v_eps, v_eps * s * s * (T(1) - s * T(1.0 / 3)), speed - v_eps * T(1.0 / 3));
}

}  // namespace dashpot::contact
