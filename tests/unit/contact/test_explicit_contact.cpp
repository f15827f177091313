// Friction and impact damping in explicit steppers: they take energy at every step length, and tend to the law.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dashpot/contact/impulse_points.hpp"
#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/contact/restitution.hpp"
#include "dashpot/contact/steady_motion.hpp"
#include "dashpot/mesh/generate.hpp"
#include "point_world.hpp"
#include "touching_bodies.hpp"

namespace dashpot::test_explicit_contact {
namespace {

using testing::Play;
using testing::PointWorld;

/// v <- v - share (v - part of the mean): drags nodes along (part = 1) or brakes all of them (part = 0).
class Dragging final : public VelocityFilter {
 public:
  Dragging(double share, double part) : share_(share), part_(part) {}
  const std::string& body() const override { return body_; }
  std::string model() const override { return "dragging"; }
  DissipationTraits traits() const override { return {}; }
  void apply(const Vector&, double, Vector& v) const override {
    const auto columns = v.reshaped(3, v.size() / 3);
    const Vec3 mean = part_ * columns.rowwise().mean();
    for (Eigen::Index i = 0; i < v.size(); i += 3) v.segment<3>(i) -= share_ * (v.segment<3>(i) - mean);
  }

 private:
  std::string body_ = "points";
  double share_, part_;
};

const std::string explicit_kinds[] = {"symplectic_euler", "leapfrog"};

/// A block (a point) that lies on a plane of the given normal, pressed in by its weight.
PointWorld lying(const Vec3& normal, double mu, double slip_speed) {
  PointWorld world;
  world.collider = std::make_shared<RigidCollider>(std::make_shared<PlaneShape>(Vec3::Zero(), normal));
  world.friction = mu;
  world.slip_speed = slip_speed;
  world.stiffness = 2e4;
  world.points = {-world.mass * 9.81 * normal.y() / world.stiffness * normal};
  return world;
}

TEST(ImpulseLaw, FrictionObeysItsLawAtTheVelocityItLeavesAndNeverReversesIt) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> decade(-6, 6), unit(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const Vec3 u = std::pow(10, decade(random)) * Vec3(unit(random), unit(random), unit(random));
    const double w = std::pow(10, decade(random)), limit = std::pow(10, decade(random)),
                 v_eps = std::pow(10, decade(random));
    const Vec3 lambda = contact::friction_impulse(u, w, limit, v_eps), after = u - w * lambda;
    ASSERT_GT(lambda.norm(), 0);
    ASSERT_LE(lambda.norm(), limit * (1 + 1e-12));
    ASSERT_GE(after.dot(u), -1e-12 * u.squaredNorm());
    ASSERT_GT(lambda.dot(u + after), 0) << "kinetic energy falls";
    if (after.norm() < 1e-9 * u.norm()) continue;  // round-off
    const double law = limit * after.norm() * contact::friction_over_speed(after.norm(), v_eps);
    ASSERT_NEAR(lambda.norm(), law, 1e-6 * law) << u.norm() << " " << w << " " << limit << " " << v_eps;
  }
}

TEST(ImpulseLaw, ImpactDampingObeysItsLawAtTheVelocityItLeavesAndNeverPulls) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> decade(-6, 6);
  for (int i = 0; i < 20000; ++i) {
    const double u = (i % 2 == 0 ? 1 : -1) * std::pow(10, decade(random)), w = std::pow(10, decade(random)),
                 limit = std::pow(10, decade(random)), c = std::pow(10, decade(random));
    const double lambda = contact::rate_impulse(u, w, limit, c), after = u - w * lambda;
    ASSERT_GE(lambda * u, 0);
    ASSERT_LE(lambda, limit * (1 + 1e-12)) << "no more than the pressure itself";
    ASSERT_GE(after * u, -1e-12 * u * u);
    if (std::abs(after) < 1e-6 * std::abs(u)) continue;  // round-off
    const double law = limit * contact::rate_factor(c * after).value;
    ASSERT_NEAR(lambda, law, 1e-6 * std::abs(law));
  }
}

TEST(ImpulseLaw, AtAGivenVelocityFrictionIsTheLawThereButNoMoreThanStops) {
  for (const auto& [speed, expected] : {std::pair(1.0, 0.5), std::pair(0.1, 0.1), std::pair(-0.1, 0.0)}) {
    std::vector<contact::ImpulsePoint> points(1);
    points[0].count = 1;
    points[0].J[0].setIdentity();
    points[0].limit = 0.5;
    const Vector w = Vector::Ones(3), law_velocity = Vector::Unit(3, 0);
    Vector v = speed * law_velocity, impulse = Vector::Zero(3);
    std::vector<Vec3> lambda;
    double driven = 0;
    const auto law = [](const contact::ImpulsePoint& point, const Vec3& u, double mobility) {
      return contact::friction_impulse(u, mobility, point.limit, 1e-3);
    };
    const Vector q = Vector::Zero(3);
    EXPECT_TRUE(contact::add_point_impulses(NodalKinematics(1), q, points, law,
                                            {q, 0, 0, 1e-3, nullptr, w, &law_velocity, lambda, v, impulse, driven}));
    EXPECT_NEAR(impulse[0], expected, 1e-15);
    EXPECT_NEAR(v[0], speed - expected, 1e-15);
  }
}

