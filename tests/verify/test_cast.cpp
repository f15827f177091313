// The whole cast at fifty thousand elements.
#include <ctime>

#include <gtest/gtest.h>

#include "dashpot/shape/assets.hpp"
#include "support/asset_quality.hpp"

namespace dashpot::testing::test_cast {
namespace {

TEST(SlowCast, EveryAssetMeshesAtFiftyThousandElementsWithGoodAnglesInUnderTenSeconds) {
  for (const std::string& name : asset_names()) {
    SCOPED_TRACE(name);
    const std::clock_t start = std::clock();
    const Shape shape = load_shape(name);
    expect_quality(shape, 50000);
    if (shape.is_shell) continue;  // 50 000 triangles are the skin of a million tets
    // Processor time of all threads: at least the time one waits for it on a machine of one's own.
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 10);
  }
}

}  // namespace
}  // namespace dashpot::testing::test_cast
