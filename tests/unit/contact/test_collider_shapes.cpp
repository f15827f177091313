#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "dashpot/contact/collider_shapes.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/mesh/surface.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::test_collider_shapes {
namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();

/// Turns about an axis through the origin while moving along a line.
class Screw final : public RigidMotion {
 public:
  RigidPose pose(double time) const override {
    RigidPose pose;
    pose.angular_velocity = Vec3(0.3, -0.7, 0.5);
    pose.velocity = Vec3(0.2, 0.4, -0.1);
    pose.R = Eigen::AngleAxisd(time * pose.angular_velocity.norm(), pose.angular_velocity.normalized());
    pose.p = Vec3(0.1, -0.2, 0.3) + time * pose.velocity;
    return pose;
  }
};

struct Case {
  const char* name;
  std::shared_ptr<const ColliderShape> shape;
};

std::vector<Case> all_shapes() {
  const Mat3 turned = Eigen::AngleAxisd(0.6, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  return {{"plane", std::make_shared<PlaneShape>(Vec3(0.1, 0.2, -0.3), Vec3(1, 2, 3))},
          {"sphere", std::make_shared<CapsuleShape>(CapsuleShape::sphere(Vec3(0.1, 0.2, -0.3), 0.5))},
          {"capsule", std::make_shared<CapsuleShape>(Vec3(-0.4, 0.2, 0), Vec3(0.5, -0.1, 0.3), 0.3)},
          {"box", std::make_shared<BoxShape>(Vec3(0.1, 0, 0.2), Vec3(0.4, 0.3, 0.5), 0.1, turned)},
          {"sharp box", std::make_shared<BoxShape>(Vec3(0.1, 0, 0.2), Vec3(0.4, 0.3, 0.5), 0, turned)}};
}

SurfaceSample sample_at(const Collider& collider, const Vec3& x, double time) {
  SurfaceSample sample;
  EXPECT_TRUE(collider.at(time)->sample(x, anywhere, true, sample));
  return sample;
}

/// A point at which the shape is smooth: away from where its pieces meet.
bool is_smooth_near(const Collider& collider, const Vec3& x, double time) {
  const SurfaceSample here = sample_at(collider, x, time);
  for (const Vec3& e : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())})
    for (const double side : {-0.02, 0.02}) {
      const SurfaceSample there = sample_at(collider, x + side * e, time);
      if ((there.normal - here.normal).norm() > 0.2) return false;
      if ((there.curvature - here.curvature).norm() > 0.3 * (0.5 + here.curvature.norm())) return false;
    }
  return true;
}

TEST(ColliderShapes, NormalAndCurvatureAreTheDerivativesOfTheDistanceInEveryFrameAndInsideOut) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const Case& shape : all_shapes())
    for (const bool hollow : {false, true})
      for (const double time : {0.0, 0.8}) {
        SCOPED_TRACE(std::string(shape.name) + (hollow ? ", hollow" : ""));
        const RigidCollider collider(shape.shape, std::make_shared<Screw>(), hollow);
        int tested = 0, sloped = 0, bent = 0;
        for (int i = 0; i < 200; ++i) {
          const Vec3 x(uniform(engine), uniform(engine), uniform(engine));
          const Vec3 d = 0.02 * Vec3(uniform(engine), uniform(engine), uniform(engine));
          if (!is_smooth_near(collider, x, time)) continue;
          const SurfaceSample here = sample_at(collider, x, time);
          EXPECT_NEAR(here.normal.norm(), 1, 1e-12);
          EXPECT_LT((here.curvature * here.normal).norm(), 1e-12 * (1 + here.curvature.norm()));
          const auto distance = [&](const Vector& y) {
            return Vector::Constant(1, sample_at(collider, y, time).distance);
          };
          // On a saddle the second-order term may vanish along d, and the remainder falls faster than the slope
          // expects.
          const double second = std::abs(d.dot(here.curvature * d));
          if (second == 0 || second > 0.05 * here.curvature.norm() * d.squaredNorm()) {
            EXPECT_TRUE(testing::derivative_slope(distance, x, d, Vector::Constant(1, here.normal.dot(d)), 1).ok());
            ++sloped;
          }
          ++tested;
          if ((here.curvature * d).norm() < 1e-4 * d.norm()) continue;
          const auto normal = [&](const Vector& y) { return Vector(sample_at(collider, y, time).normal); };
          EXPECT_TRUE(testing::derivative_slope(normal, x, d, here.curvature * d, 1).ok());
          ++bent;
        }
        EXPECT_GT(tested, 50);
        EXPECT_GT(sloped, 0.8 * tested);
        if (std::string(shape.name) != "plane") EXPECT_GT(bent, 10);
      }
}

