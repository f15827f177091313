// Frames of captures: a known rotation and translation is found, and what does not fit is explained.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "dashpot/learn/rigid_alignment.hpp"
#include "support/observation_laws.hpp"

namespace dashpot::test_rigid_alignment {
namespace {

using learn::AlignmentKind;
using learn::AlignmentPair;
using learn::RigidAlignment;

RigidAlignment some_alignment() {
  return {Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix(), Vec3(3, -1, 2)};
}

/// Points of a body 0.3 m large, and where a capture in another frame has them.
std::vector<AlignmentPair> pairs(const RigidAlignment& truth, int count = 5) {
  testing::Noise noise(5);
  std::vector<AlignmentPair> list;
  for (int i = 0; i < count; ++i) {
    const Vec3 x = 0.1 * noise.vector();
    list.push_back({std::string(1, static_cast<char>('A' + i)), x, truth(x)});
  }
  return list;
}

std::string refusal(const std::vector<AlignmentPair>& list, AlignmentKind kind = AlignmentKind::rigid) {
  try {
    fit_alignment(list, kind, {}, "capture");
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

std::string explanation(const std::vector<AlignmentPair>& list, AlignmentKind kind = AlignmentKind::rigid,
                        const RigidAlignment& given = {}) {
  const auto problem = explain_misfit(list, fit_alignment(list, kind, given, "c"), kind, 0.01, "c");
  return problem ? problem->text() : "it fits";
}

TEST(RigidAlignment, AKnownRotationAndTranslationIsFound) {
  const RigidAlignment truth = some_alignment();
  for (const int count : {3, 4, 20}) {
    const learn::AlignmentFit fit = fit_alignment(pairs(truth, count), AlignmentKind::rigid, {}, "");
    EXPECT_LT((fit.alignment.rotation - truth.rotation).norm(), 1e-9) << count;
    EXPECT_LT((fit.alignment.translation - truth.translation).norm(), 1e-9) << count;
    EXPECT_LT(fit.misfit, 1e-12);
  }
  RigidAlignment shift;
  shift.translation = Vec3(1, 2, 3);
  const learn::AlignmentFit one = fit_alignment(pairs(shift, 1), AlignmentKind::translation, {}, "");
  EXPECT_LT((one.alignment.translation - Vec3(1, 2, 3)).norm(), 1e-12);
  // Markers of a plane: the reflection that would fit as well is not taken.
  std::vector<AlignmentPair> flat = pairs(truth);
  for (AlignmentPair& pair : flat) pair.measured.z() = 0, pair.scene = truth(pair.measured);
  const Mat3 rotation = fit_alignment(flat, AlignmentKind::rigid, {}, "").alignment.rotation;
  EXPECT_LT((rotation - truth.rotation).norm(), 1e-9);
}

TEST(RigidAlignment, NoiseGoesIntoTheMisfit) {
  testing::Noise noise(9);
  std::vector<AlignmentPair> list = pairs(some_alignment(), 200);
  for (AlignmentPair& pair : list) pair.measured += 1e-3 * noise.vector();
  const learn::AlignmentFit fit = fit_alignment(list, AlignmentKind::rigid, {}, "");
  EXPECT_NEAR(fit.misfit, std::sqrt(3.0) * 1e-3, 1e-4);
  EXPECT_LT((fit.alignment.rotation - some_alignment().rotation).norm(), 5e-3);
}

TEST(RigidAlignment, TooFewMarkersAndMarkersOnOneLineAreRefused) {
  EXPECT_NE(refusal({}).find("no point known"), std::string::npos);
  const std::string two = refusal(pairs(some_alignment(), 2));
  EXPECT_NE(two.find("2 points known both in the capture and in the scene: A, B"), std::string::npos) << two;
  EXPECT_NE(two.find("at least 3"), std::string::npos) << two;
  EXPECT_NE(refusal({}, AlignmentKind::translation).find("at least 1"), std::string::npos);
  std::vector<AlignmentPair> line = pairs(some_alignment());
  for (AlignmentPair& pair : line) {
    pair.measured = Vec3(1, 2, 3) * pair.measured.x();
    pair.scene = some_alignment()(pair.measured);
  }
  EXPECT_NE(refusal(line).find("one line"), std::string::npos) << refusal(line);
}

TEST(RigidAlignment, WrongUnitsAreNamed) {
  std::vector<AlignmentPair> list = pairs(some_alignment());
  EXPECT_EQ(explanation(list), "it fits");
  EXPECT_EQ(learn::fitting_unit(list), "m");
  for (AlignmentPair& pair : list) pair.measured *= 1000;
  EXPECT_EQ(learn::fitting_unit(list), "mm");
  EXPECT_NE(explanation(list).find("\"unit\": \"mm\""), std::string::npos) << explanation(list);
  // A file that says mm, but holds meters.
  for (AlignmentPair& pair : list) pair.measured *= 1e-6;
  EXPECT_EQ(learn::fitting_unit(list, 1e-3), "m");
  const auto problem =
      explain_misfit(list, fit_alignment(list, AlignmentKind::rigid, {}, "c"), AlignmentKind::rigid, 0.01, "c", 1e-3);
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->text().find("\"unit\": \"m\""), std::string::npos) << problem->text();
}

TEST(RigidAlignment, SwappedAxesAreNamed) {
  RigidAlignment small{Eigen::AngleAxisd(0.1, Vec3(1, 1, 0).normalized()).toRotationMatrix(), Vec3(3, -1, 2)};
  std::vector<AlignmentPair> list = pairs(small);
  for (AlignmentPair& pair : list) std::swap(pair.measured.y(), pair.measured.z());
  const std::string swapped = explanation(list);
  EXPECT_NE(swapped.find("left-handed"), std::string::npos) << swapped;
  EXPECT_NE(swapped.find("(x, z, y)"), std::string::npos) << swapped;
  // Three axes in turn are a rotation: found by itself, and named where it is not looked for.
  list = pairs(RigidAlignment{});
  for (AlignmentPair& pair : list) pair.measured = Vec3(pair.measured.z(), pair.measured.x(), pair.measured.y());
  EXPECT_EQ(explanation(list), "it fits");
  const std::string turned = explanation(list, AlignmentKind::given);
  EXPECT_NE(turned.find("(y, z, x)"), std::string::npos) << turned;
  for (AlignmentPair& pair : list) pair.measured = pair.scene.cwiseProduct(Vec3(1, 1, -1));
  const std::string mirrored = explanation(list, AlignmentKind::translation);
  EXPECT_NE(mirrored.find("(x, y, -z)"), std::string::npos) << mirrored;
}

TEST(RigidAlignment, InterchangedNamesAreNamed) {
  std::vector<AlignmentPair> list = pairs(some_alignment());
  std::swap(list[1].measured, list[3].measured);
  const std::string text = explanation(list);
  EXPECT_NE(text.find("'B' and 'D' exchanged"), std::string::npos) << text;
  list = pairs(some_alignment());
  list[2].scene += Vec3(0.2, 0, 0);
  const std::string wrong = explanation(list);
  EXPECT_NE(wrong.find("Check the places"), std::string::npos) << wrong;
}

}  // namespace
}  // namespace dashpot::test_rigid_alignment
