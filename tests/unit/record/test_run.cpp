// Whole runs: the ledger closes, a resumed run has the same bits, thread counts do not matter, failure keeps the last
// good state.

#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/record/run_folder.hpp"
#include "support/elastic_body.hpp"
#include "support/small_systems.hpp"

namespace dashpot::testing::test_run {
namespace {

std::shared_ptr<const System> ringing_bar(IsotropicLaw law = IsotropicLaw::stvk, double ether_rate = 0.2) {
  ElasticBodyOptions options;
  options.law = law;
  options.gravity = Vec3(0, -9.81, 0);
  options.is_pinned = [](const Vec3& x) { return x.x() < 1e-9; };
  options.beta = 1e-3;
  options.ether_rate = ether_rate;
  return elastic_body(make_bar(Vec3(1, 0.1, 0.1), {10, 2, 2}), options);
}

struct Started {
  std::shared_ptr<const System> system;
  State state;
  std::unique_ptr<Stepper> stepper;
  explicit Started(const std::string& kind, std::shared_ptr<const System> s = ringing_bar())
      : system(std::move(s)), state(system->initial_state()), stepper(make_stepper(kind, {}, {})) {
    Workspace workspace = system->make_workspace();
    EXPECT_TRUE(make_consistent(*system, state, workspace));
  }
};

class RunInFolder : public ::testing::Test {
 protected:
  RunInFolder() : path_(std::filesystem::temp_directory_path() / ("dashpot_run_" + std::to_string(::getpid()))) {}
  ~RunInFolder() override { std::filesystem::remove_all(path_); }
  std::string folder(const std::string& name) const { return (path_ / name).string(); }
  RunSettings settings() const {
    RunSettings settings;
    settings.dt = 5e-3;
    settings.end = 0.2;
    settings.record_every = 1e-2;
    settings.checkpoint_every = 3e-2;
    settings.fingerprint = "bar";
    settings.probes = {{"tip", {98}, {1.0}}};
    return settings;
  }
  std::filesystem::path path_;
};

TEST_F(RunInFolder, ResumingAfterAnInterruptionGivesTheSameBitsInStateAndFiles) {
  // With and without a filter: it decides which lagged damping the acceleration at the start of a step belongs to.
  for (const auto& [kind, ether_rate] : std::vector<std::pair<std::string, double>>{
           {"bathe", 0.2}, {"bathe", 0}, {"bdf2", 0}, {"generalized_alpha", 0}, {"trapezoid", 0}, {"leapfrog", 0.2}}) {
    SCOPED_TRACE(kind);
    const auto bar = ringing_bar(IsotropicLaw::stvk, ether_rate);
    RunSettings whole = settings(), parts = settings();
    RunFolder whole_files(folder("whole")), first_files(folder("parts")), last_files(folder("parts"), {.resume = true});
    if (kind == "leapfrog") whole.dt = parts.dt = 5e-4;
    Started a(kind, bar), b(kind, bar), c(kind, bar);
    EnergyLedger ledger_a(*a.system, a.state), ledger_b(*b.system, b.state), ledger_c(*c.system, c.state);
    const RunResult straight = run(*a.system, a.state, *a.stepper, ledger_a, whole, {}, &whole_files);
    EXPECT_EQ(straight.status, RunStatus::finished);
    int polls = 0;
    RunHooks stop_midway;
    stop_midway.should_stop = [&] { return ++polls > 17; };
    const RunResult first = run(*b.system, b.state, *b.stepper, ledger_b, parts, stop_midway, &first_files);
    EXPECT_EQ(first.status, RunStatus::interrupted);
    EXPECT_EQ(first.state.hash(), b.state.hash()) << "the last good state";
    EXPECT_FALSE(std::filesystem::exists(folder("parts/ledger.csv"))) << "not whole yet";
    const RunResult last = run(*c.system, c.state, *c.stepper, ledger_c, parts, {}, &last_files);
    EXPECT_EQ(last.status, RunStatus::finished);
    EXPECT_EQ(last.ledger.values, straight.ledger.values) << "rows from before the interruption included";
    EXPECT_EQ(last.probes.values, straight.probes.values);
    EXPECT_EQ(last.recording.frames.size(), straight.recording.frames.size());
    EXPECT_EQ(a.state.hash(), c.state.hash());
    EXPECT_EQ(ledger_a.row(), ledger_c.row());
    for (const char* file : {"ledger.csv", "probes.csv", "frames.dpf"})
      EXPECT_EQ(read_file(folder("whole/") + file), read_file(folder("parts/") + file)) << file;
  }
}

TEST_F(RunInFolder, TheNumbersInTheFilesAreThoseOfTheResultBitForBit) {
  Started a("bathe");
  EnergyLedger ledger(*a.system, a.state);
  RunFolder files(folder("values"));
  const RunResult result = run(*a.system, a.state, *a.stepper, ledger, settings(), {}, &files);
  ASSERT_GT(result.final_value("damping.body.rayleigh"), 0);
  EXPECT_EQ(result.ledger.num_rows(), 41U);
  EXPECT_EQ(result.probes.num_rows(), 21U);
  const RunResult read = read_run(folder("values"));
  for (const RunTable table : {RunTable::ledger, RunTable::probes}) {
    EXPECT_EQ(read.table(table).columns, result.table(table).columns);
    EXPECT_EQ(read.table(table).units, result.table(table).units);
    EXPECT_EQ(read.table(table).values, result.table(table).values);
  }
  EXPECT_EQ(read.ledger.units[read.ledger.find("lz")], "kg m^2/s");
  EXPECT_EQ(read.ledger.units[read.ledger.find("impulse.body.rayleigh.px")], "kg m/s");
  EXPECT_EQ(read.ledger.units[read.ledger.find("kinetic")], "J");
  EXPECT_EQ(read.state.hash(), a.state.hash());
}

TEST_F(RunInFolder, FramesCanBeRarerThanSamples) {
  Started a("midpoint");
  EnergyLedger ledger(*a.system, a.state);
  RunSettings rare = settings();
  rare.record_every = 0;
  rare.frames_every = 5e-2;
  const RunResult result = run(*a.system, a.state, *a.stepper, ledger, rare);
  EXPECT_EQ(result.probes.num_rows(), 41U);
  ASSERT_EQ(result.recording.frames.size(), 5U);
  EXPECT_NEAR(result.recording.frames[1].time, 5e-2, 1e-12);
}

TEST_F(RunInFolder, ARunOfALinearSystemFactorizesOncePerStageHoweverManyStepsItTakes) {
  const Chain chain = chain_ch5();
  const auto system = linear_system(chain.M, chain.C, chain.K);
  State state = system->initial_state();
  state.q.setConstant(0.1);
  Workspace workspace = system->make_workspace();
  ASSERT_TRUE(make_consistent(*system, state, workspace));
  const auto stepper = make_stepper("bathe", {}, {});
  EnergyLedger ledger(*system, state);
  RunSettings quiet = settings();
  quiet.probes.clear();
  quiet.dt = 3e-3;  // multiples of it round differently
  quiet.end = 3;
  const RunResult result = run(*system, state, *stepper, ledger, quiet);
  EXPECT_EQ(result.counters.steps, 1000);
  EXPECT_EQ(state.time, 3);
  EXPECT_EQ(result.counters.factorizations, 2);
}

TEST_F(RunInFolder, AFinishedRunThatEndedBetweenStepsGoesOnWithoutALongStep) {
  Started a("midpoint"), b("midpoint"), c("midpoint");
  EnergyLedger ledger_a(*a.system, a.state), ledger_b(*b.system, b.state), ledger_c(*c.system, c.state);
  RunSettings longer = settings();
  RunFolder fresh(folder("longer")), again(folder("longer"), {.resume = true}), on(folder("longer"), {.resume = true});
  longer.end = 0.0325;  // 6 1/2 steps
  run(*a.system, a.state, *a.stepper, ledger_a, longer, {}, &fresh);
  EXPECT_EQ(a.state.time, 0.0325);
  EXPECT_EQ(run(*b.system, b.state, *b.stepper, ledger_b, longer, {}, &again).status, RunStatus::finished);
  EXPECT_EQ(b.state.time, 0.0325) << "nothing left to do";
  longer.end = 0.05;
  std::vector<double> times = {0.0325};
  RunHooks hooks;
  hooks.on_step = [&](double time, double) { times.push_back(time); };
  EXPECT_EQ(run(*c.system, c.state, *c.stepper, ledger_c, longer, hooks, &on).status, RunStatus::finished);
  EXPECT_EQ(c.state.time, 0.05);
  EXPECT_EQ(c.state.step, 10);
  ASSERT_GT(times.size(), 2U);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_LT(times[i] - times[i - 1], 1.001 * longer.dt);
}

TEST_F(RunInFolder, WhatAFlyingBodyLosesOfItsMomentumIsTheImpulseOfItsDampings) {
  ElasticBodyOptions options;
  options.alpha = 2;
  options.ether_rate = 0.5;
  const auto system = elastic_body(make_bar(Vec3(1, 0.2, 0.1), {4, 1, 1}), options);
  State state = system->initial_state();
  for (int i = 0; i < system->num_dofs(); i += 3)  // flying and turning about z
    state.v.segment<3>(i) = Vec3(1 - 3 * state.q[i + 1], -2 + 3 * state.q[i], 0.5);
  Workspace workspace = system->make_workspace();
  ASSERT_TRUE(make_consistent(*system, state, workspace));
  const auto stepper = make_stepper("midpoint", {}, {});
  EnergyLedger ledger(*system, state);
  const std::vector<double> before = ledger.row();
  RunSettings quiet = settings();
  quiet.probes.clear();
  ASSERT_EQ(run(*system, state, *stepper, ledger, quiet).status, RunStatus::finished);
  const std::vector<double> after = ledger.row();
  const auto& columns = ledger.columns();
  for (const std::string component : {"px", "py", "pz", "lz"}) {
    double change = 0, impulse = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c] == component) change = after[c] - before[c];
      if (columns[c].starts_with("impulse.") && columns[c].ends_with("." + component)) impulse += after[c];
    }
    EXPECT_GT(std::abs(change), 0.05) << component;
    EXPECT_NEAR(impulse, change, 1e-5 * std::abs(change)) << component;
  }
}

