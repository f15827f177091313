#pragma once
// An energy density of the principal stretches made of radial functions [WangEtAl2020, eq. 1, made isotropic and
// conservative; reference D, section 2, E]:
//
//     psi = E0 w sum_k weight_k ( sum_pi phi(|s_pi - c_k|) - phi_k - m_k tr(s - 1) ),    (s_pi)_a = s_pi(a)
//
// summed over all six orders pi of the stretches, so that it does not depend on which is called the first. w is the
// width of phi; phi_k and m_k take away energy and stress at rest. Gaussians add a constant stress -E0 w sum weight_k
// m_k where they have decayed, multiquadrics a bounded one.

#include <array>
#include <vector>

#include "dashpot/math/matrix3.hpp"
#include "dashpot/math/radial_kernel.hpp"

namespace dashpot::formula {

inline constexpr int orders_of_three[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

struct EnergyKernelForm {
  math::RadialKernel kind = math::RadialKernel::gaussian;
  double width = 0.15;
  std::vector<std::array<double, 3>> centers;
  std::vector<double> weights;
  std::vector<double> value_at_rest, slope_at_rest;  ///< phi_k, m_k

  bool is_zero() const { return centers.empty(); }
  int count() const { return static_cast<int>(centers.size()); }
};

/// sum_pi phi(|s_pi - c|), its gradient p and its second derivatives H, all ADDED with a factor.
template <class T>
inline void add_kernel(const EnergyKernelForm& form, int k, T factor, const T s[3], T& psi, T p[3],
                       math::Symmetric3<T>& H) {
  const std::array<double, 3>& c = form.centers[static_cast<std::size_t>(k)];
  for (const auto& order : orders_of_three) {
    T d[3];
    for (int a = 0; a < 3; ++a) d[a] = s[order[a]] - T(c[static_cast<std::size_t>(a)]);
    const math::RadialSample<T> phi = math::sample(form.kind, d[0] * d[0] + d[1] * d[1] + d[2] * d[2], form.width);
    psi += factor * phi.value;
    const T slope = factor * phi.slope, curvature = factor * phi.curvature;
    for (int a = 0; a < 3; ++a) {
      p[order[a]] += slope * d[a];
      H(order[a], order[a]) += slope + curvature * d[a] * d[a];
      for (int b = a + 1; b < 3; ++b) {
        T& entry = order[a] < order[b] ? H(order[a], order[b]) : H(order[b], order[a]);
        entry += curvature * d[a] * d[b];
      }
    }
  }
}

/// Finds phi_k and m_k.
inline void set_rest(EnergyKernelForm& form) {
  form.value_at_rest.clear(), form.slope_at_rest.clear();
  for (int k = 0; k < form.count(); ++k) {
    const double rest[3] = {1, 1, 1};
    double psi = 0, p[3] = {0, 0, 0};
    math::Symmetric3<double> H{};
    add_kernel(form, k, 1.0, rest, psi, p, H);
    form.value_at_rest.push_back(psi);
    form.slope_at_rest.push_back(p[0]);
  }
}

/// Of all kernels, E0 [Pa]: added to what is there.
template <class T>
inline void add_kernels(const EnergyKernelForm& form, double E0, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
  const T trace = (s[0] - T(1.0)) + (s[1] - T(1.0)) + (s[2] - T(1.0));
  for (int k = 0; k < form.count(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    const T factor(E0 * form.width * form.weights[i]);
    add_kernel(form, k, factor, s, psi, p, H);
    psi -= factor * (T(form.value_at_rest[i]) + T(form.slope_at_rest[i]) * trace);
    for (int a = 0; a < 3; ++a) p[a] -= factor * T(form.slope_at_rest[i]);
  }
}

/// dp/dweight_k.
template <class T>
inline void kernel_feature(const EnergyKernelForm& form, double E0, int k, const T s[3], T r[3]) {
  const std::array<double, 3>& c = form.centers[static_cast<std::size_t>(k)];
  const T factor(E0 * form.width), rest(form.slope_at_rest[static_cast<std::size_t>(k)]);
  for (int a = 0; a < 3; ++a) r[a] = -rest;
  for (const auto& order : orders_of_three) {
    T d[3];
    for (int a = 0; a < 3; ++a) d[a] = s[order[a]] - T(c[static_cast<std::size_t>(a)]);
    const T slope = math::sample(form.kind, d[0] * d[0] + d[1] * d[1] + d[2] * d[2], form.width).slope;
    for (int a = 0; a < 3; ++a) r[order[a]] += slope * d[a];
  }
  for (int a = 0; a < 3; ++a) r[a] = factor * r[a];
}

}  // namespace dashpot::formula
