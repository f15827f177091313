// parameters: the list of what can be turned; run --turn: turning it.
#include <string>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_parameters_command {
namespace {

const std::string scene_text = R"({"dashpot": 1, "title": "A small bar", "gravity": [0, -9.81, 0],
  "time": {"dt": "10 ms", "end": "0.5 s"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.2, 0.2], "cells": [5, 1, 1]}},
    "material": {"model": "stvk", "young": "100 kPa", "poisson": 0.3, "density": 1000},
    "damping": [{"model": "rayleigh", "beta": "1 ms"}],
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}]})";

TEST(ParametersCommand, ListsNamesValuesUnitsAndRanges) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", scene_text);
  const ProgramResult table = run_dashpot({"parameters", scene});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NE(table.out.find("/bodies/0/damping/0/beta"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("100 kPa"), std::string::npos) << table.out;
  const nlohmann::json json = run_dashpot({"parameters", scene, "--json"}).json();
  EXPECT_EQ(json.at("schema"), "dashpot/parameters/1");
  bool found = false;
  for (const nlohmann::json& parameter : json.at("parameters")) {
    if (parameter.at("name") != "/bodies/0/damping/0/beta") continue;
    found = true;
    EXPECT_EQ(parameter.at("unit"), "s");
    EXPECT_EQ(parameter.at("values").at(0), 1e-3);
    EXPECT_EQ(parameter.at("low"), 0);
    EXPECT_FALSE(parameter.contains("high"));
  }
  EXPECT_TRUE(found);
}

TEST(ParametersCommand, ARunTurnsThemOnItsWayAndResumesWithTheSameBits) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", scene_text);
  const std::string turn = "0.2 s: /bodies/0/damping/0/beta = 50 ms";
  const auto hash = [&](const char* name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", scene, "--out", folder.path(name), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_dashpot(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.json().at("state_hash");
  };
  const auto plain = hash("plain", {}), turned = hash("turned", {"--turn", turn});
  EXPECT_NE(plain, turned);
  hash("parts", {"--turn", turn, "--set", "/time/end=0.3 s"});
  EXPECT_EQ(hash("parts", {"--turn", turn, "--resume"}), turned);
}

TEST(ParametersCommand, TurnsThatCannotBeMadeAreAllToldAndNothingIsRun) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", scene_text);
  const ProgramResult result = run_dashpot(
      {"run", scene, "--out", folder.path("out"), "--json", "--turn", "0.2 s: /bodies/0/damping/0/bta = 1 ms", "--turn",
       "soon", "--turn", "0.1 s: /bodies/0/damping/0/beta = -1 ms", "--turn", "1 kg: /bodies/0/damping/0/beta = 1 ms",
       "--turn", "0.1 s: /bodies/0/damping/0/beta = 1 kg"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.json().at("problems").size(), 5U) << result.out;
  EXPECT_NE(result.out.find("/bodies/0/damping/0/beta"), std::string::npos) << result.out;
  // What only the terms know is told before the run begins too: this damping is made for given masses.
  std::string lumped = scene_text;
  lumped.replace(lumped.find("\"density\": 1000"), 15, "\"density\": 1000, \"mass\": \"lumped\"");
  lumped.replace(lumped.find(R"({"model": "rayleigh", "beta": "1 ms"})"), 37,
                 R"({"model": "point", "coefficient": 0.1})");
  const ProgramResult refused = run_dashpot({"run", folder.write("lumped.json", lumped), "--out", folder.path("no"),
                                             "--turn", "0.1 s: /bodies/0/material/density = 900 kg/m3"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("density"), std::string::npos) << refused.err;
  EXPECT_EQ(refused.err.find("0.1 of"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace dashpot::testing::test_parameters_command
