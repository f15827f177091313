#pragma once
// Stresses of the principal stretches made of radial functions [WangEtAl2020, eq. 1, averaged over all orders pi of the
// stretches; reference D, section 2, S]:
//
//     p_i = E0 sum_k sum_a W_ka ( sum_{pi: pi(a) = i} phi(|s_pi - c_k|) - 2 phi(|1 - c_k|) ),   (s_pi)_a = s_pi(a)
//
// zero at rest and the same for every order, but not the gradient of an energy: H here is the symmetric part of dp/ds.

#include "dashpot/energy/formula/energy_kernels.hpp"

namespace dashpot::formula {

struct StressKernelForm {
  double scale = 1e4;  ///< E0 [Pa]
  math::RadialKernel kind = math::RadialKernel::distance;
  double width = 0.1;
  std::vector<std::array<double, 3>> centers;
  std::vector<double> weights;  ///< W_ka, three of each center
  std::vector<double> at_rest;  ///< 2 phi(|1 - c_k|)
};

/// One element (double) or four: all have the same.
template <class T>
struct StressKernelParameters {
  const StressKernelForm* form;
};

struct StressKernelLaw {
  static constexpr bool odd = false;

  template <class T>
  static math::RadialSample<T> kernel(const StressKernelForm& form, std::size_t k, const int order[3], const T s[3],
                                      T d[3]) {
    for (int a = 0; a < 3; ++a) d[a] = s[order[a]] - T(form.centers[k][static_cast<std::size_t>(a)]);
    return math::sample(form.kind, d[0] * d[0] + d[1] * d[1] + d[2] * d[2], form.width);
  }

  /// There is no psi: zero.
  template <class T>
  static void respond(const StressKernelParameters<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    const StressKernelForm& form = *m.form;
    psi = T(0.0);
    for (int i = 0; i < 3; ++i) p[i] = T(0.0);
    for (T& entry : H.m) entry = T(0.0);
    for (std::size_t k = 0; k < form.centers.size(); ++k) {
      T W[3], d[3];
      for (int a = 0; a < 3; ++a) W[a] = T(form.scale * form.weights[3 * k + static_cast<std::size_t>(a)]);
      const T rest = T(form.at_rest[k]) * (W[0] + W[1] + W[2]);
      for (int i = 0; i < 3; ++i) p[i] -= rest;
      for (const auto& order : orders_of_three) {
        const math::RadialSample<T> phi = kernel(form, k, order, s, d);
        for (int a = 0; a < 3; ++a) {
          p[order[a]] += W[a] * phi.value;
          H(order[a], order[a]) += W[a] * phi.slope * d[a];
          for (int b = a + 1; b < 3; ++b) {
            T& entry = order[a] < order[b] ? H(order[a], order[b]) : H(order[b], order[a]);
            entry += T(0.5) * phi.slope * (W[a] * d[b] + W[b] * d[a]);
          }
        }
      }
    }
  }

  /// dp/dW_ka.
  template <class T>
  static void feature(const StressKernelForm& form, std::size_t k, int a, const T s[3], T r[3]) {
    T d[3];
    for (int i = 0; i < 3; ++i) r[i] = T(-form.scale * form.at_rest[k]);
    for (const auto& order : orders_of_three) r[order[a]] += T(form.scale) * kernel(form, k, order, s, d).value;
  }
};

}  // namespace dashpot::formula
