// Scenes with materials that remember: moduli that hold at a frequency, what modes tell against what rings, refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dashpot/analysis/modal_damping.hpp"
#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/dissipation/loss_band.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot::test_memory_models {
namespace {

constexpr double pi = std::numbers::pi;

/// A mass of 1 kg on a spring that swings at f by its stiffness alone.
std::string oscillator(const std::string& damping, double f = 5, const std::string& start = R"("from": "rest")",
                       double gravity = 0, double dt = 1e-3, double end = 2) {
  return fmt::format(R"({{"dashpot": 1, "gravity": [{}, 0, 0], "time": {{"dt": {}, "end": {}, "stepper": "trapezoid"}},
      "solver": {{"newton": {{"tolerance": 1e-12}}}},
      "bodies": [{{"name": "mass", "mesh": {{"chain": {{"ends": [[0, 0, 0], [1, 0, 0]], "edges": 1}}}},
        "springs": [{{"stiffness": {}}}], "point_masses": [{{"mass": 1}}], "damping": [{}],
        "pins": [{{"where": {{"vertices": [0]}}}}, {{"where": {{"vertices": [1]}}, "axes": ["y", "z"]}}],
        "start": {{{}}}}}],
      "record": {{"probes": [{{"name": "mass", "where": {{"vertices": [1]}}}}]}}}})",
                     gravity, dt, end, std::pow(2 * pi * f, 2), damping, start);
}

struct Told {
  double frequency = 0, zeta = 0;
};
Told told_by_modes(const CompiledScene& scene) {
  const State rest = scene.system->initial_state();
  const ModesResult modes = system_modes(*scene.system, rest, {.num_modes = 1});
  const double omega = std::sqrt(modes.lambda[0]);
  return {analysis::omega_with_memory(*scene.system, rest, modes.shapes.col(0), omega) / (2 * pi),
          analysis::modal_damping(*scene.system, rest, modes.shapes.col(0), omega, scene.run.dt).at(0).zeta};
}

const char* const structural = R"({"model": "structural", "loss_factor": 0.05, "from": 1, "to": 100, "at": 5})";

TEST(MemoryModels, AModulusHoldsAtTheFrequencyNamedForIt) {
  const CompiledScene scene = compile(parse_scene(oscillator(structural)));
  const Told told = told_by_modes(scene);
  EXPECT_NEAR(told.frequency, 5, 5 * 1e-3);
  EXPECT_NEAR(told.zeta, 0.025 * 1.016, 0.025 * 0.01);
  // Without `at` a prony has its moduli at rest, and swings faster.
  const Told plain =
      told_by_modes(compile(parse_scene(oscillator(R"({"model": "prony", "branches": [{"share": 0.5, "tau": 10}]})"))));
  EXPECT_NEAR(plain.frequency, 5 * std::sqrt(1.5), 0.01);
  const Told given = told_by_modes(
      compile(parse_scene(oscillator(R"({"model": "prony", "branches": [{"share": 0.5, "tau": 10}], "at": 5})"))));
  EXPECT_NEAR(given.frequency, 5, 0.01);
}

TEST(MemoryModels, ABodyHangsAsItsRelaxedModulusLetsIt) {
  const LossBand band = constant_loss_factor(0.05, 1, 100);
  const double m = modulus_factor(band.branches, 5).storage, k = std::pow(2 * pi * 5, 2);
  ASSERT_GT(m, 1.1);
  const CompiledScene scene = compile(parse_scene(oscillator(structural, 5, R"("from": "equilibrium")", 0.1)));
  EXPECT_NEAR(scene.start.q[3] - 1, 0.1 / (k / m), 1e-9);
}

TEST(MemoryModels, AMaterialIsScaledInAllItsStiffnessesAndNothingElse) {
  const auto scene = [](const char* damping) {
    return parse_scene(fmt::format(
        R"({{"dashpot": 1, "time": {{"dt": "1 ms", "end": "1 s"}}, "bodies": [{{"mesh": {{"bar": {{"size": [1, 1, 1], "cells": [2, 1, 1]}}}},
            "material": {{"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000,
              "regions": [{{"where": {{"box": [[0, 0, 0], [0.5, 1, 1]]}}, "young": "3 MPa"}}]}},
            "damping": [{}]}}]}})",
        damping));
  };
  const SceneSpec plain = scene(""), softened = scene(structural);
  const Settings before = plain.bodies[0].material->settings, after = softened.bodies[0].material->settings;
  const double share = after.number("young") / before.number("young");
  EXPECT_NEAR(share, 1 / modulus_factor(constant_loss_factor(0.05, 1, 100).branches, 5).storage, 1e-12);
  EXPECT_NEAR(after.sections("regions")[0].number("young"), share * 3e6, 1e-3);
  EXPECT_EQ(after.number("density"), before.number("density"));
  EXPECT_EQ(after.number("poisson"), before.number("poisson"));
  EXPECT_EQ(after.place("young"), before.place("young"));
}

