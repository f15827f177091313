#include "dashpot/projective/realtime_loop.hpp"

#include <thread>

#include "dashpot/dissipation/laplacian.hpp"
#include "steps.hpp"
#include "support/bar16.hpp"

namespace dashpot::testing {
namespace {

TEST(RealtimeLoop, MakesTheStepsThatTheStepperWouldMakeAlone) {
  const Bar16 bar;
  State alone = start_from(*bar.system, bar.noisy_q(), bar.noisy_v()), looped = alone;
  take_steps(*bar.system, *projective(StepperKind::midpoint, {}), alone, 0.005, 8);
  const auto stepper = projective(StepperKind::midpoint, {});
  RealtimeLoop loop(*stepper, *bar.system, looped, {0.01, 2});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(loop.frame().status, StepStatus::ok);
  EXPECT_LT((alone.q - looped.q).norm(), 1e-12);
  EXPECT_EQ(loop.timings().work.size(), 4u);
}

TEST(RealtimeLoop, TakesInLiveChangesFromOtherThreadsBetweenFrames) {
  const auto live = std::make_shared<LaplacianCoefficients>();
  const Bar16 bar([&](const Bar16::Parts& parts) {
    LaplacianParts laplacian = parts.laplacian_parts(0, Bar16::beta);
    laplacian.live = live;
    return std::make_unique<LaplacianDamping>("body", laplacian);
  });
  double lost[2];
  for (const bool turned : {false, true}) {
    live->set(1, 1);
    State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
    const auto stepper = projective(StepperKind::midpoint, {});
    RealtimeLoop loop(*stepper, *bar.system, state, {0.01, 1});
    lost[turned ? 1 : 0] = loop.frame().work.damping[0];
    if (turned) std::thread([&] { loop.post([&] { live->set(1, 10); }); }).join();
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
  const auto stepper = projective(StepperKind::midpoint, {});
  EXPECT_THROW(RealtimeLoop(*stepper, *bar.system, state, {0, 1}), Error);
  EXPECT_THROW(RealtimeLoop(*stepper, *bar.system, state, {0.01, 0}), Error);
}

TEST(RealtimeLoop, AStageEndsWhenItsBudgetIsUsedUp) {
  const Bar16 bar;
  ProjectiveOptions options;
  options.iterations = 1000000;
  options.budget = 2e-3;
  const auto stepper = projective(StepperKind::midpoint, options);
  State state = start_from(*bar.system, bar.noisy_q(), bar.noisy_v());
  Workspace workspace = bar.system->make_workspace();
  const StepReport report = stepper->step(*bar.system, state, workspace, Bar16::h);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_GT(report.newton_iterations, 0);
  EXPECT_LT(report.newton_iterations, 1000000);
}

}  // namespace
}  // namespace dashpot::testing
