// examples, design, fit: damping designed from the command line.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_design_commands {
namespace {

namespace fs = std::filesystem;

std::string designed_bar(const std::string& targets, const std::string& cells = "[6, 1, 1]") {
  return R"({"dashpot": 1, "title": "A bar", "time": {"dt": "5 ms", "end": "0.2 s"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.5, 0.06, 0.05], "cells": )" +
         cells + R"(}},
    "material": {"model": "stvk", "young": "8 MPa", "poisson": 0.3, "density": 1000},
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
    "damping": [{"model": "example_based", "over": {"model": "rayleigh", "zeta": [{"mode": 1, "zeta": 0.04}]},
      "examples": [{"name": "sway", "shape": {"from": "mode", "mode": 1, "amplitude": "1 cm"}, "gamma": 1},
                   {"name": "bob", "shape": {"from": "mode", "mode": 2, "amplitude": "1 cm"}, "gamma": 5}]}]}],
  "design": {"targets": [)" +
         targets + "]}}";
}

TEST(ExamplesCommand, ListsExamplesWithTheirAnglesAndDrawsThem) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", designed_bar(R"({"example": "sway", "left": 0.5})"));
  const ProgramResult result = run_dashpot({"examples", scene, "--picture", folder.path("poses.png"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json body = result.json().at("bodies").at(0);
  ASSERT_EQ(body.at("examples").size(), 2U);
  EXPECT_NEAR(body["examples"][0].at("base_zeta"), 0.04, 1e-6);
  EXPECT_NEAR(body["examples"][1].at("gain_at_0"), 5, 1e-12);
  EXPECT_NEAR(body.at("angles")[0][1], 90, 1e-3);
  EXPECT_GT(fs::file_size(folder.path("poses.png")), 10000U);
}

TEST(ExamplesCommand, SaysWhichModesAnExampleDampsAndOffersTheRelaxedForm) {
  const ScratchFolder folder;
  const auto examples = [&](const std::string& relaxed) {
    std::string text = designed_bar(R"({"example": "sway", "left": 0.5})", "[10, 2, 2]");
    const std::string from = R"({"from": "mode", "mode": 1, "amplitude": "1 cm"})";
    text.replace(
        text.find(from), from.size(),
        R"({"from": "bend", "where": {"box": [[0.25, -1, -1], [9, 9, 9]]}, "axis": [0, 0, 1], "angle": "60 deg",
              "rise": "1 cm"})" +
            relaxed);
    return run_dashpot({"examples", folder.write("bar.json", text), "--json"});
  };
  const ProgramResult bent = examples(""), relaxed = examples(R"(, "relaxed": true)");
  ASSERT_EQ(bent.exit_code, 0) << bent.err;
  ASSERT_EQ(relaxed.exit_code, 0) << relaxed.err;
  const auto shares = [](const ProgramResult& result) {
    return result.json().at("bodies")[0].at("modes").at("shares")[0].get<std::vector<double>>();
  };
  const auto largest = [](const std::vector<double>& list) { return *std::max_element(list.begin(), list.end()); };
  EXPECT_LT(largest(shares(bent)), 0.1);
  EXPECT_NE(bent.err.find("\"sway\" acts on no slow vibration"), std::string::npos) << bent.err;
  EXPECT_NE(bent.err.find("\"relaxed\": true"), std::string::npos) << bent.err;
  EXPECT_GT(largest(shares(relaxed)), 0.9) << "a static bend is nearly the first mode";
  EXPECT_EQ(relaxed.err.find("acts on no slow vibration"), std::string::npos) << relaxed.err;
  // A mode is damped by the example that it is, and by no other.
  const nlohmann::json of_modes =
      run_dashpot(
          {"examples", folder.write("modes.json", designed_bar(R"({"example": "sway", "left": 0.5})")), "--json"})
          .json()
          .at("bodies")[0]
          .at("modes");
  EXPECT_NEAR(of_modes.at("shares")[0][0], 1, 1e-6);
  EXPECT_NEAR(of_modes.at("shares")[0][1], 0, 1e-6);
  EXPECT_NEAR(of_modes.at("shares")[1][1], 1, 1e-6);
}

