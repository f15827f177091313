#pragma once
// The angle of a hinge: two triangles that share the edge from node 0 to node 1, with opposite corners 2 and 3. In
// e = x1 - x0, p = x2 - x0, r = x3 - x0, with the normals N = e x p and M = r x e,
//
//     theta = atan2( e . (M x N) / |e|, N . M ),   0 where flat, in (-pi, pi], positive where the wings fold towards
//     their normals;
//     dtheta/dp = |e| N / |N|^2,   dtheta/dr = |e| M / |M|^2,
//     dtheta/de = -(e.p/|e|^2) dtheta/dp - (e.r/|e|^2) dtheta/dr.
//
// Rotation and translation do not change it, and it passes through flat smoothly, which the angle of a strand's bend
// does not. [Grinspun2003, TamstorfGrinspun2013]

#include "dashpot/math/scalar.hpp"
#include "dashpot/math/vector3.hpp"

namespace dashpot {

template <class T>
struct HingeEdges {
  math::Vector3<T> e, p, r;
};

template <class T>
struct HingeAngle {
  T angle;
  math::Vector3<T> by_e, by_p, by_r;
};

/// Second derivatives, 3 x 3 each, column-major: entry 3 c + r of `ep` is by e_r and p_c. Those by p and r are zero.
template <class T>
struct HingeCurvature {
  T ee[9], ep[9], er[9], pp[9], rr[9];
};

namespace hinge {

/// Squares of normals count as at least this share of |e|^4: a triangle that has collapsed has no direction.
constexpr double least_square = 1e-24;

template <class T>
struct Normals {
  math::Vector3<T> N, M;
  T length, square, over_N, over_M;  ///< |e|, |e|^2, 1/|N|^2, 1/|M|^2
};

template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline Normals<T> normals(const HingeEdges<T>& y) {
  using math::max, math::sqrt;
  Normals<T> n;
  n.N = cross(y.e, y.p);
  n.M = cross(y.r, y.e);
  n.square = max(dot(y.e, y.e), T(1e-300));
  n.length = sqrt(n.square);
  const T least = T(least_square) * n.square * n.square;
  n.over_N = T(1) / max(dot(n.N, n.N), least);
  n.over_M = T(1) / max(dot(n.M, n.M), least);
  return n;
}

/// A += u v^T.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline void add_dyad(const math::Vector3<T>& u, const math::Vector3<T>& v,
                                                            T A[9]) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) A[3 * c + r] += u[r] * v[c];
}

/// A += s [a]x, where [a]x b = a x b.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline void add_cross(T s, const math::Vector3<T>& a, T A[9]) {
  A[1] += s * a.z;
  A[2] -= s * a.y;
  A[3] -= s * a.z;
  A[5] += s * a.x;
  A[6] += s * a.y;
  A[7] -= s * a.x;
}

/// Of one wing with corner w and normal N = e x w (or its opposite: turn = -1, N = w x e), g = u N its gradient:
/// adds d2theta/dw2 to `ww`, sets `ew` = d2theta/de dw, adds the wing's part of d2theta/de2 to `ee`.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline void add_wing(const math::Vector3<T>& e, const math::Vector3<T>& w,
                                                            const math::Vector3<T>& N, T over_N, T turn,
                                                            const Normals<T>& n, T ww[9], T ew[9], T ee[9]) {
  const T u = n.length * over_N, share = dot(e, w) / n.square;
  const math::Vector3<T> g = u * N, m = turn * cross(N, e);  // m: N x e, so that N . dN = m . dw
  const T outer = -u * over_N;
  add_dyad(outer * N, m, ww);
  add_dyad(outer * m, N, ww);
  const math::Vector3<T> by_e = (over_N / n.length) * e + (T(2) * outer * turn) * cross(w, N);  // du/de
  for (int k = 0; k < 9; ++k) ew[k] = T(0);
  add_dyad(by_e, N, ew);  // transpose of N (du/de)^T - u turn [w]x
  add_cross(u * turn, w, ew);
  // d/de of -share g: ds/de = (w - 2 share e) / |e|^2, and dg/de is the transpose of ew.
  add_dyad((T(-1) / n.square) * g, w - (T(2) * share) * e, ee);
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) ee[3 * c + r] -= share * ew[3 * r + c];
}

}  // namespace hinge

template <class T>
DASHPOT_FORMULA inline HingeAngle<T> hinge_angle(const HingeEdges<T>& y) {
  using math::atan2;
  const hinge::Normals<T> n = hinge::normals(y);
  HingeAngle<T> a;
  a.angle = atan2(dot(y.e, cross(n.M, n.N)) / n.length, dot(n.N, n.M));
  a.by_p = (n.length * n.over_N) * n.N;
  a.by_r = (n.length * n.over_M) * n.M;
  a.by_e = (dot(y.e, y.p) / (T(0) - n.square)) * a.by_p + (dot(y.e, y.r) / (T(0) - n.square)) * a.by_r;
  return a;
}

template <class T>
DASHPOT_FORMULA inline void hinge_curvature(const HingeEdges<T>& y, HingeCurvature<T>& H) {
  const hinge::Normals<T> n = hinge::normals(y);
  for (int k = 0; k < 9; ++k) H.ee[k] = H.pp[k] = H.rr[k] = T(0);
  hinge::add_wing(y.e, y.p, n.N, n.over_N, T(1), n, H.pp, H.ep, H.ee);
  hinge::add_wing(y.e, y.r, n.M, n.over_M, T(-1), n, H.rr, H.er, H.ee);
}

}  // namespace dashpot
