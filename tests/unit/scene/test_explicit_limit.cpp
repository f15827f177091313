// The step-size estimate of explicit steppers against exact modes and against runs.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::test_explicit_limit {
namespace {

CompiledScene beam(const std::string& stepper, const std::string& damping) {
  return compile(parse_scene(R"({"dashpot": 1, "time": {"dt": "0.1 ms", "end": "1 s", "stepper": ")" + stepper + R"("},
    "bodies": [{"name": "beam", "mesh": {"bar": {"size": [1, 0.2, 0.2], "cells": [6, 1, 1]}},
      "material": {"model": "linear", "young": "1 MPa", "poisson": 0.3, "density": 1000, "mass": "lumped"},
      "damping": [)" + damping +
                             R"(], "start": {"from": "formula", "y": "0.01*X"},
      "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}]}]})"));
}

/// Angular frequency of the highest mode, from dense matrices.
double exact_omega(const System& system, const State& state) {
  BlockMatrix K(system.pattern()), M(system.pattern());
  EnergyRequest request{state.q};
  request.hessian = &K;
  for (const auto& energy : system.energies()) energy->evaluate(request);
  const Vector zero = Vector::Zero(system.num_dofs());
  system.inertia().add_tangent(state.q, zero, zero, 1, 0, 0, M);
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < zero.size(); ++i)
    if (system.is_free()[static_cast<std::size_t>(i)] != 0) free.push_back(i);
  const auto n = static_cast<Eigen::Index>(free.size());
  Matrix dense_K(n, n), dense_M(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    Vector unit = zero, k(zero.size()), m(zero.size());
    unit[free[static_cast<std::size_t>(j)]] = 1;
    K.multiply(unit, k);
    M.multiply(unit, m);
    for (Eigen::Index i = 0; i < n; ++i) {
      dense_K(i, j) = k[free[static_cast<std::size_t>(i)]];
      dense_M(i, j) = m[free[static_cast<std::size_t>(i)]];
    }
  }
  return std::sqrt(Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(dense_K, dense_M).eigenvalues()[n - 1]);
}

bool stays_bounded(const CompiledScene& scene, double dt) {
  State state = scene.start;
  EnergyLedger ledger(*scene.system, state);
  RunSettings settings = scene.run;
  settings.dt = dt;
  settings.end = 1500 * dt;
  settings.max_halvings = 0;
  return run(*scene.system, state, *make_stepper(scene.spec), ledger, settings).status == RunStatus::finished;
}

TEST(ExplicitLimit, TheHighestFrequencyIsThatOfTheExactMode) {
  const CompiledScene scene = beam("leapfrog", "");
  const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, "leapfrog");
  const double exact = exact_omega(*scene.system, scene.start);
  ASSERT_GT(exact, 100);
  EXPECT_GE(limit.omega, exact * (1 - 1e-9)) << "never too low";
  EXPECT_LE(limit.omega, 1.01 * exact);
  EXPECT_NEAR(limit.dt, 2 / exact, 0.02 / exact);
}

TEST(ExplicitLimit, RunsHoldJustBelowTheLimitAndBreakJustAboveIt) {
  for (const char* stepper : {"leapfrog", "symplectic_euler"})
    for (const char* damping : {"", R"({"model": "rayleigh", "beta": "1 ms"})"}) {
      const CompiledScene scene = beam(stepper, damping);
      const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, scene.spec.time.stepper);
      EXPECT_EQ(limit.zeta > 0.1, *damping != '\0');
      EXPECT_TRUE(stays_bounded(scene, 0.97 * limit.dt)) << stepper << damping;
      EXPECT_FALSE(stays_bounded(scene, 1.06 * limit.dt)) << stepper << damping;
    }
}

TEST(ExplicitLimit, VelocityFiltersMoveTheLimitToWhereRunsBreak) {
  for (const char* damping :
       {R"({"model": "pbd", "gamma_per_step": 0.6})", R"({"model": "spring", "gamma_per_step": 0.9, "iterations": 3})"})
    for (const char* stepper : {"leapfrog", "symplectic_euler"}) {
      const CompiledScene scene = beam(stepper, damping);
      const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, scene.spec.time.stepper);
      EXPECT_EQ(limit.filters, FilteredLimit::Kind::modes);
      EXPECT_GT(limit.dt, 1.05 * limit.dt_without_filters);
      EXPECT_TRUE(stays_bounded(scene, 0.99 * limit.dt)) << stepper << damping;
      EXPECT_FALSE(stays_bounded(scene, 1.03 * limit.dt)) << stepper << damping;
    }
}

TEST(ExplicitLimit, ADashpotThatReversesMotionsSetsTheLimit) {
  const CompiledScene scene = beam("symplectic_euler", R"({"model": "spring", "coefficient": "1 t/s"})");
  const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, scene.spec.time.stepper);
  EXPECT_EQ(limit.filters, FilteredLimit::Kind::overshoot);
  EXPECT_LT(limit.dt, 0.5 * limit.dt_without_filters);
  EXPECT_TRUE(stays_bounded(scene, 0.99 * limit.dt));
}

}  // namespace
}  // namespace dashpot::test_explicit_limit
