// Penalty, friction and damping as terms of a System: derivatives, laws, slopes, belts and lifts.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <random>

#include "dashpot/core/error.hpp"
#include "point_world.hpp"
#include "support/damping_laws.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::test_collider_terms {
namespace {

using testing::Play;
using testing::PointWorld;

Vector gradient_at(const System& system, const Vector& q, double time) {
  Vector gradient = Vector::Zero(q.size());
  EnergyRequest request{q};
  request.gradient = &gradient;
  request.time = time;
  system.energies()[0]->evaluate(request);
  return gradient;
}
double energy_at(const System& system, const Vector& q, double time) {
  EnergyRequest request{q};
  request.time = time;
  return system.energies()[0]->evaluate(request);
}
BlockMatrix hessian_at(const System& system, const Vector& q, double time, Projection projection) {
  BlockMatrix hessian(system.pattern());
  EnergyRequest request{q};
  request.hessian = &hessian;
  request.time = time;
  request.projection = projection;
  system.energies()[0]->evaluate(request);
  return hessian;
}

/// Moves steadily without turning.
class Slide final : public RigidMotion {
 public:
  explicit Slide(const Vec3& velocity) : velocity_(velocity) {}
  RigidPose pose(double time) const override {
    RigidPose pose;
    pose.p = time * velocity_;
    pose.velocity = velocity_;
    return pose;
  }

 private:
  Vec3 velocity_;
};

/// Turns about the z axis through the origin.
class Turn final : public RigidMotion {
 public:
  explicit Turn(double omega) : omega_(omega) {}
  RigidPose pose(double time) const override {
    RigidPose pose;
    pose.R = Eigen::AngleAxisd(omega_ * time, Vec3::UnitZ());
    pose.angular_velocity = omega_ * Vec3::UnitZ();
    return pose;
  }

 private:
  double omega_;
};

std::vector<std::shared_ptr<const ColliderShape>> shapes() {
  return {std::make_shared<PlaneShape>(Vec3::Zero(), Vec3(0.2, 1, -0.1)),
          std::make_shared<CapsuleShape>(CapsuleShape::sphere(Vec3(0, -1, 0), 1.0)),
          std::make_shared<CapsuleShape>(Vec3(-1, -0.5, 0), Vec3(1, -0.5, 0.2), 0.5),
          std::make_shared<BoxShape>(Vec3(0, -0.5, 0), Vec3(0.3, 0.5, 0.3), 0.2)};
}

TEST(ColliderContact, GradientAndHessianAreDerivativesOfTheEnergyForEveryColliderMovingAndHollow) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const bool hollow : {false, true})
    for (const auto& shape : shapes()) {
      PointWorld world;
      world.gravity.setZero();
      world.onset = 0.02;
      world.thickness = 0.01;
      world.collider = std::make_shared<RigidCollider>(shape, std::make_shared<Turn>(0.3), hollow);
      world.points.clear();
      for (int i = 0; i < 5; ++i) world.points.emplace_back(0.2 * uniform(engine), 0.03 * uniform(engine), 0.05);
      const auto system = world.build();
      const double t = 0.4;
      const Vector& q = system->rest();
      Vector d(q.size());
      for (double& x : d) x = 1e-3 * uniform(engine);
      const Vector g = gradient_at(*system, q, t);
      ASSERT_GT(g.norm(), 0);
      EXPECT_TRUE(
          testing::derivative_slope([&](const Vector& x) { return Vector::Constant(1, energy_at(*system, x, t)); }, q,
                                    d, Vector::Constant(1, g.dot(d)))
              .ok());
      const Matrix H = hessian_at(*system, q, t, Projection::none).dense();
      EXPECT_TRUE(
          testing::derivative_slope([&](const Vector& x) { return gradient_at(*system, x, t); }, q, d, H * d).ok());
      const Vector w = hessian_at(*system, q, t, Projection::positive_semidefinite)
                           .dense()
                           .selfadjointView<Eigen::Lower>()
                           .eigenvalues();
      EXPECT_GE(w.minCoeff(), -1e-9 * w.maxCoeff());
      const double eps = 1e-6, rate = (energy_at(*system, q, t + eps) - energy_at(*system, q, t - eps)) / (2 * eps);
      EXPECT_NEAR(system->energies()[0]->driven_power(q, t, nullptr), rate, 1e-5 * std::abs(rate) + 1e-6);
    }
}

