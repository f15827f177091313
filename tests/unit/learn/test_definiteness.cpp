// Laws that give way somewhere are found, with the place.
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/energy/materials.hpp"
#include "dashpot/learn/definiteness.hpp"

namespace dashpot::learn::test_definiteness {
namespace {

LearnedParts parts_of(double young, double poisson) {
  LearnedParts parts;
  parts.moduli = {PartwiseValue(young), PartwiseValue(poisson)};
  return parts;
}

TEST(Definiteness, OfALinearLawIsTwiceItsShearModulusEverywhere) {
  const Isotropic solid{1000, 0.3};
  const Definiteness found = check_definiteness(parts_of(1000, 0.3), {0.7, 1.4, 0, 1e300});
  EXPECT_TRUE(found.is_definite());
  EXPECT_NEAR(found.hessian.value, 2 * solid.mu(), 1e-9);
  EXPECT_NEAR(found.flip.value, 2 * solid.mu(), 1e-9);
  EXPECT_GT(found.num_points, 1000);
}

TEST(Definiteness, AStvkSolidGivesWayWhereItsOwnTheorySays) {
  // p = s (2 mu e + lambda tr e) at lambda = 0: dp/ds = mu (3 s^2 - 1) < 0 below 1/sqrt(3).
  LearnedParts parts = parts_of(1000, 0);
  parts.nominal = IsotropicLaw::stvk;
  EXPECT_TRUE(check_definiteness(parts, {0.6, 1.2, 0, 1e300}).is_definite());
  const Definiteness found = check_definiteness(parts, {0.5, 1.2, 0, 1e300});
  EXPECT_FALSE(found.is_definite());
  EXPECT_NEAR(found.hessian.value, 500 * (3 * 0.25 - 1), 1e-6);
  EXPECT_NEAR(found.hessian.stretches.minCoeff(), 0.5, 1e-9);
  // (p(a) - p(b))/(a - b) = mu (a^2 + a b + b^2 - 1), least at a = b = 0.5.
  EXPECT_NEAR(found.flip.value, 500 * (0.75 - 1), 1e-6);
}

TEST(Definiteness, ADipBetweenTheKnotsOfACurveIsFoundToItsBottom) {
  LearnedParts parts = parts_of(1000, 0);
  parts.correction.scale = 1000;
  parts.correction.volume = {};
  parts.correction.stretch = {{0.65, 1.45, 12}, {0, 0, 0, 0, 0, 0, 0, 0.2, 0.0, 0.0, 0.0, 0}};
  const auto law = stretch_response(parts);
  double least = 1e9, at = 0;
  for (double s = 0.8; s <= 1.4; s += 1e-5)
    if (const double slope = law(Vec3(s, 1, 1)).H(0, 0); slope < least) least = slope, at = s;
  ASSERT_LT(least, 0);
  const Definiteness found = check_definiteness(law, {0.8, 1.4, 0, 1e300}, 9);
  EXPECT_FALSE(found.is_definite());
  EXPECT_NEAR(found.hessian.value, least, 1e-4 * std::abs(least));
  EXPECT_NEAR(found.hessian.stretches.maxCoeff(), at, 2e-3);
  EXPECT_NE(found.text().find("gives way"), std::string::npos);
}

TEST(Definiteness, OnlyVisitedVolumesCountAndTwistMayBeNegative) {
  // Neo-Hookean rubber under hydrostatic compression has p_i + p_j < 0 (twist); H and flip stay positive.
  LearnedParts parts = parts_of(1000, 0.45);
  parts.nominal = IsotropicLaw::neo_hookean;
  const StretchBox box{0.9, 1.1, 0.8, 1.2};
  const auto law = stretch_response(parts);
  EXPECT_LT(law(Vec3::Constant(0.95)).p.sum(), 0);
  EXPECT_TRUE(check_definiteness(law, box).is_definite());
  // J > e makes lambda (1 - ln J) - mu ... negative: blown up it gives way; the volumes of the box keep it out.
  EXPECT_FALSE(check_definiteness(law, {0.9, 3.5, 0, 1e300}).is_definite());
  EXPECT_TRUE(check_definiteness(law, {0.9, 1.2, 0.9, 1.1}).is_definite());
  const StretchBox wider = box.padded(0.1);
  EXPECT_NEAR(wider.low, 0.88, 1e-12);
  EXPECT_NEAR(wider.high_volume, 1.24, 1e-12);
}

TEST(Definiteness, WhatWasPulledAlongOneAxisSaysNothingAboutTwo) {
  // Stiff along one axis, soft where two stretches are large.
  const auto law = [](const Vec3& s) {
    const double middle = s.sum() - s.minCoeff() - s.maxCoeff();
    StretchResponse response;
    response.H = (middle > 1.2 ? -50 : 1000) * Mat3::Identity();
    response.p = 1000 * (s - Vec3::Ones());
    return response;
  };
  StretchRange range;
  range.hold(1.4, 1.02, 0.75);
  range.hold(1.1, 0.98, 0.9);
  EXPECT_EQ(range.largest, 1.4);
  EXPECT_EQ(range.least, 0.75);
  EXPECT_EQ(range.least_middle, 0.98);
  EXPECT_EQ(range.largest_middle, 1.02);
  StretchBox box = StretchBox::of(range).padded();
  EXPECT_TRUE(check_definiteness(law, box).is_definite());
  EXPECT_GT(check_definiteness(law, box).num_points, 20);
  box.high_middle = 1.4;
  box.high_volume = 10;
  EXPECT_FALSE(check_definiteness(law, box).is_definite());
}

TEST(Definiteness, TheSofterPartOfABodyDecides) {
  LearnedParts parts = parts_of(1000, 0);
  parts.moduli.young.values = {1000, 50};
  parts.moduli.young.names = {"", "regions/0/"};
  parts.moduli.young.of_element = {0, 0, 1};
  EXPECT_NEAR(check_definiteness(parts, {0.9, 1.1, 0, 1e300}).hessian.value, 50, 1e-9);
}

}  // namespace
}  // namespace dashpot::learn::test_definiteness
