#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dashpot/constraint/cache_motion.hpp"
#include "dashpot/constraint/driven_nodes.hpp"
#include "dashpot/core/error.hpp"
#include "support/motion_laws.hpp"

namespace dashpot::test_driven_nodes {
namespace {

using math::Spline;
constexpr double pi = std::numbers::pi;

const std::vector<Vec3> corners{{1, 0, 0}, {0.3, -1, 2}, {0.1, 0.2, -0.4}};

std::shared_ptr<const RigidMotion> keyed(Spline::Ends ends) {
  Matrix shift(3, 4), turn(3, 4);
  shift << 0, 1, 0.5, 0, 0, 0, 1, 0.2, 0, -1, 0, 0.3;
  turn << 0, 1, 2, 0.5, 0, -2, 3, 8, 0, 0.3, 0.1, -1;
  const std::vector<double> times{0, 0.5, 0.8, 1.7};
  return std::make_shared<KeyedRigidMotion>(Spline(times, shift, ends), Spline(times, turn, ends), Vec3(0.2, 0.1, 0));
}

TEST(KeyedRigidMotion, HasExactDerivativesBetweenAndBeyondItsKeys) {
  for (const auto ends : {Spline::Ends::rest, Spline::Ends::straight, Spline::Ends::cyclic}) {
    const CarriedPoints points(keyed(ends), corners);
    for (const double t : {0.05, 0.3, 0.6, 1.0, 1.5}) testing::expect_exact_derivatives(points, t);
    if (ends != Spline::Ends::rest) testing::expect_exact_derivatives(points, 2.0);
  }
}

TEST(KeyedRigidMotion, TurnsAboutItsPivotAndKeepsDistances) {
  Matrix none = Matrix::Zero(3, 2), turn = none;
  turn(2, 1) = pi;
  const KeyedRigidMotion wheel(Spline({0, 1}, none, Spline::Ends::rest), Spline({0, 1}, turn, Spline::Ends::rest),
                               Vec3(1, 1, 0));
  EXPECT_NEAR((wheel.pose(1).point(Vec3(2, 1, 5)) - Vec3(0, 1, 5)).norm(), 0, 1e-14);
  EXPECT_NEAR((wheel.pose(0.4).point(Vec3(1, 1, 3)) - Vec3(1, 1, 3)).norm(), 0, 1e-14);
  EXPECT_EQ(wheel.pose(7).angular_velocity.norm(), 0);
}

TEST(DelayedMotion, LeavesTheRestShapeSmoothly) {
  const auto points = std::make_shared<CarriedPoints>(keyed(Spline::Ends::cyclic), corners);
  const DelayedMotion late(points, corners, 0.5, 0.4);
  for (const double t : {0.6, 0.8, 1.1}) testing::expect_exact_derivatives(late, t, 1e-3);
  std::vector<Vec3> x, v, a, there;
  late.evaluate(0.5 + 1e-6, &x, &v, &a);
  EXPECT_NEAR((x[1] - corners[1]).norm() + v[1].norm(), 0, 1e-6);
  EXPECT_LT(a[1].norm(), 1e-2);
  late.evaluate(1.3, &x, nullptr, nullptr);
  points->evaluate(0.8, &there, nullptr, nullptr);
  EXPECT_NEAR((x[2] - there[2]).norm(), 0, 1e-14);
}

TEST(DrivenNodes, PrescribeTheirAxesOnly) {
  const auto motion = std::make_shared<CarriedPoints>(keyed(Spline::Ends::rest), corners);
  const DrivenNodes driven(motion, {4, 0}, {1, 2}, {1, 0});
  Vector q = Vector::Constant(6, 9), v = q, a = q;
  driven.prescribe(0.7, &q, &v, &a);
  std::vector<Vec3> x, xdot, xddot;
  motion->evaluate(0.7, &x, &xdot, &xddot);
  EXPECT_EQ(q[4], x[1].y());
  EXPECT_EQ(q[0], x[2].x());
  EXPECT_EQ(v[4], xdot[1].y());
  EXPECT_EQ(a[0], xddot[2].x());
  EXPECT_EQ(q[5], 9);
  EXPECT_FALSE(driven.is_fixed());
}

/// Two points, of which one swings, at 30 frames a second.
PointCache swinging(int frames) {
  PointCache cache;
  for (int i = 0; i < frames; ++i) {
    cache.times.push_back(i / 30.0);
    cache.frames.push_back({{0, 0, 0}, {0.2 * std::sin(4 * i / 30.0), 1, 0}});
  }
  return cache;
}

TEST(CacheMotion, FollowsItsFramesWithExactDerivatives) {
  const PointCache cache = swinging(20);
  Placement placement;
  placement.scale = 2;
  placement.p = Vec3(0, 0, 3);
  const CacheMotion motion(cache, {1}, Spline::Ends::straight, placement);
  for (const double t : {0.01, 0.2, 0.333}) testing::expect_exact_derivatives(motion, t, 1e-3);
  std::vector<Vec3> x, v;
  motion.evaluate(7 / 30.0, &x, &v, nullptr);
  EXPECT_NEAR((x[0] - Vec3(0.4 * std::sin(28 / 30.0), 2, 3)).norm(), 0, 1e-13);
  motion.evaluate(0.25, &x, &v, nullptr);
  EXPECT_NEAR(v[0].x(), 1.6 * std::cos(1.0), 2e-3);
}

std::string refusal(const PointCache& cache, const CacheLimits& limits) {
  try {
    check_cache(cache, limits);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckCache, NamesWrongMeshesGapsAndTeleports) {
  const CacheLimits limits{2, 0, 30};
  EXPECT_EQ(refusal(swinging(20), limits), "");
  EXPECT_NE(refusal(swinging(20), {3, 0, 30}).find("a cache of 2 points"), std::string::npos);
  EXPECT_NE(refusal({}, limits).find("without frames"), std::string::npos);

  PointCache gap = swinging(20);
  gap.times.erase(gap.times.begin() + 5, gap.times.begin() + 12);
  gap.frames.erase(gap.frames.begin() + 5, gap.frames.begin() + 12);
  EXPECT_NE(refusal(gap, limits).find("without a frame after frame 4"), std::string::npos);
  EXPECT_EQ(refusal(gap, {2, 0.5, 30}), "");

  PointCache jump = swinging(20);
  jump.frames[9][1].y() = 4;
  const std::string message = refusal(jump, limits);
  EXPECT_NE(message.find("point 1 teleports by 3 m between frames 8 and 9"), std::string::npos) << message;
  EXPECT_NE(message.find("between frames 9 and 10"), std::string::npos);
  EXPECT_EQ(refusal(jump, {2, 0, 1000}), "");

  PointCache back = swinging(20);
  std::swap(back.times[3], back.times[4]);
  EXPECT_NE(refusal(back, limits).find("comes after"), std::string::npos);
  PointCache nan = swinging(20);
  nan.frames[3][0].x() = std::nan("");
  EXPECT_NE(refusal(nan, limits).find("not finite"), std::string::npos);
}

TEST(CheckMotion, FindsSpeedsBeyondTheLimit) {
  const CarriedPoints points(keyed(Spline::Ends::rest), corners);
  EXPECT_THROW(check_motion(points, 1.7, 100, 0.5), Error);
  EXPECT_NO_THROW(check_motion(points, 1.7, 100, 500));
  EXPECT_NO_THROW(check_motion(points, 1.7, 100, 0));
}

}  // namespace
}  // namespace dashpot::test_driven_nodes
