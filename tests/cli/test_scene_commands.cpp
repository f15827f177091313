// run, check, modes, compare, measure: a small bar from the command line to its files.
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace dashpot::testing::test_scene_commands {
namespace {

namespace fs = std::filesystem;

/// A clamped bar, plucked at its tip; two cells through the thickness make the mirrored mesh symmetric, so that it
/// swings in one plane and in one mode (with one cell it would also swing sideways, at another frequency). `end` [s]
/// of simulated time at 5 ms a step.
std::string bar_scene(double end,
                      const std::string& damping = R"([{"model": "rayleigh", "zeta": [{"mode": 1, "zeta": 0.03}]}])") {
  std::ostringstream text;
  text << R"({"dashpot": 1, "title": "A small bar", "time": {"dt": "5 ms", "end": )" << end
       << R"(, "stepper": "midpoint"},
  "bodies": [{"name": "bar", "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [12, 2, 2]}},
    "material": {"model": "stvk", "young": "20 MPa", "poisson": 0.3, "density": 1000}, "damping": )"
       << damping << R"(,
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
    "start": {"from": "equilibrium", "loads": [
      {"model": "force", "where": {"box": [[0.999, -1, -1], [1.001, 1, 1]]}, "force": [0, "-1 N", 0]}]}}],
  "record": {"checkpoint": "50 ms", "probes": [{"name": "tip", "body": "bar", "where": {"nearest": [1, 0, 0]}}]}})";
  return text.str();
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool wait_for(const std::string& path, double seconds) {
  for (int i = 0; i < static_cast<int>(seconds * 100); ++i) {
    if (fs::exists(path)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(RunCommand, ABarRingsWithTheDampingRatioItWasAskedFor) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(3));
  const ProgramResult result = run_dashpot({"run", scene, "--out", folder.path("out"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = result.json();
  EXPECT_EQ(json.at("schema"), "dashpot/run/1");
  EXPECT_EQ(json.at("status"), "finished");
  EXPECT_FALSE(json.at("input").at("hash").get<std::string>().empty());
  ASSERT_EQ(json.at("probes").size(), 1U);
  EXPECT_NEAR(json["probes"][0].at("zeta"), 0.03, 0.001);
  const nlohmann::json& energy = json.at("energy");
  const double lost = energy.at("lost").at("damping.bar.rayleigh");
  EXPECT_GT(lost, 0.5 * energy.at("initial").get<double>());
  for (const char* name : {"ledger.csv", "probes.csv", "frames.dpf", "summary.json", "report.html", "scene.json"})
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + name))) << name;
  EXPECT_NE(content(folder.path("out/report.html")).find("<svg"), std::string::npos);

  const ProgramResult measured = run_dashpot({"measure", folder.path("out"), "--json"});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  EXPECT_NEAR(measured.json().at("zeta"), json["probes"][0].at("zeta"), 1e-9);
  EXPECT_EQ(measured.json().at("column"), "tip.y");
}

TEST(RunCommand, ADryRunPrintsTheFilledInSceneAndWritesNothing) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(1));
  const ProgramResult result = run_dashpot({"run", scene, "--out", folder.path("out"), "--dry-run"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(fs::exists(folder.path("out")));
  const std::string again = folder.write("again.json", result.out);
  EXPECT_EQ(run_dashpot({"run", again, "--dry-run"}).out, result.out);
  EXPECT_EQ(run_dashpot({"run", scene}).exit_code, 2);
}

TEST(RunCommand, InterruptedItLeavesACheckpointAndResumesToTheSameBits) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(8));
  const std::string whole = folder.path("whole"), parts = folder.path("parts");
  Program running({"run", scene, "--out", parts, "--no-frames"});
  ASSERT_TRUE(wait_for(parts + "/checkpoint.dpc", 60));
  running.signal(SIGINT);
  const ProgramResult stopped = running.wait();
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("--resume"), std::string::npos);
  EXPECT_FALSE(fs::exists(parts + "/ledger.csv"));  // only whole files have their final name

  const ProgramResult resumed = run_dashpot({"run", scene, "--out", parts, "--no-frames", "--resume", "--json"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const ProgramResult straight = run_dashpot({"run", scene, "--out", whole, "--no-frames", "--json"});
  ASSERT_EQ(straight.exit_code, 0) << straight.err;
  EXPECT_EQ(resumed.json().at("state_hash"), straight.json().at("state_hash"));
  EXPECT_EQ(content(parts + "/ledger.csv"), content(whole + "/ledger.csv"));
  EXPECT_GT(content(whole + "/ledger.csv").size(), 1000U);
}

TEST(RunCommand, KilledAtAnyMomentItLeavesNoHalfFileAndResumes) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(8));
  const std::string out = folder.path("out");
  {
    Program running({"run", scene, "--out", out, "--no-frames"});
    ASSERT_TRUE(wait_for(out + "/checkpoint.dpc", 60));
    running.signal(SIGKILL);
    EXPECT_EQ(running.wait().exit_code, 128 + SIGKILL);
  }
  for (const char* name : {"ledger.csv", "probes.csv", "summary.json", "report.html"})
    EXPECT_FALSE(fs::exists(out + "/" + name)) << name;
  const ProgramResult resumed = run_dashpot({"run", scene, "--out", out, "--no-frames", "--resume", "--quiet"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(fs::exists(out + "/ledger.csv"));
}

TEST(RunCommand, ProgressIsABarOnATerminalAndALinePerTenthElsewhere) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(0.5));
  const std::vector<std::string> run{"run", scene, "--out", folder.path("out"), "--no-frames"};
  const ProgramResult terminal = Program(run, true, {"TERM=xterm"}).wait();
  EXPECT_NE(terminal.err.find("\rrun ["), std::string::npos);
  const ProgramResult plain = run_dashpot(run);
  EXPECT_EQ(plain.err.find('\r'), std::string::npos);
  EXPECT_NE(plain.err.find("run:  10 %"), std::string::npos) << plain.err;
  EXPECT_NE(plain.err.find("run: 100 %"), std::string::npos);
  std::vector<std::string> quiet = run;
  quiet.push_back("--quiet");
  EXPECT_EQ(run_dashpot(quiet).err, "");
}

