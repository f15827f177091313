// Bounces of a mass point against theory.
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/contact/restitution.hpp"
#include "point_world.hpp"

namespace dashpot::test_impact {
namespace {

using testing::Play;
using testing::PointWorld;

TEST(Impact, APointBouncesBackToItsHeightAndTouchesAsLongAsAnOscillatorWould) {
  PointWorld world;
  world.points = {Vec3(0, 0.5, 0)};
  Play play(world.build(), "leapfrog");
  const double omega = std::sqrt(world.stiffness / world.mass), v = std::sqrt(2 * 9.81 * 0.5), dt = 1e-5;
  double touched = 0, impulse = 0, top = 0, deepest = 0;
  while (play.state.time < 2.1 * std::sqrt(2 * 0.5 / 9.81)) {
    ASSERT_EQ(play.step(dt).status, StepStatus::ok);
    const double force = contact_force(*world.pair(), play.state.q, play.state.time).linear.y();
    touched += force > 0 ? dt : 0;
    impulse += force * dt;
    deepest = std::max(deepest, deepest_overlap(*world.pair(), play.state.q, play.state.time));
    if (touched > 0) top = std::max(top, play.state.q[1]);
  }
  const double contact_time = 2 * (M_PI - std::atan(v * omega / 9.81)) / omega;
  EXPECT_NEAR(touched, contact_time, 2e-2 * contact_time) << "k = 2e5 N/m, m = 2 kg: 9.9 ms";
  EXPECT_NEAR(impulse, 2 * world.mass * v + world.mass * 9.81 * contact_time, 2e-3 * world.mass * v);
  EXPECT_NEAR(deepest, 9.81 / (omega * omega) + std::hypot(9.81 / (omega * omega), v / omega), 1e-3 * v / omega);
  EXPECT_NEAR(top, 0.5, 1e-3);
}

TEST(Impact, RestitutionIsThatOfTheClosedFormWhateverMassAndStiffness) {
  for (const double wanted : {0.9, 0.5, 0.2})
    for (const double mass : {0.1, 3.0})
      for (const double stiffness : {1e4, 1e6}) {
        PointWorld world;
        world.gravity.setZero();
        world.points = {Vec3(0, 1e-3, 0)};
        world.mass = mass;
        world.stiffness = stiffness;
        world.onset = 1e-4;
        const double v = 1.5, period = 2 * M_PI * std::sqrt(mass / stiffness);
        world.damping = contact::damping_for_restitution(wanted, v);
        Play play(world.build(), "midpoint", Vec3(0, -v, 0));
        for (int i = 0; i < 3000 && play.state.q[1] < 2e-3; ++i)
          ASSERT_NE(play.step(period / 400).status, StepStatus::failed);
        EXPECT_NEAR(play.state.v[1] / v, wanted, 2e-3) << mass << " kg, " << stiffness << " N/m";
        EXPECT_NEAR(play.column("contact"), 0.5 * mass * v * v * (1 - wanted * wanted), 4e-3 * 0.5 * mass * v * v);
        EXPECT_EQ(play.column("friction"), 0);
      }
}

TEST(Impact, EveryStepperBringsADroppedPointToRestWithoutPassingThrough) {
  for (const std::string kind : {"symplectic_euler", "leapfrog", "backward_euler", "bdf2", "trapezoid", "newmark",
                                 "midpoint", "generalized_alpha", "bathe"}) {
    SCOPED_TRACE(kind);
    PointWorld world;
    world.points = {Vec3(0, 0.1, 0), Vec3(0.3, 0.02, 0)};
    world.damping = 20;
    world.friction = 0.5;
    world.slip_speed = 0.05;
    Play play(world.build(), kind, Vec3(0.2, 0, 0));
    const bool is_explicit = Integrator(kind).is_explicit();
    const double dt = is_explicit ? 1e-4 : 1e-3;
    for (int i = 0; i < 1.5 / dt; ++i) {
      ASSERT_NE(play.step(dt).status, StepStatus::failed);
      ASSERT_GT(play.state.q[1], -0.02);
    }
    const double overlap = world.mass * 9.81 / world.stiffness;
    for (const Eigen::Index y : {1, 4}) EXPECT_NEAR(play.state.q[y], -overlap, 0.02 * overlap);
    EXPECT_LT(play.state.v.norm(), 1e-4);
    EXPECT_GT(play.column("friction"), 0);
    EXPECT_GT(play.column("contact"), play.column("friction"));
    // What the integrator itself lost is all that is left over: the ledger's other columns are independent of it.
    const double lost = play.column("contact") + play.column("numerical") + play.column("solver");
    EXPECT_NEAR(lost, play.ledger->initial_energy() - play.ledger->total_energy(), 1e-9);
  }
}

TEST(Impact, AFastPointIsPushedBackOutOfASolidFromAnyDepthBelowItsMiddle) {
  for (const std::string kind : {"backward_euler", "bathe"}) {
    PointWorld world;
    world.collider =
        std::make_shared<RigidCollider>(std::make_shared<CapsuleShape>(CapsuleShape::sphere(Vec3::Zero(), 0.5)));
    world.points = {Vec3(0, 0.6, 0)};
    Play play(world.build(), kind, Vec3(0, -30, 0));
    for (int i = 0; i < 200; ++i) ASSERT_NE(play.step(0.01).status, StepStatus::failed);
    EXPECT_GT(play.state.q.norm(), 0.5 - 0.01) << "30 cm a step, 10 cm from the surface";
  }
}

TEST(Impact, AStepLimitStopsWhatWouldPassAThinPlateInOneStep) {
  for (const std::string kind : {"backward_euler", "midpoint", "leapfrog"})
    for (const bool limited : {false, true}) {
      PointWorld world;
      world.gravity.setZero();
      world.stiffness = 2e7;
      world.collider =
          std::make_shared<RigidCollider>(std::make_shared<BoxShape>(Vec3::Zero(), Vec3(1, 0.01, 1), 0.005));
      world.points = {Vec3(0, 0.1, 0)};
      world.step_limit = limited;
      Play play(world.build(), kind, Vec3(3, -30, 1));
      for (int i = 0; i < 10; ++i) {
        const StepReport report = play.step(5e-3);
        ASSERT_NE(report.status, StepStatus::failed) << report.explanation;
      }
      const double y = play.state.q[1];
      if (limited) {
        EXPECT_GT(y, 0) << kind << ": 15 cm a step, 2 cm of plate";
      } else {
        EXPECT_LT(y, 0) << "the test would prove nothing";
      }
    }
}

TEST(Impact, AStepLimitAlsoStopsWhatIsAlreadyInsideOrFailsButNeverLetsItThrough) {
  PointWorld world;
  world.gravity.setZero();
  world.stiffness = 2e7;  // holds up to 31.6 m/s
  world.collider = std::make_shared<RigidCollider>(std::make_shared<BoxShape>(Vec3::Zero(), Vec3(1, 0.01, 1), 0.005));
  world.points = {Vec3(0, 0.1, 0)};
  world.step_limit = true;
  for (const std::string kind :
       {"backward_euler", "trapezoid", "midpoint", "generalized_alpha", "bathe", "leapfrog", "symplectic_euler"})
    for (const double speed :
         {10.0, 34.0, 48.0, 55.0}) {  // 10 m/s: a step of the midpoint rule ends in the very middle
      Play play(world.build(), kind, Vec3(0, -speed, 0));
      for (int i = 0; i < 20; ++i)
        if (play.step(5e-3).status == StepStatus::failed) break;
      EXPECT_GT(play.state.q[1], -1e-9) << kind << " at " << speed << " m/s";
    }
}

TEST(Impact, AnExplicitStepThatWouldPassAThinPlateFailsAndSaysWhichOne) {
  PointWorld world;
  world.gravity.setZero();
  world.collider = std::make_shared<RigidCollider>(std::make_shared<BoxShape>(Vec3::Zero(), Vec3(1, 0.01, 1), 0.005));
  world.points = {Vec3(0, 0.1, 0)};
  world.step_limit = true;
  for (const std::string kind : {"symplectic_euler", "leapfrog"}) {
    Play play(world.build(), kind, Vec3(0, -50, 0));
    const std::uint64_t before = play.state.hash();
    const StepReport report = play.stepper->step(*play.system, play.state, play.workspace, 5e-3);
    EXPECT_EQ(report.status, StepStatus::failed) << "25 cm in one step, plate at 10 cm";
    EXPECT_EQ(play.state.hash(), before);
    if (kind == "symplectic_euler")
      EXPECT_NE(report.explanation.find("'floor'"), std::string::npos) << report.explanation;
  }
}

TEST(Impact, WhereFrictionKeepsNewtonFromConvergingTheMessageSaysWhatHelps) {
  for (const double friction : {0.0, 0.9}) {
    PointWorld world;
    world.points = {Vec3(0, 0, 0)};
    world.onset = 5e-3;
    world.friction = friction;
    Play play(world.build(), "trapezoid", Vec3(0.1, -0.3, 0));
    NewtonOptions newton;
    newton.max_iterations = 1;
    const auto hasty = make_stepper("trapezoid", newton, LinearSolverOptions{});
    const StepReport report = hasty->step(*play.system, play.state, play.workspace, 5e-3);
    ASSERT_EQ(report.status, StepStatus::failed);
    for (const char* remedy : {"'floor'", "slip_speed", "max_iterations"})
      EXPECT_EQ(report.explanation.find(remedy) != std::string::npos, friction > 0) << report.explanation;
  }
}

TEST(Impact, AStepLimitLeavesTheLedgerFiniteWhereForcesAreMeasuredAtTheEndOfAStep) {
  PointWorld world;
  world.gravity.setZero();
  world.stiffness = 2e7;
  world.collider = std::make_shared<RigidCollider>(std::make_shared<BoxShape>(Vec3::Zero(), Vec3(1, 0.01, 1), 0.005));
  world.points = {Vec3(0, 0.1, 0)};
  world.step_limit = true;
  for (const double speed : {5.0, 12.0, 25.0}) {
    Play play(world.build(), "generalized_alpha", Vec3(0, -speed, 0));
    for (int i = 0; i < 20; ++i) ASSERT_NE(play.step(5e-3).status, StepStatus::failed);
    EXPECT_GT(play.state.q[1], 0);
    EXPECT_TRUE(std::isfinite(play.column("numerical"))) << speed << " m/s";
  }
}

}  // namespace
}  // namespace dashpot::test_impact
