#include "dashpot/render/run_painter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/render/contact_sheet.hpp"

namespace dashpot::render::test_run_painter {
namespace {

/// A bar stretched along x by (1 + t) while it moves along y at 2 m/s; power 3 W at every node.
Recording stretched_bar(const Mesh& mesh, int num_frames = 5) {
  Recording recording;
  recording.title = "A bar";
  recording.gravity = {0, -9.81, 0};
  recording.bodies = {{"bar", mesh, 0}};
  for (int f = 0; f < num_frames; ++f) {
    Frame frame;
    frame.time = 0.25 * f;
    for (const Vec3& X : mesh.nodes) {
      frame.points.push_back({X.x() * (1 + frame.time), X.y() + 2 * frame.time, X.z()});
      frame.velocities.push_back({X.x(), 2, 0});
    }
    frame.power.assign(mesh.nodes.size(), 3.0);
    recording.frames.push_back(frame);
  }
  return recording;
}

TEST(Fields, StrainOfAUniformStretchIsGreensAndSpeedIsTheNorm) {
  const Mesh tets = make_bar({1, 0.2, 0.2}, {4, 1, 1}), cloth = make_cloth(1, 0.5, {3, 3}),
             chain = make_chain({0, 0, 0}, {1, 0, 0}, 5);
  const Mesh quadratic = make_bar({1, 0.2, 0.2}, {2, 1, 1}, {CellSplit::mirrored, ElementKind::tet10, Vec3::Zero()});
  for (const Mesh* mesh : {&tets, &quadratic, &cloth, &chain}) {
    const Recording recording = stretched_bar(*mesh);
    const std::vector<double> strain = Field(FieldKind::strain, *mesh).node_values(recording.frames[2], 0);
    for (const double value : strain) EXPECT_NEAR(value, 0.5 * (1.5 * 1.5 - 1), 1e-12);
    const std::vector<double> speed = Field(FieldKind::speed, *mesh).node_values(recording.frames[2], 0);
    for (std::size_t i = 0; i < speed.size(); ++i) EXPECT_NEAR(speed[i], std::hypot(mesh->nodes[i].x(), 2.0), 1e-12);
  }
}

TEST(Fields, StrainOfARotationIsZero) {
  const Mesh bar = make_bar({1, 0.2, 0.2}, {4, 1, 1});
  Frame frame;
  for (const Vec3& X : bar.nodes) frame.points.push_back({-X.y(), X.x(), X.z() + 5});
  for (const double value : Field(FieldKind::strain, bar).node_values(frame, 0)) EXPECT_NEAR(value, 0, 1e-12);
}

TEST(Fields, PowerDensityOfAnEvenBodyIsPowerOverVolume) {
  const Mesh bar = make_bar({1, 0.5, 0.5}, {4, 2, 2});
  Frame frame = stretched_bar(bar).frames[0];
  // Shares in proportion to the nodes' volumes: 8 W in 0.25 m^3.
  const Field field(FieldKind::power, bar);
  std::vector<double> volume(bar.nodes.size(), 0.0);
  const ElementGroup& tets = *bar.tets();
  for (int e = 0; e < tets.size(); ++e)
    for (int k = 0; k < 4; ++k) volume[static_cast<std::size_t>(tets.element(e)[k])] += 0.25 / tets.size() / 4;
  for (std::size_t i = 0; i < volume.size(); ++i) frame.power[i] = 32 * volume[i];
  for (const double value : field.node_values(frame, 0)) EXPECT_NEAR(value, 32, 1e-9);
  EXPECT_EQ(field_unit(FieldKind::power, mesh_dimension(bar)), "W/m³");
}

TEST(RunPainter, BetweenTwoFramesPositionsAreInterpolated) {
  const Recording recording = stretched_bar(make_bar({1, 0.2, 0.2}, {2, 1, 1}));
  const Frame frame = frame_at(recording, 0.375);
  EXPECT_NEAR(frame.points.back().x(), 1.375, 1e-12);
  EXPECT_EQ(frame_at(recording, -1).time, 0);
  EXPECT_EQ(frame_at(recording, 99).time, 1.0);
}

TEST(RunPainter, MotionsWithoutVelocitiesAreInterpolatedToo) {
  Recording recording = stretched_bar(make_bar({1, 0.2, 0.2}, {2, 1, 1}));
  for (Frame& frame : recording.frames) frame.velocities.clear(), frame.power.clear();
  const Frame frame = frame_at(recording, 0.375);
  EXPECT_NEAR(frame.points.back().x(), 1.375, 1e-12);
  EXPECT_TRUE(frame.velocities.empty());
}

/// A bar that falls from 10 m, stops within 0.1 s at t = 1 s, is squeezed by 40 % then, and lies still.
Recording falling_bar(double squeezed = 0.4) {
  const Mesh mesh = make_bar({0.5, 0.5, 0.5}, {1, 1, 1});
  Recording recording = stretched_bar(mesh, 0);
  for (int f = 0; f <= 300; ++f) {
    Frame frame;
    frame.time = 0.01 * f;
    const bool falls = frame.time < 1;
    const double y = falls ? 10 * (1 - frame.time * frame.time) : 0, v = falls ? -20 * frame.time : 0;
    const double squeeze = falls ? 1 : 1 - squeezed * std::exp(-20 * std::abs(frame.time - 1.05));
    for (const Vec3& X : mesh.nodes) {
      frame.points.push_back({X.x(), y + squeeze * X.y(), X.z()});
      frame.velocities.push_back({0, v, 0});
    }
    frame.power.assign(mesh.nodes.size(), 0.0);
    recording.frames.push_back(frame);
  }
  return recording;
}

TEST(TellingMoments, CallASuddenStopAnImpactOnlyWhereSomethingCanTouch) {
  const auto has_impact = [](const std::vector<Moment>& moments) {
    return std::any_of(moments.begin(), moments.end(), [](const Moment& m) { return m.label == "impact"; });
  };
  EXPECT_TRUE(has_impact(key_frames(falling_bar(0), 6, true)));
  EXPECT_FALSE(has_impact(key_frames(falling_bar(0), 6, false)));
}

TEST(TellingMoments, OfADropAreItsStartTheImpactTheLargestSqueezeAndRest) {
  const Recording recording = falling_bar();
  const std::vector<Moment> moments = key_frames(recording, 6, true);
  ASSERT_EQ(moments.size(), 6U);
  EXPECT_EQ(moments.front().label, "start");
  EXPECT_EQ(moments.back().label, "at rest");
  bool squeezed = false;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    if (i > 0) EXPECT_GT(moments[i].time, moments[i - 1].time);
    if (moments[i].label != "largest deformation") continue;
    squeezed = true;
    EXPECT_NEAR(moments[i].time, 1.05, 0.02);
  }
  EXPECT_TRUE(squeezed);
  EXPECT_EQ(key_frames(stretched_bar(make_bar({1, 0.2, 0.2}, {2, 1, 1}), 2), 6, true).size(), 2U);
}

TEST(RunView, ABodyThatFallsTwentySizesIsFollowedAndSeenWhole) {
  const Recording recording = falling_bar();
  EXPECT_TRUE(travels_far(recording));
  EXPECT_FALSE(travels_far(stretched_bar(make_bar({1, 0.2, 0.2}, {2, 1, 1}), 3)));
  const RunView still = frame_runs({{&recording, "bar"}}, {}, false, 1.5);
  const RunView followed = frame_runs({{&recording, "bar"}}, {}, true, 1.5);
  EXPECT_GT(still.size, 5 * followed.size);
  for (const Frame& frame : recording.frames) {
    const Camera camera = followed.camera_at(recording, frame);
    for (const Vec3& x : frame.points) {
      const Vec3 seen = camera.project(x, 300, 200);
      EXPECT_TRUE(seen.x() > 0 && seen.x() < 300 && seen.y() > 0 && seen.y() < 200) << frame.time;
    }
  }
}

TEST(RunPainter, TheCameraSeesAllFramesAndTheBodyMovesThroughThePicture) {
  const Recording recording = stretched_bar(make_bar({1, 0.2, 0.2}, {2, 1, 1}));
  const RunPainter painter({{&recording, "bar"}}, {}, 1.5);
  const DrawSettings settings = DrawSettings::draft(150, 100);
  const Image start = painter.draw(0, 0, settings), end = painter.draw(0, 1, settings);
  EXPECT_FALSE(start == end);
  // Nothing colored touches the rim of the picture in any frame: terracotta is far redder than ground and backdrop.
  for (const Image* image : {&start, &end})
    for (int x = 0; x < 150; ++x)
      for (const int y : {0, 99}) EXPECT_LT(image->at(x, y)[0] - image->at(x, y)[2], 40) << x << ", " << y;
  const auto mean_row = [](const Image& image) {
    double sum = 0, n = 0;
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 150; ++x)
        if (image.at(x, y)[0] - image.at(x, y)[2] > 60) {
          sum += y;
          n += 1;
        }
    EXPECT_GT(n, 50);
    return sum / n;
  };
  EXPECT_GT(mean_row(start), mean_row(end) + 30);
  RunPictureSettings following;
  following.follow = true;
  const RunPainter follower({{&recording, "bar"}}, following, 1.5);
  EXPECT_NEAR(mean_row(follower.draw(0, 0, settings)), mean_row(follower.draw(0, 1, settings)), 6);
}

