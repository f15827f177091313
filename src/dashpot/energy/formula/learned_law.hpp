#pragma once
// The law of energy/learned.hpp as a function of the principal stretches: known law, tail, curves and
// kernels (energy_kernels.hpp),
//
//     p_i  = p_i^nominal + E0 ( t0 (s_i - 1) + t1 tr(s - 1) + f(s_i) + s_j g(s_i s_j) + s_k g(s_i s_k) + s_j s_k h(J) )
//     H_ij = dp_i/ds_j as in spline_law.hpp
//
// Beyond their knots the curves go on straight. There a slope is raised to the least that keeps the law stiff:
//
//     f:  E0 (f' + t0) >= (0.2 - n) mu          n mu is the least slope that the shear part of the known law has there
//     g:  g' >= 0                               (end_slope), so that a tenth of the known small-strain slope 2 mu
//     remains h:  E0 (h' + t1) >= -0.9 max(lambda, 0)   a tenth of lambda remains
//
// by adding `excess` times the way beyond the last knot. p is then piecewise linear in the weights: feature() gives its
// derivatives on the piece where the weights are. [reference D, sections 2 and 7]

#include <vector>

#include "dashpot/energy/formula/energy_kernels.hpp"
#include "dashpot/energy/formula/stretch_laws.hpp"
#include "dashpot/math/uniform_curve.hpp"

namespace dashpot::formula {

using math::any;

enum class NominalLaw { corotational, stvk, neo_hookean, stable_neo_hookean };

template <class T>
inline void nominal_response(NominalLaw law, const Lame<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
  switch (law) {
    case NominalLaw::corotational:
      return Corotational::respond(m, s, psi, p, H);
    case NominalLaw::stvk:
      return StVenantKirchhoff::respond(m, s, psi, p, H);
    case NominalLaw::neo_hookean:
      return NeoHookean::respond(m, s, psi, p, H);
    case NominalLaw::stable_neo_hookean:
      return StableNeoHookean::respond(m, s, psi, p, H);
  }
}

/// The least slope, over mu, that a stretch adds to its own stress beyond `end`: 2; 3 s^2 - 1 (less than that towards
/// zero, where the law itself gives way); 1 + 1/s^2, at least 1; the last at least 8/9 by its factor 4/3 (1 -
/// 1/(s.s+1)).
inline double end_slope(NominalLaw law, double end) {
  switch (law) {
    case NominalLaw::corotational:
      return 2;
    case NominalLaw::stvk:
      return 3 * end * end - 1;
    case NominalLaw::neo_hookean:
      return end < 1 ? 1 + 1 / (end * end) : 1;
    case NominalLaw::stable_neo_hookean:
      return 8.0 / 9;
  }
  return 0;
}

/// A correction ready to be evaluated.
struct LearnedForm {
  NominalLaw nominal = NominalLaw::corotational;
  double scale = 1e4;
  double tail[2] = {0, 0};
  math::UniformCurve f, g, h;
  std::vector<double> basis_at_rest;  ///< B_k(1) of all weights of f, g and h
  EnergyKernelForm kernels;

  int num_features() const { return 4 + static_cast<int>(basis_at_rest.size()) + kernels.count(); }
};

/// One element (double) or four.
template <class T>
struct LearnedParameters {
  Lame<T> lame;
  const LearnedForm* form;
};

struct Learned {
  static constexpr bool odd = false;

  template <class T>
  using Sample = math::UniformCurve::Sample<T>;

  /// How far x is beyond the knots; 0 between them.
  template <class T>
  static T beyond(const math::UniformKnots& knots, T x) {
    return x - max(T(knots.low), min(T(knots.high), x));
  }

  /// The least slopes [E0] that the curves may have beyond their ends, by side.
  template <class T>
  static T least_f(const LearnedParameters<T>& m, bool is_high) {
    const math::UniformKnots& knots = m.form->f.knots();
    const double n = end_slope(m.form->nominal, is_high ? knots.high : knots.low);
    return T((0.2 - n) / m.form->scale) * m.lame.mu - T(m.form->tail[0]);
  }
  template <class T>
  static T least_h(const LearnedParameters<T>& m) {
    return T(-0.9 / m.form->scale) * max(m.lame.lambda, T(0.0)) - T(m.form->tail[1]);
  }

  /// What is added to the slope of a curve at x beyond its knots; 0 between them.
  template <class T>
  static T excess(const math::UniformCurve& curve, T least_low, T least_high, T d) {
    const T low = max(T(0.0), least_low - T(curve.low_slope())), high = max(T(0.0), least_high - T(curve.high_slope()));
    return select(d < T(0.0), low, select(d > T(0.0), high, T(0.0)));
  }
  template <class T>
  static Sample<T> guarded(const math::UniformCurve& curve, T least_low, T least_high, T x) {
    Sample<T> y = curve.sample(x);
    const T d = beyond(curve.knots(), x);
    if (!any(abs(d) > T(0.0))) return y;
    const T more = excess(curve, least_low, least_high, d);
    return {y.value + more * d, y.slope + more, y.integral + T(0.5) * more * d * d};
  }

