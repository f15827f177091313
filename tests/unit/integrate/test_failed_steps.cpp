// Steps that must not be taken for good: an end that is not finite, an equation without a solution.

#include <cmath>
#include <limits>

#include "dashpot/integrate/explicit_limit.hpp"
#include "stepper_cases.hpp"
#include "support/quadratic_drag.hpp"

namespace dashpot::testing::test_failed_steps {
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

/// Refuses steps longer than `longest`.
class Timid final : public Stepper {
 public:
  Timid(std::unique_ptr<Stepper> stepper, double longest) : stepper_(std::move(stepper)), longest_(longest) {}
  std::string name() const override { return "timid"; }
  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override {
    if (dt <= longest_) return stepper_->step(system, state, workspace, dt);
    StepReport report;
    report.status = StepStatus::failed;
    report.explanation = "too long";
    return report;
  }

 private:
  std::unique_ptr<Stepper> stepper_;
  double longest_;
};

TEST(FailedStep, SubStepsAddUpToTheSameStepsTakenByHand) {
  const Chain chain = chain_ch5();
  const auto system = linear_system(chain.M, chain.C, chain.K);
  for (const char* name : {"BDF2", "TR", "Bathe"}) {
    SCOPED_TRACE(name);
    State whole = start_at(*system, vec({.1, .2, .3, .4, .5}), vec({0, 1, 0, -1, 0})), parts = whole;
    Workspace workspace = system->make_workspace();
    Timid timid(stepper_named(name), 0.03);
    const StepReport report = advance(timid, *system, whole, workspace, 0.1);
    EXPECT_EQ(report.status, StepStatus::substepped);
    EXPECT_EQ(report.substeps, 4);
    const auto stepper = stepper_named(name);
    StepWork work(1);
    for (int i = 0; i < 4; ++i) work += stepper->step(*system, parts, workspace, 0.025).work;
    EXPECT_GT(work.damping[0], 1e-3);
    EXPECT_NEAR(report.work.damping[0], work.damping[0], 1e-13);
    EXPECT_LT((whole.q - parts.q).norm(), 1e-13);
    EXPECT_EQ(whole.step, 1);
    Timid never(stepper_named(name), 0);
    const State before = whole;
    EXPECT_EQ(advance(never, *system, whole, workspace, 0.1).status, StepStatus::failed);
    EXPECT_EQ(whole.hash(), before.hash());
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
    const auto stepper = make_stepper("backward_euler", newton, {});
    State state = start_at(*system, vec({0.5}), vec({0}));
    Workspace workspace = system->make_workspace();
    const StepReport report = stepper->step(*system, state, workspace, 1);
    EXPECT_EQ(report.status, StepStatus::failed) << report.residual;
    EXPECT_EQ(state.q[0], 0.5);
  }
}

/// v <- (1 - c dt) v for a unit mass: overshoots when c dt > 1, adds energy when c dt > 2.
class Brake final : public VelocityFilter {
 public:
  explicit Brake(double c) : c_(c) {}
  const std::string& body() const override { return name_; }
  std::string model() const override { return "brake"; }
  DissipationTraits traits() const override { return {}; }
  void apply(const Vector&, double dt, Vector& v) const override { v *= 1 - c_ * dt; }
  std::string refusal_reason(double dt) const override { return c_ * dt < 2 ? "" : "the brake would add energy"; }

 private:
  double c_;
  std::string name_ = "body";
};

TEST(FailedStep, AFilterThatCannotFollowTheStepSaysSoAndSubStepsArePassable) {
  const Matrix one = Matrix::Ones(1, 1);
  const auto system = linear_system(one, Matrix::Zero(1, 1), one, nullptr, std::make_unique<Brake>(30));
  for (const char* name : {"BE", "BDF2", "Bathe", "SymplEuler", "Leapfrog"}) {
    SCOPED_TRACE(name);
    State state = start_at(*system, vec({1}), vec({0}));
    const std::uint64_t before = state.hash();
    const auto stepper = stepper_named(name);
    Workspace workspace = system->make_workspace();
    const StepReport once = stepper->step(*system, state, workspace, 0.1);
    EXPECT_EQ(once.status, StepStatus::failed);
    EXPECT_NE(once.explanation.find("the brake would add energy"), std::string::npos) << once.explanation;
    EXPECT_EQ(state.hash(), before);
    const StepReport report = advance(*stepper, *system, state, workspace, 0.1, 16);
    EXPECT_EQ(report.status, StepStatus::substepped) << report.explanation;
    EXPECT_EQ(report.substeps, 2) << "0.1 s is refused, 0.05 s is not";
  }
}

TEST(FailedStep, ADampingThatCannotFollowTheStepSaysSoAndSubStepsArePassable) {
  const Matrix one = Matrix::Ones(1, 1);
  const auto system = linear_system(one, std::make_unique<QuadraticDrag>(30), one);
  for (const char* name : {"BE", "SymplEuler"}) {
    SCOPED_TRACE(name);
    State state = start_at(*system, vec({0}), vec({1}));
    const std::uint64_t before = state.hash();
    const auto stepper = stepper_named(name);
    Workspace workspace = system->make_workspace();
    const StepReport once = stepper->step(*system, state, workspace, 0.1);
    EXPECT_EQ(once.status, StepStatus::failed);
    EXPECT_NE(once.explanation.find("turn the motion round"), std::string::npos) << once.explanation;
    EXPECT_EQ(state.hash(), before);
    EXPECT_EQ(advance(*stepper, *system, state, workspace, 0.1, 16).status, StepStatus::substepped);
  }
}

TEST(ExplicitLimit, CountsADampingThatIsNotLinearAtTheVelocitiesOfTheStart) {
  const Matrix one = Matrix::Ones(1, 1);
  const auto system = linear_system(one, std::make_unique<QuadraticDrag>(3), 100 * one);
  const ExplicitLimit at_rest = explicit_limit(*system, start_at(*system, vec({0}), vec({0})), "symplectic_euler"),
                      moving = explicit_limit(*system, start_at(*system, vec({0}), vec({2})), "symplectic_euler");
  EXPECT_TRUE(at_rest.zeta_depends_on_speed);
  EXPECT_EQ(at_rest.zeta, 0);
  EXPECT_NEAR(moving.zeta, 2 * 3 * 2 / (2 * 10.0), 1e-9);  // df/dv = 2 c |v|
  EXPECT_LT(moving.dt, 0.9 * at_rest.dt);
}

}  // namespace
}  // namespace dashpot::testing::test_failed_steps
