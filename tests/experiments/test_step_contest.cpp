// Contests of steps, on two masses on a spring: their largest step is known for every damping.
#include "step_contest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

namespace dashpot::cli::test_step_contest {
namespace {

constexpr double omega = 50;  // of the undamped pair [rad/s]

std::string pair_scene(const DampingOf& damping, double dt, double frequency) {
  return fmt::format(R"({{"dashpot": 1,
    "time": {{"dt": {}, "end": 0.5, "stepper": "symplectic_euler"}},
    "bodies": [{{"name": "pair", "mesh": {{"chain": {{"ends": [[0, 0, 0], [1, 0, 0]], "edges": 1}}}},
      "springs": [{{"stiffness": {}}}], "point_masses": [{{"where": {{"nearest": [0, 0, 0]}}, "mass": 1}},
                                                        {{"where": {{"nearest": [1, 0, 0]}}, "mass": 4}}],
      "damping": [{}], "start": {{"from": "formula", "x": "0.001*X"}}}}],
    "record": {{"every": 0.1, "probes": [{{"name": "tip", "where": {{"nearest": [1, 0, 0]}}}}]}}}})",
                     dt, frequency * frequency * 0.8, damping("pair"));
}

/// Comparisons at a frequency of their own.
StepContestSetup contest_of_pairs(double compared_frequency) {
  StepContestSetup setup;
  setup.scene = [](const DampingOf& damping, double dt) { return pair_scene(damping, dt, omega); };
  setup.comparison = [=](const DampingOf& damping, double dt) { return pair_scene(damping, dt, compared_frequency); };
  setup.trial.end = 0.5;
  setup.trial.allowed_gain = 1;
  setup.trial.least_steps = 300;
  setup.search.start = 0.01, setup.search.shortest = 1e-3, setup.search.longest = 5, setup.search.precision = 0.01;
  setup.motion_left = [](const RecordedRun& motion) { return motion.time.back(); };
  setup.energy_lost = [](const RecordedRun& motion) { return 1 - motion.energy.back() / motion.energy.front(); };
  return setup;
}

/// Of symplectic Euler when a share gamma of the velocity is taken in every step.
double bound(double gamma) { return std::sqrt(2 * (2 - gamma) / (1 - gamma)) / omega; }

struct Quiet {
  Console console;
  ReproductionRequest request{console, "."};
  Quiet() { console.settings.quiet = true; }
};

TEST(StepContest, KnowsWhatAmountsOfDampingDependOn) {
  const auto none = [](const std::string&) { return std::string(); };
  const std::vector<DampedBody> bodies = damped_bodies(compile(parse_scene(pair_scene(none, 1e-3, omega))));
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].name, "pair");
  EXPECT_NEAR(bodies[0].lightest, 1, 1e-12);
  EXPECT_NEAR(bodies[0].lambda, 1.25, 1e-6);  // 1/1 + 1/4
}

TEST(StepContest, FindsTheExactBorderOfEveryDampingOfAPair) {
  const Quiet quiet;
  std::vector<StepMethod> methods = only(paper_c_methods({0.5, 0.9}), {"none", "spring", "global", "local"});
  ASSERT_EQ(methods.size(), 4u);
  methods[1].grid = {0.5};
  methods[3].grid = {0.5};
  const StepContest contest = run_step_contest(quiet.request, contest_of_pairs(omega), methods);
  ASSERT_EQ(contest.entries.size(), 5u);
  for (const StepEntry& entry : contest.entries) {
    SCOPED_TRACE(fmt::format("{}, gamma = {}", contest.name(entry), entry.gamma));
    EXPECT_NEAR(entry.dt() / bound(entry.gamma), 1, 0.02);
    EXPECT_GT(entry.found.unstable_dt, entry.dt());
    EXPECT_NEAR(entry.theory / bound(entry.gamma), 1, 0.02);
    EXPECT_FALSE(entry.is_shortened);
    EXPECT_GT(entry.motion.time.size(), 2u);
    EXPECT_NEAR(entry.motion_left, 0.5, 1e-9);
    EXPECT_EQ(entry.energy_lost, 1 - entry.motion.energy.back() / entry.motion.energy.front());
  }
}

