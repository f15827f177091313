// The cast: every asset meshes at the promised quality, and its regions are there. 50 000 tets: tests/verify.
#include <gtest/gtest.h>

#include "dashpot/shape/assets.hpp"
#include "support/asset_quality.hpp"

namespace dashpot::testing::test_assets {
namespace {

class Asset : public ::testing::TestWithParam<std::string> {};

TEST_P(Asset, MeshesWithGoodAnglesAtTwoAndElevenThousandElementsWithAllItsRegions) {
  const Shape shape = load_shape(GetParam());
  EXPECT_FALSE(shape.title.empty());
  expect_quality(shape, 2000);
  for (const Problem& warning : expect_quality(shape, 11000))
    for (const char* loss : {" lies in the region", "of the body's volume"})
      EXPECT_EQ(warning.found.find(loss), std::string::npos) << warning.text();
}

INSTANTIATE_TEST_SUITE_P(Cast, Asset, ::testing::ValuesIn(asset_names()), [](const auto& asset) {
  std::string name = asset.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace dashpot::testing::test_assets
