// Where a law is asked whether it is stiff: strains that were visited, and a little beyond.
#include <gtest/gtest.h>

#include <algorithm>

#include "dashpot/learn/strain_region.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::learn::test_strain_region {
namespace {

using testing::rnd;

/// Bars that are pulled to some length at a constant volume, and bars that are pressed: never both.
VisitedStrains pulled_and_pressed() {
  VisitedStrains visited;
  for (int i = 0; i <= 100; ++i) {
    const double s = 1 + 0.005 * i, t = 1 - 0.003 * i;
    visited.hold(Vec3(s, 1 / std::sqrt(s), 1 / std::sqrt(s)));
    visited.hold(Vec3(1 / std::sqrt(t), 1 / std::sqrt(t), t));
  }
  return visited;
}

TEST(StrainRegion, HoldsWhatWasVisitedAndALittleBeyond) {
  const VisitedStrains visited = pulled_and_pressed();
  EXPECT_NEAR(visited.range().largest, 1.5, 1e-12);
  EXPECT_NEAR(visited.range().least, 0.7, 1e-12);
  const StrainRegion region = region_around(visited);
  for (const Vec3& s : visited.strains()) {
    EXPECT_TRUE(region.holds(s));
    EXPECT_TRUE(region.holds(Vec3(s[2], s[0], s[1]))) << "in any order";
  }
  // 5 % of 0.8 beyond the longest bar; and the volumes that were visited are hardly beyond 1.
  EXPECT_TRUE(region.holds(Vec3(1.53, 1 / std::sqrt(1.5), 1.5 / 1.53 / std::sqrt(1.5))));
  EXPECT_FALSE(region.holds(Vec3(1.56, 1 / std::sqrt(1.56), 1 / std::sqrt(1.56))));
  EXPECT_FALSE(region.holds(Vec3(1.5, 0.83, 0.83)));
  EXPECT_EQ(region.points.front(), Vec3::Ones());
  for (const Vec3& point : region.points) EXPECT_TRUE(region.holds(point));
}

TEST(StrainRegion, WhatIsWithinTheLimitsOfEachStretchNeedNotHaveBeenVisited) {
  const StrainRegion region = region_around(pulled_and_pressed());
  // The longest stretch of the one bar, the shortest of the other: of constant volume, too.
  const Vec3 both(1.4, 1 / (1.4 * 0.71), 0.71);
  EXPECT_TRUE(box_region(0.7, 1.5, 0.99, 1.01).holds(both));
  EXPECT_FALSE(region.holds(both));
}

TEST(StrainRegion, ManyStrainsAreHeldByFew) {
  VisitedStrains visited, again;
  for (int i = 0; i < 200000; ++i) {
    Vec3 s(1.3 + 0.3 * rnd(3 * i), 1 + 0.1 * rnd(3 * i + 1), 0.7 + 0.2 * rnd(3 * i + 2));
    std::sort(s.data(), s.data() + 3, std::greater<>());
    visited.hold(s);
    if (i % 1000 == 0) again.hold(s);
  }
  EXPECT_LE(visited.strains().size(), 20000u);
  EXPECT_GT(visited.strains().size(), 1000u);
  const StrainRegion region = region_around(visited);
  for (const Vec3& s : again.strains()) EXPECT_TRUE(region.holds(s));
  visited.hold(again);
  EXPECT_LE(visited.strains().size(), 20000u);
  EXPECT_FALSE(VisitedStrains().is_known());
}

}  // namespace
}  // namespace dashpot::learn::test_strain_region
