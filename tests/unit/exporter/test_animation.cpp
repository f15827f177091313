// Which instants are exported, and what is there between two recorded frames.
#include "dashpot/exporter/animation.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/exporter/skin.hpp"
#include "dashpot/mesh/surface.hpp"
#include "small_recordings.hpp"

namespace dashpot::exporter::test_animation {
namespace {

using namespace dashpot::testing;

Vec3 cubic(const Vec3& x, double t) { return x + Vec3(t * t * t, 2 * t * t - t, 0.5 - t * t * t); }

TEST(Animation, AMotionOfThirdOrderInTimeIsMetExactlyBetweenFrames) {
  Recording recording = recording_of({{"dust", make_points({Vec3(1, 2, 3)})}}, cubic, 4, 0.5);
  for (Frame& frame : recording.frames) {
    const double t = frame.time;
    frame.velocities[0] = Vec3(3 * t * t, 4 * t - 1, -3 * t * t);
  }
  const Animation animation(recording, {10});
  ASSERT_EQ(animation.times().size(), 16u);
  for (std::size_t f = 0; f < 16; ++f) {
    const double t = animation.times()[f];
    const Shape shape = animation.shape(animation.actors()[0], f);
    EXPECT_NEAR((shape.points[0] - cubic(Vec3(1, 2, 3), t)).norm(), 0, 1e-13) << t;
    EXPECT_NEAR((shape.velocities[0] - Vec3(3 * t * t, 4 * t - 1, -3 * t * t)).norm(), 0, 1e-12) << t;
    EXPECT_NEAR(shape.power[0], 1 + t, 1e-12);
  }
}

TEST(Animation, TheErrorBetweenFramesFallsWithTheFourthPowerOfTheirSpacing) {
  const auto error = [](double step) {
    const Animation animation(recording_of({{"bar", small_bar()}}, bending, static_cast<int>(1 / step) + 1, step),
                              {97});
    double worst = 0;
    for (std::size_t f = 0; f < animation.times().size(); ++f) {
      const Shape shape = animation.shape(animation.actors()[0], f);
      for (std::size_t p = 0; p < shape.points.size(); ++p)
        worst = std::max(worst,
                         (shape.points[p] - bending(animation.actors()[0].mesh.nodes[p], animation.times()[f])).norm());
    }
    return worst;
  };
  const double coarse = error(0.1), fine = error(0.05);
  ASSERT_GT(fine, 1e-8);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
}

TEST(Animation, RecordedFramesComeOutBitForBit) {
  const Recording recording = crowd(tumbling, 5, 0.1);
  Sampling sampling;
  sampling.as_recorded = true;
  const Animation animation(recording, sampling);
  ASSERT_EQ(animation.times().size(), 5u);
  for (const Actor& actor : animation.actors())
    for (std::size_t f = 0; f < 5; ++f) {
      const Shape shape = animation.shape(actor, f);
      for (std::size_t p = 0; p < shape.points.size(); ++p)
        EXPECT_EQ(shape.points[p], recording.frames[f].points[static_cast<std::size_t>(actor.first_point) + p]);
    }
}

TEST(Animation, TheLastInstantIsExportedAndNothingBehindIt) {
  const Recording recording = recording_of({{"bar", small_bar()}}, bending, 11, 0.1);
  EXPECT_EQ(Animation(recording, {24}).times().size(), 25u);
  EXPECT_EQ(Animation(recording, {3}).times().back(), 1);
  EXPECT_NEAR(Animation(recording, {0.7}).times().back(), 0, 1e-15);
  Sampling one;
  one.time = 0.25;
  ASSERT_EQ(Animation(recording, one).times().size(), 1u);
}

TEST(Animation, OneFrameIsAnAnimation) {
  const Animation animation(recording_of({{"bar", small_bar()}}, bending, 1, 0.1), {24});
  EXPECT_EQ(animation.times().size(), 1u);
  EXPECT_EQ(animation.shape(animation.actors()[0], 0).points.size(), animation.actors()[0].mesh.nodes.size());
}

TEST(Animation, RecordingsAndRatesThatCannotBeShownAreRefused) {
  const Recording good = recording_of({{"bar", small_bar()}}, bending, 3, 0.1);
  const auto refused = [](Recording recording, Sampling sampling = {}) {
    EXPECT_THROW(Animation(std::move(recording), sampling), Error);
  };
  refused({});
  Recording bodiless = good;
  bodiless.bodies.clear();
  refused(bodiless);
  Recording backwards = good;
  backwards.frames[2].time = 0.05;
  refused(backwards);
  Recording broken = good;
  broken.frames[1].points[3].y() = std::nan("");
  refused(broken);
  Recording uneven = good;
  uneven.frames[1].velocities.pop_back();
  refused(uneven);
  Recording beyond = good;
  beyond.bodies[0].first_point = 1;
  refused(beyond);
  refused(good, {0});
  refused(good, {std::nan("")});
  refused(good, {1e9});
  Sampling late;
  late.time = 0.3;
  refused(good, late);
}

TEST(Animation, AnUnknownBodyIsAnsweredWithTheNearestName) {
  Animation animation(crowd(tumbling, 2, 0.1), {24});
  try {
    animation.select({"bra", "dust"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean 'bar'"), std::string::npos) << error.what();
  }
  animation.select({"floor", "bar"});
  ASSERT_EQ(animation.actors().size(), 2u);
  EXPECT_TRUE(animation.actors()[1].is_scenery);
}

TEST(Animation, BodiesOfOneNameBecomeDistinguishable) {
  const Animation animation(recording_of({{"bar", small_bar()}, {"bar", small_bar()}}, bending, 2, 0.1), {24});
  EXPECT_EQ(animation.actors()[1].name, "bar 2");
}

TEST(Animation, ASurfaceInsideABodyIsCarriedByItsTets) {
  const auto affine = [](const Vec3& x, double t) { return Vec3(x.x() + t, x.y() + t * x.x(), x.z() * (1 + t)); };
  Recording recording = recording_of({{"bar", small_bar()}}, affine, 3, 0.5);
  Animation animation(recording, {10});
  Mesh surface;
  surface.nodes = {
      {0.11, 0.05, 0.07}, {0.73, 0.11, 0.03}, {0.37, 0.17, 0.13}, {0.9, 0.25, 0.1}};  // the last is outside
  surface.group_or_new(ElementKind::triangle).nodes = {0, 1, 2, 1, 3, 2};
  EXPECT_EQ(animation.carry_surface(surface).num_outside, 1);
  for (std::size_t f = 0; f < animation.times().size(); ++f) {
    const Shape shape = animation.shape(animation.actors()[0], f);
    ASSERT_EQ(shape.points.size(), 4u);
    for (std::size_t p = 0; p < 4; ++p)
      EXPECT_LT((shape.points[p] - affine(surface.nodes[p], animation.times()[f])).norm(), 1e-9);
    EXPECT_NEAR(shape.velocities[0].x(), 1, 1e-6);
  }
  Animation chain(recording_of({{"rope", make_chain(Vec3(0, 0, 0), Vec3(1, 0, 0), 3)}}, bending, 2, 0.1), {24});
  EXPECT_THROW(chain.carry_surface(surface), Error);
  Animation two(recording_of({{"a", small_bar()}, {"b", small_bar()}}, bending, 2, 0.1), {24});
  EXPECT_THROW(two.carry_surface(surface), Error);
}

TEST(Skin, OfATetBarIsItsClosedBoundaryWithoutInnerNodes) {
  const Mesh bar = small_bar();
  const Skin skin = skin_of(bar);
  EXPECT_EQ(bar.num_nodes(), 54);
  EXPECT_EQ(skin.nodes.size(), 50u);  // 4 nodes lie inside
  EXPECT_TRUE(boundary_edges(skin.triangles).empty());
  EXPECT_NEAR(enclosed_volume(skin.of(bar.nodes), skin.triangles), 0.04, 1e-15);
  EXPECT_EQ(skin_of(bar, true).nodes.size(), 54u);
}

TEST(Skin, OfEdgesAndPointsIsThemselves) {
  Mesh chain = make_chain(Vec3(0, 1, 0), Vec3(1, 1, 0), 3);
  chain.nodes.emplace_back(7, 7, 7);  // used by nothing
  const Skin skin = skin_of(chain);
  EXPECT_EQ(skin.nodes.size(), 4u);
  EXPECT_EQ(skin.edges.size(), 3u);
  EXPECT_EQ(skin.mesh(skin.of(chain.nodes)).group(ElementKind::edge)->size(), 3);
}

}  // namespace
}  // namespace dashpot::exporter::test_animation
