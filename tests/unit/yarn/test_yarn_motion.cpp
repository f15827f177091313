// Woven cloth in motion: what a careful integrator must keep, and what damping takes.
#include <Eigen/Cholesky>

#include <gtest/gtest.h>

#include "dashpot/integrate/stepper.hpp"
#include "support/noise_vector.hpp"
#include "woven_patch.hpp"

namespace dashpot::test_yarn_motion {
namespace {

using testing::woven_patch;
using testing::WovenPatch;
using testing::WovenPatchOptions;

/// A patch that sags, is sheared, and whose yarns slide.
State thrown(const WovenPatch& patch, double speed = 1) {
  State state = patch.system->initial_state();
  const Vector noise = testing::noise(patch.system->num_dofs(), 11);
  for (Eigen::Index i = 0; i < noise.size(); ++i) {
    if (patch.system->is_free()[static_cast<std::size_t>(i)] == 0) continue;
    const bool is_label = i % crossing_size >= 3;
    state.q[i] += (is_label ? 5e-5 : 2e-4) * noise[i];
    state.v[i] = (is_label ? 0.1 * speed : speed) * noise[noise.size() - 1 - i];
  }
  Workspace workspace = patch.system->make_workspace();
  patch.system->begin_step(state, workspace);
  EXPECT_TRUE(make_consistent(*patch.system, state, workspace));
  return state;
}

WovenPatchOptions small() {
  WovenPatchOptions options;
  options.sheet.warp_yarns = options.sheet.weft_yarns = 3;
  options.sheet.spacing = {0.01, 0.01};
  return options;
}

TEST(YarnMotion, AnExactIntegratorDriftsByLessThanABillionth) {
  // Runge-Kutta of fourth order on M a = -c - grad V, 5 ms.
  const WovenPatch patch = woven_patch(small());
  const System& system = *patch.system;
  State state = thrown(patch);
  const Eigen::Index n = system.num_dofs();
  const auto acceleration = [&](const Vector& q, const Vector& v) {
    Vector f = Vector::Zero(n);
    const Vector none = Vector::Zero(n);
    system.inertia().add_force(q, v, none, f);
    for (const auto& energy : system.energies()) energy->evaluate({.q = q, .gradient = &f});
    BlockMatrix M(system.pattern());
    system.inertia().add_tangent(q, none, none, 1, 0, 0, M);
    Matrix dense = M.dense();
    for (Eigen::Index i = 0; i < n; ++i)
      if (system.is_free()[static_cast<std::size_t>(i)] == 0) {
        dense.row(i).setZero();
        dense.col(i).setZero();
        dense(i, i) = 1;
        f[i] = 0;
      }
    return Vector(dense.llt().solve(-f));
  };
  const double start = energies(system, state).total();
  ASSERT_GT(energies(system, state).kinetic, 0.1 * start);
  const double dt = 1e-6;
  Vector q = state.q, v = state.v;
  for (int step = 0; step < 5000; ++step) {
    const Vector a1 = acceleration(q, v), v2 = v + dt / 2 * a1, a2 = acceleration(q + dt / 2 * v, v2),
                 v3 = v + dt / 2 * a2, a3 = acceleration(q + dt / 2 * v2, v3), v4 = v + dt * a3,
                 a4 = acceleration(q + dt * v3, v4);
    q += dt / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  EXPECT_GT((q - state.q).norm(), 1e-4);
  state.q = q;
  state.v = v;
  EXPECT_NEAR(energies(system, state).total(), start, 1e-9 * start);
}

/// Energy that is lost or won within 5 ms, of the start.
double drift(const System& system, State state, const char* integrator, double dt, double* numerical = nullptr) {
  NewtonOptions newton;
  newton.tolerance = 1e-11;
  const auto stepper = make_stepper(integrator, newton, {});
  Workspace workspace = system.make_workspace();
  const double start = energies(system, state).total();
  double work = 0;
  for (int step = 0; step < static_cast<int>(std::lround(5e-3 / dt)); ++step) {
    const StepReport report = stepper->step(system, state, workspace, dt);
    EXPECT_EQ(report.status, StepStatus::ok) << report.explanation;
    if (report.status != StepStatus::ok) return 1;
    for (const double damping : report.work.damping) work += damping;
    work += report.work.solver;
  }
  const double change = (energies(system, state).total() - start + work) / start;
  if (numerical != nullptr) *numerical = -change;
  return change;
}

TEST(YarnMotion, TheMidpointRuleDriftsAsTheSquareOfTheStep) {
  const WovenPatch patch = woven_patch(small());
  const State state = thrown(patch);
  const double coarse = drift(*patch.system, state, "midpoint", 1e-5),
               fine = drift(*patch.system, state, "midpoint", 5e-6);
  EXPECT_LT(std::abs(coarse), 1e-3);
  EXPECT_GT(std::abs(coarse), 1e-9);
  EXPECT_NEAR(coarse / fine, 4, 0.8);
}

TEST(YarnMotion, BackwardEulerTellsWhatItTakesAsItsOwn) {
  const WovenPatch patch = woven_patch(small());
  double numerical = 0;
  drift(*patch.system, thrown(patch), "backward_euler", 1e-5, &numerical);
  EXPECT_GT(numerical, 1e-3);
  EXPECT_LT(numerical, 1);
}

TEST(YarnMotion, TheMassTangentLeadsNewtonToTheSameMotion) {
  WovenPatchOptions options = small();
  options.stretch_damping = {1e-4, 1e-4};
  options.bending_damping = {1e-3, 1e-3};
  const WovenPatch exact = woven_patch(options);
  options.is_exact = false;
  const WovenPatch symmetric = woven_patch(options);
  EXPECT_FALSE(exact.system->is_symmetric());
  EXPECT_TRUE(symmetric.system->is_symmetric());
  State a = thrown(exact), b = a;
  NewtonOptions newton;
  newton.tolerance = 1e-10;
  newton.max_iterations = 60;
  const auto of_exact = make_stepper("backward_euler", newton, {}),
             of_symmetric = make_stepper("backward_euler", newton, {});
  Workspace with_a = exact.system->make_workspace(), with_b = symmetric.system->make_workspace();
  for (int step = 0; step < 20; ++step) {
    const StepReport first = of_exact->step(*exact.system, a, with_a, 1e-4),
                     second = of_symmetric->step(*symmetric.system, b, with_b, 1e-4);
    ASSERT_EQ(first.status, StepStatus::ok) << first.explanation;
    ASSERT_EQ(second.status, StepStatus::ok) << second.explanation;
  }
  EXPECT_LT((a.q - b.q).norm(), 1e-7 * (a.q - exact.cloth.rest).norm());
}

TEST(YarnMotion, AFreeClothKeepsItsMomentaUnderStretchDamping) {
  WovenPatchOptions options = small();
  options.stretch_damping = {1e-3, 1e-3};
  const WovenPatch patch = woven_patch(options);
  State state = thrown(patch);
  NewtonOptions newton;
  newton.tolerance = 1e-12;
  const auto stepper = make_stepper("midpoint", newton, {});
  Workspace workspace = patch.system->make_workspace();
  const LinearAngular before = patch.system->inertia().momentum(state.q, state.v);
  ASSERT_GT(before.linear.norm(), 0);
  double lost = 0;
  for (int step = 0; step < 50; ++step) {
    const StepReport report = stepper->step(*patch.system, state, workspace, 2e-5);
    ASSERT_EQ(report.status, StepStatus::ok) << report.explanation;
    lost += report.work.damping[0];
  }
  EXPECT_GT(lost, 0);
  const LinearAngular after = patch.system->inertia().momentum(state.q, state.v);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-5 * before.linear.norm());
}

TEST(YarnMotion, FrictionHoldsYarnUntilItIsPulledTooHard) {
  // Yarn is drawn through the middle crossing by the difference of the tensions beside it, 2 k delta/D.
  WovenPatchOptions options = small();
  options.is_exact = false;
  options.sheet.spacing = {2e-3, 1.5e-3};
  const int middle = crossing_size * 4 + 3;
  for (int dof = 0; dof < crossing_size * 9; ++dof)
    if (dof != middle) options.held_dofs.push_back(dof);
  const double delta = 1e-5, D = options.sheet.spacing.weft, pull = 2 * options.stretch.warp * delta / D, N = 0.05;
  const auto remaining = [&](double mu) {
    WovenPatchOptions with = options;
    with.friction = {mu, 1e6, 0, N};
    const WovenPatch patch = woven_patch(with);
    State state = patch.system->initial_state();
    state.q[middle] += delta;
    const auto stepper = make_stepper("backward_euler", {}, {});
    Workspace workspace = patch.system->make_workspace();
    for (int step = 0; step < 200; ++step) {
      const StepReport report = advance(*stepper, *patch.system, state, workspace, 1e-4);
      EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    }
    return (state.q[middle] - patch.cloth.rest[middle]) / delta;
  };
  EXPECT_GT(remaining(2 * pull / N), 0.98);  // sticks: only its spring gives way
  EXPECT_LT(remaining(2 * pull / N), 1);
  EXPECT_NEAR(remaining(0.2 * pull / N), 0.2, 0.03);  // slides until tension is Coulomb's bound
  EXPECT_NEAR(remaining(0.5 * pull / N), 0.5, 0.05);
}

}  // namespace
}  // namespace dashpot::test_yarn_motion
