#include "dashpot/render/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dashpot::render::test_camera {
namespace {

std::vector<Vec3> cloud(int count, const Vec3& size) {
  std::vector<Vec3> points;
  unsigned seed = 1;
  const auto next = [&] {
    seed = seed * 1664525U + 1013904223U;
    return seed / 4294967296.0 - 0.5;
  };
  for (int i = 0; i < count; ++i) points.push_back({size.x() * next(), size.y() * next(), size.z() * next()});
  return points;
}

TEST(Camera, SeesAllPointsFromEveryDirectionAndTouchesTheMargin) {
  const std::vector<Vec3> points = cloud(500, {3, 0.5, 1});
  for (const double azimuth : {-120.0, 0.0, 35.0, 90.0})
    for (const double elevation : {-30.0, 0.0, 18.0, 89.0})
      for (const double aspect : {0.5, 1.0, 2.5}) {
        Look look;
        look.azimuth = azimuth;
        look.elevation = elevation;
        const Camera camera = frame_points(points, look, aspect, 0.1);
        double reach = 0;
        for (const Vec3& p : points) {
          const Vec3 at = camera.project(p, 100 * aspect, 100);
          ASSERT_GT(at.z(), 0);
          reach = std::max({reach, std::abs(at.x() - 50 * aspect) / (50 * aspect), std::abs(at.y() - 50) / 50});
        }
        EXPECT_NEAR(reach, 0.9, 1e-9) << azimuth << " " << elevation << " " << aspect;
      }
}

TEST(Camera, RaysLeadBackToThePointsTheyCameFrom) {
  const Camera camera = frame_points(cloud(20, {1, 1, 1}), Look{}, 1.5);
  for (const Vec3& p : cloud(20, {1, 1, 1})) {
    const Vec3 at = camera.project(p, 300, 200);
    const Vec3 ray = camera.ray(at.x(), at.y(), 300, 200);
    EXPECT_LT((ray - (p - camera.eye).normalized()).norm(), 1e-12);
  }
}

TEST(Camera, FromTheDefaultSideXPointsRightAndUpPointsUp) {
  for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1)}) {
    Look look;
    look.azimuth = 0;
    look.elevation = 20;
    look.up = up;
    const Camera camera = frame_points({{-1, -1, -1}, {1, 1, 1}}, look, 1);
    EXPECT_GT(camera.right.x(), 0.99);
    EXPECT_GT(camera.up.dot(up), 0.9);
    EXPECT_LT(camera.forward.dot(up), -0.3);
  }
}

TEST(Camera, ZoomComesCloserAndNothingOrOnePointStillGivesAView) {
  Look close;
  close.zoom = 2;
  const std::vector<Vec3> box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_NEAR(frame_points(box, close, 1).focus, frame_points(box, Look{}, 1).focus / 2, 1e-12);
  EXPECT_GT(frame_points({}, Look{}, 1).focus, 0.1);
  EXPECT_GT(frame_points({{5, 5, 5}}, Look{}, 1).focus, 0.1);
  EXPECT_TRUE(frame_points({{NAN, 0, 0}, {0, 1, 0}}, Look{}, 1).eye.allFinite());
}

}  // namespace
}  // namespace dashpot::render::test_camera
