// Morph targets: the stated error is the true one, and it is the smallest possible.
#include "dashpot/exporter/morph_targets.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "small_recordings.hpp"

namespace dashpot::exporter::test_morph_targets {
namespace {

using namespace dashpot::testing;
using Frames = std::vector<std::vector<Vec3>>;

Frames frames_of(const Motion& motion, int count, double step) {
  Frames frames;
  for (const Frame& frame : recording_of({{"bar", small_bar()}}, motion, count, step).frames)
    frames.push_back(frame.points);
  return frames;
}

Matrix deviations(const Frames& frames) {
  Matrix D(static_cast<Eigen::Index>(3 * frames[0].size()), static_cast<Eigen::Index>(frames.size()));
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t p = 0; p < frames[0].size(); ++p)
      D.col(static_cast<Eigen::Index>(f)).segment<3>(static_cast<Eigen::Index>(3 * p)) = frames[f][p];
  return D.colwise() - D.rowwise().mean();
}

/// Distances measured here, from nothing but what rebuilt() shows.
MorphError measured(const MorphTargets& morphs, const Frames& frames) {
  MorphError error;
  double sum = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::vector<Vec3> shape = morphs.rebuilt(f);
    for (std::size_t p = 0; p < shape.size(); ++p) {
      sum += (shape[p] - frames[f][p]).squaredNorm();
      error.max = std::max(error.max, (shape[p] - frames[f][p]).norm());
    }
  }
  error.rms = std::sqrt(sum / static_cast<double>(frames.size() * frames[0].size()));
  error.relative = error.max / Vec3(1, 0.2, 0.2).norm();
  return error;
}

Vec3 three_waves(const Vec3& x, double t) {
  return x + Vec3(0, 0.1 * x.x() * std::sin(3 * t), 0.05 * x.x() * x.x() * std::sin(7 * t + 1)) +
         Vec3(0, 0.02 * std::sin(6 * x.x()) * std::sin(17 * t), 0);
}

TEST(MorphTargets, OneTargetRebuildsAMotionOfOneShape) {
  const Frames frames = frames_of(bending, 20, 0.05);
  const MorphTargets morphs = fit_morph_targets(frames, {16, 1e-4});
  ASSERT_EQ(morphs.targets.size(), 1u);
  EXPECT_TRUE(morphs.poses.empty());
  ASSERT_GT(deviations(frames).norm(), 0.1);
  EXPECT_LT(morphs.error.relative, 1e-6);
  EXPECT_LT(morphs.error.max, 1e-7);
}

TEST(MorphTargets, TheStatedErrorIsTheMeasuredOne) {
  const Frames frames = frames_of(three_waves, 30, 0.03);
  const MorphTargets morphs = fit_morph_targets(frames, {2, 0, true, Vec3(1, 0.2, 0.2).norm()});
  const MorphError truth = measured(morphs, frames);
  ASSERT_EQ(morphs.targets.size(), 2u);
  ASSERT_GT(truth.rms, 1e-4);
  EXPECT_NEAR(morphs.error.relative, truth.relative, 1e-12);
  EXPECT_NEAR(morphs.error.rms, truth.rms, 1e-12);
  EXPECT_NEAR(morphs.error.max, truth.max, 1e-12);
}

TEST(MorphTargets, NoOtherShapesAreBetterThanTheLeadingSingularVectors) {
  const Frames frames = frames_of(three_waves, 30, 0.03);
  const Eigen::JacobiSVD<Matrix> svd(deviations(frames));
  const Vector s2 = svd.singularValues().cwiseAbs2();
  for (int k = 0; k < 3; ++k) {
    const MorphTargets morphs = fit_morph_targets(frames, {k, 0, false});
    const double count = static_cast<double>(frames.size() * frames[0].size());
    EXPECT_NEAR(morphs.error.rms, std::sqrt(s2.tail(s2.size() - k).sum() / count), 1e-7) << k;
  }
  // Taking the rigid motion out may do better still, never worse.
  EXPECT_LE(fit_morph_targets(frames, {1, 0}).error.rms, fit_morph_targets(frames, {1, 0, false}).error.rms);
}

