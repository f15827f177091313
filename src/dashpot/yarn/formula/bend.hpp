#pragma once
// A yarn that turns at a crossing by the angle theta between a = x_1 - x_0 and b = x_2 - x_1, over the length
// L = u_2 - u_0 of yarn in both segments: bending strain eps = theta/L [1/m], energy
//     V = B L eps^2 = B theta^2/L,
// which is B kappa^2/2 over the half lengths beside the crossing, kappa = 2 theta/L. [reference ABCE, 2.5 and 2.6]
//
// theta^2 is a smooth function of c = a.b/(|a||b|) up to theta = pi, although theta is not at 0. Its derivatives are
// taken along the directions in which the bend opens (in the plane of a and b) and in which that plane tips: with a
// normal n of the plane,
//     in-plane      dtheta = da . (a x n)/|a|^2 + db . (n x b)/|b|^2,
//     out of plane  alpha = da . n/|a|,  beta = db . n/|b|.
// Where a and b are parallel any n across them will do: what is made of it is the same for all.

#include "dashpot/math/scalar.hpp"
#include "dashpot/math/vector3.hpp"

namespace dashpot::formula {

template <class T>
struct Bend {
  math::Vector3<T> a, b;  ///< [m]
  T L;                    ///< [m]
};

/// A gradient in (a, b, L).
template <class T>
struct BendGradient {
  math::Vector3<T> a, b;
  T L;
};
template <class T>
DASHPOT_FORMULA inline T dot(const BendGradient<T>& g, const BendGradient<T>& h) {
  return math::dot(g.a, h.a) + math::dot(g.b, h.b) + g.L * h.L;
}

/// The angle and the frame of a bend.
template <class T>
struct BendFrame {
  T over_a, over_b;           ///< 1/|a|, 1/|b|
  T sine, cosine, angle;      ///< of theta
  math::Vector3<T> normal;    ///< n
  BendGradient<T> of_angle;   ///< dtheta; its L is zero
  BendGradient<T> of_strain;  ///< d(theta/L)
};

/// n across a, the nearest to an axis.
template <class T>
DASHPOT_FORMULA inline math::Vector3<T> any_normal(const math::Vector3<T>& a) {
  using math::abs, math::select, math::sqrt;
  const auto x_is_least = abs(a.x) <= abs(a.y) && abs(a.x) <= abs(a.z);
  const auto y_is_least = abs(a.y) <= abs(a.z);
  const math::Vector3<T> axis = {select(x_is_least, T(1), T(0)),
                                 select(x_is_least, T(0), select(y_is_least, T(1), T(0))),
                                 select(x_is_least, T(0), select(y_is_least, T(0), T(1)))};
  const math::Vector3<T> n = cross(a, axis);
  return (T(1) / sqrt(math::dot(n, n))) * n;
}

template <class T>
DASHPOT_FORMULA inline BendFrame<T> bend_frame(const Bend<T>& bend) {
  using math::atan2, math::select, math::sqrt;
  const math::Vector3<T>&a = bend.a, &b = bend.b;
  BendFrame<T> f;
  f.over_a = T(1) / sqrt(math::dot(a, a));
  f.over_b = T(1) / sqrt(math::dot(b, b));
  const math::Vector3<T> across = (f.over_a * f.over_b) * cross(a, b);
  f.sine = sqrt(math::dot(across, across));
  f.cosine = (f.over_a * f.over_b) * math::dot(a, b);
  f.angle = atan2(f.sine, f.cosine);
  const auto is_bent = f.sine > T(1e-9);
  const T r = T(1) / select(is_bent, f.sine, T(1));
  const math::Vector3<T> other = any_normal(a);
  f.normal = {select(is_bent, r * across.x, other.x), select(is_bent, r * across.y, other.y),
              select(is_bent, r * across.z, other.z)};
  f.of_angle = {(f.over_a * f.over_a) * cross(a, f.normal), (f.over_b * f.over_b) * cross(f.normal, b), T(0)};
  const T over_L = T(1) / bend.L;
  f.of_strain = {over_L * f.of_angle.a, over_L * f.of_angle.b, -f.angle * over_L * over_L};
  return f;
}

/// theta/sin(theta), 1 where the bend is straight.
template <class T>
DASHPOT_FORMULA inline T over_sine(const BendFrame<T>& f) {
  using math::select;
  const auto is_bent = f.sine > T(1e-4);
  return select(is_bent, f.angle / select(is_bent, f.sine, T(1)), T(1) + f.angle * f.angle / T(6));
}

/// V [J] and its gradient: 2 B theta dtheta/L - B theta^2/L^2 dL.
template <class T>
DASHPOT_FORMULA inline T bend_energy(const T& B, const Bend<T>& bend, const BendFrame<T>& f,
                                     BendGradient<T>& gradient) {
  const T moment = T(2) * B * f.angle / bend.L, energy = T(0.5) * moment * f.angle;
  gradient = {moment * f.of_angle.a, moment * f.of_angle.b, -energy / bend.L};
  return energy;
}

/// A semidefinite stand-in for the Hessian of V, as a sum of squares: 2 B L d(eps)^2 + tip (alpha - beta)^2. Out of
/// plane the Hessian is (2 B/L)(theta/sin theta) (cos theta (alpha^2 + beta^2) - 2 alpha beta), whose part along
/// alpha = beta, a turn of the whole bend, is not positive; the other is kept.
template <class T>
struct BendSquares {
  T in_plane;  ///< 2 B L
  T tip;       ///< (B/L) theta cot(theta/2)
};
template <class T>
DASHPOT_FORMULA inline BendSquares<T> bend_squares(const T& B, const Bend<T>& bend, const BendFrame<T>& f) {
  return {T(2) * B * bend.L, B / bend.L * over_sine(f) * (T(1) + f.cosine)};
}

/// How the plane of a bend tips: alpha - beta and alpha + beta, as gradients.
template <class T>
DASHPOT_FORMULA inline BendGradient<T> tipping(const BendFrame<T>& f, int sign) {
  return {f.over_a * f.normal, (T(sign) * f.over_b) * f.normal, T(0)};
}

/// Dissipation of bending with the coefficient beta [s]:
///     V_d = beta B L [ epsdot^2 + sigma (theta/sin theta)^2 (alphadot^2 - 2 cos theta alphadot betadot +
///     betadot^2)/L^2 ],
/// the second part that of the vector strain k/L, k = theta n, where theta is small: there n has no direction, and a
/// damping of theta alone would leave a straight yarn without any. sigma = 1 - smoothstep(theta; begin, end). It costs
/// objectivity: a rigid rotation across n is damped by sigma theta^2. [reference ABCE, section 2.5]
constexpr double blend_begin = 0.05, blend_end = 0.1;  // [rad]

template <class T>
struct BendViscosity {
  T in_plane;                 ///< 2 beta B L
  T tip_difference, tip_sum;  ///< factors of (alphadot - betadot)^2 and of (alphadot + betadot)^2 in 2 V_d
};
template <class T>
DASHPOT_FORMULA inline BendViscosity<T> bend_viscosity(const T& beta_B, const Bend<T>& bend, const BendFrame<T>& f) {
  using math::max, math::min;
  const T t = min(max((f.angle - T(blend_begin)) / T(blend_end - blend_begin), T(0)), T(1));
  const T sigma = T(1) - t * t * (T(3) - T(2) * t), s = over_sine(f);
  const T tip = beta_B * sigma * s * s / bend.L;
  return {T(2) * beta_B * bend.L, tip * (T(1) + f.cosine), tip * (T(1) - f.cosine)};
}

/// Second derivatives in (a, b), row-major: ab[3 i + j] belongs to a_i and b_j.
template <class T>
struct PairHessian {
  T aa[9], ab[9], bb[9];
};
/// scale d2c + square g g^T, c = cos theta.
template <class T>
DASHPOT_FORMULA inline PairHessian<T> pair_hessian(const Bend<T>& bend, const BendFrame<T>& f, const T& scale,
                                                   const T& square, const math::Vector3<T>& ga,
                                                   const math::Vector3<T>& gb) {
  const T c = f.cosine;
  const math::Vector3<T> A = f.over_a * bend.a, C = f.over_b * bend.b;  // unit vectors
  const T of_aa = scale * f.over_a * f.over_a, of_bb = scale * f.over_b * f.over_b, of_ab = scale * f.over_a * f.over_b;
  PairHessian<T> H;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const T unit = i == j ? T(1) : T(0), mixed = C[i] * A[j] + A[i] * C[j];
      H.aa[3 * i + j] = square * ga[i] * ga[j] + of_aa * (T(3) * c * A[i] * A[j] - mixed - c * unit);
      H.bb[3 * i + j] = square * gb[i] * gb[j] + of_bb * (T(3) * c * C[i] * C[j] - mixed - c * unit);
      H.ab[3 * i + j] = square * ga[i] * gb[j] + of_ab * (unit - C[i] * C[j] - A[i] * A[j] + c * A[i] * C[j]);
    }
  return H;
}

