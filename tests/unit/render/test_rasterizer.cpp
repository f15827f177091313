#include "dashpot/render/rasterizer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/render/body_skin.hpp"

namespace dashpot::render::test_rasterizer {
namespace {

/// Looks along -z at the plane z = 0 so that one world unit is one pixel and (0, 0, 0) is the picture's lower left.
Camera flat_camera(int width, int height) {
  Camera camera;
  camera.focus = 1000;
  camera.eye = {width / 2.0, height / 2.0, camera.focus};
  camera.tan_half_height = height / 2.0 / camera.focus;
  camera.aspect = static_cast<double>(width) / height;
  return camera;
}

DrawnMesh triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  DrawnMesh mesh;
  mesh.positions = {a, b, c};
  mesh.triangles = {{0, 1, 2}};
  return mesh;
}

DrawSettings plain(int width, int height) {
  DrawSettings settings = DrawSettings::draft(width, height);
  settings.samples = 1;
  return settings;
}

double luminance(const Image& image, int x, int y) {
  const Color c = linear(image.at(x, y));
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

TEST(Rasterizer, ATriangleCoversThePixelsWhoseCentersItContains) {
  Stage stage;
  stage.meshes = {triangle({0, 8, 0}, {0, 0, 0}, {8, 8, 0})};  // upper left half of an 8 x 8 picture
  const std::vector<int> seen = draw_indices(stage, flat_camera(8, 8), plain(8, 8));
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      if (x + y == 7) continue;  // centers on the diagonal: decided by the rule below
      EXPECT_EQ(seen[static_cast<std::size_t>(8 * y + x)], x + y < 7 ? 0 : -1) << x << ", " << y;
    }
}

TEST(Rasterizer, TrianglesThatShareAnEdgeCoverEverySampleExactlyOnce) {
  const auto count = [](const DrawnMesh& mesh) {
    Stage stage;
    stage.meshes = {mesh};
    const std::vector<int> seen = draw_indices(stage, flat_camera(8, 8), plain(8, 8));
    return 64 - std::count(seen.begin(), seen.end(), -1);
  };
  // The common edge runs through pixel centers, the worst case; both orientations of the second triangle.
  const DrawnMesh a = triangle({0, 8, 0}, {0, 0, 0}, {8, 8, 0}), b = triangle({8, 8, 0}, {0, 0, 0}, {8, 0, 0}),
                  c = triangle({0, 0, 0}, {8, 8, 0}, {8, 0, 0});
  EXPECT_EQ(count(a) + count(b), 64);
  EXPECT_EQ(count(b), count(c));
  EXPECT_TRUE(count(a) == 28 || count(a) == 36) << count(a);
}

TEST(Rasterizer, TheNearerTriangleHidesTheFartherInAnyOrder) {
  const DrawnMesh far = triangle({0, 0, 0}, {20, 0, 0}, {0, 20, 0});
  const DrawnMesh near = triangle({0, 0, 1}, {20, 0, 1}, {0, 20, 1});
  for (const bool near_first : {false, true}) {
    Stage stage;
    stage.meshes = near_first ? std::vector{near, far} : std::vector{far, near};
    const std::vector<int> seen = draw_indices(stage, flat_camera(8, 8), plain(8, 8));
    EXPECT_EQ(seen[7 * 8], near_first ? 0 : 1);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), near_first ? 1 : 0), 0);
  }
}

TEST(Rasterizer, InterpenetratingTrianglesMeetWhereTheirPlanesDo) {
  Stage stage;  // one rises to the right, one falls: they cross at x = 8
  stage.meshes = {triangle({0, -40, 0}, {0, 60, 0}, {40, 10, 40}), triangle({16, -40, 0}, {16, 60, 0}, {-24, 10, 40})};
  const std::vector<int> seen = draw_indices(stage, flat_camera(16, 16), plain(16, 16));
  for (int x = 0; x < 16; ++x) EXPECT_EQ(seen[static_cast<std::size_t>(16 * 8 + x)], x < 8 ? 1 : 0) << x;
}

TEST(Rasterizer, TrianglesBehindTheEyeAreCutOff) {
  Stage stage;
  Camera camera;
  camera.eye = {0, 0, 0};
  stage.meshes = {triangle({-1, -1, 5}, {1, -1, 5}, {0, 1, 5})};
  std::vector<int> seen = draw_indices(stage, camera, plain(12, 8));
  EXPECT_EQ(std::count(seen.begin(), seen.end(), -1), 12 * 8);
  stage.meshes = {triangle({-1, -0.1, 50}, {1, -0.1, 50}, {0, -0.1, -100})};  // a floor passing under the eye
  seen = draw_indices(stage, camera, plain(12, 8));
  EXPECT_EQ(seen[6], -1);
  EXPECT_EQ(seen[12 * 7 + 6], 0);
}