/// Slides, and counts how often it is asked where it is.
class CountedSlide final : public RigidMotion {
 public:
  explicit CountedSlide(std::shared_ptr<int> count) : count_(std::move(count)) {}
  RigidPose pose(double time) const override {
    ++*count_;
    return Slide(Vec3(0.1, 0.02, 0)).pose(time);
  }

 private:
  std::shared_ptr<int> count_;
};

TEST(ColliderContact, ARunMakesTheInstantOfATimeOnceForAllTermsAndIterations) {
  const auto count = std::make_shared<int>(0);
  PointWorld world;
  world.collider = std::make_shared<RigidCollider>(std::make_shared<BoxShape>(Vec3(0, -1, 0), Vec3(2, 1, 2)),
                                                   std::make_shared<CountedSlide>(count));
  world.points = {Vec3(0, 0, 0), Vec3(0.3, 0, 0.1)};
  world.onset = 1e-3;
  world.friction = 0.3, world.damping = 0.5, world.step_limit = true;
  Play play(world.build(), "backward_euler");
  int evaluations = 0;
  for (int i = 0; i < 20; ++i) {
    *count = 0;
    const StepReport report = play.step(2e-3);
    ASSERT_EQ(report.status, StepStatus::ok) << report.explanation;
    evaluations += report.newton_iterations;
    // The start of the step, for what is held over it and for the guard, and its end; the ledger looks by itself.
    EXPECT_LE(*count, 4) << "in step " << i;
  }
  EXPECT_GT(evaluations, 40);
}

TEST(ColliderContact, ImpossibleNumbersAreRefused) {
  PointWorld world;
  world.stiffness = -1;
  EXPECT_THROW(world.build(), Error);
  world.stiffness = 1;
  world.onset = 0;
  EXPECT_THROW(world.build(), Error);
  world.onset = 1e-3;
  world.friction = std::numeric_limits<double>::infinity();
  EXPECT_THROW(world.build(), Error);
}

TEST(ColliderLosses, FrictionAndDampingObeyTheLawsOfDamping) {
  for (const auto& shape : shapes()) {
    PointWorld world;
    world.gravity.setZero();
    world.collider = std::make_shared<RigidCollider>(shape);
    world.points = {Vec3(0, -0.1, 0), Vec3(0.1, -0.12, 0), Vec3(0, -0.1, 0.1), Vec3(0.1, -0.2, 0.1)};
    world.onset = 0.01;
    world.friction = 0.7;
    world.slip_speed = 0.5;
    world.damping = 0.8;
    const auto system = world.build();
    testing::expect_dissipation_laws(*system, 0);
    testing::expect_dissipation_laws(*system, 1);
  }
}

/// A plane whose normal leans by `angle` from y towards x; down the slope is (sin, -cos) turned.
std::shared_ptr<const Collider> slope(double angle) {
  return std::make_shared<RigidCollider>(
      std::make_shared<PlaneShape>(Vec3::Zero(), Vec3(std::sin(angle), std::cos(angle), 0)));
}

TEST(Friction, BelowTheFrictionAngleAPointSticksAndCreepsSlowerThanTheSlipSpeed) {
  const double mu = 0.5;
  for (const double part : {0.5, 0.9, 0.99}) {
    const double angle = std::atan(part * mu);
    PointWorld world;
    world.collider = slope(angle);
    world.friction = mu;
    world.damping = 20;
    const Vec3 n(std::sin(angle), std::cos(angle), 0);
    world.points = {-world.mass * 9.81 * std::cos(angle) / world.stiffness * n};  // in balance with the slope
    Play play(world.build(), "backward_euler");
    for (int i = 0; i < 500; ++i) ASSERT_NE(play.step(2e-3).status, StepStatus::failed);
    const double creep = (1 - std::sqrt(1 - part)) * world.slip_speed;
    EXPECT_NEAR(play.state.v.norm(), creep, 1e-3 * creep);
    EXPECT_LT((play.state.q - world.points[0]).norm(), 1.0 * world.slip_speed) << "in one second";
  }
}

