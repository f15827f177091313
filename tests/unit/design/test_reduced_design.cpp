// Damping designed on a reduced body is that of the full body.
#include <gtest/gtest.h>

#include "dashpot/design/scene_design.hpp"

namespace dashpot::design::test_reduced_design {
namespace {

std::string swaying_bar(const std::string& reduced) {
  return R"({"dashpot": 1, "time": {"dt": "5 ms", "end": "1 s", "stepper": "bathe"},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.5, 0.06, 0.05], "cells": [8, 1, 1]}}, )" +
         reduced + R"(
      "material": {"model": "stvk", "young": "400 kPa", "poisson": 0.4, "density": 1000},
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
      "damping": [{"model": "example_based", "frame": "fixed", "over": {"model": "rayleigh", "zeta": [{"mode": 1, "zeta": 0.04}]},
        "examples": [
          {"name": "sway", "shape": {"from": "equilibrium", "loads": [{"model": "force", "where": {"box": [[0.499, -1, -1], [1, 1, 1]]}, "force": [0, 0, 0.2]}]}, "gamma": 1},
          {"name": "bob", "shape": {"from": "mode", "mode": 2, "amplitude": "5 cm"}, "gamma": 1}]}]}],
    "design": {"targets": [{"example": "sway", "from": 1, "left": 0.7},
                           {"example": "bob", "from": 1, "lost_per_cycle": "80 %"}]}})";
}

TEST(ReducedDesign, FindsTheGainsOfTheFullBody) {
  const auto full = make_design_task(parse_scene(swaying_bar("")));
  const auto small =
      make_design_task(parse_scene(swaying_bar(R"("reduced": {"modes": 6, "size": 20, "cache": false},)")));
  EXPECT_EQ(small->bench.system->num_dofs(), 19);  // "bob" is one of the modes already
  const DesignOutcome a = run_design(*full), b = run_design(*small);
  ASSERT_TRUE(a.reached);
  ASSERT_TRUE(b.reached);
  ASSERT_EQ(a.unloading.targets.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(std::abs(a.unloading.targets[i].gain - 1), 0.05);
    EXPECT_NEAR(b.unloading.targets[i].gain / a.unloading.targets[i].gain, 1, 0.05) << i;
  }
}

TEST(ReducedDesign, RefusesExamplesInATurningFrame) {
  std::string text = swaying_bar(R"("reduced": {"modes": 6, "size": 20, "cache": false},)");
  const std::string fixed = R"("frame": "fixed")";
  text.replace(text.find(fixed), fixed.size(), R"("frame": "corotated")");
  try {
    make_design_task(parse_scene(text));
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_NE(error.problems()[0].found.find("turning frame"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dashpot::design::test_reduced_design