TEST(RunCommand, AnExplicitStepThatIsTooLongDivergesWithTheLastGoodStateKept) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(3, "[]"));
  const ProgramResult result =
      run_dashpot({"run", scene, "--out", folder.path("out"), "--set", "/time/stepper=leapfrog", "--set",
                   "/time/dt=50 ms", "--set", "/bodies/0/material/mass=lumped", "--json"});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_EQ(result.json().at("status"), "diverged");
  EXPECT_NE(result.err.find("diverged"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder.path("out/checkpoint.dpc")));
  EXPECT_TRUE(fs::exists(folder.path("out/report.html")));
  for (const char* name : {"ledger.csv", "probes.csv", "frames.dpf"}) {
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + name))) << name;
    EXPECT_FALSE(fs::exists(folder.path(std::string("out/") + name + ".partial"))) << name;
  }
  const std::string page = content(folder.path("out/report.html"));
  EXPECT_NE(page.find("class=\"failure\""), std::string::npos);
  EXPECT_NE(page.find("image/png"), std::string::npos) << "pictures of what there is";
}

TEST(RunCommand, ABodyDrivenToTheEndAndOneThatSwingsOnceGetNoDampingRatio) {
  const ScratchFolder folder;
  const std::string scene = folder.write("spring.json", R"({"dashpot": 1, "time": {"dt": "10 ms", "end": "4 s"},
 "bodies": [{"name": "s", "mesh": {"chain": {"ends": [[0, 0, 0], [1, 0, 0]], "edges": 1}},
   "springs": [{"stiffness": "40 N/m"}], "point_masses": [{"mass": "1 kg"}],
   "pins": [{"where": {"vertices": [0]}}, {"where": "all", "axes": ["y", "z"]}],
   "loads": [{"model": "harmonic", "where": {"vertices": [1]}, "force": ["1 N", 0, 0], "frequency": "1.2 Hz"}]}],
 "record": {"probes": [{"name": "end", "where": {"vertices": [1]}}]}})");
  const auto probe = [&](std::vector<std::string> settings) {
    std::vector<std::string> words = {"run", scene, "--out", folder.path("out"), "--json"};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    return run_dashpot(words).json().at("probes").at(0);
  };
  const auto driven = probe({});
  EXPECT_TRUE(driven.at("zeta").is_null());
  EXPECT_NE(driven.at("obstacle").get<std::string>().find("driven"), std::string::npos);
  const auto released = probe({"/bodies/0/loads/0/until=0.5 s"});
  ASSERT_TRUE(released.at("zeta").is_number()) << released.dump();
  EXPECT_LT(std::abs(released.at("zeta").get<double>()), 0.001) << "undamped";
  EXPECT_NEAR(released.at("frequency").get<double>(), std::sqrt(40.0) / (2 * M_PI), 0.01);
  EXPECT_TRUE(probe({"/bodies/0/loads/0/until=0.5 s", "/time/end=1.4 s"}).at("zeta").is_null()) << "one swing";
}

