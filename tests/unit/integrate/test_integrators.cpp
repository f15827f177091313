// Every integrator: what is derived from its table against known numbers and against the stepper at work. A new
// integrator needs a row in `promises`; everything else here, and in the tests over stepper_cases(), finds it by
// itself.

#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "dashpot/core/error.hpp"
#include "stepper_cases.hpp"

namespace dashpot::testing::test_integrators {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// What an integrator promises with its default parameters.
struct Promise {
  int order, solves;
  double radius_at_infinity;
};
const std::map<std::string, Promise> promises = {
    {"backward_euler", {1, 1, 0}},
    {"bathe", {2, 2, 0}},
    {"bdf2", {2, 1, 0}},
    {"generalized_alpha", {2, 1, 0.8}},
    {"leapfrog", {2, 0, infinite}},
    {"midpoint", {2, 1, 1}},
    {"newmark", {2, 1, 1}},
    {"symplectic_euler", {1, 0, infinite}},
    {"trapezoid", {2, 1, 1}},
    {"rho_inf_bathe", {2, 2, 0.5}},
    {"sdirk3", {3, 3, 0}},
};

TEST(Integrators, KeepWhatTheyPromise) {
  for (const std::string& name : integrator_names()) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(promises.count(name)) << "a new integrator needs a row in this test";
    const Promise& promise = promises.at(name);
    EXPECT_EQ(order(name), promise.order);
    EXPECT_EQ(solves_per_step(name), promise.solves);
    EXPECT_EQ(Integrator(name).is_explicit(), promise.solves == 0);
    const double radius = spectral_radius(name, infinite);
    if (std::isfinite(radius)) EXPECT_NEAR(radius, promise.radius_at_infinity, 1e-4);
    EXPECT_EQ(std::isfinite(radius), std::isfinite(promise.radius_at_infinity));
  }
  EXPECT_EQ(order({"newmark", {{"beta", 0.3025}, {"gamma", 0.6}}}), 1);
}

TEST(Integrators, ImplicitOnesAreStableAtEveryStepAndExplicitOnesUpToTheirLimit) {
  for (const double zeta : {0.0, 0.1, 0.7})
    for (const auto& [name, integrator] : stepper_cases()) {
      SCOPED_TRACE(name + ", zeta = " + std::to_string(zeta));
      const double limit = stability_limit(integrator, zeta);
      EXPECT_EQ(std::isinf(limit), !integrator.is_explicit());
      if (name == "SymplEuler") EXPECT_NEAR(limit, 2 * (std::sqrt(1 + zeta * zeta) - zeta), 1e-5);
      if (name == "Leapfrog" && zeta == 0) EXPECT_NEAR(limit, 2, 1e-5);
    }
  // Newmark with beta < gamma / 2 is stable while (omega h)^2 (gamma / 2 - beta) < 1.
  EXPECT_NEAR(stability_limit({"newmark", {{"beta", 0.2}, {"gamma", 0.5}}}), std::sqrt(20.0), 1e-4);
}

/// One step of the stepper at work from the given coordinate of (q, v, a, q_{n-1} - q_n, v_{n-1}).
Vector measured_column(const System& system, const std::string& name, double h, const Recurrence& recurrence,
                       const Vector& y, double omega, double zeta) {
  State state = system.initial_state();
  state.q[0] = y[0];
  state.v[0] = y[1];
  state.a[0] = recurrence.carries_a ? y[2] : -omega * omega * y[0] - 2 * zeta * omega * y[1];
  const Eigen::Index history = recurrence.carries_a ? 3 : 2;
  state.last_dt = h;
  state.q_previous = state.q;
  state.v_previous = state.v;
  if (recurrence.carries_history) {
    state.q_previous[0] = y[0] + y[history];
    state.v_previous[0] = y[history + 1];
  }
  const double q = state.q[0];
  EXPECT_TRUE(run_steps(system, *stepper_named(name), state, h, 1));
  Vector next(y.size());
  next[0] = state.q[0];
  next[1] = state.v[0];
  if (recurrence.carries_a) next[2] = state.a[0];
  if (recurrence.carries_history) next.tail(2) << q - state.q[0], y[1];
  return next;
}

