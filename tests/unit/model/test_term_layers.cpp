#include "dashpot/model/term_layers.hpp"

#include <gtest/gtest.h>

namespace dashpot::test_term_layers {
namespace {

TEST(TermLayers, TermsOfDifferentBodiesShareALayer) {
  // elasticity and gravity of three bodies
  const std::vector<BlockRange> touched = {{0, 10}, {0, 10}, {10, 25}, {10, 25}, {25, 30}, {25, 30}};
  const TermLayers layers = assign_layers(touched);
  ASSERT_EQ(layers.size(), 2);
  EXPECT_EQ(layers.terms[0], (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(layers.terms[1], (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(layers.layer_of, (std::vector<int>{0, 1, 0, 1, 0, 1}));
}

TEST(TermLayers, TermsOfOneLayerNeverOverlapWhateverTheirRanges) {
  std::vector<BlockRange> touched;
  unsigned seed = 7;
  const auto random = [&](int below) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<int>((seed >> 8) % static_cast<unsigned>(below));
  };
  for (int i = 0; i < 300; ++i) {
    const int begin = random(100);
    touched.push_back({begin, begin + random(12)});  // some are empty
  }
  const TermLayers layers = assign_layers(touched);
  int overlapping = 0;
  for (const BlockRange& a : touched)
    for (const BlockRange& b : touched) overlapping += !(a == b) && a.overlaps(b);
  ASSERT_GT(overlapping, 100) << "otherwise nothing is tested";
  std::size_t count = 0;
  for (const std::vector<int>& layer : layers.terms) {
    count += layer.size();
    for (std::size_t i = 0; i < layer.size(); ++i)
      for (std::size_t k = i + 1; k < layer.size(); ++k) {
        const BlockRange &a = touched[static_cast<std::size_t>(layer[i])],
                         &b = touched[static_cast<std::size_t>(layer[k])];
        if (a.is_empty() || b.is_empty()) continue;
        EXPECT_FALSE(a.overlaps(b)) << layer[i] << " and " << layer[k];
      }
  }
  EXPECT_EQ(count, touched.size());
}

TEST(TermLayers, ATermOnAllBlocksHasALayerOfItsOwn) {
  const TermLayers layers = assign_layers({{0, 4}, BlockRange::all().clipped(8), {4, 8}});
  EXPECT_EQ(layers.layer_of, (std::vector<int>{0, 1, 0}));
}

}  // namespace
}  // namespace dashpot::test_term_layers