TEST(MeasureCommand, ADrivenOscillatorShowsItsDashpot) {
  const ScratchFolder folder;
  std::ostringstream text;
  const double omega = 4 * M_PI, k = 400, c = 4, m = 1, stiffness = k - m * omega * omega, loss = c * omega;
  const double square = stiffness * stiffness + loss * loss;
  text << "time,F,x\n";
  for (int i = 0; i < 1000; ++i) {
    const double t = 0.005 * i;
    text << t << ',' << 10 * std::cos(omega * t) << ','
         << 10 * (stiffness * std::cos(omega * t) + loss * std::sin(omega * t)) / square << '\n';
  }
  const std::string file = folder.write("shaker.csv", text.str());
  const ProgramResult result = run_dashpot({"measure", file, "--column", "x", "--force", "F", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NEAR(result.json().at("frequency"), 2, 1e-4);
  EXPECT_NEAR(result.json().at("equivalent_dashpot"), c, 0.01);
  EXPECT_NEAR(result.json().at("loss_factor"), loss / stiffness, 0.001);
  EXPECT_EQ(run_dashpot({"measure", file, "--column", "y"}).exit_code, 3);
}

TEST(CheckCommand, ADampingThatCannotFollowTheStepIsAnError) {
  const ScratchFolder folder;
  const auto scene = [&](const std::string& coefficient) {
    return folder.write("points.json",
                        R"({"dashpot": 1, "time": {"dt": "10 ms", "end": "1 s", "stepper": "backward_euler"},
      "bodies": [{"name": "pair", "mesh": {"points": {"positions": [[0, 0, 0], [1, 0, 0]], "edges": [[0, 1]]}},
        "springs": [{"between": [[0, 1]], "stiffness": "10 N/m"}],
        "point_masses": [{"where": "all", "mass": "1 kg"}],
        "damping": [{"model": "spring", "coefficient": ")" +
                            coefficient + R"("}]}]})");
  };
  const ProgramResult bad = run_dashpot({"check", scene("150 kg/s")});  // lambda_max = 2 /kg: the bound is 100 kg/s
  EXPECT_EQ(bad.exit_code, 3) << bad.err;
  EXPECT_NE(bad.err.find("100 kg/s is the bound"), std::string::npos) << bad.err;
  EXPECT_EQ(run_dashpot({"check", scene("99 kg/s")}).exit_code, 0);
}

TEST(CheckCommand, AllProblemsOfASceneAreReportedAtOnceWithPlaceAndNearestName) {
  const ScratchFolder folder;
  const std::string scene =
      folder.write("bad.json", R"({"dashpot": 1, "time": {"dt": "5 kg", "end": "1 s", "steper": "bathe"},
 "bodies": [{"name": "b", "mesh": {"bar": {"size": [1, 1, 1], "cells": [1, 1, 1]}}, "material": {"model": "stvkk"}}]})");
  const ProgramResult result = run_dashpot({"check", scene});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(result.out.empty());
  for (const char* part : {"5 kg", "steper", "stepper", "stvkk", "bad.json:1:", "bad.json:2:"})
    EXPECT_NE(result.err.find(part), std::string::npos) << part << "\n" << result.err;
  const nlohmann::json json = run_dashpot({"check", scene, "--json"}).json();
  EXPECT_EQ(json.at("ok"), false);
  EXPECT_GE(json.at("problems").size(), 3U);
  EXPECT_EQ(run_dashpot({"run", scene, "--out", folder.path("out")}).exit_code, 3);
  EXPECT_FALSE(fs::exists(folder.path("out")));
}

