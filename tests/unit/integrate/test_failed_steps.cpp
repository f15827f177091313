// Steps that must not be taken for good: an end that is not finite, an equation without a solution.

#include <cmath>
#include <limits>

#include "stepper_cases.hpp"

namespace dashpot::testing {
namespace {

/// A barrier at q = 0: -epsilon log(q), undefined behind it.
std::array<double, 3> barrier(double q) {
  const double epsilon = 0.1;
  if (q <= 0) return {std::nan(""), std::nan(""), std::nan("")};
  return {-epsilon * std::log(q), -epsilon / q, epsilon / (q * q)};
}

TEST(FailedStep, AStepThatEndsWhereTheEnergyIsUndefinedFailsAndSubStepsPassTheBarrier) {
  const auto system = one_dof(1, barrier);
  for (const char* name : {"IM", "GA(.8)", "SymplEuler", "Leapfrog"}) {
    SCOPED_TRACE(name);
    State state = start_at(*system, vec({1}), vec({-1}));
    const std::uint64_t before = state.hash();
    const auto stepper = stepper_named(name, 1e-10);
    Workspace workspace = system->make_workspace();
    // Stages stay in front of the barrier, the extrapolated end does not.
    const StepReport once = stepper->step(*system, state, workspace, 1.5);
    EXPECT_EQ(once.status, StepStatus::failed);
    EXPECT_FALSE(once.explanation.empty());
    EXPECT_EQ(state.hash(), before);
    if (std::string(name) != "IM") continue;
    const StepReport report = advance(*stepper, *system, state, workspace, 1.5, 16);
    ASSERT_EQ(report.status, StepStatus::substepped) << report.explanation;
    EXPECT_GT(report.substeps, 1);
    EXPECT_GT(state.q[0], 0);
    EXPECT_GT(state.v[0], 0.5) << "thrown back";
    EXPECT_TRUE(std::isfinite(report.end.total()));
    EXPECT_EQ(state.time, 1.5);
    EXPECT_EQ(state.step, 1);
  }
}

TEST(FailedStep, AKinkWhereNothingBalancesIsNoSolutionHoweverLooseTheTolerance) {
  // |q| + 0.3 q has the slopes 1.3 and -0.7: without inertia no q is in balance.
  const auto system = one_dof(1e-9, [](double q) {
    return std::array<double, 3>{std::abs(q) + 0.3 * q, (q > 0 ? 1 : -1) + 0.3, 1.0};
  });
  for (const double tolerance : {1e-8, 1e-2}) {
    NewtonOptions newton;
    newton.tolerance = tolerance;
    newton.max_iterations = 200;
    const auto stepper = make_stepper({StepperKind::backward_euler}, newton, {});
    State state = start_at(*system, vec({0.5}), vec({0}));
    Workspace workspace = system->make_workspace();
    const StepReport report = stepper->step(*system, state, workspace, 1);
    EXPECT_EQ(report.status, StepStatus::failed) << report.residual;
    EXPECT_EQ(state.q[0], 0.5);
  }
}

}  // namespace
}  // namespace dashpot::testing
