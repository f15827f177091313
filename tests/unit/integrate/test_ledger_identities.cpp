// The ledger on linear systems: the integrator's own loss has a closed form, the losses of damping converge to the
// integral of power, and nothing is left over.

#include <numbers>

#include "dashpot/dissipation/ether_drag.hpp"
#include "stepper_cases.hpp"

namespace dashpot::testing::test_ledger_identities {
namespace {

struct Ledgered {
  StepReport report;
  State before, after;
  double numerical = 0;
};

/// One step and the remainder of its energy balance.
Ledgered ledgered_step(const System& system, Stepper& stepper, State& state, double h) {
  Ledgered result;
  Workspace workspace = system.make_workspace();
  result.before = state;
  const double energy_before = energies(system, state).total();
  result.report = stepper.step(system, state, workspace, h);
  EXPECT_NE(result.report.status, StepStatus::failed) << result.report.explanation;
  result.after = state;
  double damping = 0;
  for (const double loss : result.report.work.damping) damping += loss;
  result.numerical =
      result.report.work.external - damping - result.report.work.solver - (result.report.end.total() - energy_before);
  return result;
}

/// Closed form of the integrator's loss on M a + C v + K q = 0 (docs/theory/integrate.md).
double closed_form(const std::string& name, const Chain& chain, const State& from, const State& to, double h) {
  const Vector dq = to.q - from.q, dv = to.v - from.v, da = to.a - from.a;
  const double dqKdq = dq.dot(chain.K * dq), dvMdv = dv.dot(chain.M * dv);
  if (name == "BE") return 0.5 * dvMdv + 0.5 * dqKdq;
  if (name == "IM") return 0;
  if (name == "SymplEuler") return 0.5 * dvMdv - 0.5 * dqKdq;
  const auto newmark = [&](double beta, double gamma) {
    const Vector a_gamma = (1 - gamma) * from.a + gamma * to.a;
    return (gamma - 0.5) * dqKdq + h * h * (beta - 0.5 * gamma) * da.dot(chain.M * a_gamma);
  };
  if (name == "TR") return newmark(0.25, 0.5);
  if (name == "NM(.3,.5)") return newmark(0.3, 0.5);
  if (name == "NM(.3025,.6)") return newmark(0.3025, 0.6);
  if (name == "Leapfrog") return newmark(0, 0.5);
  ADD_FAILURE() << "no closed form for " << name;
  return 0;
}

TEST(NumericalLoss, HasItsClosedFormOnALinearChain) {
  const Chain chain = chain_ch5();
  for (const bool damped : {false, true}) {
    const auto system = linear_system(chain.M, damped ? chain.C : Matrix::Zero(5, 5), chain.K);
    for (const char* name : {"BE", "IM", "SymplEuler", "TR", "NM(.3,.5)", "NM(.3025,.6)", "Leapfrog"}) {
      // Leapfrog evaluates damping at a predicted velocity, so its identity is exact only without damping.
      if (damped && std::string(name) == "Leapfrog") continue;
      SCOPED_TRACE(std::string(name) + (damped ? " damped" : " undamped"));
      State state = start_at(*system, vec({.1, .2, .3, .4, .5}), vec({0, 1, 0, -1, 0}));
      const double energy = energies(*system, state).total();
      const auto stepper = stepper_named(name);
      double largest = 0;
      for (int i = 0; i < 50; ++i) {
        const Ledgered step = ledgered_step(*system, *stepper, state, 0.01);
        const double expected = closed_form(name, chain, step.before, step.after, 0.01);
        EXPECT_NEAR(step.numerical, expected, 1e-9 * energy);
        EXPECT_LT(std::abs(step.numerical - expected), 1e-11 * energy);
        largest = std::max(largest, std::abs(expected));
      }
      const bool exact = std::string(name) == "IM" || std::string(name) == "TR";
      if (!exact) EXPECT_GT(largest, 1e-6 * energy) << "the test must see a loss";
      if (exact) EXPECT_LT(largest, 1e-12 * energy);
    }
  }
}

TEST(NumericalLoss, BackwardEulerActsLikeRayleighDampingWithBetaEqualToTheStep) {
  // zeta_numerical ~ omega h / 2: energy falls by 4 pi zeta per period.
  const double omega = 2 * std::numbers::pi, h = 1e-3;
  const auto system = oscillator(omega, 0);
  State state = start_at(*system, vec({1}), vec({0}));
  const auto stepper = stepper_named("BE");
  double loss = 0;
  for (int i = 0; i < 1000; ++i) loss += ledgered_step(*system, *stepper, state, h).numerical;
  const double energy = 0.5 * omega * omega, zeta = omega * h / 2;
  EXPECT_NEAR(loss / energy, 1 - std::exp(-4 * std::numbers::pi * zeta), 2e-4);
}

TEST(DampingWork, ConvergesToTheIntegralOfPowerAtTheOrderOfTheScheme) {
  // q(t) of the damped oscillator is known, and so is the integral of c v^2: the total energy lost.
  const double omega = 2 * std::numbers::pi, zeta = 0.05;
  const auto system = oscillator(omega, zeta);
  const double q = 0.730092771072065, v = 0.036111279819434;
  const double exact = 0.5 * omega * omega * (1 - q * q) - 0.5 * v * v;
  for (const auto& [name, integrator] : stepper_cases()) {
    SCOPED_TRACE(name);
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const int n = (order(integrator) > 2 ? 100 : 3200) << i;  // fine enough that the leading error term rules
      State state = start_at(*system, vec({1}), vec({0}));
      const auto stepper = stepper_named(name);
      double lost = 0;
      for (int k = 0; k < n; ++k) lost += ledgered_step(*system, *stepper, state, 1.0 / n).report.work.damping[0];
      error[i] = std::abs(lost - exact);
    }
    EXPECT_GT(error[0], 1e-10 * exact);
    EXPECT_GT(std::log2(error[0] / error[1]), 0.925 * order(integrator));
  }
}

TEST(SolverWork, ShowsTheResidualOfUnconvergedNewton) {
  // One Newton iteration on the pendulum leaves a residual; its work must appear in the solver column, not in
  // numerical.
  NewtonOptions newton;
  newton.fixed_iterations = 1;
  const auto system = pendulum_cartesian(1000);
  const auto loose = make_stepper("midpoint", newton, {});
  State state = start_at(*system, vec({1, 0}), vec({0, 0}));
  double solver = 0;
  for (int i = 0; i < 100; ++i)
    solver = std::max(solver, std::abs(ledgered_step(*system, *loose, state, 0.02).report.work.solver));
  EXPECT_GT(solver, 1e-6);
  const auto tight = stepper_named("IM", 1e-12);
  State converged = start_at(*system, vec({1, 0}), vec({0, 0}));
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(std::abs(ledgered_step(*system, *tight, converged, 0.02).report.work.solver), 1e-9);
}

TEST(SolverWork, HasTheSignThatLeavesNothingToTheMidpointRule) {
  // One Newton iteration with a curvature that is half as large again: a residual, but no loss of the integrator's own.
  const double k = 40;
  const auto system = one_dof(1, [k](double q) { return std::array<double, 3>{0.5 * k * q * q, k * q, 1.5 * k}; });
  NewtonOptions newton;
  newton.fixed_iterations = 1;
  const auto stepper = make_stepper("midpoint", newton, {});
  State state = start_at(*system, vec({1}), vec({0}));
  double solver = 0;
  for (int i = 0; i < 20; ++i) {
    const Ledgered step = ledgered_step(*system, *stepper, state, 0.1);
    solver = std::max(solver, std::abs(step.report.work.solver));
    EXPECT_LT(std::abs(step.numerical), 1e-12 * k);
  }
  EXPECT_GT(solver, 1e-2 * k);
}

/// Three equal oscillators with drag.
std::shared_ptr<const System> oscillators_in_ether(double omega, double zeta, double rate) {
  const Matrix one = Matrix::Identity(3, 3);
  return linear_system(one, 2 * zeta * omega * one, omega * omega * one, nullptr,
                       std::make_unique<EtherDrag>("body", 0, 1, FilterGain::rate(rate)));
}

TEST(FilteredVelocity, DragActsLikeTheDashpotItStandsForUnderEveryStepper) {
  const double omega = 2 * std::numbers::pi, zeta = 0.02, rate = 0.6;
  const auto system = oscillators_in_ether(omega, zeta, rate);
  const double total = zeta + rate / (2 * omega), damped = omega * std::sqrt(1 - total * total);
  const double exact = std::exp(-total * omega) * (std::cos(damped) + total * omega / damped * std::sin(damped));
  for (const auto& [name, options] : stepper_cases()) {
    SCOPED_TRACE(name);
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const int n = 1000 << i;
      State state = start_at(*system, vec({1, 1, 1}), Vector::Zero(3));
      ASSERT_TRUE(run_steps(*system, *stepper_named(name), state, 1.0 / n, n));
      error[i] = std::abs(state.q[1] - exact);
    }
    EXPECT_LT(error[0], 0.02);
    EXPECT_GT(error[0] / error[1], 1.8);
  }
}

