// What a careless reader takes away from a run must be true: warnings where it would not be.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_honest_results {
namespace {

namespace fs = std::filesystem;
const std::string scenes = std::string(DASHPOT_SOURCE_DIR) + "/scenes/";

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A bar of 1 m, plucked by a formula. `body`, `world`: more keys of each.
std::string bar_scene(const std::string& body, const std::string& world = "", const std::string& end = "1 s") {
  return R"({"dashpot": 1, "time": {"dt": "5 ms", "end": ")" + end + R"(", "stepper": "midpoint"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [12, 2, 2]}},
    "material": {"model": "stvk", "young": "20 MPa", "poisson": 0.3, "density": 1000})" +
         body + "}]" + world + "}";
}
const std::string clamped = R"(, "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}])";
const std::string plucked = R"(, "start": {"from": "formula", "y": "0.05*X^2"})";
const std::string tip = R"(, "record": {"probes": [{"name": "tip", "where": {"nearest": [1, 0, 0]}}]})";

TEST(HonestResults, AnIntegratorThatTookMostOfTheEnergyIsToldEverywhere) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(clamped + plucked, tip)), out = folder.path("out");
  const auto run = [&](const std::string& stepper, const std::string& how) {
    return run_dashpot({"run", scene, "--out", out, "--set", "/time/stepper=" + stepper, how});
  };
  const ProgramResult lossy = run("backward_euler", "--json");
  ASSERT_EQ(lossy.exit_code, 0) << lossy.err;
  EXPECT_GT(lossy.json().at("energy").at("numerical_share"), 0.2);
  EXPECT_TRUE(has(lossy.err, "warning: backward_euler at 5 ms took ")) << lossy.err;
  ASSERT_EQ(lossy.json().at("warnings").size(), 1U);
  EXPECT_TRUE(has(lossy.json()["warnings"][0], "of all energy by itself"));
  EXPECT_TRUE(has(content(out + "/report.html"), "of all energy by itself"));
  const ProgramResult faithful = run("midpoint", "--json");
  EXPECT_TRUE(faithful.json().at("warnings").empty());
  EXPECT_FALSE(has(faithful.err, "by itself")) << faithful.err;
}

TEST(HonestResults, AProbeSaysWhichNodeItFollowsAndFarOnesAreRefused) {
  const ScratchFolder folder;
  const auto check = [&](const std::string& point, const std::string& place = "") {
    return run_dashpot(
        {"check", folder.write("bar.json", bar_scene(clamped + place, R"(, "record": {"probes": [{"name": "tip",
          "where": {"nearest": )" + point + "}}]}"))});
  };
  const ProgramResult near = check("[1, 0, 0.01]");
  EXPECT_EQ(near.exit_code, 0) << near.err;
  EXPECT_TRUE(has(near.out, "at (1, 0, 0) m, 10 mm from the point given")) << near.out;
  EXPECT_FALSE(has(near.err, "warning"));
  const ProgramResult beside = check("[1, 0.4, 0]");
  EXPECT_EQ(beside.exit_code, 0);
  EXPECT_TRUE(has(beside.err, "warning")) << beside.err;
  EXPECT_TRUE(has(beside.err, "is 30 cm away") || has(beside.err, "is 300 mm away")) << beside.err;
  const ProgramResult far = check("[100, 0, 0]");
  EXPECT_EQ(far.exit_code, 3);
  EXPECT_TRUE(has(far.err, "is 99 m away")) << far.err;
  // Selections act after "place": where the mesh had its tip there is nothing any more.
  const ProgramResult moved = check("[1, 0, 0]", R"(, "place": {"translate": [50, 0, 0]})");
  EXPECT_EQ(moved.exit_code, 3);
  EXPECT_TRUE(has(moved.err, "The mesh spans (50, 0, 0) to (51, 0.1, 0.1) m after its \"place\"")) << moved.err;
}

/// Percentages in the last column of the report's table "Damping that acted".
double sum_of_shares(const std::string& report) {
  const std::size_t begin = report.find("Damping that acted"), end = report.find("</table>", begin);
  const std::string table = report.substr(begin, end - begin);
  double sum = 0;
  int rows = 0;
  const std::regex cell("(-|\u2212)?([0-9.]+) %</td>");
  for (std::sregex_iterator it(table.begin(), table.end(), cell), last; it != last; ++it, ++rows)
    sum += ((*it)[1].matched ? -1 : 1) * std::stod((*it)[2]);
  EXPECT_GT(rows, 1) << table;
  return sum;
}

