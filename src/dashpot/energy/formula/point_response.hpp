#pragma once
// What a material answers at one quadrature point, for a deformation gradient F: energy density psi [J/m^3], first
// Piola-Kirchhoff stress P = dpsi/dF [Pa] and, if asked, the tangent dP/dF in the material's own frames.
//
// Every tangent of Dashpot has the form, in a left frame L (columns l_i) and a right frame R (columns r_j),
//
//     dP = sum C_ij,kl (l_i r_j^T) (l_k . dF r_l) + dF S,      C_ii,kk = H_ik,  C_ij,ij = same(i,j),  C_ij,ji =
//     swap(i,j),
//
// where S is a symmetric stress written in the right frame. Isotropic laws: L = U, R = V of F = U diag(s) V^T; laws in
// the Green strain: L = F R. The stiffness block of nodes a, b with weight w follows as
//     K_ab = w ( L Khat_ab L^T + (g_a . S g_b) I )
// with gradients in the right frame, Khat_ab[i][k] = g_a,j C_ij,kl g_b,l.

#include "dashpot/math/matrix3.hpp"

namespace dashpot::formula {

using math::abs;
using math::log;
using math::max;
using math::min;
using math::select;
using math::sqrt;
using math::with_sign;

enum class TangentKind {
  none,
  exact,         ///< dP/dF itself; may be indefinite
  projected,     ///< positive semidefinite
  gauss_newton,  ///< without the geometric term dF S: positive semidefinite, and no stiffness against rotation
};

template <class T>
struct FrameTangent {
  math::Matrix3<T> L, R;
  math::Symmetric3<T> H;
  math::Matrix3<T> same;     ///< off-diagonal entries only
  math::Symmetric3<T> swap;  ///< off-diagonal entries only
  bool has_stress = false;
  math::Symmetric3<T> S;  ///< read only if has_stress
};

/// w : C : v of W and V in the frames, without the stress term.
template <class T>
T contract_in_frames(const FrameTangent<T>& t, const math::Matrix3<T>& w, const math::Matrix3<T>& v) {
  constexpr int pair_of[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  T sum(0.0);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      sum += w(i, i) * t.H.m[pair_of[i][k]] * v(k, k);
      if (i != k) sum += w(i, k) * (t.same(i, k) * v(i, k) + t.swap.m[pair_of[i][k]] * v(k, i));
    }
  return sum;
}

/// W : dP/dF : V.
template <class T>
T contract(const FrameTangent<T>& t, const math::Matrix3<T>& W, const math::Matrix3<T>& V) {
  const auto in_frames = [&](const math::Matrix3<T>& A) { return transposed_multiply(t.L, multiply(A, t.R)); };
  T sum = contract_in_frames(t, in_frames(W), in_frames(V));
  if (!t.has_stress) return sum;
  const math::Matrix3<T> WR = multiply(W, t.R), VR = multiply(V, t.R);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) sum += WR(i, j) * t.S(j, k) * VR(i, k);
  return sum;
}

/// C : v of V in the frames, without the stress term.
template <class T>
math::Matrix3<T> apply_in_frames(const FrameTangent<T>& t, const math::Matrix3<T>& v) {
  constexpr int pair_of[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  math::Matrix3<T> p;
  for (int i = 0; i < 3; ++i) {
    p(i, i) = t.H.m[i] * v(i, i);
    for (int k = 0; k < 3; ++k) {
      if (k == i) continue;
      p(i, i) += t.H.m[pair_of[i][k]] * v(k, k);
      p(i, k) = t.same(i, k) * v(i, k) + t.swap.m[pair_of[i][k]] * v(k, i);
    }
  }
  return p;
}

/// dP/dF : V.
template <class T>
math::Matrix3<T> apply(const FrameTangent<T>& t, const math::Matrix3<T>& V) {
  const math::Matrix3<T> VR = multiply(V, t.R);
  math::Matrix3<T> in_right_frame = multiply(t.L, apply_in_frames(t, transposed_multiply(t.L, VR)));
  if (t.has_stress) {
    const math::Matrix3<T> geometric = multiply(VR, t.S);
    for (int k = 0; k < 9; ++k) in_right_frame.m[k] += geometric.m[k];
  }
  return multiply_transposed(in_right_frame, t.R);
}

template <class T>
struct PointResponse {
  T psi;
  math::Matrix3<T> P;
  FrameTangent<T> tangent;
};

/// Lame parameters [Pa] of one element (T = double) or of four.
template <class T>
struct Lame {
  T lambda, mu;
};

}  // namespace dashpot::formula