TEST(DesignCommand, HoldsUnderGravityBecauseAmplitudesCountFromTheEquilibrium) {
  const ScratchFolder folder;
  // A soft bar that sags by several times the example. The gain is strong at small amplitudes and weak at large ones.
  std::string text = designed_bar(
      R"({"example": "sway", "from": 0.5, "left": 0.1}, {"example": "sway", "from": 1, "left": 0.4})", "[10, 2, 2]");
  text.insert(text.rfind('}'), R"(, "gravity": [0, 0, -9.81])");
  const auto design = [&](const std::string& counted) {
    const ProgramResult result = run_dashpot({"design", folder.write("bar.json", text), "--out", folder.path("out"),
                                              "--json", "--set", "/bodies/0/damping/0/counted_from=" + counted});
    EXPECT_NE(result.exit_code, 3) << result.err;
    return result;
  };
  const ProgramResult good = design("equilibrium"), bad = design("rest");
  const nlohmann::json held = good.json().at("in_scene"), missed = bad.json().at("in_scene");
  ASSERT_EQ(held.size(), 2U);
  for (const nlohmann::json& check : held) {
    EXPECT_EQ(check.at("obstacle"), "");
    EXPECT_NEAR(check.at("scene"), check.at("bench"), 0.01) << check;
  }
  double worst = 0;
  for (const nlohmann::json& check : missed)
    worst = std::max(worst, std::abs(check.at("scene").get<double>() - check.at("bench").get<double>()));
  EXPECT_GT(worst, 0.05) << "counted from the rest shape, the sag is taken for an amplitude";
  EXPECT_NE(bad.err.find("The loads of the scene change what the gains do"), std::string::npos) << bad.err;
  // What was written runs, from its own folder.
  EXPECT_EQ(run_dashpot({"run", folder.path("out/scene.json"), "--out", folder.path("run"), "--quiet"}).exit_code, 0);
}

TEST(DesignCommand, WritesASceneThatRunsAndHasTheGainsFound) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", designed_bar(R"({"example": "sway", "from": 1, "left": 0.5})"));
  const ProgramResult result = run_dashpot({"design", scene, "--out", folder.path("out"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NEAR(result.json().at("targets")[0].at("left"), 0.5, 0.005);
  const double gain = result.json().at("targets")[0].at("gain");
  EXPECT_GT(gain, 1.5);
  for (const char* name : {"report.html", "design.json"})
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + name))) << name;
  const ProgramResult shown = run_dashpot({"examples", folder.path("out/scene.json"), "--json"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NEAR(shown.json().at("bodies")[0].at("examples")[0].at("gain_at_1"), gain, 1e-9 * gain);
  EXPECT_EQ(run_dashpot({"run", folder.path("out/scene.json"), "--out", folder.path("run"), "--quiet"}).exit_code, 0);
}

TEST(DesignCommand, AnUnreachableTargetIsAMissWithAReason) {
  const ScratchFolder folder;
  const std::string scene = folder.write(
      "bar.json",
      designed_bar(R"({"example": "sway", "from": 0.5, "left": 0.1}, {"example": "sway", "from": 1, "left": 0.9})"));
  const ProgramResult result = run_dashpot({"design", scene, "--out", folder.path("out"), "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("unreachable"), std::string::npos) << result.err;
  EXPECT_TRUE(result.json().at("targets")[0].at("reached"));
  EXPECT_FALSE(result.json().at("targets")[1].at("reached"));
}

TEST(DesignCommand, BadTargetsAndScenesWithoutAnyWriteNothing) {
  const ScratchFolder folder;
  const std::string bad =
      folder.write("bad.json", designed_bar(R"({"example": "swoy", "left": 0.5}, {"example": "bob", "left": 2})"));
  const ProgramResult result = run_dashpot({"design", bad, "--out", folder.path("out")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("swoy"), std::string::npos);
  EXPECT_NE(result.err.find("damping cannot feed"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder.path("out")));
  EXPECT_EQ(run_dashpot({"fit", bad, "--out", folder.path("out")}).exit_code, 3);
  EXPECT_FALSE(fs::exists(folder.path("out")));
}

TEST(FitCommand, TheShippedStripTurnsOutToBeRubberAndItsSceneRuns) {
  const ScratchFolder folder;
  const std::string scene = std::string(DASHPOT_SOURCE_DIR) + "/scenes/stretched_strip.json";
  const ProgramResult result = run_dashpot({"fit", scene, "--out", folder.path("out"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json found = result.json().at("elasticity");
  EXPECT_NEAR(found.at("young"), 1e6, 0.03e6) << "what the readings were made of; the scene starts from half of it";
  EXPECT_LT(found.at("held_out_error"), 0.01);
  EXPECT_GT(found.at("constant_stiffness").at("error"), 0.03) << "so that the curve is needed";
  const std::string fitted = folder.path("out/scene.json");
  const ProgramResult run = run_dashpot({"run", fitted, "--out", folder.path("run"), "--set", "/time/end=5 ms"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(DesignCommand, InterruptedItKeepsTheBestGainsAndClaimsNothing) {
  const ScratchFolder folder;
  const std::string scene = folder.write(
      "bar.json", designed_bar(R"({"example": "sway", "left": 0.5}, {"example": "bob", "left": 0.5})", "[30, 4, 4]"));
  Program running({"design", scene, "--out", folder.path("out")});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  running.signal(SIGINT);
  const ProgramResult stopped = running.wait();
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_TRUE(fs::exists(folder.path("out/scene.json")));
  EXPECT_FALSE(fs::exists(folder.path("out/report.html")));
  EXPECT_EQ(stopped.out, "");
}

}  // namespace
}  // namespace dashpot::testing::test_design_commands