TEST(MemoryModels, WhatModesTellIsWhatRings) {
  for (const char* damping :
       {structural, R"({"model": "zener", "loss_factor": 0.12, "f": 5})",
        R"({"model": "prony", "branches": [{"share": 0.1, "tau": 0.02}, {"share": 0.2, "tau": 0.2}]})"}) {
    CompiledScene scene = compile(parse_scene(oscillator(damping)));
    const Told told = told_by_modes(scene);
    ASSERT_GT(told.zeta, 0.01) << damping;
    scene.start.v[3] = 1e-3;
    const RunResult run = simulate(scene);
    const analysis::RingDown ring = analysis::measure_ring_down(run.probes.column("time"), run.probes.column("mass.x"));
    EXPECT_NEAR(ring.zeta / told.zeta, 1, 0.015) << damping;
    const double damped = told.frequency * std::sqrt(1 - told.zeta * told.zeta);
    EXPECT_NEAR(ring.frequency / damped, 1, 3e-3) << damping;
  }
}

TEST(MemoryModels, HysteresisIsToldByAmplitude) {
  const CompiledScene scene =
      compile(parse_scene(oscillator(R"({"model": "bouc_wen", "share": 0.3, "strain": 0.01})")));
  const State rest = scene.system->initial_state();
  const ModesResult modes = system_modes(*scene.system, rest, {.num_modes = 1});
  const Vector shape = modes.shapes.col(0) / modes.shapes.col(0).cwiseAbs().maxCoeff();
  const double omega = std::sqrt(modes.lambda[0]);
  const auto zeta = [&](double amplitude) {
    return analysis::modal_damping(*scene.system, rest, shape, omega, 1e-3, amplitude).at(0).zeta;
  };
  EXPECT_TRUE(analysis::depends_on_amplitude(*scene.system));
  EXPECT_NEAR(zeta(0), 0, 1e-12);
  EXPECT_NEAR(analysis::omega_with_memory(*scene.system, rest, shape, omega) / omega, std::sqrt(1.3), 1e-9);
  // Dahl: a cycle of the amplitude A loses 4 g k z_0 (A - z_0 tanh(A/z_0)).
  const double A = 0.05, z = 0.01, k = omega * omega, lost = 4 * 0.3 * k * z * (A - z * std::tanh(A / z)),
               w = analysis::omega_with_memory(*scene.system, rest, shape, omega, A);
  EXPECT_NEAR(zeta(A) / (lost / (2 * pi * w * w * A * A)), 1, 0.02);
}

TEST(MemoryModels, WhatMakesNoSenseIsRefusedWithTheAdmissibleRange) {
  const auto message = [](const std::string& damping) -> std::string {
    try {
      static_cast<void>(compile(parse_scene(oscillator(damping))));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto expect = [&](const std::string& damping, const char* words) {
    EXPECT_NE(message(damping).find(words), std::string::npos) << damping << "\n" << message(damping);
  };
  EXPECT_EQ(message(structural), "accepted");
  expect(R"({"model": "structural", "loss_factor": 0.1, "from": 10, "to": 2})", "to > from");
  expect(R"({"model": "structural", "loss_factor": 0.1, "from": 10, "to": 10})", "to > from");
  expect(R"({"model": "structural", "loss_factor": 1, "from": 1, "to": 2})", "< 1");
  expect(R"({"model": "structural", "loss_factor": -0.1, "from": 1, "to": 2})", "0 \u2264 loss_factor");
  expect(R"({"model": "structural", "loss_factor": 0.1, "from": 1, "to": 2, "at": 3})", "1 <= at <= 2");
  expect(R"({"model": "prony", "branches": [{"share": 0.1, "tau": 0}]})", "tau > 0");
  expect(R"({"model": "prony", "branches": [{"share": 0.1, "tau": -1}]})", "tau > 0");
  expect(R"({"model": "prony", "branches": [{"share": -0.1, "tau": 1}]})", "share \u2265 0");
  expect(R"({"model": "prony", "branches": []})", "branches");
  expect(R"({"model": "zener", "loss_factor": -1, "f": 5})", "loss_factor \u2265 0");
  expect(R"({"model": "bouc_wen", "share": 0.3})", "neither");
  expect(fmt::format("{}, {}", structural, R"({"model": "zener", "loss_factor": 0.1, "f": 5, "at": 5})"), "second");
}

}  // namespace
}  // namespace dashpot::test_memory_models
