// Trials of a time step, against bounds that are exact.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "dashpot/analysis/largest_step.hpp"
#include "dashpot/scene/stability_trial.hpp"

namespace dashpot::test_stability_trial {
namespace {

constexpr double omega = 50;  // [rad/s]

/// Two masses of 1 kg on a spring; they move apart and together with omega, and lose gamma of their velocity a step.
CompiledScene oscillator(double gamma) {
  return compile(parse_scene(fmt::format(R"({{"dashpot": 1,
    "time": {{"dt": "1 ms", "end": "1 s", "stepper": "symplectic_euler"}},
    "bodies": [{{"name": "pair", "mesh": {{"chain": {{"ends": [[0, 0, 0], [1, 0, 0]], "edges": 1}}}},
      "springs": [{{"stiffness": {}}}], "point_masses": [{{"mass": 1}}],
      "damping": [{{"model": "ether_drag", "gamma_per_step": {}}}],
      "start": {{"from": "formula", "x": "0.001*X"}}}}]}})",
                                         omega * omega / 2, gamma)));
}

TrialOptions short_trial() {
  TrialOptions options;
  options.end = 1;
  options.allowed_gain = 1;  // 1600 times the energy at the start
  return options;
}

double found_step(const CompiledScene& scene, const TrialOptions& trial) {
  analysis::LargestStepOptions search;
  search.start = 0.01, search.shortest = 1e-4, search.longest = 10, search.precision = 0.01;
  return analysis::largest_stable_step([&](double dt) { return try_step(scene, dt, trial).is_stable; }, search).dt;
}

TEST(StabilityTrial, TheLargestStepOfOneOscillatorIsTheExactBound) {
  for (const double gamma : {0.0, 0.5, 0.9, 0.97}) {
    const double bound = std::sqrt(2 * (2 - gamma) / (1 - gamma)) / omega;
    EXPECT_NEAR(found_step(oscillator(gamma), short_trial()) / bound, 1, 0.015) << "gamma = " << gamma;
  }
}

TEST(StabilityTrial, AFailedTrialSaysWhatItGainedAndWhen) {
  const TrialResult result = try_step(oscillator(0), 0.05, short_trial());
  EXPECT_FALSE(result.is_stable);
  EXPECT_GT(result.gain, 1);
  EXPECT_GT(result.time, 0);
  EXPECT_NE(result.reason.find("gained"), std::string::npos) << result.reason;
}

TEST(StabilityTrial, WhatALoadPutsInIsNoGain) {
  CompiledScene scene = compile(parse_scene(R"({"dashpot": 1,
    "time": {"dt": "1 ms", "end": "1 s", "stepper": "symplectic_euler"},
    "bodies": [{"name": "pair", "mesh": {"chain": {"ends": [[0, 0, 0], [1, 0, 0]], "edges": 1}},
      "springs": [{"stiffness": 1000}], "point_masses": [{"mass": 1}],
      "loads": [{"model": "force", "where": "all", "force": [0, 8, 0]}]}]})"));
  TrialOptions options = short_trial();
  options.allowed_gain = 0.1;
  const TrialResult result = try_step(scene, 1e-3, options);
  EXPECT_TRUE(result.is_stable) << result.reason;
  EXPECT_GT(energies(*scene.system, result.end).kinetic, 5 * options.allowed_gain);
}

TEST(StabilityTrial, AStartAtRestIsShakenSoThatAnInstabilityHasSomethingToGrowFrom) {
  const std::string text = R"({"dashpot": 1,
    "time": {"dt": "1 ms", "end": "1 s", "stepper": "symplectic_euler"},
    "bodies": [{"name": "pair", "mesh": {"chain": {"ends": [[0, 0, 0], [1, 0, 0]], "edges": 1}},
      "springs": [{"stiffness": 1250}], "point_masses": [{"mass": 1}]}]})";
  const CompiledScene scene = compile(parse_scene(text));
  TrialOptions options = short_trial();
  EXPECT_TRUE(try_step(scene, 0.05, options).is_stable);  // above 2/omega = 40 ms, and nothing notices
  options.jitter = 1e-3;
  EXPECT_FALSE(try_step(scene, 0.05, options).is_stable);
  EXPECT_TRUE(try_step(scene, 0.038, options).is_stable);
  options.seed = 7;
  EXPECT_FALSE(try_step(scene, 0.05, options).is_stable);
}

TEST(StabilityTrial, ATrialHasAtLeastTheStepsItIsAskedFor) {
  TrialOptions options = short_trial();
  options.end = 0.01;
  options.least_steps = 30;
  EXPECT_NEAR(try_step(oscillator(0), 1e-3, options).time, 0.03, 1e-12);
  options.end = 0.05;
  EXPECT_NEAR(try_step(oscillator(0), 1e-3, options).time, 0.05, 1e-12);
}

