// What a run leaves in its folder: forces at contacts, split steps, and the ruins of a divergence.
#include <gtest/gtest.h>

#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/run_report.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot {
namespace {

/// A block of 4 kg on a slope or a floor, let go in equilibrium.
std::string block_on(const std::string& plane, const std::string& stepper = "backward_euler") {
  return R"({"dashpot": 1, "gravity": [0, -9.81, 0], "time": {"dt": "5 ms", "end": "0.5 s", "stepper": ")" + stepper +
         R"("},
    "bodies": [{"name": "block", "mesh": {"bar": {"size": [0.2, 0.1, 0.2], "cells": [2, 1, 2]}},
      "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.3, "density": 1000},
      "damping": [{"model": "rayleigh", "beta": "2 ms"}]}],
    "colliders": [{"plane": )" +
         plane + R"(}], "record": {"every": "10 ms"}})";
}

RunOutcome play(const std::string& text, const std::string& name, CompiledScene* kept = nullptr) {
  CompiledScene scene = compile(parse_scene(text));
  scene.run.folder = ::testing::TempDir() + "dashpot_simulate_" + name;
  RunOutcome outcome = simulate(scene);
  if (kept != nullptr) *kept = std::move(scene);
  return outcome;
}

TEST(Simulate, TheFloorCarriesTheWeightOfABodyAtRest) {
  CompiledScene scene;
  const RunOutcome outcome = play(block_on(R"({"friction": 0.5, "damping": 2})"), "rest", &scene);
  ASSERT_EQ(outcome.result.status, RunStatus::finished);
  const analysis::CsvTable forces = analysis::read_csv(scene.run.folder + "/contacts.csv");
  const double weight = 0.2 * 0.1 * 0.2 * 1000 * 9.81;
  EXPECT_NEAR(forces.column("contact.block.fy").back(), weight, 0.01 * weight);
  EXPECT_NEAR(forces.column("contact.block.fx").back(), 0, 0.01 * weight);
  EXPECT_EQ(forces.num_rows(), 51U);
}

TEST(Simulate, ASlidingBodyIsPushedBackByFrictionTimesThePressure) {
  CompiledScene scene;
  std::string text = block_on(R"({"friction": 0.3})");
  text.replace(text.find(R"("damping": [)"), 0, R"("start": {"from": "rest", "velocity": ["4 m/s", 0, 0]}, )");
  const RunOutcome outcome = play(text, "slide", &scene);
  ASSERT_EQ(outcome.result.status, RunStatus::finished);
  const analysis::CsvTable forces = analysis::read_csv(scene.run.folder + "/contacts.csv");
  double along = 0, across = 0;
  for (std::size_t row = forces.num_rows() / 2; row < forces.num_rows(); ++row) {
    along += forces.column("contact.block.fx")[row];
    across += forces.column("contact.block.fy")[row];
  }
  EXPECT_GT(across, 1);
  EXPECT_NEAR(along, -0.3 * across, 0.01 * across);
}