TEST(ExplicitFriction, TakesEnergyInEveryStepForAnyMassStepAndSlipSpeed) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> decade(-3, 2), unit(-1, 1);
  double taken = 0;
  for (int trial = 0; trial < 400; ++trial) {
    PointWorld world;
    world.mass = std::pow(10, decade(random));
    const double dt = std::pow(10, decade(random) - 3);
    world.stiffness = 0.5 * world.mass / (dt * dt);  // the penalty itself is well resolved
    world.onset = 1e-3;
    world.friction = 0.8;
    world.slip_speed = std::pow(10, decade(random) - 3);
    world.damping = trial % 3 == 0 ? std::pow(10, decade(random)) : 0;
    world.points.assign(5, Vec3::Zero());
    Play play(world.build(), explicit_kinds[trial % 2]);
    for (Eigen::Index i = 0; i < play.state.v.size(); ++i) {
      play.state.v[i] = unit(random);
      play.state.q[i] += 0.5 * dt * unit(random);
    }
    play.start();
    for (int n = 0; n < 20; ++n) {
      const Vector before = play.state.v;
      const StepReport report = play.stepper->step(*play.system, play.state, play.workspace, dt);
      ASSERT_EQ(report.status, StepStatus::ok);
      for (const double loss : report.work.damping) ASSERT_GE(loss, 0);
      for (Eigen::Index i = 0; i < before.size(); i += 3) {  // nothing but friction acts along the floor
        const Vec3 was(before[i], 0, before[i + 2]), is(play.state.v[i], 0, play.state.v[i + 2]);
        ASSERT_LE(is.norm(), was.norm() * (1 + 1e-12));
        ASSERT_GE(is.dot(was), -1e-12 * was.squaredNorm());
      }
      taken += report.work.damping[0] / world.mass;
    }
  }
  EXPECT_GT(taken, 10) << "something must rub";
}

TEST(ExplicitFriction, ASlidingBlockStopsAfterTheWayOfCoulombsLawAndNeverTurnsBack) {
  const double mu = 0.3, v0 = 2, way = v0 * v0 / (2 * mu * 9.81);
  for (const std::string& kind : explicit_kinds)
    for (const double slip_speed : {1e-2, 1e-4, 1e-8})  // c h/m up to 6e5
      for (const double dt : {2e-3, 2e-4}) {
        SCOPED_TRACE(kind + ", slip speed " + std::to_string(slip_speed));
        Play play(lying(Vec3::UnitY(), mu, slip_speed).build(), kind, Vec3(v0, 0, 0));
        while (play.state.time < 1) {
          ASSERT_EQ(play.step(dt).status, StepStatus::ok);
          ASSERT_GE(play.state.v[0], 0);
        }
        EXPECT_NEAR(play.state.q[0], way, 0.55 * v0 * dt + 0.2 * slip_speed + 1e-4 * way);
        EXPECT_LT(play.state.v[0], slip_speed);
        EXPECT_NEAR(play.column("friction"), 0.5 * 2 * v0 * v0, 1e-3 * v0 * v0) << "all of the kinetic energy";
      }
}

TEST(ExplicitFriction, ABlockOnASlopeSticksBelowTheFrictionAngleAndSlidesWithTheRightAccelerationAbove) {
  const double angle = 25 * M_PI / 180, dt = 1e-4, end = 0.5;
  const Vec3 normal(std::sin(angle), std::cos(angle), 0), down(std::cos(angle), -std::sin(angle), 0);
  for (const std::string& kind : explicit_kinds)
    for (const double mu : {0.7, 0.48, 0.45, 0.2}) {
      SCOPED_TRACE(kind + ", mu = " + std::to_string(mu));
      const double slip_speed = 1e-6;
      Play play(lying(normal, mu, slip_speed).build(), kind);
      const Vec3 start = play.state.q;
      while (play.state.time < end - 1e-9) ASSERT_EQ(play.step(dt).status, StepStatus::ok);
      const double a = 9.81 * (std::sin(angle) - mu * std::cos(angle)), way = down.dot(Vec3(play.state.q) - start);
      if (a < 0) {
        EXPECT_LT(std::abs(way), slip_speed * end);
        EXPECT_LT(std::abs(play.column("numerical")), 1e-7) << "holding a load costs nothing";
      } else {
        EXPECT_NEAR(way, 0.5 * a * end * end, 2e-3 * way + 1e-5);
        EXPECT_NEAR(play.column("friction"), mu * 2 * 9.81 * std::cos(angle) * way, 2e-3 * 2 * 9.81 * way);
      }
    }
}

