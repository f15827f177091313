#pragma once
// One tangent for every isotropic law p(s), F = U diag(s) V^T (rotation variant). [reference D section 1;
// IrvingTeranFedkiw2004] In the orthonormal basis Q_i = u_i v_i^T, (u_i v_j^T + u_j v_i^T)/sqrt2, (u_i v_j^T - u_j
// v_i^T)/sqrt2:
//
//     dP/dF = sum_ij H_ij Q_i Q_j + sum_{i<j} flip_ij S_ij S_ij + sum_{i<j} twist_ij A_ij A_ij
//     flip_ij = (p_i - p_j)/(s_i - s_j),   twist_ij = (p_i + p_j)/(s_i + s_j)
//
// so `projected` is exact: clamp the eigenvalues of H, flip and twist at zero. Gauss-Newton subtracts the geometric
// term dF S, S_i = p_i/s_i: diagonal block H - diag(S), and in each plane (u_i v_j^T, u_j v_i^T) the rank-one c (s_i,
// s_j)(s_i, s_j)^T, c = (S_i - S_j)/(s_i^2 - s_j^2); negative parts are clamped.

#include "dashpot/energy/formula/point_response.hpp"
#include "dashpot/math/svd3.hpp"

namespace dashpot::formula {

/// Stretches closer than this use the limit of the quotient: its error is O(gap^2), the quotient's is round-off / gap.
inline constexpr double near_equal_stretch = 1e-5;
/// Least |s_i + s_j| or |s_i| to divide by where the law has no limit.
inline constexpr double least_stretch = 1e-6;

/// x moved away from zero to |x| >= least.
template <class T>
DASHPOT_FORMULA inline T away_from_zero(T x, double least) {
  return select(abs(x) < T(least), with_sign(T(least), x), x);
}

template <class T>
DASHPOT_FORMULA inline T flip_stiffness(const T s[3], const T p[3], const math::Symmetric3<T>& H, int i, int j) {
  const T gap = s[i] - s[j];
  const auto near = abs(gap) < T(near_equal_stretch);
  const T limit = T(0.5) * (H(i, i) + H(j, j)) - H(i, j);
  return select(near, limit, (p[i] - p[j]) / select(near, T(1), gap));
}

template <class Law, class T>
DASHPOT_FORMULA inline T twist_stiffness(const T s[3], const T p[3], const math::Symmetric3<T>& H, int i, int j) {
  const T sum = s[i] + s[j];
  if constexpr (Law::odd) {
    const auto near = abs(sum) < T(near_equal_stretch);
    const T limit = T(0.5) * (H(i, i) + H(j, j)) + H(i, j);
    return select(near, limit, (p[i] + p[j]) / select(near, T(1), sum));
  } else {
    return (p[i] + p[j]) / away_from_zero(sum, least_stretch);
  }
}

/// Gauss-Newton part from the unprojected H, flip and twist.
template <class T>
DASHPOT_FORMULA inline void gauss_newton_tangent(const T s[3], const T p[3], const T flip[3], const T twist[3],
                                                 FrameTangent<T>& t) {
  T S[3];
  for (int i = 0; i < 3; ++i) {
    S[i] = p[i] / away_from_zero(s[i], least_stretch);
    t.H(i, i) -= S[i];
  }
  t.H = math::clamp_positive_semidefinite(t.H);
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      // flip = (S_i+S_j)/2 + c (s_i+s_j)^2/2 and twist = (S_i+S_j)/2 + c (s_i-s_j)^2/2: take the better conditioned
      // one.
      const T sum = s[i] + s[j], gap = s[i] - s[j], mean = S[i] + S[j];
      const auto same_sign = abs(sum) >= abs(gap);
      const T length = away_from_zero(select(same_sign, sum, gap), least_stretch);
      const T c = max(T(0), (T(2) * select(same_sign, flip[i + j - 1], twist[i + j - 1]) - mean) / (length * length));
      t.same(i, j) = c * s[i] * s[i];
      t.same(j, i) = c * s[j] * s[j];
      t.swap(i, j) = c * s[i] * s[j];
    }
}

/// Tangent of a law with stresses p and derivatives t.H at stretches s; t.H is replaced by its clamped version where
/// asked.
template <class Law, class T>
DASHPOT_FORMULA inline void stretch_tangent(const T s[3], const T p[3], TangentKind kind, FrameTangent<T>& t) {
  T flip[3], twist[3];  // pairs (0,1), (0,2), (1,2)
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      flip[i + j - 1] = flip_stiffness(s, p, t.H, i, j);
      twist[i + j - 1] = twist_stiffness<Law>(s, p, t.H, i, j);
    }
  t.has_stress = false;
  if (kind == TangentKind::gauss_newton) return gauss_newton_tangent(s, p, flip, twist, t);
  if (kind == TangentKind::projected) {
    t.H = math::clamp_positive_semidefinite(t.H);
    for (int k = 0; k < 3; ++k) flip[k] = max(flip[k], T(0)), twist[k] = max(twist[k], T(0));
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      t.same(i, j) = t.same(j, i) = T(0.5) * (flip[i + j - 1] + twist[i + j - 1]);
      t.swap(i, j) = T(0.5) * (flip[i + j - 1] - twist[i + j - 1]);
    }
}

template <class Law, class T, class Parameters>
DASHPOT_FORMULA inline void stretch_response(const Parameters& m, const math::Matrix3<T>& F, TangentKind kind,
                                             PointResponse<T>& out) {
  const math::Svd3<T> f = math::svd3(F);
  FrameTangent<T>& t = out.tangent;
  T p[3];
  Law::respond(m, f.s, out.psi, p, t.H);
  out.P = math::multiply_transposed(math::scale_columns(f.U, p), f.V);
  if (kind == TangentKind::none) return;
  t.L = f.U;
  t.R = f.V;
  stretch_tangent<Law>(f.s, p, kind, t);
}

}  // namespace dashpot::formula