TEST(Simulate, ADivergedRunLeavesWholeFilesPicturesAndTheReason) {
  CompiledScene scene;
  std::string text = block_on(R"({"point": [0, -1, 0]})", "leapfrog");
  text.replace(text.find(R"("density": 1000)"), 15, R"("density": 1000, "mass": "lumped")");
  const RunOutcome outcome = play(text, "ruin", &scene);
  ASSERT_EQ(outcome.result.status, RunStatus::diverged);
  write_run_report(scene, outcome, {"dashpot run", "scene.json", "0"});
  for (const char* name : {"ledger.csv", "probes.csv", "frames.dpf", "contacts.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(scene.run.folder + "/" + name)) << name;
    EXPECT_FALSE(std::filesystem::exists(scene.run.folder + "/" + name + ".partial")) << name;
  }
  const std::string page = read_file(scene.run.folder + "/report.html");
  EXPECT_NE(page.find("class=\"failure\""), std::string::npos);
  EXPECT_NE(page.find("data:image/png"), std::string::npos);
  const std::string summary = read_file(scene.run.folder + "/summary.json");
  EXPECT_NE(summary.find(R"("status": "diverged")"), std::string::npos);
  EXPECT_NE(summary.find("too long"), std::string::npos) << "the reason";
}

TEST(Simulate, StepsThatWereSplitAreCountedAndAreNoFailure) {
  CompiledScene scene;
  std::string text = block_on(R"({"point": [0, -0.05, 0]})", "trapezoid");
  text.insert(text.find(R"("bodies")"), R"("solver": {"newton": {"max_iterations": 3}}, )");
  text.replace(text.find(R"("0.5 s")"), 7, R"("0.2 s")");
  text.replace(text.find(R"("2 ms")"), 6, R"("0.1 ms")");
  const RunOutcome outcome = play(text, "split", &scene);
  ASSERT_EQ(outcome.result.status, RunStatus::finished) << outcome.result.explanation;
  const RunCounters& counters = outcome.result.counters;
  ASSERT_GT(counters.substepped, 0);
  EXPECT_GT(counters.shortest_substep, 0.9 * scene.run.dt / 64);
  EXPECT_LT(counters.shortest_substep, 0.6 * scene.run.dt);
  EXPECT_NE(outcome.result.explanation.find("steps were split"), std::string::npos) << outcome.result.explanation;
  EXPECT_NE(outcome.result.explanation.find("for example: step of"), std::string::npos) << outcome.result.explanation;
  const render::Report report = run_report(scene, outcome, {});
  EXPECT_TRUE(report.failure.empty());
  for (const std::string& warning : report.warnings) EXPECT_EQ(warning.find("failed"), std::string::npos) << warning;
}

TEST(Simulate, EnergyFromADampingIsWarnedOfWhereItIsMoreThanAPercentOfWhatWasMoved) {
  const auto warnings = [](double damping, double friction, double external, double contact, double numerical) {
    RunOutcome outcome;
    outcome.ledger.columns = {"external", "damping.bar.spring", "contact", "numerical", "friction"};
    outcome.ledger.values = {{0, external}, {0, damping}, {0, contact}, {0, numerical}, {0, friction}};
    return created_energy_warnings(outcome);
  };
  EXPECT_TRUE(warnings(5, 1, 6, 0, 0).empty());
  EXPECT_TRUE(warnings(-0.009, 0, 1, 0, 0).empty());
  EXPECT_TRUE(warnings(-0.009, 0, 0, 1, 0).empty());
  EXPECT_TRUE(warnings(-0.009, 0, 0, 0, 1).empty());
  EXPECT_TRUE(warnings(-0.009, 1, 0, 0, 0).empty());
  EXPECT_TRUE(warnings(0, 0, 0, 0, 0).empty()) << "a run in which nothing happens";
  ASSERT_EQ(warnings(-0.02, 0, 1, 0, 0).size(), 1U);
  EXPECT_NE(warnings(-0.02, 0, 1, 0, 0)[0].find("damping.bar.spring has created 20 mJ"), std::string::npos)
      << warnings(-0.02, 0, 1, 0, 0)[0];
  EXPECT_EQ(warnings(-0.02, 0, 1, 0, 0)[0].find("slip_speed"), std::string::npos);
  ASSERT_EQ(warnings(3, -1, 2, -1, 0).size(), 1U);
  EXPECT_NE(warnings(3, -1, 2, -1, 0)[0].find("friction has created 1 J"), std::string::npos);
  EXPECT_NE(warnings(3, -1, 2, -1, 0)[0].find("slip_speed"), std::string::npos) << "what can be done about it";
  EXPECT_EQ(warnings(-1, -1, 2, -1, 0).size(), 2U);
}

TEST(Simulate, ADampingThatCreatesEnergyIsNamed) {
  const auto spinning = [](const std::string& torque) {
    return R"({"dashpot": 1, "gravity": [0, 0, 0], "time": {"dt": "0.5 ms", "end": "50 ms", "stepper": "symplectic_euler"},
      "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}},
        "material": {"model": "arap", "young": "100 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"},
        "damping": [{"model": "relative", "gamma_per_step": 1, "torque": ")" +
           torque + R"("}], "start": {"from": "rest", "angular_velocity": [3, 20, -8]}}]})";
  };
  EXPECT_TRUE(created_energy_warnings(play(spinning("edges"), "safe")).empty());
  const std::vector<std::string> warnings = created_energy_warnings(play(spinning("unsafe_edges_printed"), "unsafe"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("damping.bar.relative has created"), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace dashpot