TEST(HonestResults, WhatContactsTookIsAmongTheDampingThatActed) {
  const ScratchFolder folder;
  const std::string out = folder.path("out");
  const ProgramResult result = run_dashpot({"run", scenes + "ball_drop.json", "--out", out, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string report = content(out + "/report.html");
  EXPECT_TRUE(has(report, ">impacts<")) << "no row for impacts";
  EXPECT_NEAR(sum_of_shares(report), 100, 1);
}

TEST(HonestResults, AFallingBodyHasNoFrequencyAndNoNegativeEnergy) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(plucked, tip + R"(, "gravity": [0, -9.81, 0])"));
  const ProgramResult json = run_dashpot({"run", scene, "--out", folder.path("out"), "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const nlohmann::json energy = json.json().at("energy");
  EXPECT_GE(energy.at("final").get<double>(), 0);
  EXPECT_LT(energy.at("gravity_zero").get<double>(), -100) << "it falls 5 m";
  EXPECT_NEAR(energy.at("final").get<double>(), energy.at("initial").get<double>(),
              1e-3 * energy.at("final").get<double>());
  const nlohmann::json probes = json.json().at("probes");
  for (const nlohmann::json& probe : probes) {
    EXPECT_TRUE(probe.at("frequency").is_null()) << probe;
    EXPECT_TRUE(has(probe.at("obstacle"), "not held")) << probe;
  }
  const ProgramResult rigid = run_dashpot({"run", scene, "--out", folder.path("out"), "--set", "/bodies/0/start=rest"});
  EXPECT_TRUE(std::regex_search(rigid.out, std::regex("taken by the integrator +0\\s"))) << "round-off: " << rigid.out;
  const ProgramResult text = run_dashpot({"run", scene, "--out", folder.path("out")});
  std::smatch left;
  ASSERT_TRUE(std::regex_search(text.out, left, std::regex("left at the end +([-0-9.e+]+)"))) << text.out;
  EXPECT_NEAR(std::stod(left[1]), energy.at("final").get<double>(), 1e-3 * energy.at("final").get<double>());
  EXPECT_TRUE(has(content(folder.path("out/report.html")), "counted from the lowest the bodies came to"));
  // Nothing pulls it down: the same bar rings in place, and has a frequency.
  const ProgramResult floating =
      run_dashpot({"run", scene, "--out", folder.path("out"), "--json", "--set", "/gravity=[0, 0, 0]"});
  EXPECT_FALSE(has(floating.out, "not held")) << floating.out;
}

TEST(HonestResults, PicturesCallNothingAnImpactWhereNothingCanTouch) {
  const ScratchFolder folder;
  const std::string out = folder.path("out");
  ASSERT_EQ(run_dashpot({"run", folder.write("bar.json", bar_scene(clamped + plucked, tip)), "--out", out}).exit_code,
            0);
  EXPECT_FALSE(fs::exists(out + "/contacts.csv"));
  EXPECT_FALSE(has(content(out + "/report.html"), "impact"));
}

TEST(HonestResults, AReducedBodyTellsWhatItsStartHasOfTheEnergy) {
  const ScratchFolder folder;
  // A slow bow, and a ripple that few modes do not have: little of the shape, much of its energy.
  const std::string start = R"j(, "start": {"from": "formula", "y": "0.05*X^2 + 0.0004*sin(40*X)"})j";
  const std::string scene = folder.write(
      "bar.json", bar_scene(clamped + start + R"(, "reduced": {"modes": 3, "size": 6, "cache": false})", "", "50 ms"));
  const ProgramResult result = run_dashpot({"run", scene, "--out", folder.path("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::smatch told;
  ASSERT_TRUE(std::regex_search(result.err, told,
                                std::regex("at the start is ([-0-9.e]+) % outside|at the start is ([0-9.]+) %")))
      << result.err;
  EXPECT_TRUE(has(result.err, "the elastic energy at the start is ")) << result.err;
  EXPECT_TRUE(has(result.err, " where the full body has ")) << result.err;
  EXPECT_TRUE(has(result.err, "warning")) << result.err;
}

TEST(HonestResults, ARunDoesNotMoveInWithOtherFilesUnlessForced) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(clamped + plucked, tip, "20 ms")),
                    out = folder.path("out");
  fs::create_directories(out);
  ASSERT_EQ(run_dashpot({"run", scene, "--out", out, "--quiet"}).exit_code, 0) << "an empty folder";
  std::ofstream(out + "/picture.png") << "made from the run";
  ASSERT_EQ(run_dashpot({"run", scene, "--out", out, "--quiet"}).exit_code, 0) << "the folder of a run";
  const std::string thesis = folder.path("thesis");
  fs::create_directories(thesis);
  std::ofstream(thesis + "/report.html") << "three years";
  const ProgramResult refused = run_dashpot({"run", scene, "--out", thesis, "--quiet"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(has(refused.err, "it holds report.html")) << refused.err;
  EXPECT_TRUE(has(refused.err, "--force")) << refused.err;
  EXPECT_EQ(content(thesis + "/report.html"), "three years");
  EXPECT_EQ(run_dashpot({"run", scene, "--out", thesis, "--quiet", "--force"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(thesis + "/ledger.csv"));
}

TEST(HonestResults, AComparisonDoesNotMoveInWithOtherFilesUnlessForced) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(clamped + plucked, tip, "20 ms")),
                    out = folder.path("out"), thesis = folder.path("thesis");
  const std::vector<std::string> compare{"compare", scene, "--damping", "none", "--quiet", "--out"};
  const auto into = [&](const std::string& where, bool forced = false) {
    std::vector<std::string> arguments = compare;
    arguments.push_back(where);
    if (forced) arguments.push_back("--force");
    return run_dashpot(arguments);
  };
  ASSERT_EQ(into(out).exit_code, 0) << "a new folder";
  std::ofstream(out + "/picture.png") << "made from the runs";
  ASSERT_EQ(into(out).exit_code, 0) << "the folder of a comparison";
  fs::create_directories(thesis);
  std::ofstream(thesis + "/report.html") << "three years";
  const ProgramResult refused = into(thesis);
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(has(refused.err, "it holds report.html") && has(refused.err, "--force")) << refused.err;
  EXPECT_EQ(content(thesis + "/report.html"), "three years");
  EXPECT_EQ(into(thesis, true).exit_code, 0);
  EXPECT_TRUE(has(content(thesis + "/report.html"), "<html"));
}

TEST(HonestResults, TheReportTellsWhatWasTurnedOnTheWay) {
  const ScratchFolder folder;
  const std::string damped = clamped + plucked + R"(, "damping": [{"model": "rayleigh", "beta": "1 ms"}])";
  const std::string scene = folder.write("bar.json", bar_scene(damped, tip, "60 ms")), out = folder.path("out");
  ASSERT_EQ(run_dashpot({"run", scene, "--out", out, "--quiet", "--turn", "20 ms: /bodies/0/damping/0/beta = 3 ms",
                         "--turn", "40 ms: /bodies/0/damping/0/beta = 8 ms"})
                .exit_code,
            0);
  const std::string report = content(out + "/report.html");
  EXPECT_TRUE(has(report, "at 20 ms: /bodies/0/damping/0/beta turned from 1 ms to 3 ms")) << report;
  EXPECT_TRUE(has(report, "at 40 ms: /bodies/0/damping/0/beta turned from 3 ms to 8 ms")) << report;
  ASSERT_EQ(run_dashpot({"run", scene, "--out", out, "--quiet"}).exit_code, 0);
  EXPECT_FALSE(has(content(out + "/report.html"), "turned from"));
}

TEST(HonestResults, ALengthThatCannotBeReadIsToldOnce) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(clamped + plucked));
  for (const char* length : {"nan", "-1 mm"}) {
    const ProgramResult refused = run_dashpot({"modes", scene, "-n", "1", "--amplitude", length});
    EXPECT_EQ(refused.exit_code, 2);
    const std::size_t first = refused.err.find("--amplitude");
    EXPECT_NE(first, std::string::npos) << refused.err;
    EXPECT_EQ(refused.err.find("--amplitude", first + 1), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace dashpot::testing::test_honest_results
