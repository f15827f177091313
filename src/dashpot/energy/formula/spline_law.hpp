#pragma once
// Principal-stretch spline material (Valanis-Landel): psi = sum_i F(s_i) + sum_{i<j} G(s_i s_j) + Hv(J) with 1-D curves
// f = F', g = G', h = Hv' [Pa], each shifted to vanish at 1, so that rest is free of stress.  [XuSinZhuBarbic2015;
// reference D section 2, V]
//
//     p_i  = f(s_i) + s_j g(s_i s_j) + s_k g(s_i s_k) + s_j s_k h(J)
//     H_ii = f'(s_i) + s_j^2 g'(s_i s_j) + s_k^2 g'(s_i s_k) + (s_j s_k)^2 h'(J)
//     H_ij = g(s_i s_j) + s_i s_j g'(s_i s_j) + s_k h(J) + s_i s_j s_k^2 h'(J)
//
// Small strain: 2 mu = f'(1) + g'(1), lambda = g'(1) + h'(1).

#include "dashpot/energy/formula/point_response.hpp"
#include "dashpot/math/curve.hpp"

namespace dashpot::formula {

/// A curve that is zero at x = 1, and its integral from 1.
class RestCurve {
 public:
  explicit RestCurve(math::Curve curve) : curve_(std::move(curve)), at_rest_(curve_.sample(1)) {}
  math::Curve::Sample sample(double x) const {
    const math::Curve::Sample s = curve_.sample(x);
    return {s.value - at_rest_.value, s.derivative, s.integral - at_rest_.integral - at_rest_.value * (x - 1)};
  }

 private:
  math::Curve curve_;
  math::Curve::Sample at_rest_;
};

struct SplineCurves {
  RestCurve f, g, h;
};

/// One element (double) or four: which curves each lane uses.
template <class T>
struct SplineParameters {
  const SplineCurves* curves[sizeof(T) / sizeof(double)];
};

struct Spline {
  static constexpr bool odd = false;

  static void respond_one(const SplineCurves& curves, const double s[3], double& psi, double p[3],
                          math::Symmetric3<double>& H) {
    const math::Curve::Sample h = curves.h.sample(s[0] * s[1] * s[2]);
    psi = h.integral;
    for (int i = 0; i < 3; ++i) {
      const math::Curve::Sample f = curves.f.sample(s[i]);
      const double others = s[(i + 1) % 3] * s[(i + 2) % 3];
      psi += f.integral;
      p[i] = f.value + others * h.value;
      H(i, i) = f.derivative + others * others * h.derivative;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j) {
        const math::Curve::Sample g = curves.g.sample(s[i] * s[j]);
        const double third = s[3 - i - j];
        psi += g.integral;
        p[i] += s[j] * g.value;
        p[j] += s[i] * g.value;
        H(i, i) += s[j] * s[j] * g.derivative;
        H(j, j) += s[i] * s[i] * g.derivative;
        H(i, j) = g.value + s[i] * s[j] * g.derivative + third * h.value + s[i] * s[j] * third * third * h.derivative;
      }
  }

  static void respond(const SplineParameters<double>& m, const double s[3], double& psi, double p[3],
                      math::Symmetric3<double>& H) {
    respond_one(*m.curves[0], s, psi, p, H);
  }
  /// Lane by lane: looking up curves does not vectorize.
  template <class T>
  static void respond(const SplineParameters<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    for (int lane = 0; lane < T::size; ++lane) {
      const double stretches[3] = {s[0][lane], s[1][lane], s[2][lane]};
      double energy, stress[3];
      math::Symmetric3<double> stiffness;
      respond_one(*m.curves[lane], stretches, energy, stress, stiffness);
      psi.set(lane, energy);
      for (int i = 0; i < 3; ++i) p[i].set(lane, stress[i]);
      for (int k = 0; k < 6; ++k) H.m[k].set(lane, stiffness.m[k]);
    }
  }
};

}  // namespace dashpot::formula
