#include "dashpot/math/curve_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace dashpot::math::test_curve_order {
namespace {

TEST(CurveOrder, GoesThroughOctantsOneAfterTheOther) {
  std::vector<Vec3> points;  // an 8 x 8 x 8 grid, x fastest
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) points.emplace_back(x + 0.5, y + 0.5, z + 0.5);
  const std::vector<int> order = order_along_curve(points);
  ASSERT_EQ(order.size(), points.size());
  for (int octant = 0; octant < 8; ++octant) {
    Vec3 low = Vec3::Constant(1e9), high = -low;
    for (int k = 64 * octant; k < 64 * (octant + 1); ++k) {
      const Vec3& x = points[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])];
      low = low.cwiseMin(x), high = high.cwiseMax(x);
    }
    EXPECT_DOUBLE_EQ((high - low).maxCoeff(), 3) << "octant " << octant;
  }
}

TEST(CurveOrder, IsAPermutationThatKeepsEqualPlacesInOrder) {
  EXPECT_TRUE(order_along_curve({}).empty());
  EXPECT_EQ(order_along_curve({Vec3(1, 2, 3), Vec3(1, 2, 3), Vec3(1, 2, 3)}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(order_along_curve({Vec3(3, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)}), (std::vector<int>{1, 2, 0}));
}

}  // namespace
}  // namespace dashpot::math::test_curve_order