TEST_F(RunInFolder, ResumingAnotherSceneIsRefused) {
  Started a("midpoint"), b("midpoint");
  EnergyLedger ledger(*a.system, a.state), ledger_b(*b.system, b.state);
  RunSettings first = settings();
  RunFolder fresh(folder("x")), again(folder("x"), {.resume = true});
  run(*a.system, a.state, *a.stepper, ledger, first, {}, &fresh);
  first.fingerprint = "another";
  EXPECT_THROW(run(*b.system, b.state, *b.stepper, ledger_b, first, {}, &again), Error);
}

TEST_F(RunInFolder, ThreadCountDoesNotChangeABit) {
  std::uint64_t hashes[2];
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    Started a("bathe");
    EnergyLedger ledger(*a.system, a.state);
    RunSettings quick = settings();
    run(*a.system, a.state, *a.stepper, ledger, quick);
    hashes[threads - 1] = a.state.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_F(RunInFolder, SolverColumnIsTinyAndDampingIsPositiveForEveryStepper) {
  for (const char* kind : {"backward_euler", "bdf2", "trapezoid", "midpoint", "generalized_alpha", "bathe"}) {
    SCOPED_TRACE(kind);
    Started a(kind);
    EnergyLedger ledger(*a.system, a.state);
    RunSettings quiet = settings();
    ASSERT_EQ(run(*a.system, a.state, *a.stepper, ledger, quiet).status, RunStatus::finished);
    EXPECT_GT(ledger.energy_scale(), 0.01);
    EXPECT_LE(std::abs(ledger.solver()), 1e-6 * ledger.energy_scale());
    EXPECT_GT(ledger.damping()[0], 1e-3 * ledger.energy_scale()) << "rayleigh";
    EXPECT_GT(ledger.damping()[1], 1e-3 * ledger.energy_scale()) << "ether drag";
    double sum = ledger.solver() + ledger.numerical() - ledger.external();
    for (const double loss : ledger.damping()) sum += loss;
    EXPECT_NEAR(ledger.initial_energy() - ledger.total_energy(), sum, 1e-12 * ledger.energy_scale());
  }
}

TEST_F(RunInFolder, AnExplicitRunThatBlowsUpIsStoppedWhileItsNumbersStillMeanSomething) {
  Started a("leapfrog");
  EnergyLedger ledger(*a.system, a.state);
  RunSettings too_long = settings();
  too_long.dt = 2e-2;
  too_long.end = 100;
  RunFolder files(folder("blown"));
  const RunResult result = run(*a.system, a.state, *a.stepper, ledger, too_long, {}, &files);
  EXPECT_EQ(result.status, RunStatus::diverged);
  EXPECT_TRUE(a.state.is_finite());
  for (const char* name : {"ledger.csv", "probes.csv", "frames.dpf"}) {
    EXPECT_TRUE(std::filesystem::exists(folder("blown/") + name)) << name << " is as whole as it will ever be";
    EXPECT_FALSE(std::filesystem::exists(folder("blown/") + name + ".partial")) << name;
  }
  EXPECT_NE(result.explanation.find("too long"), std::string::npos) << result.explanation;
}

/// Gives a body that floats at rest a velocity that grows a thousandfold a step, from `first` [m/s].
class MakesEnergy final : public Stepper {
 public:
  explicit MakesEnergy(double first) : speed_(first) {}
  std::string name() const override { return "makes_energy"; }
  StepReport step(const System& system, State& state, Workspace&, double dt) override {
    state.v.setConstant(speed_);
    speed_ *= 1e3;
    state.time += dt;
    ++state.step;
    StepReport report;
    report.work = StepWork(system.dissipations().size() + system.filters().size());
    report.end = energies(system, state);
    return report;
  }

 private:
  double speed_;
};

TEST_F(RunInFolder, EnergyFromAlmostNothingIsRoundOffUntilItMovesTheBody) {
  const auto floating = elastic_body(make_bar(Vec3(1, 0.1, 0.1), {10, 2, 2}), ElasticBodyOptions{});
  for (const bool visible : {false, true}) {
    RunSettings run_settings = settings();
    run_settings.end = 3 * run_settings.dt;
    Started bar("midpoint", floating);
    MakesEnergy stepper(visible ? 1e-3 : 1e-12);  // after three steps 1 km/s or 1 um/s
    EnergyLedger ledger(*bar.system, bar.state);
    const RunResult result = run(*bar.system, bar.state, stepper, ledger, run_settings, {});
    EXPECT_EQ(result.status, visible ? RunStatus::diverged : RunStatus::finished) << result.explanation;
  }
}

TEST_F(RunInFolder, AStepThatCannotSucceedLeavesTheLastGoodStateAndSaysWhy) {
  // A pendulum flung through the origin: the spring's direction is undefined there, and every step length fails.
  const auto system = pendulum_cartesian(1e12);
  State state = system->initial_state();
  state.q << 1, 0;
  state.v << 0, 0;
  state.a << 0, 0;
  NewtonOptions hopeless;
  hopeless.max_iterations = 1;
  hopeless.tolerance = 1e-30;
  const auto stepper = make_stepper("trapezoid", hopeless, {});
  EnergyLedger ledger(*system, state);
  RunSettings quiet = settings();
  quiet.probes.clear();
  quiet.dt = 0.1;
  quiet.end = 1;
  const std::uint64_t before = state.hash();
  const RunResult result = run(*system, state, *stepper, ledger, quiet);
  EXPECT_EQ(result.status, RunStatus::diverged);
  EXPECT_EQ(state.hash(), before);
  EXPECT_EQ(result.state.hash(), before);
  EXPECT_NE(result.explanation.find("last good"), std::string::npos) << result.explanation;
  EXPECT_TRUE(state.is_finite());
}

}  // namespace
}  // namespace dashpot::testing::test_run