/// The exact Hessian of V, in (a, b, L). With theta^2 = phi(c),
///     phi' = -2 theta/sin theta,    phi'' = 2 (1 - theta cot theta)/sin^2 theta.
template <class T>
struct BendHessian {
  PairHessian<T> of_pair;
  math::Vector3<T> aL, bL;
  T LL;
};
template <class T>
DASHPOT_FORMULA inline BendHessian<T> bend_hessian(const T& B, const Bend<T>& bend, const BendFrame<T>& f) {
  using math::select;
  const T slope = T(-2) * over_sine(f), t2 = f.angle * f.angle;
  const auto is_bent = f.sine > T(0.02);
  const T s = select(is_bent, f.sine, T(1));
  const T curvature = select(is_bent, T(2) * (T(1) - f.angle * f.cosine / s) / (s * s),
                             T(2.0 / 3) + T(4.0 / 15) * t2 + T(4.0 / 63) * t2 * t2);
  const T k = B / bend.L, over_L = T(1) / bend.L;
  const math::Vector3<T> A = f.over_a * bend.a, C = f.over_b * bend.b;
  const math::Vector3<T> p = f.over_a * (C - f.cosine * A), r = f.over_b * (A - f.cosine * C);  // dc/da, dc/db
  BendHessian<T> H;
  H.of_pair = pair_hessian(bend, f, k * slope, k * curvature, p, r);
  H.aL = (-k * over_L * slope) * p;
  H.bL = (-k * over_L * slope) * r;
  H.LL = T(2) * k * over_L * over_L * t2;
  return H;
}

}  // namespace dashpot::formula