TEST(Friction, AboveTheFrictionAngleAPointSlidesWithTheAccelerationOfTheory) {
  const double mu = 0.5;
  for (const std::string kind : {"backward_euler", "midpoint", "bathe"}) {
    const double angle = std::atan(1.1 * mu);
    const Vec3 n(std::sin(angle), std::cos(angle), 0), down(std::cos(angle), -std::sin(angle), 0);
    PointWorld world;
    world.collider = slope(angle);
    world.friction = mu;
    world.points = {-world.mass * 9.81 * std::cos(angle) / world.stiffness * n};  // in balance with the slope
    Play play(world.build(), kind);
    const double a = 9.81 * (std::sin(angle) - mu * std::cos(angle)), end = 1.0;
    for (int i = 0; i < 1000; ++i) ASSERT_NE(play.step(end / 1000).status, StepStatus::failed);
    EXPECT_GT(a, 0.3);
    EXPECT_NEAR(play.state.v.dot(down), a * end, 5e-3 * a * end) << kind;
    const double sliding = play.state.q.dot(down), heat = mu * world.mass * 9.81 * std::cos(angle) * sliding;
    EXPECT_NEAR(play.column("friction"), heat, 5e-3 * heat) << "mu N times the way";
    EXPECT_DOUBLE_EQ(play.column("friction"), play.column("contact"));
  }
}

TEST(Friction, ABeltDragsAPointUpToItsSpeedAndHalfOfItsWorkIsLost) {
  const double belt = 0.8, mu = 0.4;
  PointWorld world;
  world.collider = std::make_shared<RigidCollider>(std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY()),
                                                   std::make_shared<Slide>(Vec3(belt, 0, 0)));
  world.friction = mu;
  world.points = {Vec3(0, -world.mass * 9.81 / world.stiffness, 0)};
  Play play(world.build(), "midpoint");
  const double until = belt / (mu * 9.81);
  for (int i = 0; i < 3000; ++i) ASSERT_NE(play.step(until / 2000).status, StepStatus::failed);
  EXPECT_NEAR(play.state.v.x(), belt, 1e-3 * belt);
  const double energy = 0.5 * world.mass * belt * belt;
  EXPECT_NEAR(play.column("kinetic"), energy, 2e-3 * energy);
  EXPECT_NEAR(play.column("external"), 2 * energy, 2e-3 * energy) << "mu N v t = m v^2";
  EXPECT_NEAR(play.column("friction"), energy, 2e-3 * energy);
  EXPECT_NEAR(play.column("numerical"), 0, 1e-3 * energy);
}

TEST(MovingCollider, ALiftedPointCostsItsWeightTimesTheHeight) {
  PointWorld world;
  world.collider = std::make_shared<RigidCollider>(std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY()),
                                                   std::make_shared<Slide>(Vec3(0, 0.5, 0)));
  world.damping = 20;
  world.points = {Vec3(0, -world.mass * 9.81 / world.stiffness, 0)};
  for (const std::string kind : {"midpoint", "backward_euler"}) {
    Play play(world.build(), kind, Vec3(0, 0.5, 0));
    for (int i = 0; i < 1000; ++i) ASSERT_NE(play.step(1e-3).status, StepStatus::failed);
    const double work = world.mass * 9.81 * 0.5;
    EXPECT_NEAR(play.state.q.y(), 0.5, 1e-3);
    EXPECT_NEAR(play.column("external"), work, 1e-4 * work) << kind;
    EXPECT_NEAR(play.column("gravity"), work, 1e-3 * work);
    EXPECT_NEAR(play.column("numerical"), 0, 1e-4 * work);
  }
}

TEST(MovingCollider, MomentumChangesByTheImpulseOfTheContactForceAlone) {
  PointWorld world;
  world.gravity.setZero();
  world.collider = std::make_shared<RigidCollider>(std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY()),
                                                   std::make_shared<Slide>(Vec3(0, 1, 0)));
  world.points = {Vec3(0, 0.01, 0)};
  Play play(world.build(), "leapfrog");
  double impulse = 0;
  const double dt = 1e-5;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_EQ(play.step(dt).status, StepStatus::ok);
    impulse += dt * contact_force(*world.pair(), play.state.q, play.state.time).linear.y();
  }
  EXPECT_NEAR(play.state.v.y(), 2, 1e-4) << "a wall that comes at 1 m/s throws a resting point away at 2 m/s";
  EXPECT_NEAR(impulse, world.mass * play.state.v.y(), 1e-4);
  EXPECT_NEAR(play.column("external"), play.column("kinetic"), 1e-4 * play.column("kinetic"));
}

}  // namespace
}  // namespace dashpot::test_collider_terms