/// Where a point pulled along a floor below the slip speed is after a while: all is smooth.
double creep(const std::string& kind, double dt) {
  PointWorld world = lying(Vec3(0.1, 1, 0).normalized(), 0.5, 0.3);
  Play play(world.build(), kind, Vec3(0.02, -0.002, 0.05));
  const int steps = static_cast<int>(std::lround(0.1 / dt));
  for (int i = 0; i < steps; ++i) EXPECT_NE(play.step(dt).status, StepStatus::failed);
  return play.state.q[2];
}

TEST(ExplicitFriction, ConvergesToTheImplicitResultAtTheOrderOfTheStepper) {
  const double exact = creep("midpoint", 2e-5);
  for (const auto& [kind, order] : {std::pair("symplectic_euler", 1), std::pair("leapfrog", 2)}) {
    const double coarse = std::abs(creep(kind, 2e-3) - exact), fine = std::abs(creep(kind, 5e-4) - exact);
    EXPECT_GT(coarse, 1e-8);
    EXPECT_GT(coarse / fine, 0.8 * std::pow(4, order)) << kind;
    EXPECT_LT(coarse / fine, 1.3 * std::pow(4, order)) << kind;
  }
}

TEST(ExplicitFriction, ABeltBringsAPointUpToItsSpeedAndHalfOfWhatItGivesIsLost) {
  for (const std::string& kind : explicit_kinds) {
    PointWorld world = lying(Vec3::UnitY(), 0.4, 1e-5);
    world.collider = std::make_shared<RigidCollider>(
        std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY()),
        std::make_shared<SteadyMotion>(SteadyMotionOptions{.velocity = Vec3(1.5, 0, 0)}));
    Play play(world.build(), kind);
    while (play.state.time < 0.6) ASSERT_EQ(play.step(1e-3).status, StepStatus::ok);
    EXPECT_NEAR(play.state.v[0], 1.5, 1e-5);
    const double kinetic = 0.5 * world.mass * 1.5 * 1.5;
    EXPECT_NEAR(play.column("friction"), kinetic, 1e-2 * kinetic) << kind;
    EXPECT_NEAR(play.column("external"), 2 * kinetic, 1e-2 * kinetic);
    EXPECT_LT(std::abs(play.column("numerical")), 1e-2 * kinetic);
  }
}

TEST(ExplicitFriction, FiltersFindNothingToTakeWhereItHoldsALoadAndDoNotDragAlongWhatItHolds) {
  for (const std::string& kind : explicit_kinds) {
    PointWorld slope = lying(Vec3(0.4, 1, 0).normalized(), 0.7, 1e-6);
    slope.filter = [] { return std::make_unique<Dragging>(0.5, 0); };
    Play still(slope.build(), kind);
    for (int i = 0; i < 500; ++i) ASSERT_EQ(still.step(1e-3).status, StepStatus::ok);
    EXPECT_LT(std::abs(still.state.v[0]), 1e-6) << kind;
    EXPECT_LT(still.column("damping.points.dragging"), 1e-10);
    EXPECT_LT(std::abs(still.column("numerical")), 1e-6) << "of the first step alone";

    PointWorld floor = lying(Vec3::UnitY(), 0.3, 1e-6);
    floor.points.push_back(floor.points[0] + Vec3(1, 0, 0));
    floor.filter = [] { return std::make_unique<Dragging>(2e-3, 1); };  // pulls with 1 m/s^2, less than mu g
    Play dragged(floor.build(), kind);
    dragged.state.v[3] = 1;
    dragged.start();
    for (int i = 0; i < 200; ++i) {
      const StepReport report = dragged.step(1e-3);
      ASSERT_EQ(report.status, StepStatus::ok);
      for (const double loss : report.work.damping) ASSERT_GE(loss, -1e-15);
    }
    EXPECT_GT(dragged.column("damping.points.dragging"), 1e-2);
    EXPECT_LT(std::abs(dragged.state.q[0] - floor.points[0].x()), 1e-6) << kind;
  }
}

