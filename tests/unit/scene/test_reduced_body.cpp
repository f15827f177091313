// A body that a scene asks to be simulated in a subspace, against the same body in full.
#include "dashpot/scene/assembly/reduced_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "dashpot/scene/simulate.hpp"
#include "scene_text.hpp"

namespace dashpot::test_reduced_body {
namespace {

const char* const asked = R"("reduced": {"modes": 6, "size": 20, "cache": false}, )";

/// A bar pulled down by a tenth of its length and let go, in full.
std::string plucked_bar() {
  return R"({"dashpot": 1, "gravity": [0, -2, 0], "time": {"dt": "5 ms", "end": "1 s", "stepper": "bathe"},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.5, 0.06, 0.05], "cells": [10, 2, 2]}},
      "material": {"model": "stvk", "young": "400 kPa", "poisson": 0.4, "density": 1000},
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
      "damping": [{"model": "rayleigh", "alpha": "0.2 /s", "beta": "4 ms"}],
      "start": {"from": "equilibrium", "loads": [{"model": "force", "where": {"box": [[0.499, -1, -1], [1, 1, 1]]}, "force": [0, -0.4, 0.1]}]}
    }],
    "record": {"every": "20 ms", "probes": [{"name": "tip", "where": {"nearest": [0.5, 0.03, 0.025]}}]}})";
}

std::string reduced(const std::string& text) {
  return with(text, R"("material")", std::string(asked) + R"("material")");
}

std::string folder(const std::string& name) { return ::testing::TempDir() + "dashpot_reduced_" + name; }

RunResult play(const std::string& text) { return simulate(compile(parse_scene(text))); }

double largest(const std::vector<double>& values, double zero) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value - zero));
  return result;
}

TEST(ReducedBody, SwingsAndLosesEnergyAsTheFullBodyDoes) {
  const RunResult full = play(plucked_bar()), small = play(reduced(plucked_bar()));
  ASSERT_EQ(small.status, RunStatus::finished);
  for (const char* column : {"tip.y", "tip.z"}) {
    const std::vector<double>&a = full.probes.column(column), &b = small.probes.column(column);
    ASSERT_EQ(a.size(), b.size());
    const double swing = largest(a, a.back());
    EXPECT_GT(swing, 0.005);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 0.03 * swing) << column << " row " << i;
  }
  const double damped = full.final_value("damping.bar.rayleigh");
  EXPECT_GT(damped, 0);
  EXPECT_NEAR(small.final_value("damping.bar.rayleigh"), damped, 0.03 * damped);
  EXPECT_NEAR(small.initial_energy(), full.initial_energy(), 0.02 * std::abs(full.initial_energy()));
}

TEST(ReducedBody, BooksEveryJoule) {
  const RunResult small = play(reduced(plucked_bar()));
  const double scale = small.final_value("damping.bar.rayleigh");
  ASSERT_GT(scale, 0);
  const double left = small.final_energy() - small.initial_energy() - small.final_value("external") +
                      small.final_value("damping.bar.rayleigh") + small.final_value("solver") +
                      small.final_value("numerical");
  EXPECT_NEAR(left, 0, 1e-12 * scale);
  EXPECT_NEAR(small.final_value("solver"), 0, 1e-6 * scale);
  EXPECT_GT(small.final_value("numerical"), 0);
  EXPECT_LT(small.final_value("numerical"), 0.05 * scale);
}

TEST(ReducedBody, ResumesWithTheSameBits) {
  const RunResult straight = play(reduced(plucked_bar()));
  const CompiledScene scene = compile(parse_scene(reduced(plucked_bar())));
  int steps = 0;
  RunHooks hooks;
  hooks.on_step = [&](double, double) { ++steps; };
  hooks.should_stop = [&] { return steps >= 77; };
  ASSERT_EQ(simulate_into(folder("resumed"), scene, hooks).status, RunStatus::interrupted);
  const CompiledScene again = compile(parse_scene(reduced(plucked_bar())));
  const RunResult resumed = simulate_into(folder("resumed"), again, {}, {.resume = true});
  EXPECT_EQ(resumed.status, RunStatus::finished);
  EXPECT_EQ(resumed.state.hash(), straight.state.hash());
  EXPECT_EQ(resumed.ledger.values, straight.ledger.values);
}

TEST(ReducedBody, TakesItsBasisFromARun) {
  const RunResult full = simulate_into(folder("pod_source"), compile(parse_scene(plucked_bar())));
  const std::string text = with(plucked_bar(), R"("material")",
                                R"("reduced": {"basis": "pod", "run": ")" + folder("pod_source") +
                                    R"(", "size": 12, "cache": false}, "material")");
  const RunResult small = play(text);
  const std::vector<double>&a = full.probes.column("tip.y"), &b = small.probes.column("tip.y");
  const double swing = largest(a, a.back());
  EXPECT_GT(swing, 0.005);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 0.02 * swing);
  const CompiledScene scene = compile(parse_scene(text));
  EXPECT_EQ(scene.system->num_dofs(), 12);
}

TEST(ReducedBody, WarnsOfPosesThatAreNotInTheSubspace) {
  std::string text = reduced(plucked_bar());
  const std::size_t start = text.find(R"("start")");
  text.replace(start, text.find("\n    }]", start) - start,
               R"("start": {"from": "formula", "y": "sin(60*X)*sin(90*Z)*0.01"})");
  const CompiledScene odd = compile(parse_scene(text));
  ASSERT_EQ(odd.warnings.size(), 1U);
  EXPECT_NE(odd.warnings[0].found.find("the pose at the start is"), std::string::npos) << odd.warnings[0].found;
  EXPECT_EQ(odd.spec.warnings.size(), 1U);
  EXPECT_TRUE(compile(parse_scene(reduced(plucked_bar()))).warnings.empty());
}

