#include "dashpot/model/system.hpp"

#include <gtest/gtest.h>

#include "support/small_systems.hpp"

namespace dashpot::test_system {
namespace {

std::vector<std::pair<int, int>> free_ranges(int size, const std::vector<int>& prescribed) {
  const Matrix I = Matrix::Identity(size, size);
  const auto system = testing::linear_system(I, 0 * I, I, prescribed);
  std::vector<std::pair<int, int>> pairs;
  for (const DofRange& range : system->free_ranges()) pairs.emplace_back(range.begin, range.end);
  return pairs;
}

using Pairs = std::vector<std::pair<int, int>>;

TEST(System, FreeRangesHoldTheFreeDofsAndNoOthers) {
  EXPECT_EQ(free_ranges(5, {}), (Pairs{{0, 5}}));
  EXPECT_EQ(free_ranges(7, {2, 3, 5}), (Pairs{{0, 2}, {4, 5}, {6, 7}}));
  EXPECT_EQ(free_ranges(4, {0, 3}), (Pairs{{1, 3}}));
  EXPECT_EQ(free_ranges(2, {0, 1}), Pairs{});
}

}  // namespace
}  // namespace dashpot::test_system
