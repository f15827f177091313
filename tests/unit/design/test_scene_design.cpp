#include <gtest/gtest.h>

#include <fmt/format.h>

#include "dashpot/design/scene_design.hpp"

namespace dashpot::testing::test_scene_design {
namespace {

using namespace design;

std::string bar(const std::string& targets, const std::string& gravity = "[0, -9.81, 0]") {
  return fmt::format(R"({{
    "dashpot": 1, "time": {{"dt": "10 ms", "end": "1 s"}}, "gravity": {},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.5, 0.06, 0.05], "cells": [5, 1, 1]}}}},
      "material": {{"model": "stvk", "young": "400 kPa", "poisson": 0.3, "density": 1000}},
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
      "damping": [{{"model": "example_based", "over": {{"model": "rayleigh", "zeta": [{{"mode": 1, "zeta": 0.04}}]}},
        "examples": [
          {{"name": "sway", "shape": {{"from": "mode", "mode": 1, "amplitude": "2 cm"}}, "gamma": 1}},
          {{"name": "bob", "shape": {{"from": "mode", "mode": 2, "amplitude": "2 cm"}}, "gamma": 1}}]}}]}}],
    "design": {{"targets": [{}]}}}})",
                     gravity, targets);
}

std::vector<Problem> problems_of(const std::string& text) {
  try {
    make_design_task(parse_scene(text));
  } catch (const Error& error) {
    return error.problems();
  }
  return {};
}

TEST(SceneDesign, TheSceneItWritesDoesWhatWasAsked) {
  const std::string text = bar(R"({"example": "sway", "from": 1, "left": 0.5},
                                  {"example": "bob", "from": 1, "lost_per_cycle": "80 %"})");
  const auto task = make_design_task(parse_scene(text));
  const DesignOutcome outcome = run_design(*task);
  ASSERT_TRUE(outcome.reached);
  EXPECT_NEAR(outcome.unloading.targets[0].left, 0.5, 0.005);
  EXPECT_NEAR(outcome.unloading.targets[1].left, 0.2, 0.002);
  EXPECT_NE(outcome.gains[0].value(1), 1);

  const auto again = make_design_task(parse_scene(with_gains(text, *task, outcome.gains)));
  for (int example = 0; example < 2; ++example) {
    const Swing swing = release(again->designable, again->start, {example, 1, 0, {}});
    EXPECT_NEAR(swing.residual, example == 0 ? 0.5 : 0.2, 0.006);
  }
}

TEST(SceneDesign, GravityAndLoadsAreLeftOutOfTheTest) {
  const std::string target = R"({"example": "sway", "from": 1, "left": 0.5})";
  const auto with = make_design_task(parse_scene(bar(target)));
  const auto without = make_design_task(parse_scene(bar(target, "[0, 0, 0]")));
  const Swing a = release(with->designable, with->start, {}), b = release(without->designable, without->start, {});
  EXPECT_GT(a.residual, 0.1);
  EXPECT_EQ(a.residual, b.residual);
}

TEST(SceneDesign, EveryBadTargetIsToldAtOnce) {
  EXPECT_EQ(problems_of(bar(R"({"example": "sway", "from": 1, "left": 2}, {"example": "swoy", "from": 1, "left": 0.2},
                               {"example": "bob"}, {"example": "bob", "left": 0.1, "settle_within": "1 s"})"))
                .size(),
            4U);
  EXPECT_EQ(problems_of(bar(R"({"example": "bob", "left": 0.1}, {"example": "bob", "settle_within": "1 s"})")).size(),
            1U);
}

TEST(SceneDesign, AnExampleKeepsItsGainWithoutATarget) {
  const auto task = make_design_task(parse_scene(bar(R"({"example": "bob", "from": 1, "left": 0.4})")));
  const DesignOutcome outcome = run_design(*task);
  ASSERT_TRUE(outcome.reached);
  EXPECT_EQ(outcome.gains[0].value(0.3), 1);
}

}  // namespace
}  // namespace dashpot::testing::test_scene_design
