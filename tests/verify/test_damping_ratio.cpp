// The damping ratio a user asks for is the one a ring-down measures: at every time step and mesh, for linear and
// nonlinear materials at small amplitude; steppers that damp by themselves add what they are predicted to add.

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dashpot/analysis/numerical_damping.hpp"
#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/record/run.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::testing::test_damping_ratio {
namespace {

constexpr double asked = 0.02;

struct Case {
  const char* stepper;
  Integrator integrator;
  bool adds_damping;
};
const Case cases[] = {
    {R"("midpoint")", "midpoint", false},
    {R"("trapezoid")", "trapezoid", false},
    {R"("bathe")", "bathe", false},
    {R"("backward_euler")", "backward_euler", true},
    {R"("bdf2")", "bdf2", true},
    {R"({"newmark": {"beta": 0.3025, "gamma": 0.6}})", {"newmark", {{"beta", 0.3025}, {"gamma", 0.6}}}, true},
    {R"({"generalized_alpha": {"rho_inf": 0.5}})", {"generalized_alpha", {{"rho_inf", 0.5}}}, true},
};

CompiledScene bar(const std::string& stepper, const std::string& law, const std::string& cells, double dt, double end) {
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "time": {{"dt": {}, "end": {}, "stepper": {}}},
    "solver": {{"newton": {{"tolerance": 1e-10}}}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [1, 0.1, 0.1], "cells": {}}}}},
      "material": {{"model": "{}", "young": "1 MPa", "poisson": 0.3, "density": 1000}},
      "damping": [{{"model": "rayleigh", "zeta": [{{"mode": 1, "zeta": {}}}]}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
      "start": {{"from": "mode", "mode": 1, "amplitude": "1 mm"}}}}]}})",
                                         dt, end, stepper, cells, law, asked)));
}

double first_omega(const std::string& law, const std::string& cells) {
  const CompiledScene scene = bar(R"("trapezoid")", law, cells, 0.01, 1);
  const Vector u = scene.start.q - scene.system->rest();
  return std::sqrt(-u.dot(scene.start.a) / u.squaredNorm());
}

double measured_zeta(const Case& c, const std::string& law, const std::string& cells, double omega_h) {
  const double omega = first_omega(law, cells), h = omega_h / omega;
  CompiledScene scene = bar(c.stepper, law, cells, h, 8 * 2 * std::numbers::pi / omega);
  const auto stepper = make_stepper(scene.spec);
  EnergyLedger ledger(*scene.system, scene.start);
  const Vector shape = scene.start.q - scene.system->rest();
  std::vector<double> time, amplitude;
  RunHooks hooks;
  hooks.on_record = [&](const State& state) {
    time.push_back(state.time);
    amplitude.push_back(shape.dot(state.q - scene.system->rest()) / shape.squaredNorm());
  };
  EXPECT_EQ(run(*scene.system, scene.start, *stepper, ledger, scene.run, hooks).status, RunStatus::finished);
  EXPECT_LE(std::abs(ledger.solver()), 1e-6 * ledger.energy_scale());
  return analysis::measure_ring_down(time, amplitude).zeta;
}

void expect_asked_damping(const Case& c, const std::string& law, const std::string& cells, double omega_h) {
  SCOPED_TRACE(fmt::format("{} {} {} omega h = {}", c.stepper, law, cells, omega_h));
  const double predicted = analysis::numerical_damping(c.integrator, omega_h, asked).zeta;
  const double expected = c.adds_damping ? predicted : asked;
  EXPECT_NEAR(measured_zeta(c, law, cells, omega_h), expected, 0.01 * expected);
  if (c.adds_damping && std::string(c.stepper) == R"("backward_euler")")
    EXPECT_GT(predicted, asked + 0.3 * omega_h) << "the prediction must contain the integrator's part";
}

TEST(DampingRatio, IsTheOneAskedForWithEveryImplicitStepper) {
  for (const Case& c : cases) expect_asked_damping(c, "linear", "[8, 1, 1]", 0.1);
}

TEST(DampingRatio, DoesNotDependOnTimeStepMeshOrMaterialAtSmallAmplitude) {
  expect_asked_damping(cases[1], "linear", "[8, 2, 2]", 0.05);
  expect_asked_damping(cases[2], "stvk", "[8, 1, 1]", 0.1);
  expect_asked_damping(cases[1], "stable_neo_hookean", "[8, 1, 1]", 0.1);
}

TEST(SlowDampingRatio, HoldsAtThreeTimeStepsThreeMeshesAndThreeMaterialsForEveryImplicitStepper) {
  for (const char* law : {"linear", "stvk", "corotational"})
    for (const char* cells : {"[8, 1, 1]", "[8, 2, 2]", "[16, 3, 3]"})
      for (const double omega_h : {0.1, 0.05, 0.025})
        for (const Case& c : cases) expect_asked_damping(c, law, cells, omega_h);
}

}  // namespace
}  // namespace dashpot::testing::test_damping_ratio
