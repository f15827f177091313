// The whole cast at fifty thousand elements.
#include <chrono>

#include <gtest/gtest.h>

#include "dashpot/shape/assets.hpp"
#include "support/asset_quality.hpp"

namespace dashpot::testing {
namespace {

TEST(SlowCast, every_asset_meshes_at_fifty_thousand_elements_with_good_angles_in_under_ten_seconds) {
  for (const std::string& name : asset_names()) {
    SCOPED_TRACE(name);
    const auto start = std::chrono::steady_clock::now();
    expect_quality(load_shape(name), 50000);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10);
  }
}

}  // namespace
}  // namespace dashpot::testing