TEST(CheckCommand, AnIndexThatIsNoNumberIsNotTheFirst) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(1));
  const ProgramResult result = run_dashpot({"check", scene, "--set", "/bodies/bar/material/young=1 kPa"});
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_NE(result.err.find("/bodies/bar/material/young: no such place"), std::string::npos) << result.err;
  EXPECT_EQ(run_dashpot({"check", scene, "--set", "/bodies/0/material/young=1 kPa"}).exit_code, 0);
  const ProgramResult endless = run_dashpot({"check", scene, "--set", "/time/end=1e300 s"});
  EXPECT_EQ(endless.exit_code, 3);
  EXPECT_LT(endless.err.size(), 300U) << "a number of 300 digits helps nobody: " << endless.err;
}

TEST(CheckCommand, ABodyThatCannotMoveIsToldSo) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(1));
  const ProgramResult held = run_dashpot({"check", scene, "--set", R"(/bodies/0/pins=[{"where": "all"}])", "--set",
                                          "/bodies/0/start=rest", "--set", "/bodies/0/damping=[]"});
  EXPECT_EQ(held.exit_code, 0) << held.err;
  EXPECT_NE(held.err.find("the pins hold every node of 'bar'"), std::string::npos) << held.err;
  const ProgramResult slides =
      run_dashpot({"check", scene, "--set", R"(/bodies/0/pins=[{"where": "all", "axes": ["x", "y"]}])", "--set",
                   "/bodies/0/start=rest", "--set", "/bodies/0/damping=[]"});
  EXPECT_EQ(slides.err.find("hold every node"), std::string::npos) << slides.err;
}

