#pragma once
// The spin omega that fits a motion best. Points (or rows of a gradient) g_k that move with gdot_k turn, in the least
// squares, with
//     A omega = sum_k g_k x gdot_k,    A = sum_k (g_k . g_k I - g_k g_k^T) = tr(S) I - S,   S = sum_k g_k g_k^T.
// A is singular where all g_k lie on a line: the pseudo-inverse then gives the smallest omega, which does not turn
// about that line.

#include "dashpot/core/types.hpp"

namespace dashpot::math {

/// [a]x: cross_matrix(a) b = a x b.
inline Mat3 cross_matrix(const Vec3& a) {
  Mat3 A;
  A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return A;
}

/// tr(S) I - S.
inline Mat3 spin_matrix(const Mat3& S) { return S.trace() * Mat3::Identity() - S; }

/// Pseudo-inverse of a symmetric A; eigenvalues below 1e-12 of the largest count as zero.
Mat3 symmetric_pseudo_inverse(const Mat3& A);
/// The same times b, without making the inverse: of a slender body the small spins are not drowned by the large one.
Vec3 symmetric_pseudo_solve(const Mat3& A, const Vec3& b);

/// The spin of one element: F has the columns g_k, Fdot the columns gdot_k. Strain rates are what is left of Fdot:
/// Fdot - [omega]x F.
struct ElementSpin {
  Mat3 inverse = Mat3::Zero();  ///< A^-1
  Vec3 omega = Vec3::Zero();    ///< [1/s]
};
ElementSpin element_spin(const Mat3& F, const Mat3& Fdot);

/// Derivatives of the force omega x Y_a that an element's spin puts on its node a, where the node has the shape
/// gradient g_a: Y_a = F g_a, T_a = (Fdot - [omega]x F) g_a. From
///     A domega = sum_b ( [Y_b]x dv_b - ([Y_b]x [omega]x + [T_b]x) dx_b ):
inline Mat3 spin_force_dv(const ElementSpin& spin, const Vec3& Y_a, const Vec3& Y_b) {
  return -cross_matrix(Y_a) * spin.inverse * cross_matrix(Y_b);
}
/// g_ab = g_a . g_b. Exact where A is regular.
inline Mat3 spin_force_dq(const ElementSpin& spin, const Vec3& Y_a, const Vec3& Y_b, const Vec3& T_b, double g_ab) {
  const Mat3 turn = cross_matrix(spin.omega);
  return cross_matrix(Y_a) * spin.inverse * (cross_matrix(Y_b) * turn + cross_matrix(T_b)) + g_ab * turn;
}

/// The same for an element that is one vector g = sum_a c_a x_a (a spring, a bend), whose A is singular. Its smallest
/// spin leaves of gdot the part along n = g/|g|; the force on node a is c_a (I - n n^T) gdot. Multiply by c_a c_b:
inline Mat3 line_spin_dv(const Vec3& g) { return Mat3::Identity() - g * g.transpose() / g.squaredNorm(); }
inline Mat3 line_spin_dq(const Vec3& g, const Vec3& gdot) {
  const Mat3 across = line_spin_dv(g);
  return -(g.dot(gdot) * Mat3::Identity() + g * gdot.transpose()) * across / g.squaredNorm();
}

}  // namespace dashpot::math