/// A node that a constraint drags along x.
class Towed final : public Constraint {
 public:
  Towed(double x, double speed) : x_(x), speed_(speed) {}
  const std::vector<int>& dofs() const override { return dofs_; }
  void prescribe(double time, Vector* q, Vector* v, Vector* a) const override {
    if (q != nullptr) (*q)[0] = x_ + speed_ * time;
    if (v != nullptr) (*v)[0] = speed_;
    if (a != nullptr) (*a)[0] = 0;
  }
  bool is_fixed() const override { return false; }

 private:
  std::vector<int> dofs_{0};
  double x_, speed_;
};

TEST(ExplicitFriction, TowingCostsWhatFrictionTakes) {
  for (const std::string& kind : explicit_kinds) {
    PointWorld world = lying(Vec3::UnitY(), 0.3, 1e-4);
    world.constraint = [&] { return std::make_unique<Towed>(0, 0.8); };
    Play play(world.build(), kind, Vec3(0.8, 0, 0));
    for (int i = 0; i < 500; ++i) ASSERT_EQ(play.step(1e-3).status, StepStatus::ok);
    const double work = 0.3 * world.mass * 9.81 * 0.8 * 0.5;
    EXPECT_NEAR(play.column("friction"), work, 3e-3 * work) << kind;
    EXPECT_NEAR(play.column("external"), work, 3e-3 * work);
    EXPECT_LT(std::abs(play.column("numerical")), 1e-6 * work);
  }
}

TEST(ExplicitFriction, BodiesThatRubKeepTheirMomentumAndOnlyLoseEnergy) {
  for (const std::string& kind : explicit_kinds)
    for (const double slip_speed : {2e-2, 1e-6}) {
      SCOPED_TRACE(kind);
      std::vector<testing::TouchingBody> bodies(2);
      bodies[0].name = "below";
      bodies[0].mesh = make_bar(Vec3(0.3, 0.1, 0.3), {3, 1, 3});
      bodies[0].density = 20;  // nodes a hundred times lighter than those above
      bodies[1].name = "above";
      bodies[1].mesh = testing::moved(make_bar(Vec3(0.2, 0.1, 0.2), {2, 1, 2}), Vec3(0.03, 0.1015, 0.04));
      bodies[1].density = 2000;
      bodies[1].velocity = Vec3(0.4, -0.2, 0.1);
      const testing::Touching world = testing::touching(bodies, {2e6, 2e-3}, 0.6, Vec3::Zero(), slip_speed);
      Play play(world.system, kind);
      play.state = world.start;
      play.start();
      const Vec3 momentum = world.system->inertia().momentum(play.state.q, play.state.v).linear;
      double friction = 0;
      for (int i = 0; i < 400; ++i) {
        const StepReport report = play.step(2e-5);
        ASSERT_EQ(report.status, StepStatus::ok) << report.explanation;
        for (const double loss : report.work.damping) ASSERT_GE(loss, 0);
        friction += report.work.damping[0];
      }
      EXPECT_GT(friction, 1e-4);
      const Vec3 after = world.system->inertia().momentum(play.state.q, play.state.v).linear;
      EXPECT_LT((after - momentum).norm(), 1e-12 * momentum.norm());
      EXPECT_LT(std::abs(play.column("numerical")), 0.05 * friction + 1e-4);
    }
}

TEST(ExplicitImpact, RestitutionIsWhatWasAskedForAndNoStepMakesTheLossNegative) {
  const double v = 1.5;
  for (const std::string& kind : explicit_kinds)
    for (const double wanted : {0.9, 0.5, 0.2, 0.05})
      for (const double angle : {0.02, 0.1, 0.5, 1.0}) {  // omega h
        SCOPED_TRACE(kind + ", e = " + std::to_string(wanted) + ", omega h = " + std::to_string(angle));
        PointWorld world;
        world.gravity.setZero();
        world.points = {Vec3(0, 1e-3, 0)};
        world.damping = contact::damping_for_restitution(wanted, v);
        const double dt = angle * std::sqrt(world.mass / world.stiffness);
        Play play(world.build(), kind, Vec3(0, -v, 0));
        for (int i = 0; i < 200000 && play.state.q[1] < 2e-3; ++i) {
          const StepReport report = play.step(dt);
          ASSERT_NE(report.status, StepStatus::failed) << report.explanation;
          for (const double loss : report.work.damping) ASSERT_GE(loss, 0);
        }
        const double tolerance = kind == "leapfrog" ? 0.4 * angle * angle : 0.13 * angle + 0.2 * angle * angle;
        if (angle <= 0.1) EXPECT_NEAR(play.state.v[1] / v, wanted, tolerance + 1e-4);
        EXPECT_GT(play.state.v[1], 0);
        EXPECT_LE(play.state.v[1], v * (1 + 1e-12));
      }
}

}  // namespace
}  // namespace dashpot::test_explicit_contact