TEST(CheckCommand, AGoodSceneIsToldWhatItWillCost) {
  const ScratchFolder folder;
  const ProgramResult result = run_dashpot({"check", folder.write("bar.json", bar_scene(1)), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json().at("prediction").at("steps"), 200);
  EXPECT_GT(result.json().at("prediction").at("bytes"), 0);
  EXPECT_EQ(run_dashpot({"check", folder.path("absent.json")}).exit_code, 3);
}

TEST(CheckCommand, WhatAModelRefusesWhenItIsBuiltIsToldWithItsPlaceAlsoInJson) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(1, R"([{"model": "example_based",
    "over": {"model": "rayleigh", "beta": "1 ms"}, "examples": [{"name": "none", "shape": {"from": "rest"}, "gamma": 2}]}])"));
  const ProgramResult result = run_dashpot({"check", scene, "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const nlohmann::json json = result.json();
  EXPECT_FALSE(json.at("ok").get<bool>());
  ASSERT_EQ(json.at("problems").size(), 1U);
  EXPECT_NE(json.at("problems")[0].at("place").get<std::string>().find("bar.json:"), std::string::npos);
  EXPECT_NE(result.err.find("no displacement anywhere"), std::string::npos) << result.err;
}

TEST(ModesCommand, RatiosThatDependOnTheAmplitudeAreToldWithIt) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(1, R"([{"model": "example_based",
    "over": {"model": "rayleigh", "zeta": [{"mode": 1, "zeta": 0.02}]}, "depends_on": "displacement",
    "examples": [{"name": "bow", "shape": {"from": "mode", "mode": 1, "amplitude": "1 mm"}, "curve": [[0, 1], [1, 3]], "interpolation": "linear"}]}])"));
  const ProgramResult small = run_dashpot({"modes", scene, "-n", "1", "--json"}),
                      large = run_dashpot({"modes", scene, "-n", "1", "--amplitude", "1 mm", "--json"});
  ASSERT_EQ(large.exit_code, 0) << large.err;
  EXPECT_NEAR(small.json().at("modes")[0].at("model_zeta").get<double>(), 0.02, 1e-4);
  // The gain is 3^|sin| (log-linear between its knots) while the velocity goes with cos: its mean over cos^2
  // is 1.66375. (At 1 cm the bar stretches as
  // it bends along a straight mode shape, which adds 2 %.)
  EXPECT_NEAR(large.json().at("modes")[0].at("model_zeta").get<double>(), 0.02 * 1.66375, 3e-5);
  EXPECT_DOUBLE_EQ(large.json().at("amplitude").get<double>(), 0.001);
  EXPECT_NE(run_dashpot({"modes", scene, "-n", "1"}).out.find("vanishing amplitude"), std::string::npos);
  EXPECT_EQ(run_dashpot({"modes", scene, "--amplitude", "2 kg"}).exit_code, 2);
}

