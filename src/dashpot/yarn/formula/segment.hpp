#pragma once
// A straight segment of yarn between two crossings, as pure functions of a few numbers. Crossing a is at x_a [m] and
// holds the piece of yarn with the label u_a [m], its arc length from the yarn's beginning; labels slide through
// crossings. All that the segment feels of its place is
//     e = x_1 - x_0,    D = u_1 - u_0 > 0,    w = e / D,
// so the material point with label s is x(s) = ((u_1 - s) x_0 + (s - u_0) x_1)/D.
// [reference ABCE, section 2.6; after CirioEtAl2014]

#include "dashpot/math/scalar.hpp"
#include "dashpot/math/vector3.hpp"

namespace dashpot::formula {

template <class T>
struct Segment {
  math::Vector3<T> e;  ///< [m]
  T D;                 ///< [m]
};

/// A gradient in (e, D), and a symmetric matrix in them: ee (xx, xy, xz, yy, yz, zz), eD, DD.
template <class T>
struct SegmentGradient {
  math::Vector3<T> e;
  T D;
};
template <class T>
struct SegmentHessian {
  T ee[6];
  math::Vector3<T> eD;
  T DD;
};

/// H += along g g^T.
template <class T>
DASHPOT_FORMULA inline void add_square(const T& along, const SegmentGradient<T>& g, SegmentHessian<T>& H) {
  const math::Vector3<T> s = along * g.e;
  H.ee[0] += s.x * g.e.x;
  H.ee[1] += s.x * g.e.y;
  H.ee[2] += s.x * g.e.z;
  H.ee[3] += s.y * g.e.y;
  H.ee[4] += s.y * g.e.z;
  H.ee[5] += s.z * g.e.z;
  H.eD = H.eD + g.D * s;
  H.DD += along * g.D * g.D;
}

/// Stretch eps = |e|/D - 1 and its first two derivatives.
template <class T>
struct SegmentStretch {
  T length, strain;
  math::Vector3<T> direction;
  SegmentGradient<T> gradient;
};

template <class T>
DASHPOT_FORMULA inline SegmentStretch<T> segment_stretch(const Segment<T>& s) {
  using math::sqrt;
  SegmentStretch<T> out;
  out.length = sqrt(dot(s.e, s.e));
  out.strain = out.length / s.D - T(1);
  out.direction = (T(1) / out.length) * s.e;
  out.gradient.e = (T(1) / s.D) * out.direction;
  out.gradient.D = -out.length / (s.D * s.D);
  return out;
}

/// H += scale * d2 eps: across (I - n n^T)/(l D), -n/D^2, 2 l/D^3.
template <class T>
DASHPOT_FORMULA inline void add_strain_curvature(const T& scale, const Segment<T>& s, const SegmentStretch<T>& k,
                                                 SegmentHessian<T>& H) {
  const T across = scale / (k.length * s.D), along = scale / (s.D * s.D);
  const math::Vector3<T>& n = k.direction;
  H.ee[0] += across * (T(1) - n.x * n.x);
  H.ee[1] -= across * n.x * n.y;
  H.ee[2] -= across * n.x * n.z;
  H.ee[3] += across * (T(1) - n.y * n.y);
  H.ee[4] -= across * n.y * n.z;
  H.ee[5] += across * (T(1) - n.z * n.z);
  H.eD = H.eD - along * n;
  H.DD += T(2) * along * k.length / s.D;
}

/// Stretch energy k D eps^2/2 [J] of stiffness k [N], with
///     dV/de = k eps n,    dV/dD = -k (eps + eps^2/2):
/// a stretched yarn is drawn into its segment.
template <class T>
DASHPOT_FORMULA inline T stretch_energy(const T& k, const Segment<T>& s, const SegmentStretch<T>& at,
                                        SegmentGradient<T>& gradient) {
  const T tension = k * at.strain;
  gradient.e = tension * at.direction;
  gradient.D = -tension * (T(1) + T(0.5) * at.strain);
  return T(0.5) * tension * at.strain * s.D;
}

/// H += scale * Hessian of the stretch energy: (k/D) (n, -l/D)(n, -l/D)^T + (tension/l)(I - n n^T); the second part,
/// negative under compression, only where `tension` says so (clamped: max(tension, 0)).
template <class T>
DASHPOT_FORMULA inline void add_stretch_hessian(const T& scale, const T& k, const T& tension, const Segment<T>& s,
                                                const SegmentStretch<T>& at, SegmentHessian<T>& H) {
  add_square(scale * k * s.D, at.gradient, H);
  const T across = scale * tension / at.length;
  const math::Vector3<T>& n = at.direction;
  H.ee[0] += across * (T(1) - n.x * n.x);
  H.ee[1] -= across * n.x * n.y;
  H.ee[2] -= across * n.x * n.z;
  H.ee[3] += across * (T(1) - n.y * n.y);
  H.ee[4] -= across * n.y * n.z;
  H.ee[5] += across * (T(1) - n.z * n.z);
}

/// What moves at the two ends of a segment: velocities of crossings [m/s] and of labels [m/s], or accelerations.
template <class T>
struct SegmentMotion {
  math::Vector3<T> x0, x1;
  T u0, u1;
};

/// Velocities a_0, a_1 of the yarn's material where it lies in the crossings: xdot_a - w udot_a.
template <class T>
struct MaterialEnds {
  math::Vector3<T> a0, a1;
};
template <class T>
DASHPOT_FORMULA inline MaterialEnds<T> material_ends(const Segment<T>& s, const SegmentMotion<T>& m) {
  const T r = T(1) / s.D;
  return {m.x0 - (m.u0 * r) * s.e, m.x1 - (m.u1 * r) * s.e};
}

/// T = rho D (a0.a0 + a0.a1 + a1.a1)/6 [J], rho in [kg/m].
template <class T>
DASHPOT_FORMULA inline T segment_kinetic_energy(const T& rho, const Segment<T>& s, const SegmentMotion<T>& v) {
  const MaterialEnds<T> m = material_ends(s, v);
  return rho * s.D / T(6) * (dot(m.a0, m.a0) + dot(m.a0, m.a1) + dot(m.a1, m.a1));
}

/// Momenta of the ends: p0 = rho D (2 a0 + a1)/6, p1 = rho D (a0 + 2 a1)/6 [kg m/s]. Their sum is the segment's
/// momentum, x0 x p0 + x1 x p1 its angular momentum about the origin.
template <class T>
DASHPOT_FORMULA inline MaterialEnds<T> segment_momenta(const T& rho, const Segment<T>& s, const SegmentMotion<T>& v) {
  const MaterialEnds<T> m = material_ends(s, v);
  const T sixth = rho * s.D / T(6);
  return {sixth * (m.a0 + m.a0 + m.a1), sixth * (m.a0 + m.a1 + m.a1)};
}

/// M a: (p0, p1, -w.p0, -w.p1) of the momenta that the accelerations a would be.
template <class T>
DASHPOT_FORMULA inline SegmentMotion<T> segment_mass_times(const T& rho, const Segment<T>& s,
                                                           const SegmentMotion<T>& a) {
  const MaterialEnds<T> p = segment_momenta(rho, s, a);
  const T r = T(1) / s.D;
  return {p.a0, p.a1, -r * dot(s.e, p.a0), -r * dot(s.e, p.a1)};
}

/// c(q, v) = Mdot v - dT/dq, what remains of the inertial force where nothing is accelerated: yarn that slides through
/// a crossing where it bends is turned round.
template <class T>
DASHPOT_FORMULA inline SegmentMotion<T> segment_convective_force(const T& rho, const Segment<T>& s,
                                                                 const SegmentMotion<T>& v) {
  using V = math::Vector3<T>;
  const T r = T(1) / s.D, third = rho / T(3), sixth = rho / T(6);
  const V w = r * s.e;
  const MaterialEnds<T> m = material_ends(s, v);
  const V &a0 = m.a0, &a1 = m.a1;
  const T Ddot = v.u1 - v.u0;
  const V wdot = r * (v.x1 - v.x0 - Ddot * w);
  const V p0 = (sixth * s.D) * (a0 + a0 + a1), p1 = (sixth * s.D) * (a0 + a1 + a1);
  // d(p_a)/dt at held velocities of crossings and labels
  const V c0 = -v.u0 * wdot, c1 = -v.u1 * wdot;
  const V P0 = (sixth * Ddot) * (a0 + a0 + a1) + (sixth * s.D) * (c0 + c0 + c1);
  const V P1 = (sixth * Ddot) * (a0 + a1 + a1) + (sixth * s.D) * (c0 + c1 + c1);
  // dT/de = -b/D, dT/dD = rho E/2 + w.b/D
  const V b = v.u0 * p0 + v.u1 * p1;
  const T by_D = T(0.5) * third * (dot(a0, a0) + dot(a0, a1) + dot(a1, a1)) + r * dot(w, b);
  const V by_e = -r * b;
  return {P0 + by_e, P1 - by_e, -dot(wdot, p0) - dot(w, P0) + by_D, -dot(wdot, p1) - dot(w, P1) - by_D};
}

}  // namespace dashpot::formula