TEST(ColliderShapes, DistanceChangesInTimeByTheSurfaceVelocityAlongTheNormal) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const Case& shape : all_shapes()) {
    SCOPED_TRACE(shape.name);
    const RigidCollider collider(shape.shape, std::make_shared<Screw>());
    const double t = 0.4, eps = 1e-6;
    double largest = 0;
    for (int i = 0; i < 50; ++i) {
      const Vec3 x(uniform(engine), uniform(engine), uniform(engine));
      if (!is_smooth_near(collider, x, t)) continue;
      const SurfaceSample here = sample_at(collider, x, t);
      const double rate =
          (sample_at(collider, x, t + eps).distance - sample_at(collider, x, t - eps).distance) / (2 * eps);
      EXPECT_NEAR(rate, -here.normal.dot(collider.at(t)->surface_velocity(x, here)), 1e-7);
      largest = std::max(largest, std::abs(rate));
    }
    EXPECT_GT(largest, 0.1);
  }
}

TEST(ColliderShapes, KnownDistances) {
  SurfaceSample s;
  const CapsuleShape sphere = CapsuleShape::sphere(Vec3(1, 0, 0), 2);
  ASSERT_TRUE(sphere.sample(Vec3(1, 5, 0), anywhere, true, s));
  EXPECT_DOUBLE_EQ(s.distance, 3);
  EXPECT_DOUBLE_EQ(s.curvature.trace(), 2.0 / 5);
  const CapsuleShape rod(Vec3(-1, 0, 0), Vec3(1, 0, 0), 0.5);
  ASSERT_TRUE(rod.sample(Vec3(0.3, 0, 2), anywhere, true, s));
  EXPECT_DOUBLE_EQ(s.distance, 1.5);
  EXPECT_DOUBLE_EQ(s.curvature.trace(), 0.5);
  const BoxShape box(Vec3::Zero(), Vec3(1, 2, 3), 0.25);
  ASSERT_TRUE(box.sample(Vec3(0, 0, 4), anywhere, true, s));
  EXPECT_DOUBLE_EQ(s.distance, 1);
  ASSERT_TRUE(box.sample(Vec3(0.9, 0, 0), anywhere, true, s));
  EXPECT_NEAR(s.distance, -0.1, 1e-15);
  EXPECT_DOUBLE_EQ(s.normal.x(), 1);
  ASSERT_TRUE(box.sample(Vec3(2, 3, 0), anywhere, true, s));
  EXPECT_NEAR(s.distance, std::hypot(1.25, 1.25) - 0.25, 1e-15);
  EXPECT_FALSE(box.sample(Vec3(0, 0, 4), 0.5, false, s)) << "out of reach";
}

TEST(ColliderShapes, OutlinesAreClosedSurfacesThatLieOnTheShape) {
  for (const Case& shape : all_shapes()) {
    const Mesh outline = shape.shape->outline();
    if (outline.nodes.empty()) continue;
    SCOPED_TRACE(shape.name);
    SurfaceSample s;
    for (const Vec3& x : outline.nodes) {
      ASSERT_TRUE(shape.shape->sample(x, anywhere, false, s));
      EXPECT_NEAR(s.distance, 0, 1e-12);
    }
    std::vector<std::array<int, 3>> triangles;
    for (int e = 0; e < outline.group(ElementKind::triangle)->size(); ++e) {
      const int* t = outline.group(ElementKind::triangle)->element(e);
      triangles.push_back({t[0], t[1], t[2]});
    }
    EXPECT_GT(enclosed_volume(outline.nodes, triangles), 0) << "outward";
  }
  const std::vector<Case> shapes = all_shapes();
  const Mesh box = shapes[4].shape->outline();
  std::vector<std::array<int, 3>> triangles;
  for (int e = 0; e < box.group(ElementKind::triangle)->size(); ++e) {
    const int* t = box.group(ElementKind::triangle)->element(e);
    triangles.push_back({t[0], t[1], t[2]});
  }
  EXPECT_NEAR(enclosed_volume(box.nodes, triangles), 8 * 0.4 * 0.3 * 0.5, 1e-12);
}

TEST(ColliderShapes, ImpossibleShapesAreRefusedWithAReason) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(PlaneShape(Vec3::Zero(), Vec3::Zero()), Error);
  EXPECT_THROW(PlaneShape(Vec3(nan, 0, 0), Vec3::UnitY()), Error);
  EXPECT_THROW(PlaneShape(Vec3::Zero(), Vec3(nan, 1, 0)), Error);
  EXPECT_THROW(CapsuleShape::sphere(Vec3::Zero(), -1), Error);
  EXPECT_THROW(CapsuleShape(Vec3::Zero(), Vec3(nan, 0, 0), 1), Error);
  EXPECT_THROW(BoxShape(Vec3::Zero(), Vec3(1, -1, 1)), Error);
  EXPECT_THROW(BoxShape(Vec3::Zero(), Vec3(1, 1, 1), 1.5), Error);
  EXPECT_THROW(BoxShape(Vec3::Zero(), Vec3(1, 1, 1), 0.1, 2 * Mat3::Identity()), Error);
}

TEST(ColliderShapes, TheMiddleOfASolidIsPushedSomewhere) {
  SurfaceSample s;
  for (const Case& shape : all_shapes()) {
    ASSERT_TRUE(shape.shape->sample(Vec3(0.1, 0.2, -0.3), anywhere, true, s)) << shape.name;
    EXPECT_NEAR(s.normal.norm(), 1, 1e-12);
    EXPECT_TRUE(s.curvature.allFinite());
  }
}

}  // namespace
}  // namespace dashpot::test_collider_shapes