TEST(ModesCommand, TheFirstModeHasTheRatioAskedForAndMidpointAddsNone) {
  const ScratchFolder folder;
  const ProgramResult result = run_dashpot({"modes", folder.write("bar.json", bar_scene(1)), "-n", "3", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json modes = result.json().at("modes");
  ASSERT_EQ(modes.size(), 3U);
  EXPECT_NEAR(modes[0].at("model_zeta"), 0.03, 1e-6);
  EXPECT_NEAR(modes[0].at("numerical_zeta"), 0, 1e-3);
  EXPECT_GT(modes[2].at("frequency"), modes[0].at("frequency"));
}

TEST(CompareCommand, SeveralDampingsShareOneReport) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(2));
  const ProgramResult result =
      run_dashpot({"compare", scene, "--damping", "none", "--damping", "rayleigh zeta=0.02", "--damping",
                   "ether_drag rate=1 /s", "--stepper", "backward_euler", "--out", folder.path("out"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json runs = result.json().at("runs");
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_NEAR(runs[0].at("zeta"), 0, 1e-3);
  EXPECT_NEAR(runs[1].at("zeta"), 0.02, 0.001);
  EXPECT_GT(runs[3].at("taken_by_integrator"), 0.1 * runs[3].at("initial_energy").get<double>());
  EXPECT_NE(content(folder.path("out/report.html")).find("rayleigh zeta=0.02"), std::string::npos);
  EXPECT_EQ(run_dashpot({"compare", scene, "--damping", "raileigh beta=2 ms", "--out", folder.path("no")}).exit_code,
            3);
  EXPECT_FALSE(fs::exists(folder.path("no")));
}

TEST(CheckCommand, WhatProjectiveDynamicsCannotDoIsToldBeforeARun) {
  const std::string scene = std::string(DASHPOT_SOURCE_DIR) + "/scenes/penguin_bounce.json";
  const std::vector<std::string> check = {"check", scene, "--set", "/bodies/0/mesh/tets=1000"};
  EXPECT_EQ(run_dashpot(check).exit_code, 0);
  std::vector<std::string> wrong = check;
  wrong.insert(wrong.end(), {"--set", "/bodies/0/material/model=stvk"});
  const ProgramResult result = run_dashpot(wrong);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("elastic energy of 'penguin'"), std::string::npos) << result.err;
}

/// A bar let go under gravity, by five local/global iterations a stage: no energy at the start.
const std::vector<std::string> sagging_projective = {"--set", "/gravity=[0, -9.81, 0]",
                                                     "--set", R"(/solver={"projective": {"iterations": 5}})",
                                                     "--set", "/time/stepper=midpoint",
                                                     "--set", "/bodies/0/material/model=arap",
                                                     "--set", R"(/bodies/0/start={"from": "rest"})"};

TEST(RunCommand, WhatUnfinishedIterationsDidToTheEnergyIsTold) {
  const ScratchFolder folder;
  std::vector<std::string> arguments = {"run", folder.write("bar.json", bar_scene(1)), "--out", folder.path("out")};
  arguments.insert(arguments.end(), sagging_projective.begin(), sagging_projective.end());
  const ProgramResult result = run_dashpot(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("solver: projective dynamics, 5 iterations a stage"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("of the forces out of balance"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("taken by the solver"), std::string::npos) << result.out;
}

TEST(CompareCommand, SharesAreOfTheEnergyThatMovedWhereABodyStartsAtRest) {
  const ScratchFolder folder;
  const std::string scene = folder.write("bar.json", bar_scene(1));
  const ProgramResult result =
      run_dashpot({"compare", scene, "--damping", "none", "--set", "/gravity=[0, -9.81, 0]", "--set",
                   R"(/bodies/0/start={"from": "rest"})", "--out", folder.path("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string row = result.out.substr(result.out.find("none"));
  for (std::size_t at = row.find(" %"); at != std::string::npos; at = row.find(" %", at + 1)) {
    const std::size_t begin = row.rfind(' ', at - 1) + 1;
    EXPECT_LE(std::abs(std::stod(row.substr(begin, at - begin))), 1000) << row;
  }
}

/// The cells of the first row after a place in a report, each after a blank.
std::string first_cells(const std::string& report, std::size_t place) {
  const std::size_t begin = report.find("<tbody>", place), end = report.find("</tr>", begin);
  std::string cells;
  bool is_tag = false;
  for (const char c : report.substr(begin, end - begin)) {
    if (c == '<') cells += ' ';
    if (c == '<' || c == '>')
      is_tag = c == '<';
    else if (!is_tag)
      cells += c;
  }
  return cells;
}

TEST(CompareCommand, TheReportSharesTheEnergyOfABodyAtRestAsTheConsoleDoes) {
  const ScratchFolder folder;
  const ProgramResult result = run_dashpot({"compare", folder.write("bar.json", bar_scene(1)), "--damping",
                                            "ether_drag rate=1 /s", "--set", "/gravity=[0, -9.81, 0]", "--set",
                                            R"(/bodies/0/start={"from": "rest"})", "--out", folder.path("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string name = "ether_drag rate=1 /s", report = content(folder.path("out/report.html"));
  // f, zeta asked and measured, its deviation; left, by damping, by integrator
  std::istringstream printed(result.out.substr(result.out.find(name) + name.size()));
  const std::string row = first_cells(report, report.find("left [%]"));
  ASSERT_NE(row.find(name), std::string::npos) << row;
  std::istringstream reported(row.substr(row.find(name) + name.size()));
  std::string word, percent;
  for (int i = 0; i < 4; ++i) printed >> word, reported >> word;
  for (int i = 0; i < 2; ++i) {
    printed >> word >> percent;
    EXPECT_EQ(percent, "%") << result.out;
    const double console = std::stod(word);
    reported >> word;
    EXPECT_GT(console, 0.1) << "nothing is left, nothing is taken";
    EXPECT_NEAR(std::strtod(word.c_str(), nullptr), console, 0.11) << row;
  }
}

TEST(SchemaCommand, TheSchemaIsJsonAndKnowsTheDampings) {
  const ProgramResult result = run_dashpot({"schema"});
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.json().contains("$defs"));
  EXPECT_NE(result.out.find("rayleigh"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::testing::test_scene_commands