TEST(FilteredVelocity, TheTrapezoidStillLosesNothingOfItsOwn) {
  const auto system = oscillators_in_ether(5, 0.1, 2);
  State state = start_at(*system, vec({1, 0.5, -1}), vec({0, 1, 2}));
  const double energy = energies(*system, state).total();
  const auto stepper = stepper_named("TR");
  double taken = 0;
  for (int i = 0; i < 50; ++i) {
    const Ledgered step = ledgered_step(*system, *stepper, state, 0.02);
    EXPECT_LT(std::abs(step.numerical), 1e-12 * energy);
    taken += step.report.work.damping[1];
  }
  EXPECT_GT(taken, 0.1 * energy);
}

TEST(FixedPoint, AConstantTangentIsFactorizedOncePerStageAndStepLength) {
  const Chain chain = chain_ch5();
  const auto system = linear_system(chain.M, chain.C, chain.K);
  State state = start_at(*system, vec({.1, .2, .3, .4, .5}), Vector::Zero(5));
  const auto stepper = stepper_named("Bathe", 1e-9);
  Workspace workspace = system->make_workspace();
  int factorizations = 0;
  for (int i = 0; i < 10; ++i) factorizations += stepper->step(*system, state, workspace, 0.01).factorizations;
  EXPECT_EQ(factorizations, 2);
}

TEST(VariableStep, Bdf2KeepsItsOrderWhenTheStepLengthAlternates) {
  const auto system = oscillator(2 * std::numbers::pi, 0.05);
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const int n = 1600 << i;
    State state = start_at(*system, vec({1}), vec({0}));
    const auto stepper = stepper_named("BDF2");
    Workspace workspace = system->make_workspace();
    for (int k = 0; k < n; ++k) stepper->step(*system, state, workspace, (k % 2 ? 1.4 : 0.6) / n);
    error[i] = std::abs(state.q[0] - 0.730092771072065);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.15);
}

}  // namespace
}  // namespace dashpot::testing::test_ledger_identities