TEST(StepContest, ShortensAStepThatOnlyTheComparisonFindsOut) {
  const Quiet quiet;
  const StepContest contest =
      run_step_contest(quiet.request, contest_of_pairs(1.3 * omega), only(paper_c_methods({0.5}), {"none"}));
  ASSERT_EQ(contest.entries.size(), 1u);
  const StepEntry& entry = contest.entries[0];
  EXPECT_TRUE(entry.is_shortened);
  EXPECT_LE(entry.dt(), bound(0) / 1.3 * 1.02);
  EXPECT_GE(entry.dt(), 0.9 * bound(0) / 1.3);
  EXPECT_LT(entry.found.unstable_dt, 1.1 * entry.dt());
}

TEST(StepContest, SaysWhereNothingIsStable) {
  const Quiet quiet;
  StepContestSetup setup = contest_of_pairs(omega);
  setup.search.start = setup.search.shortest = 2 * bound(0);
  const StepContest contest = run_step_contest(quiet.request, setup, only(paper_c_methods({0.5}), {"none"}));
  ASSERT_EQ(contest.entries.size(), 1u);
  EXPECT_EQ(contest.entries[0].dt(), 0);
  EXPECT_EQ(contest.best("none"), nullptr);
  EXPECT_EQ(step_text(contest.entries[0]), "none stable");
}

StepEntry entry(std::size_t method, double dt, double motion_left) {
  StepEntry made;
  made.method = method;
  made.found.dt = dt;
  made.found.unstable_dt = 2 * dt;
  made.motion_left = motion_left;
  return made;
}

TEST(StepContest, TheBestLeavesEnoughOfTheMotionAndTakesTheLongestStep) {
  StepContest contest{only(paper_c_methods({0.5, 0.9}), {"none", "spring", "global", "local"}), {}};
  contest.entries = {entry(0, 1e-3, 1),   entry(1, 1.1e-3, 0.9), entry(1, 1.2e-3, 0.4), entry(2, 3e-3, 0.6),
                     entry(2, 9e-3, 0.0), entry(2, 0, 1),        entry(3, 2e-3, 0.8)};
  EXPECT_EQ(contest.best("spring")->dt(), 1.2e-3);
  EXPECT_EQ(contest.best("spring", 0.5)->dt(), 1.1e-3);
  EXPECT_EQ(contest.best("spring", 0.95), nullptr);
  EXPECT_EQ(contest.best("ours"), nullptr);
  EXPECT_EQ(contest.best_relative()->dt(), 9e-3);
  EXPECT_EQ(contest.best_relative(0.5)->dt(), 3e-3);
  EXPECT_EQ(contest.best_relative(0.7)->dt(), 2e-3) << "neither none nor spring, which are no relative damping";
  EXPECT_EQ(contest.best_relative(0.9), nullptr);
  contest.entries[3].motion_left = std::nan("");
  EXPECT_EQ(contest.best_relative(0.5)->dt(), 2e-3) << "what is left must have been measured";
  EXPECT_EQ(step_ratio(contest.best("local"), contest.best("none")), 2);
  EXPECT_TRUE(std::isnan(step_ratio(nullptr, contest.best("none"))));
  EXPECT_TRUE(std::isnan(step_ratio(contest.best("none"), nullptr)));
  EXPECT_EQ(describe(contest, nullptr), "there is none");
  EXPECT_EQ(describe(contest, contest.best("local")), "local, γ = 0, 80 % left of the motion");
}

TEST(StepContest, TablesShowStepsGainsAndWhatIsLeft) {
  StepContest contest{only(paper_c_methods({0.5}), {"none", "global"}), {}};
  contest.entries = {entry(0, 2e-4, 1), entry(1, 3e-3, 0.625)};
  contest.entries[1].gamma = 0.5;
  contest.entries[1].energy_lost = 0.25;
  contest.entries[1].is_shortened = true;
  contest.entries[1].found.unstable_dt = 0;
  const render::Table all = step_table(contest, "");
  ASSERT_EQ(all.rows.size(), 2u);
  EXPECT_EQ(all.rows[0], (std::vector<std::string>{"none", "-", "200", "1.00", "100", "0", "-"}));
  EXPECT_EQ(all.rows[1], (std::vector<std::string>{"global *", "0.5", "over 3000", "15.00", "62.5", "25", "-"}));
  EXPECT_EQ(best_table(contest, "", 0.7).rows[1], (std::vector<std::string>{"global", "-", "-", "-", "-", "-"}));
}

}  // namespace
}  // namespace dashpot::cli::test_step_contest