TEST(StabilityTrial, EverySeedShakesInAnotherWayAndTheSameOneInTheSame) {
  TrialOptions options = short_trial();
  options.jitter = 1e-3;
  const auto end = [&](std::uint64_t seed) {
    options.seed = seed;
    return try_step(oscillator(0), 1e-3, options).end.q;
  };
  EXPECT_GT((end(1) - end(2)).norm(), 1e-6);
  EXPECT_EQ(end(1), end(1));
}

TEST(StabilityTrial, HeldNodesAreNotShaken) {
  // A heavy mass that is held would bring more energy than any that an instability of the light one may gain.
  const CompiledScene scene = compile(parse_scene(R"({"dashpot": 1,
    "time": {"dt": "1 ms", "end": "1 s", "stepper": "symplectic_euler"},
    "bodies": [{"name": "pair", "mesh": {"chain": {"ends": [[0, 0, 0], [1, 0, 0]], "edges": 1}},
      "springs": [{"stiffness": 2500}],
      "point_masses": [{"where": {"nearest": [0, 0, 0]}, "mass": 1e15}, {"where": {"nearest": [1, 0, 0]}, "mass": 1}],
      "pins": [{"where": {"nearest": [0, 0, 0]}}]}]})"));
  TrialOptions options;
  options.end = 0.5;
  options.least_steps = 1;
  options.allowed_gain = 1;
  options.jitter = 1e-3;
  EXPECT_TRUE(try_step(scene, 0.039, options).is_stable);
  EXPECT_FALSE(try_step(scene, 0.05, options).is_stable) << "above 2/omega = 40 ms";
}

TEST(StabilityTrial, ABodyThatIsTurnedInsideOutHasFailedHoweverLittleItGained) {
  CompiledScene scene = compile(parse_scene(R"({"dashpot": 1,
    "time": {"dt": "0.1 ms", "end": "1 s", "stepper": "symplectic_euler"},
    "bodies": [{"name": "cube", "mesh": {"bar": {"size": [1, 1, 1], "cells": [1, 1, 1], "split": "kuhn"}},
      "material": {"model": "corotational", "young": "1 Pa", "poisson": 0.3, "density": 1000, "mass": "lumped"}}]})"));
  // Every point flies to its mirror image in 10 ms: flat after 5 ms.
  for (Eigen::Index i = 0; i < scene.start.q.size(); i += 3) scene.start.v[i] = -200 * scene.start.q[i];
  TrialOptions options;
  options.least_steps = 1;
  options.allowed_gain = 1e9;
  for (const int steps : {2, 3, 9}) {  // whether the tets are looked at in the last step only, or before
    SCOPED_TRACE(steps);
    const double dt = 8e-3 / steps;
    options.end = 8e-3;
    options.allowed_inverted = 1;
    EXPECT_TRUE(try_step(scene, dt, options).is_stable);
    options.allowed_inverted = 0.5;
    const TrialResult result = try_step(scene, dt, options);
    EXPECT_FALSE(result.is_stable);
    EXPECT_EQ(result.inverted, 1);
    EXPECT_NE(result.reason.find("inside out"), std::string::npos) << result.reason;
    options.end = 4e-3;
    EXPECT_TRUE(try_step(scene, 4e-3 / steps, options).is_stable);
  }
}

TEST(StabilityTrial, TetsInsideOutAreCounted) {
  const CompiledScene scene = compile(parse_scene(R"({"dashpot": 1,
    "time": {"dt": "0.1 ms", "end": "1 s", "stepper": "symplectic_euler"},
    "bodies": [{"name": "cube", "mesh": {"bar": {"size": [1, 1, 1], "cells": [1, 1, 1], "split": "kuhn"}},
      "material": {"model": "corotational", "young": "1 MPa", "poisson": 0.3, "density": 1000, "mass": "lumped"}}]})"));
  EXPECT_EQ(inverted_share(scene, scene.start.q), 0);
  Vector mirrored = scene.start.q;
  for (Eigen::Index i = 0; i < mirrored.size(); i += 3) mirrored[i] = -mirrored[i];
  EXPECT_EQ(inverted_share(scene, mirrored), 1);
  for (Eigen::Index i = 0; i < mirrored.size(); i += 3) mirrored[i] = 0;
  EXPECT_EQ(inverted_share(scene, mirrored), 1) << "flat is not whole";
}

}  // namespace
}  // namespace dashpot::test_stability_trial
