// d(force)/d(parameter) against the slope of the forces of Systems with other values.

#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/scene/compile.hpp"

namespace dashpot::test_parameter_gradients {
namespace {

std::shared_ptr<const System> bar(const std::string& law, const std::string& damping, int order = 1) {
  return compile(parse_scene(fmt::format(
                     R"({{"dashpot": 1, "time": {{"dt": "5 ms", "end": "1 s"}},
      "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}}}, "elements": "{}",
        "material": {{"model": "{}", "young": "100 kPa", "poisson": 0.3, "density": 1000,
                      "regions": [{{"where": {{"box": [[0.15, -1, -1], [1, 1, 1]]}}, "young": "150 kPa"}}]}},
        "damping": [{}]}}]}})",
                     order == 1 ? "as_mesh" : "tet10", law, damping)))
      .system;
}

State disturbed(const System& system) {
  State state = system.initial_state();
  for (Eigen::Index i = 0; i < state.q.size(); ++i) {
    state.q[i] += 0.004 * std::sin(1.0 + 37.0 * static_cast<double>(i));
    state.v[i] = std::cos(2.0 + 23.0 * static_cast<double>(i));
  }
  return state;
}

Vector weights_for(const System& system) {
  Vector weights(system.num_dofs());
  for (Eigen::Index i = 0; i < weights.size(); ++i) weights[i] = std::sin(3.0 + 11.0 * static_cast<double>(i));
  return weights;
}

struct Force {
  const System& system;
  const State& state;
  bool of_damping;
  Vector operator()(const std::vector<double>& values) const {
    const auto other = system.with(values);
    Vector force = Vector::Zero(system.num_dofs());
    if (!of_damping) {
      EnergyRequest request{state.q};
      request.gradient = &force;
      other->energies()[0]->evaluate(request);
      return force;
    }
    Workspace workspace = other->make_workspace();
    other->begin_step(state, workspace);
    DissipationRequest request{state.q, state.v, state.internal_variables[0], 5e-3, workspace.dissipation[0].get()};
    request.force = &force;
    other->dissipations()[0]->evaluate(request);
    return force;
  }
};

/// Gradient and slope of every value of the first term whose name begins with `place`. `has_forces`: it tells its
/// forces by parameter too, which are felt by the weights as the gradient says.
void expect_gradient(const System& system, const std::string& place, bool of_damping, int least_offered,
                     bool has_forces = true) {
  const State state = disturbed(system);
  const Vector weights = weights_for(system);
  const Force force{system, state, of_damping};
  int count = 0;
  const ParameterLayout& layout = system.parameters();
  std::vector<int> index;
  for (const ParameterInfo& info :
       of_damping ? system.dissipations()[0]->parameters() : system.energies()[0]->parameters()) {
    const ParameterLayout::Entry& entry = layout.at(place + "/" + info.name);
    for (int k = 0; k < entry.size(); ++k) index.push_back(entry.first + k);
  }
  std::vector<double> gradient(index.size(), 0.0);
  std::vector<int> all(index.size());
  std::iota(all.begin(), all.end(), 0);
  Matrix columns = Matrix::Zero(system.num_dofs(), static_cast<Eigen::Index>(all.size()));
  bool told;
  if (of_damping) {
    Workspace workspace = system.make_workspace();
    system.begin_step(state, workspace);
    const DissipationRequest request{state.q, state.v, state.internal_variables[0], 5e-3,
                                     workspace.dissipation[0].get()};
    count = system.dissipations()[0]->add_parameter_gradient(request, weights, gradient.data());
    told = system.dissipations()[0]->add_parameter_forces(request, all, columns);
  } else {
    count = system.energies()[0]->add_parameter_gradient({state.q}, weights, gradient.data());
    told = system.energies()[0]->add_parameter_forces({state.q}, all, columns);
  }
  EXPECT_EQ(told, has_forces);
  ASSERT_GE(count, least_offered);
  int num_felt = 0;
  for (int k = 0; k < count; ++k) {
    const std::size_t at = static_cast<std::size_t>(index[static_cast<std::size_t>(k)]);
    std::vector<double> up = system.parameter_values(), down = up;
    const double step = 1e-5 * (up[at] != 0 ? std::abs(up[at]) : 0.1);
    up[at] += step;
    if (down[at] >= step) down[at] -= step;
    const Vector higher = force(up);
    const double slope = weights.dot(higher - force(down)) / (up[at] - down[at]);
    const double round_off = 1e-15 * weights.norm() * higher.norm() / (up[at] - down[at]);
    EXPECT_NEAR(gradient[static_cast<std::size_t>(k)], slope, 2e-6 * std::abs(slope) + 1e-12 + round_off) << k;
    num_felt += slope != 0;
    if (told)
      EXPECT_NEAR(weights.dot(columns.col(k)), gradient[static_cast<std::size_t>(k)],
                  1e-10 * weights.norm() * columns.col(k).norm())
          << k;
  }
  EXPECT_GE(2 * num_felt, count);  // a knot far from the present amplitude is not felt
}

