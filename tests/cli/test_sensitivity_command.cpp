// sensitivity: derivatives of the motion, against differences of runs.
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_sensitivity_command {
namespace {

/// Starts in its equilibrium, under gravity; then its load is let go.
const std::string scene_text = R"({"dashpot": 1, "title": "A small bar", "gravity": [0, -9.81, 0],
  "time": {"dt": "5 ms", "end": "0.2 s"},
  "solver": {"newton": {"tolerance": 1e-12}},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.2, 0.2], "cells": [5, 1, 1]}},
    "material": {"model": "stvk", "young": "400 kPa", "poisson": 0.3, "density": 1000},
    "damping": [{"model": "rayleigh", "beta": "1 ms"}],
    "start": {"from": "equilibrium", "loads": [
      {"model": "force", "where": {"box": [[0.999, -1, -1], [1.001, 1, 1]]}, "force": [0, "5 N", 0]}]},
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}],
  "record": {"probes": [{"name": "tip", "body": "bar", "where": {"nearest": [1, 0, 0]}}]}})";

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

/// The last number of a column of a CSV file.
double last_of(const std::string& path, const std::string& column) {
  std::ifstream in(path);
  std::string first, line, last;
  std::getline(in, first);
  while (std::getline(in, line))
    if (!line.empty()) last = line;
  const std::vector<std::string> names = cells_of(first), cells = cells_of(last);
  for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i)
    if (names[i] == column) return std::stod(cells[i]);
  ADD_FAILURE() << "no column " << column << " in " << first;
  return 0;
}

double end_with(const std::string& scene, const std::string& parameter, double value) {
  const ScratchFolder folder;
  std::ostringstream setting;
  setting.precision(15);
  setting << parameter << "=" << value;
  const ProgramResult result = run_dashpot({"run", scene, "--out", folder.path("run"), "--set", setting.str()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return last_of(folder.path("run") + "/probes.csv", "tip.y");
}

TEST(SensitivityCommand, IsTheSlopeOfRunsThatStartInEquilibrium) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", scene_text), csv = folder.path("slopes.csv");
  const ProgramResult result = run_dashpot({"sensitivity", scene, "--of", "tip.y", "--to", "/bodies/0/material/young",
                                            "--to", "/bodies/0/damping/0/beta", "--out", csv, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = result.json();
  EXPECT_EQ(json.at("schema"), "dashpot/sensitivity/1");
  const struct {
    std::string name;
    double value, shift;
  } cases[] = {{"/bodies/0/material/young", 4e5, 4}, {"/bodies/0/damping/0/beta", 1e-3, 1e-7}};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto& [name, value, shift] = cases[k];
    const double slope = (end_with(scene, name, value + shift) - end_with(scene, name, value - shift)) / (2 * shift);
    const double ours = json.at("sensitivities").at(k).at("derivative").get<double>();
    EXPECT_NEAR(ours, slope, 1e-4 * std::abs(slope)) << name;
    EXPECT_EQ(last_of(csv, "d(tip.y)/d(" + name + ")"), ours);
  }
}

TEST(SensitivityCommand, GoesBackwardsWhereThatIsCheaperAndFindsTheSame) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", scene_text);
  const auto slopes = [&](const std::string& method) {
    const ProgramResult result =
        run_dashpot({"sensitivity", scene, "--of", "tip.y", "--to", "all", "--method", method, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.json();
  };
  const nlohmann::json forward = slopes("forward"), backward = slopes("adjoint");
  EXPECT_EQ(forward.at("method"), "forward");
  EXPECT_EQ(backward.at("method"), "adjoint");
  ASSERT_EQ(forward.at("sensitivities").size(), backward.at("sensitivities").size());
  int with_effect = 0;
  for (std::size_t k = 0; k < forward.at("sensitivities").size(); ++k) {
    const double expected = forward["sensitivities"][k].at("derivative"),
                 found = backward["sensitivities"][k].at("derivative");
    EXPECT_NEAR(found, expected, 1e-6 * std::abs(expected) + 1e-15) << forward["sensitivities"][k].at("to");
    with_effect += expected != 0;
  }
  EXPECT_GE(with_effect, 5);
  const ProgramResult both = run_dashpot({"sensitivity", scene, "--method", "adjoint", "--out", folder.path("a.csv")});
  EXPECT_EQ(both.exit_code, 2) << both.err;
}

TEST(SensitivityCommand, WhatCannotBeDifferentiatedIsSaid) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", scene_text);
  const ProgramResult unknown =
      run_dashpot({"sensitivity", scene, "--to", "/bodies/0/material/yung", "--to", "/nothing[7]"});
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_NE(unknown.err.find("/bodies/0/material/young"), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("/nothing"), std::string::npos) << unknown.err;
  const ProgramResult probe = run_dashpot({"sensitivity", scene, "--of", "tip.w"});
  EXPECT_EQ(probe.exit_code, 3);
  EXPECT_NE(probe.err.find("tip.x"), std::string::npos) << probe.err;
  const ProgramResult stepper = run_dashpot({"sensitivity", scene, "--set", "/time/stepper=leapfrog"});
  EXPECT_EQ(stepper.exit_code, 3);
  EXPECT_NE(stepper.err.find("implicit"), std::string::npos) << stepper.err;
}

}  // namespace
}  // namespace dashpot::testing::test_sensitivity_command