TEST(Rasterizer, VerticesThatAreNotNumbersAreLeftOut) {
  Stage stage;
  stage.meshes = {triangle({0, NAN, 0}, {20, 0, 0}, {0, 20, 0}), triangle({0, 0, 0}, {20, 0, 0}, {0, 20, 0})};
  stage.ground = DrawnGround{};
  const std::vector<int> seen = draw_indices(stage, flat_camera(8, 8), plain(8, 8));
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 0);
  EXPECT_GT(std::count(seen.begin(), seen.end(), 1), 0);
  EXPECT_EQ(draw(stage, flat_camera(8, 8), plain(8, 8)).width, 8);
}

/// A ball floating over the ground, the sun straight above.
Stage ball_over_ground() {
  Stage stage;
  const Mesh ball = make_sphere(0.5, 6, ElementKind::tet4, {0, 1.2, 0});
  BodySkin(ball).add_to(stage, ball.nodes, {});
  stage.ground = DrawnGround{0, 0};
  stage.light.elevation = 90;
  return stage;
}

TEST(Rasterizer, ABallUnderTheSunThrowsItsShadowStraightDown) {
  const Stage stage = ball_over_ground();
  Look look;
  look.elevation = 30;
  const Camera camera = frame_points({{-2, 0, -2}, {2, 2, 2}, {-2, 0, 2}, {2, 0, -2}}, look, 1.5);
  const DrawSettings settings = DrawSettings::draft(240, 160);
  const Image image = draw(stage, camera, settings);
  DrawSettings no_shadow = settings;
  no_shadow.sun_directions = no_shadow.sky_directions = 0;
  const Image open = draw(stage, camera, no_shadow);
  const auto share = [&](const Vec3& p) {
    const Vec3 at = camera.project(p, 240, 160);
    const int x = static_cast<int>(at.x()), y = static_cast<int>(at.y());
    return luminance(image, x, y) / luminance(open, x, y);
  };
  EXPECT_LT(share({0, 0, 0}), 0.6);
  EXPECT_GT(share({1.6, 0, 0}), 0.9);
  EXPECT_GT(share({0.35, 0, 0.35}), share({0, 0, 0}) - 0.02);
  EXPECT_NEAR(share({0.45, 0, 0}), share({-0.45, 0, 0}), 0.08);
}

TEST(Rasterizer, APictureHasTheSameBitsOnOneAndTwoThreads) {
  const Stage stage = ball_over_ground();
  const Camera camera = frame_points({{-1, 0, -1}, {1, 2, 1}}, Look{}, 1.5);
  const int threads = num_threads();
  set_num_threads(1);
  const Image one = draw(stage, camera, DrawSettings::draft(150, 100));
  set_num_threads(2);
  const Image two = draw(stage, camera, DrawSettings::draft(150, 100));
  set_num_threads(threads);
  EXPECT_NE(one.at(75, 50), one.at(2, 2));
  EXPECT_EQ(one, two);
}

TEST(Rasterizer, SmoothNormalsFollowTheCreaseAngle) {
  const Mesh box = make_bar({1, 1, 1}, {1, 1, 1});
  const auto face = [&](double crease) {
    Stage stage;
    BodyStyle style;
    style.crease = crease;
    BodySkin(box).add_to(stage, box.nodes, style);
    stage.light.elevation = 20;
    const Camera camera = frame_points(box.nodes, Look{0, 0, 1, 28, Vec3::UnitY()}, 1.0);
    const Image image = draw(stage, camera, DrawSettings::draft(64, 64));
    return std::abs(luminance(image, 10, 32) - luminance(image, 54, 32));
  };
  EXPECT_LT(face(40), 0.02);  // a flat side of a box is evenly lit
  EXPECT_GT(face(180), 0.05);
}

TEST(Rasterizer, SizesThatCannotBeDrawnAreRefusedTogether) {
  DrawSettings settings;
  settings.width = 0;
  settings.samples = 99;
  try {
    draw(Stage{}, Camera{}, settings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 2U);
  }
}

}  // namespace
}  // namespace dashpot::render::test_rasterizer