TEST(ParameterGradients, OfTetsAreSlopesInEveryLawAndRegion) {
  for (const char* law : {"linear", "corotational", "arap", "stvk", "neo_hookean", "stable_neo_hookean", "learned"})
    for (const int order : {1, 2}) {
      SCOPED_TRACE(fmt::format("{} of order {}", law, order));
      const auto system = bar(law, "", order);
      // Two moduli, and one ratio, which ARAP feels through its shear modulus.
      expect_gradient(*system, "/bodies/0/material", false, 3);
    }
}

TEST(ParameterGradients, OfRayleighAreSlopes) {
  for (const char* stiffness : {"rest", "projected_tangent", "gauss_newton"})
    for (const char* law : {"stvk", "neo_hookean"}) {
      SCOPED_TRACE(std::string(stiffness) + " " + law);
      const auto system = bar(law, fmt::format(R"({{"model": "rayleigh", "alpha": "2 /s", "beta": "3 ms",
          "stiffness": "{}", "regions": [{{"where": {{"box": [[0.15, -1, -1], [1, 1, 1]]}}, "beta": "5 ms"}}]}})",
                                               stiffness));
      expect_gradient(*system, "/bodies/0/damping/0", true, 3);
    }
}

TEST(ParameterGradients, OfCoefficientsOverStretchAreSlopes) {
  // Cut below zero in some elements and not in others.
  for (const char* stiffness : {"projected_tangent", "gauss_newton"})
    for (const char* law : {"corotational", "learned"})
      for (const int order : {1, 2}) {
        SCOPED_TRACE(fmt::format("{} {} {}", stiffness, law, order));
        const auto system = bar(law,
                                fmt::format(R"({{"model": "stretch_rayleigh", "alpha": "0.2 /s", "beta": "3 ms",
            "alpha_curve": [0.3, -0.1, 0.2, -2, 0.3], "beta_curve": [0.1, -0.6, 0.2, -0.9, 1.5, -0.5],
            "curve_range": [1, 1.15], "stiffness": "{}",
            "alpha_kernels": [0.1, -0.2], "beta_kernels": [-0.3, 0.1], "kernel": "multiquadric",
            "kernel_centers": [[1.1, 1, 0.9], [1.2, 1.1, 0.7]],
            "regions": [{{"where": {{"box": [[0.15, -1, -1], [1, 1, 1]]}}, "beta": "5 ms"}}]}})",
                                            stiffness),
                                order);
        expect_gradient(*system, "/bodies/0/damping/0", true, 18);
      }
}

TEST(ParameterGradients, OfGainsAndKnotsAreSlopes) {
  for (const char* coupling : {"lowdin", "raw"})
    for (const char* interpolation : {"linear", "monotone"}) {
      SCOPED_TRACE(std::string(coupling) + " " + interpolation);
      const auto system = bar("stvk", fmt::format(R"({{"model": "example_based", "coupling": "{}",
          "over": {{"model": "rayleigh", "beta": "3 ms"}},
          "examples": [{{"name": "lean", "shape": {{"from": "formula", "y": "0.1*X^2"}},
                         "curve": [[0.001, 2], [0.02, 9], [0.9, 0.5]], "interpolation": "{}"}},
                       {{"name": "pull", "shape": {{"from": "formula", "x": "0.1*X"}},
                         "curve": [[0.0001, 5], [0.5, 2]], "interpolation": "linear"}}]}})",
                                                  coupling, interpolation));
      expect_gradient(*system, "/bodies/0/damping/0", true, 10, false);
    }
}

}  // namespace
}  // namespace dashpot::test_parameter_gradients
