// identify: modulus and damping of a body from captures of its ring-downs, in one command; measure and compare with
// what was measured.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace dashpot::testing::test_identify_command {
namespace {

std::string bar(const std::string& young, const std::string& damping) {
  return R"({"dashpot": 1, "title": "A bar that rings", "gravity": [0, 0, -9.81],
  "time": {"dt": "10 ms", "end": "2 s", "stepper": "bathe"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.3, 0.06, 0.06], "cells": [4, 1, 1]}},
    "material": {"model": "stvk", "young": ")" +
         young + R"(", "poisson": 0.3, "density": 1000}, "damping": )" + damping + R"(,
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}],
  "record": {"every": "10 ms", "probes": [{"name": "tip", "where": {"nearest": [0.3, 0.06, 0.06]}}]}})";
}
const std::string alpha = R"([{"model": "rayleigh", "alpha": 3, "beta": 0}])";

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// probes.csv of a run of the true bar.
std::string capture(const ScratchFolder& folder) {
  const ProgramResult run =
      run_dashpot({"run", folder.write("truth.json", bar("400 kPa", alpha)), "--out", folder.path("truth")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return folder.path("truth") + "/probes.csv";
}

TEST(IdentifyCommand, OneCommandFindsModulusAndDampingInASceneThatRuns) {
  const ScratchFolder folder;
  const std::string data = capture(folder), scene = folder.write("bar.json", bar("300 kPa", "[]")),
                    out = folder.path("found");
  const ProgramResult result =
      run_dashpot({"identify", scene, "--data", data, "--law", "alpha", "--law", "beta", "--out", out, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json said = result.json();
  EXPECT_EQ(said["schema"], "dashpot/identify/1");
  ASSERT_EQ(said["laws"].size(), 2u);
  for (const nlohmann::json& law : said["laws"]) {
    EXPECT_NEAR(law["values"][0]["value"].get<double>(), 400e3, 8e3) << law;
    EXPECT_EQ(law["values"][0]["unit"], "Pa");
    EXPECT_GT(law["values"][0]["standard_error"], 0);
  }
  const nlohmann::json written = nlohmann::json::parse(text_of(out + "/identified.json"));
  EXPECT_EQ(written["bodies"][0]["damping"][0]["model"], "rayleigh");
  EXPECT_NE(text_of(out + "/report.html").find("Measured over simulated"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text_of(out + "/identify.json"))["best"], said["best"]);
  const ProgramResult again = run_dashpot({"run", out + "/identified.json", "--out", folder.path("again"), "--json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST(IdentifyCommand, WhatCannotBeTheCaptureIsExplainedWithExitCode3) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar("300 kPa", "[]"));
  std::string rows = "time [s],tip_x,tip_y,tip_z\n";
  for (int i = 0; i < 200; ++i) rows += std::to_string(0.01 * i) + ",,,\n";
  const std::string empty = folder.write("empty.csv", rows);
  const ProgramResult result = run_dashpot({"identify", scene, "--data", empty, "--out", folder.path("out")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("empty.csv"), std::string::npos) << result.err;
  const ProgramResult unknown =
      run_dashpot({"identify", scene, "--data", capture(folder), "--law", "alhpa", "--out", folder.path("out")});
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_NE(unknown.err.find("hysteresis"), std::string::npos) << unknown.err;
}

TEST(MeasureCommand, WritesTheEnvelopeOfARingDown) {
  const ScratchFolder folder;
  const ProgramResult result =
      run_dashpot({"measure", capture(folder), "--column", "tip.z", "--out", folder.path("envelope"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::istringstream table(text_of(folder.path("envelope") + "/envelope.csv"));
  std::string header, row;
  std::getline(table, header);
  EXPECT_EQ(header.rfind("time [s],amplitude", 0), 0u) << header;
  std::size_t rows = 0;
  while (std::getline(table, row)) ++rows;
  EXPECT_EQ(rows, result.json()["cycles"].size());
  EXPECT_GT(rows, 5u);
}

TEST(CompareCommand, ShowsAMeasuredRingDownBesideItsRuns) {
  const ScratchFolder folder;
  const std::string data = capture(folder);
  const ProgramResult result =
      run_dashpot({"compare", folder.path("truth.json"), "--damping", "rayleigh alpha=3 /s", "--damping",
                   "rayleigh alpha=1 /s", "--measured", data + ":tip.z", "--out", folder.path("compared"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json said = result.json();
  const double truth = said["measured"]["zeta"], same = said["runs"][0]["zeta"], other = said["runs"][1]["zeta"];
  EXPECT_NEAR(same, truth, 0.02 * truth);
  EXPECT_LT(other, 0.6 * truth);
  EXPECT_NE(text_of(folder.path("compared") + "/report.html").find("Against the measurement"), std::string::npos);
  const ProgramResult wrong = run_dashpot({"compare", folder.path("truth.json"), "--damping", "none", "--measured",
                                           data + ":tap.z", "--out", folder.path("wrong")});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_NE(wrong.err.find("tip.z"), std::string::npos) << wrong.err;
}

TEST(IdentifyCommand, WithoutTheRecordingsTheBeamIsNotJudged) {
  const ScratchFolder folder;
  const ProgramResult result = Program({"reproduce", "D-beam", "--quick", "--json", "--out", folder.path("beam")},
                                       false, {"DASHPOT_DATA=" + folder.path("nothing")})
                                   .wait();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json claims = result.json()["claims"];
  ASSERT_EQ(claims.size(), 3u);
  for (const nlohmann::json& claim : claims) EXPECT_EQ(claim["verdict"], "not_judged") << claim;
}

}  // namespace
}  // namespace dashpot::testing::test_identify_command
