// What a bounce with friction costs, and how much of it the integrator itself takes.
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/contact/restitution.hpp"
#include "dashpot/contact/steady_motion.hpp"
#include "point_world.hpp"

namespace dashpot::test_friction_ledger {
namespace {

using testing::Play;
using testing::PointWorld;

struct Bounce {
  double friction = 0, numerical = 0;  ///< of m g h
};

/// A point dropped from 0.5 m with a speed along the floor, until it has left the floor again.
Bounce bounce(const std::string& kind, double dt) {
  PointWorld world;
  world.points = {Vec3(0, 0.5, 0)};
  world.stiffness = 2e4;
  world.onset = 5e-3;
  world.friction = 0.3;
  world.slip_speed = 0.02;
  Play play(world.build(), kind, Vec3(4, 0, 0));
  while (play.state.time < 0.45 - 1e-9) EXPECT_EQ(play.step(dt).status, StepStatus::ok) << kind;
  const double scale = world.mass * 9.81 * 0.5;
  return {play.column("contact") / scale, play.column("numerical") / scale};
}

TEST(FrictionLedger, ABounceCostsWhatFrictionTookAndTheIntegratorsShareFallsWithTheSquareOfTheStep) {
  const double exact = bounce("leapfrog", 2e-5).friction;
  ASSERT_GT(exact, 1) << "friction must be seen";
  for (const std::string kind : {"leapfrog", "bdf2", "trapezoid", "midpoint", "generalized_alpha", "bathe"})
    for (const double ms : {2.0, 1.0, 0.5, 0.25}) {
      SCOPED_TRACE(kind + ", " + std::to_string(ms) + " ms");
      const Bounce cost = bounce(kind, 1e-3 * ms);
      // Contact is 31 ms long: omega h = 0.2 at 2 ms. BDF2 alone damps noticeably there.
      const double share = (kind == "bdf2" ? 5e-3 : 2e-4) * ms * ms;
      EXPECT_LT(std::abs(cost.numerical), share);
      EXPECT_NEAR(cost.friction, exact, 1.5e-3 * ms * ms);
      if (kind == "bdf2") EXPECT_GT(cost.numerical, 0) << "it dissipates";
    }
}

TEST(ImpactLedger, AnImpactCreatesOnAverageWhatTheKinkOfThePenaltySays) {
  const double v = 1.5, e = 0.4, h = 1e-3;
  for (const auto& [kind, factor] : {std::pair("midpoint", 1.0 / 24), std::pair("trapezoid", -1.0 / 12)}) {
    double mean = 0, expected = 0;
    const int count = 64;
    for (int i = 0; i < count; ++i) {
      PointWorld world;
      world.gravity.setZero();
      world.stiffness = 5e4;  // k h^2 / m = 0.025
      world.onset = 1e-7;
      world.damping = contact::damping_for_restitution(e, v);
      world.points = {Vec3(0, 2e-3 + v * h * i / count, 0)};
      Play play(world.build(), kind, Vec3(0, -v, 0));
      while (play.state.q[1] < 5e-3 && play.state.time < 1) ASSERT_EQ(play.step(h).status, StepStatus::ok);
      mean -= play.column("numerical") / count;
      expected += factor * world.stiffness * h * h * (v * v - std::pow(play.state.v[1], 2)) / count;
    }
    EXPECT_GT(std::abs(expected), 1e-3);
    EXPECT_NEAR(mean, expected, 0.15 * std::abs(expected)) << kind;
  }
}

TEST(FrictionLedger, WhatTheLastStepHeldIsRebuiltToTheBitFromTheState) {
  for (const std::string kind : {"leapfrog", "bdf2", "trapezoid", "generalized_alpha", "bathe"}) {
    SCOPED_TRACE(kind);
    PointWorld world;
    world.points = {Vec3(0, 1e-3, 0)};
    world.stiffness = 2e4;
    world.onset = 5e-3;
    world.friction = 0.3;
    world.collider = std::make_shared<RigidCollider>(
        std::make_shared<CapsuleShape>(CapsuleShape::sphere(Vec3(0, -0.5, 0), 0.5)),
        std::make_shared<SteadyMotion>(SteadyMotionOptions{
            .velocity = Vec3(0.1, 0.02, 0), .angular_velocity = Vec3(0, 0, 0.3), .about = Vec3(0, -0.5, 0)}));
    Play play(world.build(), kind, Vec3(0.5, -0.3, 0));
    for (int i = 1; i <= 12; ++i) {
      State copy = play.state;
      const auto fresh = make_stepper(kind, NewtonOptions{}, LinearSolverOptions{});
      Workspace workspace = play.system->make_workspace();
      const StepReport resumed = fresh->step(*play.system, copy, workspace, 1e-3);
      const StepReport straight = play.step(1e-3);
      ASSERT_NE(straight.status, StepStatus::failed) << straight.explanation;
      EXPECT_EQ(copy.hash(), play.state.hash());
      EXPECT_EQ(resumed.work.damping, straight.work.damping);
      EXPECT_EQ(resumed.work.external, straight.work.external);
      play.state.time = copy.time = i * 1e-3;  // as runs do: not the sum of the steps
    }
    EXPECT_GT(play.column("friction"), 0);
  }
}

}  // namespace
}  // namespace dashpot::test_friction_ledger