TEST(Integrators, TheDerivedAmplificationIsThatOfTheStepperAtWork) {
  const double omega = 2.5;
  for (const double zeta : {0.0, 0.3}) {
    const auto system = oscillator(omega, zeta);
    for (const double h : {0.05, 0.4})
      for (const auto& [name, integrator] : stepper_cases()) {
        SCOPED_TRACE(name + ", zeta = " + std::to_string(zeta) + ", h = " + std::to_string(h));
        const Recurrence derived = recurrence(integrator.table(h, h), omega, zeta);
        const Eigen::Index n = derived.step.rows();
        ASSERT_GE(n, 2);
        EXPECT_GT((derived.step - Matrix::Identity(n, n)).norm(), 0.01);
        for (Eigen::Index c = 0; c < n; ++c) {
          const Vector column = measured_column(*system, name, h, derived, Vector::Unit(n, c), omega, zeta);
          EXPECT_LT((column - derived.step.col(c)).norm(), 1e-11 * derived.step.norm()) << "column " << c;
        }
      }
  }
}

TEST(Integrators, TheNumericalLossOfAnOscillatorIsThatOfItsAmplification) {
  const double omega = 3, h = 0.2, zeta = 0.04;
  const auto energy = [&](const Vector& y) { return 0.5 * (y[1] * y[1] + omega * omega * y[0] * y[0]); };
  for (const double damping : {0.0, zeta})
    for (const auto& [name, integrator] : stepper_cases()) {
      SCOPED_TRACE(name + ", zeta = " + std::to_string(damping));
      const auto system = oscillator(omega, damping);
      State state = start_at(*system, vec({1}), vec({0.5}));
      const auto stepper = stepper_named(name);
      Workspace workspace = system->make_workspace();
      const Recurrence derived = recurrence(integrator.table(h, h), omega, damping);
      ASSERT_NE(stepper->step(*system, state, workspace, h).status,
                StepStatus::failed);  // a history, where one is used
      Vector y(derived.step.rows());
      y.head(2) << state.q[0], state.v[0];
      if (derived.carries_a) y[2] = state.a[0];
      if (derived.carries_history) y.tail(2) << state.q_previous[0] - state.q[0], state.v_previous[0];
      double booked = 0, taken = 0;
      const double before = energy(y);
      for (int i = 0; i < 25; ++i) {
        const double start = energies(*system, state).total();
        const StepReport report = stepper->step(*system, state, workspace, h);
        for (const double loss : report.work.damping) taken += loss;
        booked += start - report.end.total() - report.work.solver;
        for (const double loss : report.work.damping) booked -= loss;
        y = derived.step * y;
      }
      EXPECT_NEAR(booked, before - energy(y) - taken, 1e-11 * before);
      if (damping > 0) EXPECT_GT(taken, 0.01 * before);
    }
}

TEST(Integrators, OneImpulseAStepIsWhatMidpointAndBackwardEulerHave) {
  for (const char* name : {"midpoint", "backward_euler"}) EXPECT_TRUE(has_one_impulse(name)) << name;
  for (const char* name : {"bdf2", "trapezoid", "bathe", "generalized_alpha", "leapfrog"})
    EXPECT_FALSE(has_one_impulse(name)) << name;
}

TEST(Integrators, EnergyMadeAtAKinkIsThatOfTheTheoryOfContact) {
  EXPECT_NEAR(energy_made_at_kink("midpoint"), 1.0 / 24, 1e-15);
  EXPECT_NEAR(energy_made_at_kink("trapezoid"), -1.0 / 12, 1e-15);
  EXPECT_NEAR(energy_made_at_kink("leapfrog"), -1.0 / 12, 1e-15);
}

TEST(Integrators, WhatTheyDoNotKnowIsRefused) {
  EXPECT_THROW(Integrator("bath"), Error);
  EXPECT_THROW(Integrator("bathe", {{"rho_inf", 0.5}}), Error);
  EXPECT_THROW(Integrator("newmark", {{"beta", 0}}), Error);
  EXPECT_THROW(Integrator("generalized_alpha", {{"rho_inf", std::nan("")}}), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_integrators
