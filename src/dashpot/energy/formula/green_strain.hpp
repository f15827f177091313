#pragma once
// Laws that are quadratic in a strain, without singular values:
//   linear                 eps = sym(F) - I,     psi = mu eps:eps + lambda/2 tr(eps)^2,  K constant; damps and stiffens
//   rotation St. Venant-Kirchhoff   E = (F^T F - I)/2,    psi = mu E:E + lambda/2 tr(E)^2,  S = lambda tr(E) I + 2 mu
//   E,  P = F S orthotropic StVK       the same E in material axes Q: S_ii = sum_j C_ij E_jj, S_ij = 2 G_ij E_ij
// Limits: StVK softens under strong compression and collapses at s = 1/sqrt(3); it has no barrier against inversion.

#include "dashpot/energy/formula/point_response.hpp"
#include "dashpot/math/symmetric3.hpp"

namespace dashpot::formula {

/// Tangent constants of an isotropic Hooke law: H_ik = lambda + 2 mu delta_ik, shear mu.
template <class T>
DASHPOT_FORMULA inline void set_hooke(const Lame<T>& m, FrameTangent<T>& t) {
  const T shear = m.mu, normal = m.lambda + T(2) * m.mu;
  t.H = {{normal, normal, normal, m.lambda, m.lambda, m.lambda}};
  t.swap = {{T(0), T(0), T(0), shear, shear, shear}};
  for (T& x : t.same.m) x = shear;
}

/// Isotropic Hooke: stress lambda tr(e) I + 2 mu e of a strain e; returns the energy density.
template <class T>
DASHPOT_FORMULA inline T hooke(const Lame<T>& m, const math::Symmetric3<T>& e, math::Symmetric3<T>& stress) {
  const T trace = e.m[0] + e.m[1] + e.m[2];
  const T twice_mu = T(2) * m.mu, pressure = m.lambda * trace;
  for (int k = 0; k < 3; ++k) stress.m[k] = twice_mu * e.m[k] + pressure;
  for (int k = 3; k < 6; ++k) stress.m[k] = twice_mu * e.m[k];
  const T normal = e.m[0] * e.m[0] + e.m[1] * e.m[1] + e.m[2] * e.m[2];
  const T shear = e.m[3] * e.m[3] + e.m[4] * e.m[4] + e.m[5] * e.m[5];
  return m.mu * (normal + T(2) * shear) + T(0.5) * pressure * trace;
}

/// Green strain (F^T F - I)/2.
template <class T>
DASHPOT_FORMULA inline math::Symmetric3<T> green_strain(const math::Matrix3<T>& F) {
  math::Symmetric3<T> E = math::gram(F);
  for (int k = 0; k < 3; ++k) E.m[k] = T(0.5) * E.m[k] - T(0.5);
  for (int k = 3; k < 6; ++k) E.m[k] = T(0.5) * E.m[k];
  return E;
}

template <class T>
DASHPOT_FORMULA inline void linear_response(const Lame<T>& m, const math::Matrix3<T>& F, TangentKind kind,
                                            PointResponse<T>& out) {
  math::Symmetric3<T> e, stress;
  for (int i = 0; i < 3; ++i) {
    e(i, i) = F(i, i) - T(1);
    for (int j = i + 1; j < 3; ++j) e(i, j) = T(0.5) * (F(i, j) + F(j, i));
  }
  out.psi = hooke(m, e, stress);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.P(i, j) = stress(i, j);
  if (kind == TangentKind::none) return;
  out.tangent.L = out.tangent.R = math::identity3<T>();
  out.tangent.has_stress = false;
  set_hooke(m, out.tangent);
}

/// `projected` is not offered here: StVK goes through its stretches then (stretch_tangent.hpp).
template <class T>
DASHPOT_FORMULA inline void stvk_response(const Lame<T>& m, const math::Matrix3<T>& F, TangentKind kind,
                                          PointResponse<T>& out) {
  out.psi = hooke(m, green_strain(F), out.tangent.S);
  out.P = math::multiply(F, out.tangent.S);
  if (kind == TangentKind::none) return;
  out.tangent.L = F;
  out.tangent.R = math::identity3<T>();
  out.tangent.has_stress = kind == TangentKind::exact;
  set_hooke(m, out.tangent);
}

/// Stiffness of an orthotropic solid in its own axes: normal part C [Pa], shear moduli G12, G23, G31 [Pa] in `shear` at
/// (0,1), (1,2), (0,2), and the axes Q (columns, a rotation from material to world axes).
template <class T>
struct OrthotropicStiffness {
  math::Symmetric3<T> normal, shear;
  math::Matrix3<T> Q;
};

/// `projected` clamps the eigenvalues of S at zero: positive semidefinite and exact in tension, but larger than the
/// nearest positive semidefinite matrix in compression.
template <class T>
DASHPOT_FORMULA inline void orthotropic_response(const OrthotropicStiffness<T>& m, const math::Matrix3<T>& F,
                                                 TangentKind kind, PointResponse<T>& out) {
  FrameTangent<T>& t = out.tangent;
  const math::Matrix3<T> FQ = math::multiply(F, m.Q);
  const math::Symmetric3<T> E = green_strain(FQ);
  out.psi = T(0);
  for (int i = 0; i < 3; ++i) {
    t.S(i, i) = m.normal(i, 0) * E(0, 0) + m.normal(i, 1) * E(1, 1) + m.normal(i, 2) * E(2, 2);
    out.psi += T(0.5) * t.S(i, i) * E(i, i);
    for (int j = i + 1; j < 3; ++j) {
      t.S(i, j) = T(2) * m.shear(i, j) * E(i, j);
      out.psi += t.S(i, j) * E(i, j);
    }
  }
  out.P = math::multiply_transposed(math::multiply(FQ, t.S), m.Q);
  if (kind == TangentKind::none) return;
  t.L = FQ;
  t.R = m.Q;
  t.H = m.normal;
  t.swap = m.shear;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (i != j) t.same(i, j) = m.shear(i, j);
  t.has_stress = kind != TangentKind::gauss_newton;
  if (kind == TangentKind::projected) t.S = math::clamp_positive_semidefinite(t.S);
}

}  // namespace dashpot::formula
