#include "dashpot/projective/realtime_loop.hpp"

#include <chrono>
#include <functional>
#include <thread>

#include "dashpot/dissipation/laplacian.hpp"
#include "steps.hpp"
#include "support/bar16.hpp"

namespace dashpot::testing::test_realtime_loop {
namespace {

TEST(RealtimeLoop, MakesTheStepsThatTheStepperWouldMakeAlone) {
  const Bar16 bar;
  State alone = start_from(*bar.system, bar.noisy_q(), bar.noisy_v()), looped = alone;
  take_steps(*bar.system, *projective("midpoint", {}), alone, 0.005, 8);
  const auto stepper = projective("midpoint", {});
  RealtimeLoop loop(*stepper, *bar.system, looped, {0.01, 2});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(loop.frame().status, StepStatus::ok);
  EXPECT_LT((alone.q - looped.q).norm(), 1e-12);
  EXPECT_EQ(loop.timings().work.size(), 4u);
}

TEST(RealtimeLoop, TakesInLiveChangesFromOtherThreadsBetweenFrames) {
  const Bar16 bar([&](const Bar16::Parts& parts) {
    return std::make_unique<LaplacianDamping>("body", parts.laplacian_parts(0, Bar16::beta));
  });
  const auto turn = [&](State& state) {
    bar.system->parameters().set("body/laplacian/beta", 10 * Bar16::beta, state.parameters);
  };
  double lost[2];
  for (const bool turned : {false, true}) {
    State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
    const auto stepper = projective("midpoint", {});
    RealtimeLoop loop(*stepper, *bar.system, state, {0.01, 1});
    lost[turned ? 1 : 0] = loop.frame().work.damping[0];
    if (turned) std::thread([&] { loop.post(turn); }).join();
    lost[turned ? 1 : 0] = loop.frame().work.damping[0];
    EXPECT_EQ(loop.timings().latency.size(), turned ? 1u : 0u);
    if (turned) EXPECT_GT(loop.timings().latency[0], 0);
  }
  EXPECT_GT(lost[1], 2 * lost[0]);
}

TEST(RealtimeLoop, CountsQuantilesAndRefusesFramesOfNoLength) {
  EXPECT_EQ(RealtimeTimings::quantile({3, 1, 2, 4}, 0.5), 2);
  EXPECT_EQ(RealtimeTimings::quantile({3, 1, 2, 4}, 1), 4);
  EXPECT_EQ(RealtimeTimings::quantile({}, 0.5), 0);
  const Bar16 bar;
  State state = bar.system->initial_state();
  const auto stepper = projective("midpoint", {});
  EXPECT_THROW(RealtimeLoop(*stepper, *bar.system, state, {0, 1}), Error);
  EXPECT_THROW(RealtimeLoop(*stepper, *bar.system, state, {0.01, 0}), Error);
}

/// A clock that goes on by a tick whenever somebody looks at it.
struct Ticking {
  double now = 100, tick = 1e-3;  // [s]
  std::function<double()> clock() {
    return [this] { return now += tick; };
  }
};

constexpr double long_step = 0.05;  // [s], so long that iterations converge slowly

ProjectiveOptions endless(Ticking& time, double budget) {
  ProjectiveOptions options;
  options.iterations = 1000000;
  options.budget = budget;
  options.clock = time.clock();
  return options;
}

TEST(RealtimeLoop, TheBudgetIsThatOfTheFrameWhateverItsStagesAndSteps) {
  const Bar16 bar;
  for (const std::string kind : {"midpoint", "bathe"})
    for (const int steps : {1, 2, 4}) {
      Ticking time;
      const auto stepper = projective(kind, endless(time, 0.2));
      State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
      RealtimeLoop loop(*stepper, *bar.system, state, {Bar16::h, steps});
      for (int frame = 0; frame < 3; ++frame) {
        const double begin = time.now;
        const FrameReport report = loop.frame();
        EXPECT_EQ(report.status, StepStatus::ok) << report.explanation;
        EXPECT_NEAR(report.advanced, Bar16::h, 1e-12);
        EXPECT_GT(report.newton_iterations, 60) << kind << ", " << steps;
        EXPECT_LT(report.newton_iterations, 200);
        EXPECT_LT(time.now - begin, 0.2 + 5e-3) << kind << ", " << steps << " steps";
        EXPECT_GT(time.now - begin, 0.1);
      }
    }
}

TEST(RealtimeLoop, StagesOfAStepShareItsBudget) {
  // Had the first stage of Bathe's method taken all the time, one iteration would be left for the second, and it would
  // show in the residual of the step, the worst of both stages.
  const Bar16 bar;
  const auto residual = [&](const ProjectiveOptions& options) {
    State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
    return take_steps(*bar.system, *projective("bathe", options), state, long_step, 1);
  };
  Ticking time;
  ProjectiveOptions few, many;
  few.iterations = 2;
  many.iterations = 8;
  ASSERT_GT(residual(few), 10 * residual(many));
  EXPECT_LT(residual(endless(time, 0.03)), 2 * residual(many));
}

TEST(RealtimeLoop, AToleranceThatTheBudgetDoesNotAllowIsNoFailure) {
  const Bar16 bar;
  Ticking time;
  ProjectiveOptions options = converged(1e-14);
  options.budget = 0.02;
  options.clock = time.clock();
  const auto stepper = projective("midpoint", options);
  State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
  RealtimeLoop loop(*stepper, *bar.system, state, {long_step, 1});
  const double begin = time.now;
  const FrameReport report = loop.frame();
  EXPECT_EQ(report.status, StepStatus::ok) << report.explanation;
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report.newton_iterations, 3);
  EXPECT_LT(time.now - begin, 0.025);
}

/// Takes 4 ms for whatever it does; steps longer than `longest` fail.
class Stubborn final : public TimedStepper {
 public:
  explicit Stubborn(double longest) : longest_(longest) {}
  std::string name() const override { return "stubborn"; }
  double budget() const override { return 10e-3; }
  double seconds() const override { return now; }
  void set_deadline(double deadline) override { deadlines.push_back(deadline); }
  StepReport step(const System& system, State& state, Workspace&, double dt) override {
    now += 4e-3;
    ++attempts;
    StepReport report;
    report.work = StepWork(system.dissipations().size() + system.filters().size());
    if (dt > longest_) {
      report.status = StepStatus::failed;
      report.explanation = "too long";
    } else {
      state.time += dt;
    }
    return report;
  }
  double now = 100;
  int attempts = 0;
  std::vector<double> deadlines;

