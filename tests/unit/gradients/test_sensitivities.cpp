// Derivatives of whole runs against central differences of whole runs: every implicit integrator, every kind of
// damping.

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/gradients/sensitivity.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::test_sensitivities {
namespace {

/// A bar that hangs from one end and is let go; large enough motion for its elasticity to be nonlinear.
std::string bar_text(const std::string& material, const std::string& dampings, const std::string& more = "") {
  return fmt::format(R"({{"dashpot": 1, "gravity": [0, -9.81, 0], "time": {{"dt": "10 ms", "end": "0.1 s"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}}}},
      "material": {{"model": "{}", "young": "60 kPa", "poisson": 0.3, "density": 1000}},
      "damping": [{}], "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]{}}}]}})",
                     material, dampings, more);
}

constexpr double dt = 10e-3;

NewtonOptions tight() {
  NewtonOptions newton;
  newton.tolerance = 1e-13;
  newton.max_iterations = 60;
  return newton;
}

struct End {
  Vector q, v;
};

/// A run with these values, started as the scene says; accelerations are those of the values.
End end_of(const CompiledScene& scene, const Integrator& integrator, const std::vector<double>& values, int steps,
           const Vector* q_start = nullptr) {
  const auto system = scene.system->with(values);
  State state = scene.start;
  if (q_start != nullptr) state.q = *q_start;
  Workspace workspace = system->make_workspace();
  EXPECT_TRUE(make_consistent(*system, state, workspace));
  const auto stepper = make_stepper(integrator, tight(), {});
  for (int i = 0; i < steps; ++i) EXPECT_NE(stepper->step(*system, state, workspace, dt).status, StepStatus::failed);
  return {state.q, state.v};
}

std::vector<int> numbers_of(const System& system, const std::vector<std::string>& names) {
  std::vector<int> numbers;
  for (const std::string& name : names) {
    const ParameterLayout::Entry& entry = system.parameters().at(name);
    for (int i = 0; i < entry.size(); ++i) numbers.push_back(entry.first + i);
  }
  return numbers;
}

double distance(const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); }

/// The largest relative difference of dq/dtheta and dv/dtheta from differences of runs.
void expect_slopes(const CompiledScene& scene, const Integrator& integrator, const std::vector<int>& numbers, int steps,
                   double tolerance) {
  SensitivityStepper stepper(integrator, tight(), {}, numbers);
  stepper.begin(*scene.system, scene.start, SensitivityStepper::Start::given);
  State state = scene.start;
  Workspace workspace = scene.system->make_workspace();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper.step(*scene.system, state, workspace, dt);
    ASSERT_NE(report.status, StepStatus::failed) << report.explanation;
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto at = static_cast<std::size_t>(numbers[k]);
    std::vector<double> up = scene.system->parameter_values(), down = up;
    const double h = 1e-5 * (up[at] != 0 ? std::abs(up[at]) : 1.0);
    up[at] += h, down[at] -= h;
    const End above = end_of(scene, integrator, up, steps), below = end_of(scene, integrator, down, steps);
    const Vector dq = (above.q - below.q) / (2 * h), dv = (above.v - below.v) / (2 * h);
    ASSERT_GT(dq.norm() * std::abs(h), 1e-13) << "parameter " << at << " has no effect";
    EXPECT_LT(distance(stepper.columns()[k].q, dq), tolerance) << integrator.name() << ", parameter " << at;
    EXPECT_LT(distance(stepper.columns()[k].v, dv), tolerance) << integrator.name() << ", parameter " << at;
  }
}

TEST(Sensitivity, OfEveryImplicitIntegratorIsTheSlopeOfItsRuns) {
  const CompiledScene scene =
      compile(parse_scene(bar_text("neo_hookean", R"({"model": "rayleigh", "alpha": "0.4 /s", "beta": "4 ms"})")));
  const std::vector<int> numbers =
      numbers_of(*scene.system, {"/bodies/0/material/young", "/bodies/0/material/poisson", "/bodies/0/material/density",
                                 "/bodies/0/damping/0/alpha", "/bodies/0/damping/0/beta"});
  int count = 0;
  for (const std::string& name : integrator_names()) {
    const Integrator integrator(name);
    if (integrator.kick_drift()) continue;
    expect_slopes(scene, integrator, numbers, 6, 1e-5);
    ++count;
  }
  EXPECT_GE(count, 6);
}

TEST(Sensitivity, GoesThroughHeldTangentsMemoryAndRates) {
  const std::map<std::string, std::pair<std::string, std::string>> cases = {
      {"lagged Rayleigh", {R"({"model": "rayleigh", "beta": "8 ms", "stiffness": "projected_tangent"})", "beta"}},
      {"memory", {R"({"model": "maxwell", "modulus": "20 kPa", "tau": "40 ms"})", "modulus"}},
      {"strain rate",
       {R"({"model": "strain_rate", "viscosity": "300 Pa s", "second_viscosity": "100 Pa s"})", "viscosity"}},
  };
  for (const auto& [what, damping] : cases) {
    SCOPED_TRACE(what);
    const CompiledScene scene = compile(parse_scene(bar_text("stvk", damping.first)));
    const std::vector<int> numbers =
        numbers_of(*scene.system, {"/bodies/0/material/young", "/bodies/0/damping/0/" + damping.second});
    for (const char* name : {"backward_euler", "midpoint", "bdf2", "bathe", "sdirk3"})
      expect_slopes(scene, Integrator(name), numbers, 6, 1e-5);
  }
}

TEST(Sensitivity, OfLearnedLawsAndTheirDampingIsTheSlopeOfRuns) {
  // Weights are told by the terms themselves; the damping holds its stretches and stiffness over a step.
  const std::string text = R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "10 ms", "end": "0.1 s"},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}},
      "material": {"model": "learned", "young": "60 kPa", "poisson": 0.3, "density": 1000, "tail": [0.3, -0.2],
        "stretch": [-0.1, 0, 0.1, 0.1, 0.2, 0.1, 0.3, 0.2], "volume": [0.1, 0, -0.1, 0.2, 0.3, 0.1]},
      "damping": [{"model": "stretch_rayleigh", "alpha": 0.5, "beta": "4 ms",
        "beta_curve": [0.2, 0.1, 0.3, 0.1, 0.2, 0.1, 0.1, 0.2]}],
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}]})";
  const CompiledScene scene = compile(parse_scene(text));
  std::vector<int> numbers = numbers_of(*scene.system, {"/bodies/0/material/tail"});
  // Of curves, weights whose splines the motion visits.
  numbers.push_back(scene.system->parameters().at("/bodies/0/material/stretch").first + 3);
  numbers.push_back(scene.system->parameters().at("/bodies/0/material/volume").first + 2);
  numbers.push_back(scene.system->parameters().at("/bodies/0/damping/0/beta_curve").first + 1);
  for (const char* name : {"backward_euler", "bathe"}) expect_slopes(scene, Integrator(name), numbers, 6, 1e-5);
}

}  // namespace
}  // namespace dashpot::test_sensitivities