  template <class T>
  static void respond(const LearnedParameters<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    const LearnedForm& form = *m.form;
    nominal_response(form.nominal, m.lame, s, psi, p, H);
    const T E0(form.scale), t0(form.scale * form.tail[0]), t1(form.scale * form.tail[1]);
    const T trace = (s[0] - T(1.0)) + (s[1] - T(1.0)) + (s[2] - T(1.0));
    psi += T(0.5) * t1 * trace * trace;
    for (int i = 0; i < 3; ++i) {
      const T e = s[i] - T(1.0);
      psi += T(0.5) * t0 * e * e;
      p[i] += t0 * e + t1 * trace;
      H(i, i) += t0 + t1;
      for (int j = i + 1; j < 3; ++j) H(i, j) += t1;
    }
    if (!form.f.is_zero()) {
      const T low = least_f(m, false), high = least_f(m, true);
      for (int i = 0; i < 3; ++i) {
        const Sample<T> f = guarded(form.f, low, high, s[i]);
        psi += E0 * f.integral;
        p[i] += E0 * f.value;
        H(i, i) += E0 * f.slope;
      }
    }
    if (!form.g.is_zero())
      for (int i = 0; i < 3; ++i)
        for (int j = i + 1; j < 3; ++j) {
          const Sample<T> g = guarded(form.g, T(0.0), T(0.0), s[i] * s[j]);
          psi += E0 * g.integral;
          p[i] += E0 * s[j] * g.value;
          p[j] += E0 * s[i] * g.value;
          H(i, i) += E0 * s[j] * s[j] * g.slope;
          H(j, j) += E0 * s[i] * s[i] * g.slope;
          H(i, j) += E0 * (g.value + s[i] * s[j] * g.slope);
        }
    if (!form.h.is_zero()) {
      const T least = least_h(m), J[3] = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};
      const Sample<T> h = guarded(form.h, least, least, s[0] * J[0]);
      psi += E0 * h.integral;
      for (int i = 0; i < 3; ++i) {
        p[i] += E0 * J[i] * h.value;
        H(i, i) += E0 * J[i] * J[i] * h.slope;
        for (int j = i + 1; j < 3; ++j) H(i, j) += E0 * (s[3 - i - j] * h.value + J[i] * J[j] * h.slope);
      }
    }
    if (!form.kernels.is_zero()) add_kernels(form.kernels, form.scale, s, psi, p, H);
  }

  /// r = dp/dx for one of the numbers that the stress follows from: lambda, mu, t0, t1, weights of f, of g, of h, of
  /// kernels.
  template <class T>
  static void feature(const LearnedParameters<T>& m, int k, const T s[3], T r[3]) {
    const LearnedForm& form = *m.form;
    const T E0(form.scale);
    if (k < 4) return basic_feature(m, k, s, r);
    k -= 4;
    if (const int num_splines = static_cast<int>(form.basis_at_rest.size()); k >= num_splines)
      return kernel_feature(form.kernels, form.scale, k - num_splines, s, r);
    const double at_rest = form.basis_at_rest[static_cast<std::size_t>(k)];
    const auto basis = [&](const math::UniformCurve& curve, T least_low, T least_high, T x) {
      const T more = excess(curve, least_low, least_high, beyond(curve.knots(), x));
      return E0 * (math::uniform_basis(curve.knots(), k, x, more > T(0.0)) - T(at_rest));
    };
    if (k < form.f.knots().count) {
      const T low = least_f(m, false), high = least_f(m, true);
      for (int i = 0; i < 3; ++i) r[i] = basis(form.f, low, high, s[i]);
      return;
    }
    k -= form.f.knots().count;
    if (k < form.g.knots().count) {
      T g[3];
      for (int i = 0; i < 3; ++i) g[i] = basis(form.g, T(0.0), T(0.0), s[(i + 1) % 3] * s[(i + 2) % 3]);
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        r[i] = s[j] * g[l] + s[l] * g[j];
      }
      return;
    }
    k -= form.g.knots().count;
    const T least = least_h(m), h = basis(form.h, least, least, s[0] * s[1] * s[2]);
    for (int i = 0; i < 3; ++i) r[i] = s[(i + 1) % 3] * s[(i + 2) % 3] * h;
  }

 private:
  /// Of lambda, mu, t0, t1. The least slopes of curves follow them too.
  template <class T>
  static void basic_feature(const LearnedParameters<T>& m, int k, const T s[3], T r[3]) {
    const LearnedForm& form = *m.form;
    if (k < 2) {
      T psi;
      math::Symmetric3<T> H;
      nominal_response(form.nominal, Lame<T>{T(k == 0 ? 1.0 : 0.0), T(k == 0 ? 0.0 : 1.0)}, s, psi, r, H);
    } else {
      const T trace = (s[0] - T(1.0)) + (s[1] - T(1.0)) + (s[2] - T(1.0));
      for (int i = 0; i < 3; ++i) r[i] = T(form.scale) * (k == 2 ? s[i] - T(1.0) : trace);
    }
    if (!form.f.is_zero() && (k == 1 || k == 2)) {
      const math::UniformKnots& knots = form.f.knots();
      const T low = least_f(m, false), high = least_f(m, true);
      for (int i = 0; i < 3; ++i) {
        const T d = beyond(knots, s[i]);
        const double of_low = k == 1 ? 0.2 - end_slope(form.nominal, knots.low) : -form.scale,
                     of_high = k == 1 ? 0.2 - end_slope(form.nominal, knots.high) : -form.scale;
        const T slope = select(d < T(0.0), T(of_low), T(of_high));
        r[i] += select(excess(form.f, low, high, d) > T(0.0), slope * d, T(0.0));
      }
    }
    if (!form.h.is_zero() && (k == 0 || k == 3)) {
      const T least = least_h(m), d = beyond(form.h.knots(), s[0] * s[1] * s[2]);
      const T slope = k == 3 ? T(-form.scale) : select(m.lame.lambda > T(0.0), T(-0.9), T(0.0));
      const T more = select(excess(form.h, least, least, d) > T(0.0), slope * d, T(0.0));
      for (int i = 0; i < 3; ++i) r[i] += s[(i + 1) % 3] * s[(i + 2) % 3] * more;
    }
  }
};

}  // namespace dashpot::formula
