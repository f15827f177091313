// What a run returns and what it leaves in its folder: the same bits, forces at contacts, split steps, and the ruins of
// a divergence.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/report/run_report.hpp"
#include "dashpot/scene/simulate.hpp"

namespace dashpot::test_simulate {
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

std::string folder(const std::string& name) { return ::testing::TempDir() + "dashpot_simulate_" + name; }

RunResult play(const std::string& text) { return simulate(compile(parse_scene(text))); }

void expect_same(const Table& a, const Table& b) {
  EXPECT_EQ(a.columns, b.columns) << a.name;
  EXPECT_EQ(a.units, b.units) << a.name;
  EXPECT_EQ(a.values, b.values) << a.name;
}

TEST(Simulate, ARunInMemoryARunIntoAFolderAndThatFolderReadBackAreTheSameBits) {
  std::string text = block_on(R"({"friction": 0.3, "damping": 1})");
  text.replace(text.find(R"("record": {)"), 11,
               R"("record": {"probes": [{"name": "top", "where": {"nearest": [0, 0.1, 0]}}], )");
  text.replace(text.find(R"("damping": [{)"), 0,
               R"("loads": [{"model": "force", "where": "all", "force": ["3 N", 0, 0]}], )");
  const CompiledScene scene = compile(parse_scene(text));
  const RunResult memory = simulate(scene), streamed = simulate_into(folder("same"), scene),
                  read = read_run(folder("same"));
  ASSERT_EQ(memory.status, RunStatus::finished);
  EXPECT_GT(memory.final_value("damping.block.rayleigh"), 0);
  EXPECT_GT(memory.final_value("friction"), 0);
  EXPECT_EQ(memory.ledger.num_rows(), 101U);
  EXPECT_EQ(memory.recording.frames.size(), 51U);
  EXPECT_TRUE(streamed.recording.frames.empty()) << "they are in the folder";
  for (const RunResult* other : {&streamed, &read}) {
    EXPECT_EQ(other->status, memory.status);
    EXPECT_EQ(other->state.hash(), memory.state.hash());
    EXPECT_EQ(other->counters.newton_iterations, memory.counters.newton_iterations);
    for (const RunTable table : {RunTable::ledger, RunTable::probes, RunTable::loads, RunTable::contacts}) {
      EXPECT_GT(memory.table(table).num_rows(), 0U);
      expect_same(other->table(table), memory.table(table));
    }
  }
  ASSERT_EQ(read.recording.frames.size(), memory.recording.frames.size());
  EXPECT_EQ(read.recording.bodies.size(), memory.recording.bodies.size());
  for (std::size_t f = 0; f < read.recording.frames.size(); ++f)
    EXPECT_EQ(frame_bytes(read.recording.frames[f]), frame_bytes(memory.recording.frames[f])) << "frame " << f;
}

TEST(Simulate, ARunInMemoryTouchesNoFile) {
  const CompiledScene scene = compile(parse_scene(block_on("{}")));
  const std::string empty = folder("untouched");
  std::filesystem::remove_all(empty);
  std::filesystem::create_directories(empty);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(empty);
  std::filesystem::permissions(empty, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const RunResult run = simulate(scene);
  std::filesystem::permissions(empty, std::filesystem::perms::owner_all);
  std::filesystem::current_path(before);
  EXPECT_EQ(run.status, RunStatus::finished);
  EXPECT_EQ(run.ledger.num_rows(), 101U);
  EXPECT_TRUE(std::filesystem::is_empty(empty));
  std::filesystem::remove_all(empty);
}

TEST(Simulate, AnInterruptedRunReturnsTheStateItReachedAndAllItRecordedSoFar) {
  const CompiledScene scene = compile(parse_scene(block_on("{}")));
  int steps = 0;
  RunHooks hooks;
  hooks.should_stop = [&] { return steps == 20; };
  hooks.on_step = [&](double, double) { ++steps; };
  const RunResult part = simulate(scene, hooks), whole = simulate(scene);
  EXPECT_EQ(part.status, RunStatus::interrupted);
  EXPECT_EQ(part.state.time, 0.1);
  EXPECT_EQ(part.state.step, 20);
  CompiledScene shorter = scene;
  shorter.run.end = 0.1;
  EXPECT_EQ(part.state.hash(), simulate(shorter).state.hash());
  ASSERT_EQ(part.ledger.num_rows(), 21U);
  EXPECT_EQ(part.recording.frames.size(), 11U);
  for (std::size_t c = 0; c < part.ledger.columns.size(); ++c)
    for (std::size_t row = 0; row < 21; ++row) EXPECT_EQ(part.ledger.values[c][row], whole.ledger.values[c][row]);
  ASSERT_EQ(part.events.size(), 1U);
  EXPECT_EQ(part.events[0].kind, RunEvent::Kind::interrupted);
  EXPECT_EQ(part.events[0].text, part.explanation);
}

TEST(Simulate, FramesAreNotKeptWhereTheyAreNotWanted) {
  CompiledScene scene = compile(parse_scene(block_on("{}")));
  scene.run.keep_frames = false;
  const RunResult run = simulate(scene);
  EXPECT_TRUE(run.recording.frames.empty());
  EXPECT_EQ(run.ledger.num_rows(), 101U);
}

TEST(Simulate, AProbeThatIsNotThereIsAnsweredWithTheNearestName) {
  std::string text = block_on("{}");
  text.replace(text.find(R"("record": {)"), 11,
               R"("record": {"probes": [{"name": "top", "where": {"nearest": [0, 0.1, 0]}}], )");
  const RunResult run = play(text);
  EXPECT_EQ(run.probe("top").columns,
            (std::vector<std::string>{"time", "top.x", "top.y", "top.z", "top.vx", "top.vy", "top.vz"}));
  EXPECT_EQ(run.probe("top").units, (std::vector<std::string>{"s", "m", "m", "m", "m/s", "m/s", "m/s"}));
  try {
    run.probe("tpo");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'top'"), std::string::npos) << error.what();
  }
}

TEST(Simulate, TheFloorCarriesTheWeightOfABodyAtRest) {
  const RunResult run = play(block_on(R"({"friction": 0.5, "damping": 2})"));
  ASSERT_EQ(run.status, RunStatus::finished);
  const Table& forces = run.contacts;
  const double weight = 0.2 * 0.1 * 0.2 * 1000 * 9.81;
  EXPECT_NEAR(forces.column("contact.block.fy").back(), weight, 0.01 * weight);
  EXPECT_NEAR(forces.column("contact.block.fx").back(), 0, 0.01 * weight);
  EXPECT_EQ(forces.num_rows(), 51U);
}

TEST(Simulate, ASlidingBodyIsPushedBackByFrictionTimesThePressure) {
  std::string text = block_on(R"({"friction": 0.3})");
  text.replace(text.find(R"("damping": [)"), 0, R"("start": {"from": "rest", "velocity": ["4 m/s", 0, 0]}, )");
  const RunResult run = play(text);
  ASSERT_EQ(run.status, RunStatus::finished);
  const Table& forces = run.contacts;
  double along = 0, across = 0;
  for (std::size_t row = forces.num_rows() / 2; row < forces.num_rows(); ++row) {
    along += forces.column("contact.block.fx")[row];
    across += forces.column("contact.block.fy")[row];
  }
  EXPECT_GT(across, 1);
  EXPECT_NEAR(along, -0.3 * across, 0.01 * across);
}

TEST(Simulate, ADivergedRunLeavesWholeFilesPicturesAndTheReason) {
  std::string text = block_on(R"({"point": [0, -1, 0]})", "leapfrog");
  text.replace(text.find(R"("density": 1000)"), 15, R"("density": 1000, "mass": "lumped")");
  const CompiledScene scene = compile(parse_scene(text));
  RunResult run = simulate_into(folder("ruin"), scene);
  ASSERT_EQ(run.status, RunStatus::diverged);
  ASSERT_FALSE(run.events.empty());
  EXPECT_EQ(run.events.back().kind, RunEvent::Kind::diverged);
  EXPECT_NE(run.events.back().text.find("too long"), std::string::npos);
  fetch_frames(folder("ruin"), run);
  write_run_report(folder("ruin"), scene, measured(scene.spec, std::move(run)), {"dashpot run", "scene.json", "0"});
  for (const char* name : {"ledger.csv", "probes.csv", "frames.dpf", "contacts.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(folder("ruin") + "/" + name)) << name;
    EXPECT_FALSE(std::filesystem::exists(folder("ruin") + "/" + name + ".partial")) << name;
  }
  const std::string page = read_file(folder("ruin") + "/report.html");
  EXPECT_NE(page.find("class=\"failure\""), std::string::npos);
  EXPECT_NE(page.find("data:image/png"), std::string::npos);
  const std::string summary = read_file(folder("ruin") + "/summary.json");
  EXPECT_NE(summary.find(R"("status": "diverged")"), std::string::npos);
  EXPECT_NE(summary.find("too long"), std::string::npos) << "the reason";
}

TEST(Simulate, StepsThatWereSplitAreCountedAndAreNoFailure) {
  std::string text = block_on(R"({"point": [0, -0.05, 0]})", "trapezoid");
  text.insert(text.find(R"("bodies")"), R"("solver": {"newton": {"max_iterations": 3}}, )");
  text.replace(text.find(R"("0.5 s")"), 7, R"("0.2 s")");
  text.replace(text.find(R"("2 ms")"), 6, R"("0.1 ms")");
  const CompiledScene scene = compile(parse_scene(text));
  const RunResult run = simulate(scene);
  ASSERT_EQ(run.status, RunStatus::finished) << run.explanation;
  const RunCounters& counters = run.counters;
  ASSERT_GT(counters.substepped, 0);
  EXPECT_EQ(std::count_if(run.events.begin(), run.events.end(),
                          [](const RunEvent& event) { return event.kind == RunEvent::Kind::step_split; }),
            counters.substepped);
  EXPECT_GT(counters.shortest_substep, 0.9 * scene.run.dt / 64);
  EXPECT_LT(counters.shortest_substep, 0.6 * scene.run.dt);
  EXPECT_NE(run.explanation.find("steps were split"), std::string::npos) << run.explanation;
  EXPECT_NE(run.explanation.find("for example: step of"), std::string::npos) << run.explanation;
  const render::Report report = run_report(scene, measured(scene.spec, run), {});
  EXPECT_TRUE(report.failure.empty());
  for (const std::string& warning : report.warnings) EXPECT_EQ(warning.find("failed"), std::string::npos) << warning;
}

TEST(Simulate, EnergyFromADampingIsWarnedOfWhereItIsMoreThanAPercentOfWhatWasMoved) {
  const auto warnings = [](double damping, double friction, double external, double contact, double numerical) {
    Table ledger;
    ledger.columns = {"external", "damping.bar.spring", "contact", "numerical", "friction"};
    ledger.values = {{0, external}, {0, damping}, {0, contact}, {0, numerical}, {0, friction}};
    return created_energy_warnings(ledger);
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
  EXPECT_TRUE(play(spinning("edges")).events.empty());
  const RunResult run = play(spinning("unsafe_edges_printed"));
  ASSERT_EQ(run.events.size(), 2U);
  EXPECT_EQ(run.events[0].kind, RunEvent::Kind::energy_created);
  EXPECT_NE(run.events[0].text.find("damping.bar.relative has created"), std::string::npos) << run.events[0].text;
  EXPECT_EQ(run.events[1].kind, RunEvent::Kind::diverged) << run.events[1].text;
}

TEST(Simulate, ADampingThatOvershootsIsDivergenceSoonAlsoWhereTheIntegratorLosesWhatItMakes) {
  // alpha dt = 4: every step turns the velocity round and makes it three times as large. Symplectic Euler books more
  // than that as made by the damping, and the rest as lost by itself.
  const CompiledScene scene = compile(parse_scene(R"({"dashpot": 1,
    "time": {"dt": "2 ms", "end": "1 s", "stepper": "symplectic_euler"},
    "bodies": [{"name": "bar", "mesh": {"bar": {"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}},
      "material": {"model": "stvk", "young": "10 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"},
      "damping": [{"model": "rayleigh", "alpha": "2000 /s"}],
      "start": {"from": "rest", "velocity": [0, 20, 0]}}]})"));
  const RunResult run = simulate(scene);
  EXPECT_EQ(run.status, RunStatus::diverged);
  EXPECT_LT(run.state.time, 0.02);
}

}  // namespace
}  // namespace dashpot::test_simulate