TEST(RunPainter, ARunawayFrameDoesNotPushTheCameraAway) {
  Recording recording = stretched_bar(make_bar({1, 0.2, 0.2}, {2, 1, 1}));
  const RunPainter calm({{&recording, "bar"}}, {}, 1.5);
  recording.frames.push_back(recording.frames.back());
  recording.frames.back().time = 2;
  recording.frames.back().points[3] = {1e9, 0, 0};
  const RunPainter wild({{&recording, "bar"}}, {}, 1.5);
  const DrawSettings settings = DrawSettings::draft(90, 60);
  EXPECT_EQ(calm.draw(0, 0.5, settings), wild.draw(0, 0.5, settings));
  recording.frames.back().points[3] = {NAN, 0, 0};
  EXPECT_EQ(RunPainter({{&recording, "bar"}}, {}, 1.5).draw(0, 2, settings).width, 90);
}

TEST(RunPainter, RunsSideBySideShareOneScaleAndOneCamera) {
  const Mesh mesh = make_bar({1, 0.2, 0.2}, {2, 1, 1});
  const Recording a = stretched_bar(mesh);
  Recording b = a;
  for (Frame& frame : b.frames)
    for (std::size_t i = 0; i < frame.points.size(); ++i) {
      frame.velocities[i] *= 5;
      if (frame.time == 0.5) frame.points[i].x() += 0.3;
    }
  RunPictureSettings settings;
  settings.color = FieldKind::speed;
  const RunPainter painter({{&a, "slow"}, {&b, "fast"}}, settings, 1.5);
  ASSERT_TRUE(painter.scale());
  EXPECT_GE(painter.scale()->high, 5 * std::hypot(1.0, 2.0) - 1e-9);
  const Image sheet = painter.side_by_side({0, 0.5, 1}, "Two bars", DrawSettings::draft(120, 80));
  EXPECT_GT(sheet.width, 2 * 120);
  EXPECT_GT(sheet.height, 3 * 80);
  EXPECT_EQ(most_different_time({{&a, "slow"}, {&b, "fast"}}), 0.5);
  EXPECT_EQ(painter.draw(0, 0, DrawSettings::draft(60, 40)), painter.draw(0, 0, DrawSettings::draft(60, 40)));
}

