// Ctrl-C acts within a second wherever the program is; SIGTERM and SIGHUP too; the exit code is always 130.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_signals {
namespace {

namespace fs = std::filesystem;

/// A clamped bar of many tets whose steps take seconds: Newton is never satisfied.
std::string slow_scene(int cells, const std::string& extra = "") {
  std::ostringstream text;
  text << R"({"dashpot": 1, "time": {"dt": "10 ms", "end": "10 s", "max_halvings": 0}, "gravity": [0, -9.81, 0],
    "solver": {"linear": "cholmod", "newton": {"max_iterations": 10000, "fixed_iterations": 10000}},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.2, 0.2], "cells": [)"
       << cells << R"(, 8, 8]}}, "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}])"
       << extra << "}]}";
  return text.str();
}

struct Ending {
  ProgramResult result;
  double seconds = 0;  ///< from the signal to the end
};

Ending end_after(Program& program, double wait, std::vector<int> signals) {
  std::this_thread::sleep_for(std::chrono::duration<double>(wait));
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(250));
    program.signal(signals[i]);
  }
  Ending ending{program.wait(), 0};
  ending.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return ending;
}

bool wait_for(const std::string& path) {
  for (int i = 0; i < 6000 && !fs::exists(path); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return fs::exists(path);
}

TEST(Signals, ARunWithinALongNewtonLeavesACheckpointAndResumes) {
  const ScratchFolder folder;
  const std::string scene = folder.write("slow.json", slow_scene(40)), out = folder.path("out");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Program running({"run", scene, "--out", out, "--no-frames"});
    ASSERT_TRUE(wait_for(out + "/ledger.csv.partial"));
    const Ending ending = end_after(running, 0.5, {signal});
    EXPECT_EQ(ending.result.exit_code, 130) << ending.result.err;
    EXPECT_LT(ending.seconds, 1.2) << "the step goes on for minutes";
    EXPECT_NE(ending.result.err.find("a checkpoint of the state before it was left"), std::string::npos)
        << ending.result.err;
    EXPECT_FALSE(fs::exists(out + "/.dashpot.lock"));
    ASSERT_TRUE(fs::exists(out + "/checkpoint.dpc"));
    const ProgramResult measured =
        run_dashpot({"run", scene, "--out", out, "--no-frames", "--resume", "--set", "/time/end=1 us"});
    EXPECT_EQ(measured.exit_code, 3) << "another scene: " << measured.err;
    fs::remove_all(out);
  }
}

TEST(Signals, ASecondOneEndsTheProgramAtOnce) {
  const ScratchFolder folder;
  const std::string scene = folder.write("slow.json", slow_scene(40)), out = folder.path("out");
  Program running({"run", scene, "--out", out, "--no-frames"});
  ASSERT_TRUE(wait_for(out + "/ledger.csv.partial"));
  const Ending ending = end_after(running, 0.3, {SIGINT, SIGINT});
  EXPECT_EQ(ending.result.exit_code, 130);
  EXPECT_LT(ending.seconds, 0.5);
}

TEST(Signals, CheckingBuildingAndMeshingEndWithinASecond) {
  const ScratchFolder folder;
  const std::string scene = folder.write(
      "large.json",
      slow_scene(
          3000,
          R"(, "start": {"from": "equilibrium"}, "damping": [{"model": "rayleigh", "zeta": [{"mode": 40, "zeta": 0.1}]}])"));
  const std::string out = folder.path("out");
  std::string meshed = slow_scene(40);
  const std::string from = R"({"bar": {"size": [1, 0.2, 0.2], "cells": [40, 8, 8]}})";
  meshed.replace(meshed.find(from), from.size(), R"({"shape": {"name": "dragon_head", "tets": 900000}})");
  const std::vector<std::vector<std::string>> commands = {
      {"check", folder.write("meshed.json", meshed)},
      {"run", scene, "--out", out},
      {"modes", scene, "-n", "60"},
      {"mesh", "dragon_head", "--tets", "900000", "-o", folder.path("head.msh")},
  };
  for (const std::vector<std::string>& command : commands) {
    Program running(command);
    const Ending ending = end_after(running, 1.0, {SIGINT});
    EXPECT_EQ(ending.result.exit_code, 130) << command[0] << ": " << ending.result.err;
    EXPECT_LT(ending.seconds, 1.2) << command[0];
  }
  EXPECT_FALSE(fs::exists(out)) << "nothing was written";
}

}  // namespace
}  // namespace dashpot::testing::test_signals
