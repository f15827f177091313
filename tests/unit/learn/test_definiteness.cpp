// Laws that give way somewhere are found, with the place.
#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/SVD>

#include "dashpot/energy/materials.hpp"
#include "dashpot/learn/definiteness.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::learn::test_definiteness {
namespace {

using testing::rnd;

LearnedParts parts_of(double young, double poisson) {
  LearnedParts parts;
  parts.moduli = {PartwiseValue(young), PartwiseValue(poisson)};
  return parts;
}

TEST(Definiteness, IsWhatThePlaneWavesOfTheWholeTangentSay) {
  // dP/dF of a law from its energy alone, by differences of P = U p V^T, at F = diag(s): no formula of axes in it.
  LearnedParts parts = parts_of(1000, 0.4);
  parts.correction.scale = 1000;
  for (std::size_t k = 0; k < 8; ++k) parts.correction.stretch.weights[k] = 0.3 * rnd(static_cast<int>(k));
  for (std::size_t k = 0; k < 6; ++k) parts.correction.volume.weights[k] = 0.3 * rnd(50 + static_cast<int>(k));
  const auto law = stretch_response(parts);
  const auto stress = [&](const Mat3& F) {
    const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    return Mat3(svd.matrixU() * law(svd.singularValues()).p.asDiagonal() * svd.matrixV().transpose());
  };
  double largest = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3 s(1.2 + 0.1 * rnd(10 * trial), 1 + 0.05 * rnd(10 * trial + 1), 0.8 + 0.1 * rnd(10 * trial + 2));
    Vec3 a(rnd(10 * trial + 3), rnd(10 * trial + 4), rnd(10 * trial + 5)),
        n(rnd(10 * trial + 6), rnd(10 * trial + 7), rnd(10 * trial + 8));
    a.normalize(), n.normalize();
    const Mat3 wave = a * n.transpose(), F = s.asDiagonal();
    constexpr double e = 1e-6;
    const double slope = (wave.cwiseProduct(stress(F + e * wave) - stress(F - e * wave))).sum() / (2 * e);
    const StretchResponse response = law(s);
    EXPECT_NEAR((WaveStiffness{s, a, n}.of(response)), slope, 1e-4 * 1000);
    const WaveStiffness softest = softest_wave(response, s);
    EXPECT_LE(softest.of(response), slope + 0.02 * std::abs(slope)) << "of 28 directions";
    const double least = softest.of(response);
    EXPECT_TRUE(is_stiffer(response, s, least - 1e-3 * std::abs(least) - 1e-6));
    EXPECT_FALSE(is_stiffer(response, s, least + 1e-3 * std::abs(least) + 1e-6));
    largest = std::max(largest, std::abs(slope));
  }
  EXPECT_GT(largest, 500);
}

TEST(Definiteness, OfASolidAtRestIsItsShearModulus) {
  const Isotropic solid{1000, 0.3};
  const Definiteness found = check_definiteness(parts_of(1000, 0.3), box_region(0.9999, 1.0001));
  EXPECT_TRUE(found.is_definite());
  EXPECT_NEAR(found.least, solid.mu(), 1e-3 * solid.mu());
  EXPECT_GT(found.num_points, 1000);
}

TEST(Definiteness, AStvkSolidGivesWayWhereItsOwnTheorySays) {
  // At lambda = 0 and equal stretches s a shear wave meets mu (2 s^2 - 1), which is below zero from 1/sqrt(2) down.
  LearnedParts parts = parts_of(1000, 0);
  parts.nominal = IsotropicLaw::stvk;
  EXPECT_TRUE(check_definiteness(parts, box_region(0.72, 1.2)).is_definite());
  const Definiteness found = check_definiteness(parts, box_region(0.5, 1.2));
  EXPECT_FALSE(found.is_definite());
  EXPECT_NEAR(found.least, 500 * (2 * 0.25 - 1), 1e-6);
  EXPECT_LT((found.stretches - Vec3::Constant(0.5)).norm(), 1e-9);
}

TEST(Definiteness, NeoHookeanRubberIsStiffUntilItsVolumeHasGrownToE) {
  // psi = mu/2 |F|^2 + phi(J) with phi'' = (mu + lambda (1 - ln J)) / J^2: waves meet mu and more where that is
  // positive.
  LearnedParts parts = parts_of(1000, 0.43);
  parts.nominal = IsotropicLaw::neo_hookean;
  const Isotropic solid{1000, 0.43};
  const auto law = stretch_response(parts);
  const Definiteness found = check_definiteness(law, box_region(0.5, 2, 0.3, 2.7));
  EXPECT_GT(found.least, 0.999 * solid.mu()) << found.text();
  EXPECT_FALSE(check_definiteness(law, box_region(1, 2.5, 2.7, 14)).is_definite());
  // And yet it is not stiff in its stretches alone, as reference D, section 7, asks.
  const Vec3 s(1.83, 0.947, 0.87);
  EXPECT_LT((law(s).p[1] - law(s).p[2]) / (s[1] - s[2]), -0.3 * solid.mu());
  // Pressed from all sides p_i + p_j is negative; that alone is no fault.
  EXPECT_LT(law(Vec3::Constant(0.95)).p.sum(), 0);
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
  const Definiteness found = check_definiteness(law, box_region(0.8, 1.4, 0, 1e300, 9));
  EXPECT_FALSE(found.is_definite());
  EXPECT_NEAR(found.least, least, 1e-4 * std::abs(least));
  EXPECT_NEAR(found.stretches.maxCoeff(), at, 2e-3);
  EXPECT_NE(found.text().find("gives way"), std::string::npos);
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
  VisitedStrains visited;
  visited.hold(Vec3(1.4, 1.02, 0.75));
  visited.hold(Vec3(1.1, 0.98, 0.9));
  EXPECT_EQ(visited.range().largest, 1.4);
  EXPECT_EQ(visited.range().least, 0.75);
  EXPECT_EQ(visited.range().least_middle, 0.98);
  EXPECT_EQ(visited.range().largest_middle, 1.02);
  const Definiteness near = check_definiteness(law, region_around(visited));
  EXPECT_TRUE(near.is_definite());
  EXPECT_GT(near.num_points, 20);
  EXPECT_FALSE(check_definiteness(law, box_region(0.75, 1.4)).is_definite());
}

TEST(Definiteness, TheSofterPartOfABodyDecides) {
  LearnedParts parts = parts_of(1000, 0);
  parts.moduli.young.values = {1000, 50};
  parts.moduli.young.names = {"", "regions/0/"};
  parts.moduli.young.of_element = {0, 0, 1};
  EXPECT_NEAR(check_definiteness(parts, box_region(0.999, 1.001)).least, 25, 0.1);
}

}  // namespace
}  // namespace dashpot::learn::test_definiteness
