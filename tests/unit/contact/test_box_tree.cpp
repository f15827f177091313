#include "dashpot/contact/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "support/noise_vector.hpp"

namespace dashpot::test_box_tree {
namespace {

using contact::Box;
using contact::BoxTree;

std::vector<Box> scattered(int count, int seed) {
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i) {
    const Vector x = testing::noise(6, seed + i);
    const Vec3 low = x.head<3>(), size = 0.1 * x.tail<3>().cwiseAbs();
    boxes.emplace_back(low, low + size);
  }
  return boxes;
}

TEST(BoxTree, FindsWhatLookingAtEverythingFinds) {
  for (const int count : {1, 2, 7, 300}) {
    const std::vector<Box> boxes = scattered(count, 1000);
    const BoxTree tree(boxes);
    for (int k = 0; k < 50; ++k) {
      const Vec3 p = 1.5 * Vec3(testing::noise(3, 77 + k));
      const double radius = 0.05 + 0.03 * k;
      std::set<int> found, expected;
      tree.near(p, radius, [&](int i) {
        EXPECT_TRUE(found.insert(i).second) << "told twice";
        return radius;
      });
      for (int i = 0; i < count; ++i)
        if (boxes[static_cast<std::size_t>(i)].squaredExteriorDistance(p) <= radius * radius) expected.insert(i);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(BoxTree, ASearchForTheNearestShrinksAndLooksAtFew) {
  const std::vector<Box> boxes = scattered(2000, 5);
  const BoxTree tree(boxes);
  int looked_at = 0;
  for (int k = 0; k < 50; ++k) {
    const Vec3 p = Vec3(testing::noise(3, 9000 + k));
    double nearest = 1e300;
    tree.near(p, 10, [&](int i) {
      ++looked_at;
      nearest = std::min(nearest, boxes[static_cast<std::size_t>(i)].exteriorDistance(p));
      return nearest;
    });
    double expected = 1e300;
    for (const Box& box : boxes) expected = std::min(expected, box.exteriorDistance(p));
    EXPECT_EQ(nearest, expected);
  }
  EXPECT_LT(looked_at, 50 * 200);
}

TEST(BoxTree, OfNothingFindsNothingAndEqualBoxesAreAllFound) {
  BoxTree(std::vector<Box>()).near(Vec3::Zero(), 1e9, [](int) -> double {
    throw std::logic_error("there is nothing");
  });
  int found = 0;
  BoxTree(std::vector<Box>(500, Box(Vec3::Zero(), Vec3::Ones()))).near(Vec3(0.5, 0.5, 2), 1.1, [&](int) {
    ++found;
    return 1.1;
  });
  EXPECT_EQ(found, 500);
}

}  // namespace
}  // namespace dashpot::test_box_tree
