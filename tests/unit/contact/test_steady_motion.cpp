#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/contact/steady_motion.hpp"
#include "support/motion_laws.hpp"

namespace dashpot::test_steady_motion {
namespace {

TEST(SteadyMotion, VelocityAndAccelerationAreDerivativesWhileItGathersSpeedAndAfter) {
  SteadyMotionOptions options;
  options.velocity = Vec3(0.3, -0.2, 0.1);
  options.angular_velocity = Vec3(1, 2, -0.5);
  options.about = Vec3(0.4, 0.1, -0.3);
  options.start = 0.2;
  options.ramp = 0.5;
  const CarriedPoints points(std::make_shared<SteadyMotion>(options), {Vec3(1, 0, 0), Vec3(0, -1, 2)});
  testing::expect_exact_derivatives(points, 0.4);
  testing::expect_exact_derivatives(points, 0.9);
}

TEST(SteadyMotion, ATurntableTurnsAboutItsAxisAndABeltRunsStraight) {
  SteadyMotionOptions table;
  table.angular_velocity = Vec3(0, M_PI, 0);
  table.about = Vec3(1, 0, 0);
  EXPECT_LT((SteadyMotion(table).pose(1).point(Vec3(3, 0, 0)) - Vec3(-1, 0, 0)).norm(), 1e-12) << "half a turn";
  EXPECT_LT((SteadyMotion(table).pose(0.3).point(Vec3(1, 5, 0)) - Vec3(1, 5, 0)).norm(), 1e-12) << "on the axis";
  SteadyMotionOptions belt;
  belt.velocity = Vec3(2, 0, 0);
  belt.ramp = 1;
  EXPECT_LT((SteadyMotion(belt).pose(3).p - Vec3(5, 0, 0)).norm(), 1e-12) << "half a second lost in the ramp";
  EXPECT_EQ(SteadyMotion(belt).pose(-1).p.norm(), 0);
}

}  // namespace
}  // namespace dashpot::test_steady_motion
