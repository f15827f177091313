#pragma once
// Isotropic laws as functions of the principal stretches s (s[2] < 0 where the element is inverted): energy density
// psi(s) [J/m^3], principal stresses p_i = dpsi/ds_i [Pa], and H_ij = d2psi/ds_i ds_j. All are zero-stress at rest, and
// all but ARAP have the small-strain limit of linear elasticity with the given lambda and mu. [reference D section 1]
//
//   corotational        mu |s-1|^2 + lambda/2 tr(s-1)^2
//   ARAP                mu |s-1|^2; lambda is not used (small strain: Poisson ratio 0)
//   StVK                mu e.e + lambda/2 tr(e)^2, e_i = (s_i^2 - 1)/2
//   neo-Hookean         mu/2 (s.s - 3) - mu ln J + lambda/2 (ln J)^2; +infinity for J <= 0
//   stable neo-Hookean  mu'/2 (s.s - 3) - mu'/2 ln((s.s + 1)/4) + lambda'/2 ((J-a)^2 - (1-a)^2), a = 1 + 3 mu'/(4
//   lambda'),
//                       mu' = 4/3 mu, lambda' = lambda + 5/6 mu  [SmithDeGoesKim2018, eq. 14 and section 3.4]; defined
//                       for all s
//
// `odd` says that psi is a function of F^T F and J: then p_i + p_j vanishes with s_i + s_j and the tangent stays finite
// there.

#include <limits>

#include "dashpot/energy/formula/point_response.hpp"

namespace dashpot::formula {

struct Corotational {
  static constexpr bool odd = false;
  template <class T>
  DASHPOT_FORMULA static void respond(const Lame<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    const T e[3] = {s[0] - T(1), s[1] - T(1), s[2] - T(1)};
    const T trace = e[0] + e[1] + e[2], twice_mu = T(2) * m.mu;
    psi = m.mu * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) + T(0.5) * m.lambda * trace * trace;
    for (int i = 0; i < 3; ++i) p[i] = twice_mu * e[i] + m.lambda * trace;
    const T normal = twice_mu + m.lambda;
    H = {{normal, normal, normal, m.lambda, m.lambda, m.lambda}};
  }
};

struct Arap {
  static constexpr bool odd = false;
  template <class T>
  DASHPOT_FORMULA static void respond(const Lame<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    Corotational::respond(Lame<T>{T(0), m.mu}, s, psi, p, H);
  }
};

struct StVenantKirchhoff {
  static constexpr bool odd = true;
  template <class T>
  DASHPOT_FORMULA static void respond(const Lame<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    T e[3];
    for (int i = 0; i < 3; ++i) e[i] = T(0.5) * (s[i] * s[i] - T(1));
    const T trace = e[0] + e[1] + e[2], twice_mu = T(2) * m.mu;
    psi = m.mu * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) + T(0.5) * m.lambda * trace * trace;
    for (int i = 0; i < 3; ++i) {
      const T S = twice_mu * e[i] + m.lambda * trace;
      p[i] = s[i] * S;
      H(i, i) = S + (twice_mu + m.lambda) * s[i] * s[i];
      for (int j = i + 1; j < 3; ++j) H(i, j) = m.lambda * s[i] * s[j];
    }
  }
};

struct NeoHookean {
  static constexpr bool odd = true;
  /// p and H are not meaningful where psi is infinite.
  template <class T>
  DASHPOT_FORMULA static void respond(const Lame<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    const T J = s[0] * s[1] * s[2];
    const auto valid = J > T(0);
    const T log_J = log(select(valid, J, T(1)));
    psi = T(0.5) * m.mu *
              ((s[0] - T(1)) * (s[0] + T(1)) + (s[1] - T(1)) * (s[1] + T(1)) + (s[2] - T(1)) * (s[2] + T(1))) -
          m.mu * log_J + T(0.5) * m.lambda * log_J * log_J;
    psi = select(valid, psi, T(std::numeric_limits<double>::infinity()));
    T inverse[3];
    for (int i = 0; i < 3; ++i) inverse[i] = T(1) / select(valid, s[i], T(1));
    const T slope = m.lambda * log_J - m.mu;
    for (int i = 0; i < 3; ++i) {
      p[i] = m.mu * s[i] + slope * inverse[i];
      H(i, i) = m.mu + (m.lambda - slope) * inverse[i] * inverse[i];
      for (int j = i + 1; j < 3; ++j) H(i, j) = m.lambda * inverse[i] * inverse[j];
    }
  }
};

struct StableNeoHookean {
  static constexpr bool odd = true;
  template <class T>
  DASHPOT_FORMULA static void respond(const Lame<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    const T mu = T(4.0 / 3.0) * m.mu, lambda = m.lambda + T(5.0 / 6.0) * m.mu;
    // lambda' (J - a) written as lambda' (J - 1) - 3/4 mu', so that lambda' = 0 needs no division.
    const T J = s[0] * s[1] * s[2], squares = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    const T excess = (s[0] - T(1)) * (s[0] + T(1)) + (s[1] - T(1)) * (s[1] + T(1)) + (s[2] - T(1)) * (s[2] + T(1));
    psi = T(0.5) * mu * (excess - log(T(1) + T(0.25) * excess)) +
          (J - T(1)) * (T(0.5) * lambda * (J - T(1)) - T(0.75) * mu);
    const T inverse = T(1) / (squares + T(1)), slope = mu - mu * inverse, bulk = lambda * (J - T(1)) - T(0.75) * mu;
    const T curvature = T(2) * mu * inverse * inverse;
    const T dJ[3] = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
    for (int i = 0; i < 3; ++i) {
      p[i] = slope * s[i] + bulk * dJ[i];
      H(i, i) = slope + curvature * s[i] * s[i] + lambda * dJ[i] * dJ[i];
      for (int j = i + 1; j < 3; ++j) H(i, j) = curvature * s[i] * s[j] + lambda * dJ[i] * dJ[j] + bulk * s[3 - i - j];
    }
  }
};

}  // namespace dashpot::formula
