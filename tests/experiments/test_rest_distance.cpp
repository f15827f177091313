#include "rest_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Geometry>

namespace dashpot::cli::test_rest_distance {
namespace {

/// A box of corners, after other points.
struct Box {
  RecordedBody body;
  Frame frame;

  Box() {
    body.first_point = 2;
    for (int i = 0; i < 8; ++i)
      body.mesh.nodes.push_back(Vec3(3 * (i & 1), 2 * (i >> 1 & 1), i >> 2 & 1) + Vec3(5, -7, 1));
    place([](const Vec3& x) { return x; });
  }
  template <class Map>
  void place(Map map) {
    frame.points.assign(2, Vec3(100, 100, 100));
    for (const Vec3& x : body.mesh.nodes) frame.points.push_back(map(x));
  }
  double distance() const { return distance_from_rest(body, frame); }
};

TEST(RestDistance, OfABodyThatHasOnlyMovedAndTurnedIsNothing) {
  Box box;
  EXPECT_LT(box.distance(), 1e-12);
  for (const double angle : {0.3, 2.0, 3.1}) {
    const Eigen::AngleAxisd turn(angle, Vec3(1, -2, 0.5).normalized());
    box.place([&](const Vec3& x) -> Vec3 { return turn * x + Vec3(3, 10, -2); });
    EXPECT_LT(box.distance(), 1e-12) << angle;
  }
}

TEST(RestDistance, OfAStretchedBodyIsThatOfItsNodesHoweverItIsTurned) {
  Box box;
  const Eigen::AngleAxisd turn(1.2, Vec3(0.2, 1, 0.5).normalized());
  box.place([&](const Vec3& x) -> Vec3 { return turn * Vec3(1.1 * x.x(), x.y(), x.z()) + Vec3(1, 2, 3); });
  EXPECT_NEAR(box.distance(), 0.1 * 1.5, 1e-12);  // every node is 1.5 m from the middle along x
}

TEST(RestDistance, OfAMirroredBodyIsNotNothing) {
  Box box;
  box.place([](const Vec3& x) -> Vec3 { return {x.x(), x.y(), -x.z()}; });
  EXPECT_NEAR(box.distance(), 1, 1e-12);  // its thin side: 0.5 m to the other side at every node
}

TEST(RestDistance, OverTimeIsInMillimeters) {
  Box box;
  Recording recording;
  recording.bodies = {{}, box.body};
  box.frame.time = 0.5;
  recording.frames.push_back(box.frame);
  box.place([](const Vec3& x) -> Vec3 { return {x.x(), x.y(), 1.5 * x.z()}; });
  box.frame.time = 0.75;
  recording.frames.push_back(box.frame);
  const render::Series series = rest_distance_series("box", recording, 1);
  ASSERT_EQ(series.y.size(), 2u);
  EXPECT_EQ(series.x[1], 0.75);
  EXPECT_LT(series.y[0], 1e-9);
  EXPECT_NEAR(series.y[1], 250, 1e-9);
}

}  // namespace
}  // namespace dashpot::cli::test_rest_distance
