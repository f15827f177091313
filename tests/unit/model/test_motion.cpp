#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/model/motion.hpp"
#include "support/motion_laws.hpp"

namespace dashpot::test_motion {
namespace {

/// Turns about a fixed axis by an angle that speeds up, while it falls.
class Screw final : public RigidMotion {
 public:
  Screw(Vec3 axis, double rate, Vec3 drift) : axis_(axis.normalized()), rate_(rate), drift_(drift) {}
  RigidPose pose(double t) const override {
    RigidPose pose;
    pose.R = Eigen::AngleAxisd(rate_ * t * t, axis_).toRotationMatrix();
    pose.p = drift_ * std::sin(3 * t);
    pose.velocity = 3 * drift_ * std::cos(3 * t);
    pose.acceleration = -9 * drift_ * std::sin(3 * t);
    pose.angular_velocity = 2 * rate_ * t * axis_;
    pose.angular_acceleration = 2 * rate_ * axis_;
    return pose;
  }

 private:
  Vec3 axis_;
  double rate_;
  Vec3 drift_;
};

class Composed final : public RigidMotion {
 public:
  RigidPose pose(double t) const override { return compose(outer_.pose(t), inner_.pose(t)); }

 private:
  Screw outer_{Vec3(1, 2, -1), 1.3, Vec3(0.2, -1, 0.4)};
  Screw inner_{Vec3(0, 1, 1), -0.7, Vec3(1, 0.3, 0)};
};

const std::vector<Vec3> corners{{1, 0, 0}, {0.3, -1, 2}, {0, 0, 0}};

TEST(RigidPose, CarriesPointsWithTheirExactVelocityAndAcceleration) {
  testing::expect_exact_derivatives(CarriedPoints(std::make_shared<Screw>(Vec3(1, 1, 0), 0.9, Vec3(1, 2, 3)), corners),
                                    0.6);
}

TEST(RigidPose, ComposedMotionsHaveCoriolisAndEulerTerms) {
  testing::expect_exact_derivatives(CarriedPoints(std::make_shared<Composed>(), corners), 0.8);
  const Composed both;
  const RigidPose pose = both.pose(0.8);
  EXPECT_NEAR((pose.R.transpose() * pose.R - Mat3::Identity()).norm(), 0, 1e-14);
}

TEST(CarriedPoints, FillOnlyWhatIsAskedFor) {
  const CarriedPoints points(std::make_shared<Composed>(), corners);
  std::vector<Vec3> v;
  points.evaluate(0.1, nullptr, &v, nullptr);
  EXPECT_EQ(v.size(), corners.size());
  EXPECT_GT(v[1].norm(), 0.1);
}

}  // namespace
}  // namespace dashpot::test_motion