TEST(ReducedBody, HoldsTheShapesOfDampingExamples) {
  const std::string text = with(reduced(plucked_bar()), R"({"model": "rayleigh", "alpha": "0.2 /s", "beta": "4 ms"})",
                                R"({"model": "example_based", "over": {"model": "rayleigh", "beta": "4 ms"},
    "examples": [{"name": "wave", "shape": {"from": "formula", "y": "sin(60*X)*sin(90*Z)*0.01"}, "gamma": 3}]})");
  const CompiledScene held = compile(parse_scene(text));
  EXPECT_TRUE(held.warnings.empty());
  EXPECT_EQ(held.system->num_dofs(), 20);
  const CompiledScene loose =
      compile(parse_scene(with(text, R"("cache": false)", R"("cache": false, "examples": false)")));
  ASSERT_EQ(loose.warnings.size(), 1U);
  EXPECT_NE(loose.warnings[0].found.find("example \"wave\" is"), std::string::npos) << loose.warnings[0].found;
}

TEST(ReducedBody, StopsWhenAsked) {
  int calls = 0;
  PrecomputeHooks hooks;
  hooks.should_stop = [&] { return ++calls > 2; };
  EXPECT_FALSE(compile(parse_scene(reduced(plucked_bar())), hooks).has_value());
  EXPECT_EQ(calls, 3);
}

TEST(ReducedBody, OnAMovingSeatSwingsAsTheFullBodyDoes) {
  std::string text = with(plucked_bar(), R"([[-1, -1, -1], [1e-6, 1, 1]]})",
                          R"([[-1, -1, -1], [1e-6, 1, 1]]}, "motion": {"keyframes": {"keys": [
    {"time": 0}, {"time": "0.4 s", "translate": [0.03, 0.02, 0], "rotate": [0, "12 deg", "4 deg"]},
    {"time": "0.8 s", "translate": [-0.03, 0, 0.03], "rotate": ["6 deg", "-8 deg", "14 deg"]}, {"time": "1.2 s"}]}})");
  text = with(text, R"("alpha": "0.2 /s", "beta": "4 ms")", R"("beta": "4 ms", "stiffness": "gauss_newton")");
  const std::size_t start = text.find(R"("start")");
  text.replace(start, text.find("\n    }]", start) - start, R"("start": {"from": "rest"})");
  text = with(text, "400 kPa", "1 MPa");
  const RunResult full = play(text), small = play(reduced(text));
  // Where the seat alone would carry the tip: how far it is bent from there is what the comparison is about.
  const CompiledScene scene = compile(parse_scene(reduced(text)));
  double bent = 0, off = 0;
  for (std::size_t i = 0; i < small.probes.num_rows(); ++i) {
    Vector q = scene.system->rest();
    scene.system->prescribe(small.probes.column("time")[i], &q, nullptr, nullptr);
    std::vector<Vec3> x;
    scene.system->kinematics().positions(q, x);
    const Vec3 carried = x[static_cast<std::size_t>(scene.run.probes[0].points[0])];
    const auto tip = [&](const RunResult& run) {
      return Vec3(run.probes.column("tip.x")[i], run.probes.column("tip.y")[i], run.probes.column("tip.z")[i]);
    };
    bent = std::max(bent, (tip(full) - carried).norm());
    off = std::max(off, (tip(full) - tip(small)).norm());
  }
  EXPECT_GT(bent, 0.03);
  EXPECT_LT(off, 0.03 * bent);
  EXPECT_NEAR(small.final_value("external"), full.final_value("external"),
              0.03 * std::abs(full.final_value("external")));
  EXPECT_NEAR(small.final_value("kinetic"), full.final_value("kinetic"), 0.05 * full.final_value("kinetic"));
}

void expect_refused(const std::string& text, const std::string& why) {
  const CheckedScene checked = check_scene(text, "scene", "");
  EXPECT_FALSE(checked.spec.has_value()) << why;
  bool found = false;
  for (const Problem& problem : checked.problems) found |= problem.found.find(why) != std::string::npos;
  EXPECT_TRUE(found) << why << ": " << (checked.problems.empty() ? "" : checked.problems[0].text());
}

TEST(ReducedBody, IsRefusedWhereItsSubspaceCannotFollow) {
  const std::string good = reduced(plucked_bar());
  ASSERT_TRUE(check_scene(good, "scene", "").spec.has_value());
  const std::string pin = R"([[-1, -1, -1], [1e-6, 1, 1]]})";
  expect_refused(with(good, pin, pin + R"(, "motion": {"formula": {"x": "0.1*t*Y"}})"), "each in its own way");
  expect_refused(
      with(good, pin, pin + R"(, "axes": ["x"], "motion": {"harmonic": {"amplitude": [0.01, 0, 0], "frequency": 1}})"),
      "of which one moves");
  expect_refused(with(good, R"("pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],)", ""), "floats freely");
  expect_refused(with(good, R"("size": 20)", R"("size": 5)"), "size 5 for 6 modes");
  expect_refused(with(good, R"("size": 20)", R"("size": 200)"), "200 coordinates");
  expect_refused(with(good, R"("cache": false)", R"("basis": "pod")"), "a pod basis without a run");
}

TEST(ReducedBody, CostIsPredictedFromCoordinatesNotNodes) {
  const Prediction full = predict(parse_scene(plucked_bar())), small = predict(parse_scene(reduced(plucked_bar())));
  EXPECT_EQ(full.reduced, 0);
  EXPECT_EQ(small.reduced, 20);
  EXPECT_GT(small.precompute_seconds, 0);
  EXPECT_LT(small.seconds, full.seconds);
}

}  // namespace
}  // namespace dashpot::test_reduced_body
