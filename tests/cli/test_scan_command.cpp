// `dashpot scan`: clouds of a run, an index that says all of them, nothing half-written.
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace dashpot::testing::test_scan_command {
namespace {

/// A short run that is made once.
std::string run_folder() {
  static const ScratchFolder folder;
  static const std::string run = [] {
    const std::string scene =
        folder.write("bar.json", R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "10 ms", "end": "0.1 s"},
      "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}},
        "material": {"model": "stvk", "young": "60 kPa", "poisson": 0.3, "density": 1000},
        "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}]})");
    EXPECT_EQ(run_dashpot({"run", scene, "--out", folder.path("run"), "--quiet"}).exit_code, 0);
    return folder.path("run");
  }();
  return run;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(ScanCommand, WritesCloudsAndAnIndexThatNamesThem) {
  const ScratchFolder folder;
  const std::string out = folder.path("clouds");
  const ProgramResult result =
      run_dashpot({"scan", run_folder(), "--out", out, "--noise", "1 %", "--outliers", "0.02", "--every", "5",
                   "--points", "50", "--from", "-1,0.5,2", "--camera", "1,1,1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["schema"], "dashpot/scan/1");
  EXPECT_EQ(json["frames"], 3);
  EXPECT_EQ(json["points"], 300);
  const nlohmann::json index = nlohmann::json::parse(content_of(out + "/scan.json"));
  EXPECT_EQ(index["dashpot_clouds"], 1);
  EXPECT_NEAR(index["noise"].get<double>(), 0.01 * std::sqrt(0.16 + 0.01 + 0.01), 1e-6);
  ASSERT_EQ(index["frames"].size(), 3U);
  EXPECT_NEAR(index["frames"][1]["time"].get<double>(), 0.05, 1e-12);
  EXPECT_EQ(index["cameras"][0]["position"], (std::vector<double>{1, 1, 1}));
  for (const auto& frame : index["frames"])
    for (const auto& file : frame["files"])
      EXPECT_TRUE(std::filesystem::exists(out + "/" + file.get<std::string>())) << file;
}

TEST(ScanCommand, TheSameSeedWritesTheSameBytesAndReplacesAnEarlierScan) {
  const ScratchFolder folder;
  const auto scan = [&](const std::string& out, const std::string& seed, const std::string& every) {
    EXPECT_EQ(run_dashpot({"scan", run_folder(), "--out", out, "--seed", seed, "--every", every, "--points", "20",
                           "--noise", "1 mm", "--format", "xyz"})
                  .exit_code,
              0);
    return content_of(out + "/frame_00010_0.xyz");
  };
  const std::string first = scan(folder.path("a"), "7", "1");
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(scan(folder.path("b"), "7", "1"), first);
  EXPECT_EQ(scan(folder.path("b"), "7", "10"), first);  // a frame does not depend on the others
  EXPECT_FALSE(std::filesystem::exists(folder.path("b") + "/frame_00001_0.xyz"));
  EXPECT_NE(scan(folder.path("b"), "8", "1"), first);
}

TEST(ScanCommand, RefusesWhatCannotBeAndLeavesNothing) {
  const ScratchFolder folder;
  const std::string out = folder.path("clouds");
  EXPECT_EQ(run_dashpot({"scan", folder.path("nowhere"), "--out", out}).exit_code, 3);
  const ProgramResult usage = run_dashpot({"scan", run_folder(), "--out", out, "--from", "1,2", "--camera", "0,0"});
  EXPECT_EQ(usage.exit_code, 2);
  EXPECT_NE(usage.err.find("--from"), std::string::npos) << usage.err;
  EXPECT_NE(usage.err.find("--camera"), std::string::npos) << usage.err;  // all at once
  const ProgramResult body = run_dashpot({"scan", run_folder(), "--out", out, "--body", "beam"});
  EXPECT_EQ(body.exit_code, 3);
  EXPECT_NE(body.err.find("'beam'"), std::string::npos) << body.err;
  // A camera inside of the body sees back faces only.
  const ProgramResult inside = run_dashpot({"scan", run_folder(), "--out", out, "--camera", "0.01,0.05,0.05"});
  EXPECT_EQ(inside.exit_code, 3);
  EXPECT_NE(inside.err.find("no camera sees anything"), std::string::npos) << inside.err;
  EXPECT_FALSE(std::filesystem::exists(out + "/scan.json"));
  const std::string mine = folder.path("mine");
  std::filesystem::create_directory(mine);
  std::ofstream(mine + "/notes.txt") << "keep";
  const ProgramResult other = run_dashpot({"scan", run_folder(), "--out", mine});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_NE(other.err.find("notes.txt"), std::string::npos) << other.err;
  EXPECT_EQ(content_of(mine + "/notes.txt"), "keep");
  // Files that are called like ours, but not named by an index of ours.
  std::ofstream(mine + "/frame_00077_0.ply") << "mine";
  EXPECT_EQ(run_dashpot({"scan", run_folder(), "--out", mine, "--force", "--points", "5"}).exit_code, 0);
  EXPECT_EQ(content_of(mine + "/frame_00077_0.ply"), "mine");
}

TEST(ScanCommand, CtrlCLeavesNothing) {
  const ScratchFolder folder;
  const std::string out = folder.path("clouds");
  Program scan({"scan", run_folder(), "--out", out, "--points", "200000", "--quiet"});
  while (!std::filesystem::exists(out + "/frame_00000_0.ply"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  scan.signal(SIGINT);
  EXPECT_EQ(scan.wait().exit_code, 130);
  EXPECT_TRUE(!std::filesystem::exists(out) || std::filesystem::is_empty(out));
}

}  // namespace
}  // namespace dashpot::testing::test_scan_command
