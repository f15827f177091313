// learn: a law from the motion of a body of another material, in files that run.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace dashpot::testing::test_learn_command {
namespace {

std::string bar(const std::string& material, const std::string& gravity) {
  return R"({"dashpot": 1, "title": "A small bar", "gravity": )" + gravity +
         R"(, "time": {"dt": "5 ms", "end": "0.25 s", "stepper": "backward_euler"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.09, 0.03, 0.03], "cells": [3, 1, 1]}},
    "material": {"model": )" +
         material + R"(, "poisson": 0.43, "density": 1000},
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}],
  "record": {"every": "5 ms"}})";
}

const std::string truth = R"("neo_hookean", "young": "30 kPa")", believed = R"("corotational", "young": "45 kPa")";
const std::string down = "[0, 0, -9.81]", sideways = "[0, 6, -8]";

nlohmann::json read(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return nlohmann::json::parse(in);
}

TEST(LearnCommand, WritesALawThatPredictsAMotionItHasNotSeen) {
  const ScratchFolder folder;
  const std::string scene = folder.write("believed.json", bar(believed, down)),
                    other = folder.write("other.json", bar(believed, sideways)), out = folder.path("learned");
  for (const auto& [name, gravity] : {std::pair("seen", down), std::pair("unseen", sideways)}) {
    const ProgramResult run = run_dashpot(
        {"run", folder.write(name + std::string(".json"), bar(truth, gravity)), "--out", folder.path(name)});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  const ProgramResult result =
      run_dashpot({"learn", scene, "--data", folder.path("seen"), "--held-out", folder.path("unseen") + "=" + other,
                   "--sigma", "0.1 mm", "--out", out, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json said = nlohmann::json::parse(result.out);
  ASSERT_EQ(said["runs"].size(), 2u);
  EXPECT_GT(said["runs"][0]["nominal_rms"], 10) << "the believed law is too good to learn from";
  EXPECT_LT(said["runs"][0]["learned_rms"], 0.2);
  EXPECT_TRUE(said["runs"][1]["held_out"]);
  EXPECT_GT(said["runs"][1]["nominal_rms"], 10);
  EXPECT_LT(said["runs"][1]["learned_rms"], 1);
  EXPECT_TRUE(said["bodies"][0]["definite"]);
  // What was written runs, moves as measured, and its law serves another scene.
  const nlohmann::json written = read(out + "/scene.json");
  EXPECT_EQ(written["bodies"][0]["material"]["model"], "learned");
  const ProgramResult rerun = run_dashpot({"learn", out + "/scene.json", "--data", folder.path("seen"), "--sigma",
                                           "0.1 mm", "--out", folder.path("again"), "--json"});
  ASSERT_EQ(rerun.exit_code, 0) << rerun.err;
  EXPECT_LT(nlohmann::json::parse(rerun.out)["runs"][0]["nominal_rms"], 0.2)
      << "the written scene is not what was learned";
  const std::string user =
      folder.write("user.json", bar(R"("learned", "law": "learned/bar.law.json", "young": "45 kPa")", sideways));
  const ProgramResult used = run_dashpot({"run", user, "--out", folder.path("used")});
  EXPECT_EQ(used.exit_code, 0) << used.err;
}

TEST(LearnCommand, EveryEstimatorBringsTheBarNearerToWhatWasMeasured) {
  const ScratchFolder folder;
  const std::string scene = folder.write("believed.json", bar(believed, down));
  const ProgramResult run =
      run_dashpot({"run", folder.write("true.json", bar(truth, down)), "--out", folder.path("seen")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto learned_rms = [&](const std::string& estimator, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "learn",       scene,     "--data", folder.path("seen"),   "--sigma", "0.1 mm", "--json",
        "--estimator", estimator, "--out",  folder.path(estimator)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_dashpot(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json said = nlohmann::json::parse(result.out);
    EXPECT_EQ(said["estimator"], estimator);
    EXPECT_GT(said["runs"][0]["nominal_rms"], 10);
    return said["runs"][0]["learned_rms"].get<double>();
  };
  EXPECT_LT(learned_rms("spacetime", {}), 0.2);
  EXPECT_LT(learned_rms("alternation", {"--rounds", "3"}), 20);
  const std::vector<std::string> modulus = {"--no-elasticity", "--to", "/bodies/0/material/young", "--evaluations",
                                            "40"};
  for (const char* estimator : {"nelder_mead", "cma"}) EXPECT_LT(learned_rms(estimator, modulus), 10) << estimator;
  const ProgramResult refused = run_dashpot({"learn", scene, "--data", folder.path("seen"), "--estimator", "magic"});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
}

TEST(LearnCommand, SaysWhatCannotBeLearned) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar(R"("spline", "young": "45 kPa")", down));
  const ProgramResult run = run_dashpot({"run", scene, "--out", folder.path("seen")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const ProgramResult result =
      run_dashpot({"learn", scene, "--data", folder.path("seen"), "--out", folder.path("out")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("nothing that can be learned"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace dashpot::testing::test_learn_command
