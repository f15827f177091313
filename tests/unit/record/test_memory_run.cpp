// Runs of bodies whose damping remembers: internal variables are in checkpoints, what they store is in the ledger.

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "dashpot/dissipation/prony.hpp"
#include "dashpot/record/run_folder.hpp"
#include "support/bar16.hpp"
#include "unit/integrate/stepper_cases.hpp"

namespace dashpot::testing::test_memory_run {
namespace {

std::unique_ptr<DissipationTerm> relaxing(const Bar16::Parts& parts) {
  return make_maxwell("bar", parts.batch, PartwiseValue(100.0), 0.05);
}

class MemoryRun : public ::testing::Test {
 protected:
  MemoryRun() : path_(std::filesystem::temp_directory_path() / ("dashpot_memory_" + std::to_string(::getpid()))) {}
  ~MemoryRun() override { std::filesystem::remove_all(path_); }
  std::string folder(const std::string& name) const { return (path_ / name).string(); }
  static RunSettings settings() {
    RunSettings settings;
    settings.dt = 2e-3;
    settings.end = 0.1;
    settings.record_every = 4e-3;
    settings.checkpoint_every = 1e-2;
    settings.fingerprint = "bar";
    return settings;
  }
  State start() const { return start_at(*bar_.system, bar_.noisy_q(), 0.3 * bar_.spinning_v()); }

  Bar16 bar_{relaxing};
  std::filesystem::path path_;
};

TEST_F(MemoryRun, ResumingFromACheckpointGivesTheSameBits) {
  const System& system = *bar_.system;
  for (const char* kind : {"bathe", "trapezoid", "bdf2", "leapfrog"}) {
    SCOPED_TRACE(kind);
    State a = start(), b = start(), c = start();
    const auto straight = make_stepper(kind, {}, {}), first = make_stepper(kind, {}, {}),
               last = make_stepper(kind, {}, {});
    EnergyLedger ledger_a(system, a), ledger_b(system, b), ledger_c(system, c);
    RunFolder whole(folder("whole")), parts(folder("parts")), rest(folder("parts"), {.resume = true});
    ASSERT_EQ(run(system, a, *straight, ledger_a, settings(), {}, &whole).status, RunStatus::finished);
    int polls = 0;
    RunHooks stop_midway;
    stop_midway.should_stop = [&] { return ++polls > 17; };
    ASSERT_EQ(run(system, b, *first, ledger_b, settings(), stop_midway, &parts).status, RunStatus::interrupted);
    ASSERT_EQ(run(system, c, *last, ledger_c, settings(), {}, &rest).status, RunStatus::finished);
    ASSERT_GT(a.internal_variables.at(0).norm(), 1e-3) << "nothing to remember";
    EXPECT_EQ((a.internal_variables[0] - c.internal_variables[0]).norm(), 0);
    EXPECT_EQ(a.hash(), c.hash());
    EXPECT_EQ(ledger_a.row(), ledger_c.row());
    std::filesystem::remove_all(path_);
  }
}

TEST_F(MemoryRun, TheLedgerShowsWhatIsStoredAndClosesWithoutNumericalLoss) {
  State state = start();
  const auto stepper = make_stepper("trapezoid", {}, {});
  EnergyLedger ledger(*bar_.system, state);
  const double initial = ledger.total_energy();
  const RunResult result = run(*bar_.system, state, *stepper, ledger, settings());
  ASSERT_EQ(result.status, RunStatus::finished);
  const std::vector<std::string>& columns = result.ledger.columns;
  ASSERT_NE(std::find(columns.begin(), columns.end(), "elastic.bar.maxwell"), columns.end());
  EXPECT_GT(result.final_value("elastic.bar.maxwell"), 1e-3 * initial);
  EXPECT_GT(result.final_value("damping.bar.maxwell"), 0.02 * initial);
  EXPECT_LT(std::abs(result.final_value("numerical")), 0.01 * initial);
  EXPECT_NEAR(result.final_value("kinetic") + result.final_value("elastic.bar") +
                  result.final_value("elastic.bar.maxwell") + result.final_value("damping.bar.maxwell") +
                  result.final_value("solver") + result.final_value("numerical"),
              initial, 1e-9 * initial);
}

}  // namespace
}  // namespace dashpot::testing::test_memory_run