TEST(RunPainter, ACarriedSurfaceIsDrawnAndReported) {
  const Mesh coarse = make_bar({1, 0.2, 0.2}, {2, 1, 1}),
             fine = make_sphere(0.15, 4, ElementKind::tet4, {0.5, 0.1, 0.1});
  Mesh skin;
  const Surface surface = boundary_surface(fine);
  skin.nodes = fine.nodes;
  for (const auto& t : surface.triangles) {
    auto& nodes = skin.group_or_new(ElementKind::triangle).nodes;
    nodes.insert(nodes.end(), t.begin(), t.end());
  }
  const Recording recording = stretched_bar(coarse);
  RunPictureSettings settings;
  settings.surfaces = {{"", skin}};
  const RunPainter painter({{&recording, "bar"}}, settings, 1.5);
  ASSERT_EQ(painter.carried().size(), 1U);
  EXPECT_GT(painter.carried()[0].num_outside, 0);
  EXPECT_NEAR(painter.carried()[0].largest_distance, 0.05, 0.01);
  EXPECT_FALSE(painter.draw(0, 0, DrawSettings::draft(90, 60)) ==
               RunPainter({{&recording, "bar"}}, {}, 1.5).draw(0, 0, DrawSettings::draft(90, 60)));
  settings.surfaces = {{"tail", skin}};
  EXPECT_THROW(RunPainter({{&recording, "bar"}}, settings, 1.5), Error);
}

TEST(RunPainter, PointsAndSpringsAreSeen) {
  for (const Mesh& mesh : {make_points({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}), make_chain({0, 0, 0}, {1, 0, 0}, 6)}) {
    const Recording recording = stretched_bar(mesh);
    const Image image = RunPainter({{&recording, "dots"}}, {}, 1.5).draw(0, 0, DrawSettings::draft(300, 200));
    int colored = 0;
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 300; ++x) colored += image.at(x, y)[0] - image.at(x, y)[2] > 50 ? 1 : 0;
    EXPECT_GT(colored, 60);
  }
}

TEST(RunPainter, RunsWithoutFramesAndSheetsWithoutPicturesAreRefused) {
  Recording recording = stretched_bar(make_bar({1, 0.2, 0.2}, {2, 1, 1}));
  recording.frames.clear();
  EXPECT_THROW(RunPainter({{&recording, "empty"}}, {}, 1.5), Error);
  EXPECT_THROW(RunPainter({}, {}, 1.5), Error);
  EXPECT_THROW(contact_sheet({}, {}), Error);
  EXPECT_THROW(contact_sheet({{Image(4, 4), ""}, {Image(5, 4), ""}}, {}), Error);
}

}  // namespace
}  // namespace dashpot::render::test_run_painter
