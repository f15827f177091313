#pragma once
// w : T : v of an isotropic law's tangent T (stretch_tangent.hpp) as a linear form of its stresses p and derivatives
// H, w and v in the frames of F:
//
//     w : T(p, H) : v = sum_i of_p_i p_i + sum_{i<=j} of_H_ij H_ij
//
// Without clamps T is linear in p and H. With them it is still homogeneous, T(c p, c H) = c T(p, H) for c > 0, so that
// the derivative along (dp, dH) is the same form of (dp, dH): flip, twist and Gauss-Newton's c count where they are
// positive, and the clamp of H = Q diag(h) Q^T moves by
//
//     dH+ = Q (g o Q^T dH Q) Q^T,   g_ab = (h+_a - h+_b) / (h_a - h_b): 1 of two that are positive, 0 of two that are
//     not.
//
// One form answers for any number of parameters: dp and dH are all that each of them adds. [DaleckiiKrein1965, for dH+]

#include "dashpot/energy/formula/stretch_tangent.hpp"

namespace dashpot::formula {

template <class T>
struct ResponseForm {
  T of_p[3];
  math::Symmetric3<T> of_H;

  DASHPOT_FORMULA T operator()(const T p[3], const math::Symmetric3<T>& H) const {
    T sum = of_p[0] * p[0] + of_p[1] * p[1] + of_p[2] * p[2];
    for (int k = 0; k < 6; ++k) sum += of_H.m[k] * H.m[k];
    return sum;
  }
};

/// D, a form of the clamped X, becomes one of X itself.
template <class T>
DASHPOT_FORMULA inline void pull_back_clamp(const math::Symmetric3<T>& X, math::Symmetric3<T>& D) {
  if (all(math::is_clearly_definite(X))) return;
  T h[3];
  math::Matrix3<T> Q;
  math::eigen_symmetric3(X, h, Q);
  math::Matrix3<T> full;  // off-diagonal entries of D stand for both triangles
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) full(r, c) = r == c ? D(r, r) : T(0.5) * D(r, c);
  math::Matrix3<T> inside = multiply(transposed_multiply(Q, full), Q);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const T high = max(h[a], h[b]), low = min(h[a], h[b]), zero(0);
      const auto both = low > zero;
      const T share = max(high, zero) / select(high > low, high - low, T(1));
      inside(a, b) *= select(both, T(1), select(high > zero, min(share, T(1)), zero));
    }
  const math::Matrix3<T> back = multiply_transposed(multiply(Q, inside), Q);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) D(i, j) = i == j ? back(i, i) : back(i, j) + back(j, i);
}

/// form += flip of `of_flip` and twist of `of_twist`, of the plane (i, j).
template <class Law, class T>
DASHPOT_FORMULA inline void add_plane(const T s[3], int i, int j, T of_flip, T of_twist, ResponseForm<T>& form) {
  const auto add_limit = [&](T amount, double sign) {
    form.of_H(i, i) += T(0.5) * amount;
    form.of_H(j, j) += T(0.5) * amount;
    form.of_H(i, j) += T(sign) * amount;
  };
  const T gap = s[i] - s[j], zero(0);
  const auto is_near = abs(gap) < T(near_equal_stretch);
  add_limit(select(is_near, of_flip, zero), -1);
  const T by_gap = select(is_near, zero, of_flip) / select(is_near, T(1), gap);
  form.of_p[i] += by_gap;
  form.of_p[j] -= by_gap;
  T by_sum;
  if constexpr (Law::odd) {
    const T sum = s[i] + s[j];
    const auto is_small = abs(sum) < T(near_equal_stretch);
    add_limit(select(is_small, of_twist, zero), 1);
    by_sum = select(is_small, zero, of_twist) / select(is_small, T(1), sum);
  } else {
    by_sum = of_twist / away_from_zero(s[i] + s[j], least_stretch);
  }
  form.of_p[i] += by_sum;
  form.of_p[j] += by_sum;
}

template <class Law, class T>
DASHPOT_FORMULA inline ResponseForm<T> tangent_form(const T s[3], const T p[3], const math::Symmetric3<T>& H,
                                                    TangentKind kind, const math::Matrix3<T>& w,
                                                    const math::Matrix3<T>& v) {
  const T zero(0);
  ResponseForm<T> form;
  T S[3], of_S[3];  // Gauss-Newton: p_i / s_i
  for (int i = 0; i < 3; ++i) {
    form.of_p[i] = of_S[i] = zero;
    S[i] = p[i] / away_from_zero(s[i], least_stretch);
    form.of_H(i, i) = w(i, i) * v(i, i);
    for (int j = i + 1; j < 3; ++j) form.of_H(i, j) = w(i, i) * v(j, j) + w(j, j) * v(i, i);
  }
  const bool is_gauss_newton = kind == TangentKind::gauss_newton;
  math::Symmetric3<T> clamped = H;
  if (is_gauss_newton)
    for (int i = 0; i < 3; ++i) clamped(i, i) -= S[i];
  if (kind != TangentKind::exact) pull_back_clamp(clamped, form.of_H);
  if (is_gauss_newton)
    for (int i = 0; i < 3; ++i) of_S[i] -= form.of_H(i, i);
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      const T flip = flip_stiffness(s, p, H, i, j), twist = twist_stiffness<Law>(s, p, H, i, j);
      T of_flip, of_twist;
      if (is_gauss_newton) {
        const T sum = s[i] + s[j], gap = s[i] - s[j];
        const auto same_sign = abs(sum) >= abs(gap);
        const T length = away_from_zero(select(same_sign, sum, gap), least_stretch);
        const T c = T(2) * select(same_sign, flip, twist) - S[i] - S[j];
        const T product = (s[i] * w(i, j) + s[j] * w(j, i)) * (s[i] * v(i, j) + s[j] * v(j, i));
        const T of_c = select(c > zero, product, zero) / (length * length);
        of_flip = select(same_sign, T(2) * of_c, zero);
        of_twist = select(same_sign, zero, T(2) * of_c);
        of_S[i] -= of_c;
        of_S[j] -= of_c;
      } else {
        of_flip = T(0.5) * (w(i, j) + w(j, i)) * (v(i, j) + v(j, i));
        of_twist = T(0.5) * (w(i, j) - w(j, i)) * (v(i, j) - v(j, i));
        if (kind == TangentKind::projected) {
          of_flip = select(flip > zero, of_flip, zero);
          of_twist = select(twist > zero, of_twist, zero);
        }
      }
      add_plane<Law>(s, i, j, of_flip, of_twist, form);
    }
  if (is_gauss_newton)
    for (int i = 0; i < 3; ++i) form.of_p[i] += of_S[i] / away_from_zero(s[i], least_stretch);
  return form;
}

}  // namespace dashpot::formula
