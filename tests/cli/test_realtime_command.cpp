// realtime: a small bar at wall-clock pace. How fast this machine is must not decide: rates are either slow or far out
// of reach, and where frames may be late that is allowed.
#include <csignal>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_realtime_command {
namespace {

std::string bar_scene(const std::string& solver, const std::string& damping) {
  return R"({"dashpot": 1, "title": "A small bar", "gravity": [0, -9.81, 0],
  "time": {"dt": "10 ms", "end": "100 s", "stepper": "midpoint"}, "solver": {)" +
         solver + R"(},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.2, 0.2], "cells": [10, 2, 2]}},
    "material": {"model": "arap", "young": "100 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"},
    "damping": [)" +
         damping + R"(], "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}]})";
}

const std::string projective = R"("projective": {"iterations": 5})";
const std::string laplacian = R"({"model": "laplacian", "beta": "2 ms", "keeps": "linear"})";

TEST(RealtimeCommand, PlaysAtWallClockPaceAndChangesTheDampingHalfWay) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(projective, laplacian));
  const ProgramResult result =
      run_dashpot({"realtime", scene, "--rate", "20 Hz", "--seconds", "0.5 s", "--late", "100 %", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = result.json();
  EXPECT_EQ(json.at("schema"), "dashpot/realtime/1");
  EXPECT_EQ(json.at("frames"), 10);
  EXPECT_TRUE(json.at("held"));
  EXPECT_EQ(json.at("steps_per_frame"), 5);  // 50 ms in steps no longer than 10 ms
  EXPECT_NEAR(json.at("simulated_s"), 0.5, 1e-9);
  EXPECT_GT(json.at("wall_s"), 0.44);
  EXPECT_EQ(json.at("iterations").at("mean"), 25);
  EXPECT_GT(json.at("residual").at("worst"), 0);
  EXPECT_GT(json.at("work").at("median_ms"), 0);
  EXPECT_GE(json.at("latency").at("worst_ms"), json.at("latency").at("median_ms"));
  EXPECT_EQ(json.at("change").at("frame"), 5);
  EXPECT_EQ(json.at("change").at("parameters").back(), "/bodies/0/damping/0/beta");
  EXPECT_EQ(json.at("change").at("factorizations"), 1);
  EXPECT_GT(json.at("change").at("work_ms"), 0);
  ASSERT_EQ(json.at("damping").size(), 1U);
  EXPECT_NE(json.at("damping")[0].get<std::string>().find("laplacian"), std::string::npos);
}

TEST(RealtimeCommand, ARateThatIsNotHeldIsAMissedTarget) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(projective, laplacian));
  const ProgramResult result = run_dashpot(
      {"realtime", scene, "--rate", "1000", "--seconds", "20 ms", "--set", "/solver/projective/iterations=2000"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("frames late"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("not held: 20 of 20 frames"), std::string::npos) << result.err;  // none counts twice
}

TEST(RealtimeCommand, ABudgetEndsIterationsInTime) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(R"("projective": {"iterations": 10000})", laplacian));
  const ProgramResult result = run_dashpot(
      {"realtime", scene, "--rate", "20", "--seconds", "0.25", "--budget", "10 ms", "--late", "100 %", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json().at("budget_ms"), 10);
  EXPECT_GE(result.json().at("iterations").at("least"), 5);
  EXPECT_LT(result.json().at("iterations").at("mean"), 25000);  // half of what five steps would take
}

TEST(RealtimeCommand, InterruptedItReportsTheFramesSoFar) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(projective, laplacian));
  Program running({"realtime", scene, "--seconds", "60 s", "--json"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  running.signal(SIGINT);
  const ProgramResult stopped = running.wait();
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_TRUE(stopped.json().at("interrupted"));
  EXPECT_FALSE(stopped.json().at("held"));
  EXPECT_EQ(stopped.json().at("frames_wanted"), 3600);
  EXPECT_LT(stopped.json().at("frames"), 3600);
}

TEST(RealtimeCommand, NewtonsMethodIsPlayedTooButHasNoBudget) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene("", laplacian));
  const ProgramResult played =
      run_dashpot({"realtime", scene, "--rate", "20", "--seconds", "0.1", "--late", "100 %", "--json"});
  ASSERT_EQ(played.exit_code, 0) << played.err;
  EXPECT_EQ(played.json().at("change").at("parameters").at(0), "/bodies/0/damping/0/alpha");
  const ProgramResult refused = run_dashpot({"realtime", scene, "--budget", "10 ms"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("projective"), std::string::npos) << refused.err;
}

TEST(RealtimeCommand, ValuesThatCannotBeUsedAreAllToldAtOnce) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(projective, laplacian));
  const ProgramResult result = run_dashpot({"realtime", scene, "--rate", "0", "--seconds", "-1 s", "--factor", "-2",
                                            "--budget", "0 s", "--late", "200 %", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.json().at("problems").size(), 5U);
  EXPECT_EQ(run_dashpot({"realtime", folder.path("none.json")}).exit_code, 3);
  EXPECT_EQ(run_dashpot({"realtime", scene, "--rate", "60 kg"}).exit_code, 2);
}

}  // namespace
}  // namespace dashpot::testing::test_realtime_command