 private:
  double longest_;
};

TEST(RealtimeLoop, RetriesEndWithTheBudgetAndTheNextFrameGoesOnFromThere) {
  const Bar16 bar;
  State state = bar.system->initial_state();
  Stubborn stepper(0.3 * 0.016);  // quarters of a frame succeed
  RealtimeLoop loop(stepper, *bar.system, state, {0.016, 1});
  const FrameReport first = loop.frame();  // whole, half, quarter: 12 ms, then no more
  EXPECT_EQ(stepper.attempts, 3);
  EXPECT_TRUE(first.is_cut_short);
  EXPECT_NE(first.status, StepStatus::failed);
  EXPECT_NEAR(first.advanced, 0.004, 1e-12);
  EXPECT_NE(first.explanation.find("budget of 10 ms"), std::string::npos) << first.explanation;
  EXPECT_NE(first.explanation.find("too long"), std::string::npos) << first.explanation;
  EXPECT_EQ(loop.timings().short_frames, 1);
  const double begin = stepper.now;
  EXPECT_GT(loop.frame().advanced, 0);
  EXPECT_LT(stepper.now - begin, 0.0141);  // budget and one step
}

TEST(RealtimeLoop, FramesThatDoNotMoveTryShorterStepsAndFailWhenNoneIsShortEnough) {
  const Bar16 bar;
  for (const bool can_move : {true, false}) {
    State state = bar.system->initial_state();
    Stubborn stepper(can_move ? 0.016 / 32 : 0);
    RealtimeLoop loop(stepper, *bar.system, state, {0.016, 1});
    int frames = 0;
    FrameReport report;
    while (frames < 20 && state.time == 0 && report.status != StepStatus::failed) {
      const double begin = stepper.now;
      report = loop.frame();
      EXPECT_LT(stepper.now - begin, 0.0141);
      ++frames;
    }
    EXPECT_EQ(state.time > 0, can_move);
    EXPECT_EQ(report.status == StepStatus::failed, !can_move);
    EXPECT_GT(frames, 1);
    EXPECT_LT(frames, 8);
  }
}

TEST(RealtimeLoop, StepsOfAFrameShareItsBudgetByTheirLength) {
  const Bar16 bar;
  State state = bar.system->initial_state();
  Stubborn stepper(1);
  RealtimeLoop loop(stepper, *bar.system, state, {0.016, 2, 20e-3});
  const double begin = stepper.now;
  loop.frame();
  ASSERT_EQ(stepper.deadlines.size(), 3u);
  EXPECT_NEAR(stepper.deadlines[0] - begin, 10e-3, 1e-9);
  EXPECT_NEAR(stepper.deadlines[1] - begin, 20e-3, 1e-9);  // what the first left is the second's too
  EXPECT_EQ(stepper.deadlines[2], 0);                      // whoever steps next has the stepper's own budget
}

TEST(RealtimeLoop, AFrameThatEndsWhenTheNextIsDueIsLate) {
  const Bar16 bar;
  State state = bar.system->initial_state();
  Stubborn stepper(1);
  RealtimeLoop loop(stepper, *bar.system, state, {1e-3, 1});
  loop.post([](State&) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
  loop.frame();
  EXPECT_EQ(loop.timings().late_frames, 1);
  EXPECT_GE(loop.timings().delay[0], 5e-3);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the second one begins late: its delay counts from when
  loop.frame();                                               // it was due
  EXPECT_EQ(loop.timings().late_frames, 2);
  EXPECT_GT(loop.timings().delay[1], loop.timings().work[1]);
}

}  // namespace
}  // namespace dashpot::testing::test_realtime_loop
