#include <gtest/gtest.h>

#include "dashpot/constraint/driven_nodes.hpp"
#include "dashpot/constraint/loads.hpp"
#include "dashpot/constraint/pins.hpp"

namespace dashpot::test_constraint {
namespace {

TEST(HarmonicMotion, VelocityAndAccelerationAreTheDerivativesAlsoWhileFadingIn) {
  HarmonicMotion motion;
  motion.frequency = 3;
  motion.phase = 0.4;
  motion.ramp = 0.5;
  motion.start = 0.1;
  const double h = 1e-5;
  for (const double t : {0.15, 0.3, 0.55, 0.59, 0.7, 2.0}) {
    const auto now = motion.evaluate(t), before = motion.evaluate(t - h), after = motion.evaluate(t + h);
    EXPECT_NEAR(now[1], (after[0] - before[0]) / (2 * h), 1e-5);
    EXPECT_NEAR(now[2], (after[1] - before[1]) / (2 * h), 2e-3);
    EXPECT_GT(std::abs(now[1]) + std::abs(now[2]), 1e-3);
  }
  EXPECT_EQ(motion.evaluate(0.05)[0], 0);
}

TEST(HarmonicMotion, FadedInMotionStartsFromRestWithoutAJump) {
  HarmonicMotion motion;
  motion.ramp = 0.2;
  motion.phase = 1;
  const auto start = motion.evaluate(1e-9);
  EXPECT_NEAR(start[0], 0, 1e-12);
  EXPECT_NEAR(start[1], 0, 1e-9);
}

TEST(TimeCourse, IsZeroOutsideItsWindowAndRampsLinearly) {
  TimeCourse course;
  course.start = 1;
  course.end = 2;
  course.ramp = 0.25;
  EXPECT_EQ(course.evaluate(0.99), 0);
  EXPECT_EQ(course.evaluate(2.01), 0);
  EXPECT_DOUBLE_EQ(course.evaluate(1.125), 0.5);
  EXPECT_DOUBLE_EQ(course.evaluate(1.5), 1);
  EXPECT_DOUBLE_EQ(course.evaluate(1.875), 0.5);
}

TEST(NodeForce, SharesItsForceByWeightAndSumsToIt) {
  const NodeForce load({0, 2}, {0.25, 0.75}, Vec3(4, 0, -8), {});
  Vector f = Vector::Zero(9);
  load.add_force(0.5, f);
  EXPECT_EQ(f[0], 1);
  EXPECT_EQ(f[6], 3);
  EXPECT_EQ(f[2] + f[8], -8);
}

TEST(Pins, PrescribePositionsAndZeroRates) {
  const Pins pins({1, 4}, {0.5, -2});
  Vector q = Vector::Ones(6), v = Vector::Ones(6), a = Vector::Ones(6);
  pins.prescribe(3, &q, &v, &a);
  EXPECT_EQ(q[1], 0.5);
  EXPECT_EQ(q[4], -2);
  EXPECT_EQ(v[4], 0);
  EXPECT_EQ(a[1], 0);
  EXPECT_EQ(q[0], 1);
}

}  // namespace
}  // namespace dashpot::test_constraint