TEST(MorphTargets, AreAsManyAsTheErrorAskedForNeeds) {
  const Frames frames = frames_of(three_waves, 30, 0.03);
  for (const double wanted : {0.05, 0.02, 0.005, 1e-3}) {
    const MorphTargets morphs = fit_morph_targets(frames, {16, wanted, false});
    EXPECT_LE(morphs.error.relative, wanted);
    ASSERT_GE(morphs.targets.size(), 1u);
    const MorphTargets fewer = fit_morph_targets(frames, {static_cast<int>(morphs.targets.size()) - 1, wanted, false});
    EXPECT_GT(fewer.error.relative, wanted);
  }
  EXPECT_EQ(fit_morph_targets(frames, {16, 0, false}).targets.size(), 3u);  // the rank of the motion
}

TEST(MorphTargets, WeightsReachOneAndNoMore) {
  const MorphTargets morphs = fit_morph_targets(frames_of(three_waves, 30, 0.03), {3, 0});
  ASSERT_EQ(morphs.weights.cols(), 3);
  for (Eigen::Index k = 0; k < 3; ++k) EXPECT_EQ(morphs.weights.col(k).cwiseAbs().maxCoeff(), 1.0F);
}

TEST(MorphTargets, ATumblingBodyMovesByItsNodeAndBreathesByOneTarget) {
  const Frames frames = frames_of(tumbling, 40, 0.025);
  const MorphTargets morphs = fit_morph_targets(frames, {16, 1e-5});
  ASSERT_EQ(morphs.poses.size(), 40u);
  EXPECT_EQ(morphs.targets.size(), 1u);
  EXPECT_LT(morphs.error.relative, 1e-6);
  EXPECT_NEAR(morphs.error.rms, measured(morphs, frames).rms, 1e-12);
  for (std::size_t f = 1; f < 40; ++f) EXPECT_GT(morphs.poses[f].rotation.dot(morphs.poses[f - 1].rotation), 0.9F);
}

TEST(MorphTargets, ADeepFallDoesNotHideASmallDeformation) {
  const auto falling = [](const Vec3& x, double t) { return Vec3(three_waves(x, t) + Vec3(0, -50 * t * t, 0)); };
  const Frames frames = frames_of(falling, 30, 0.03);
  const double size = Vec3(1, 0.2, 0.2).norm();
  const MorphTargets one = fit_morph_targets(frames, {1, 0, true, size}), fitted = fit_morph_targets(frames, {});
  ASSERT_LT(one.error.rms * std::sqrt(30.0 * static_cast<double>(frames[0].size())) / deviations(frames).norm(), 0.01)
      << "relative to the motion, one target would be enough";
  EXPECT_GT(one.error.relative, 0.01) << "relative to the body it is not";
  EXPECT_LT(fitted.error.relative, 0.001);
  EXPECT_GE(fitted.targets.size(), 3u);
  EXPECT_NEAR(one.error.max, measured(one, frames).max, 1e-12);
  EXPECT_NEAR(one.error.relative, one.error.max / size, 1e-12);
}

TEST(MorphTargets, PointsOnALineAreNotTurned) {
  Frames frames;
  for (int f = 0; f < 10; ++f) {
    const double angle = 0.3 * f;
    frames.push_back({});
    for (int p = 0; p < 5; ++p) frames.back().emplace_back(p * std::cos(angle), p * std::sin(angle), 0);
  }
  const MorphTargets morphs = fit_morph_targets(frames, {16, 1e-6});
  EXPECT_TRUE(morphs.poses.empty());
  EXPECT_EQ(morphs.targets.size(), 2u);
}

TEST(MorphTargets, ABodyAtRestNeedsNoTargetAndHasNoError) {
  const auto still = [](const Vec3& x, double) { return x; };
  for (const int count : {1, 6}) {
    const MorphTargets morphs = fit_morph_targets(frames_of(still, count, 0.1), {16, 0});
    EXPECT_TRUE(morphs.targets.empty());
    EXPECT_LT(morphs.error.relative, 1e-7);
    EXPECT_LT(morphs.error.max, 1e-7);
  }
}

TEST(MorphTargets, OnePointIsEnough) {
  Frames frames;
  for (int f = 0; f < 5; ++f) frames.push_back({Vec3(f, 0, 0)});
  EXPECT_EQ(fit_morph_targets(frames, {16, 0}).targets.size(), 1u);
}

TEST(MorphTargets, TheWorkCanBeGivenUp) {
  struct Enough {};
  EXPECT_THROW(fit_morph_targets(frames_of(bending, 5, 0.1), {2, 0}, [] { throw Enough(); }), Enough);
}

}  // namespace
}  // namespace dashpot::exporter::test_morph_targets
