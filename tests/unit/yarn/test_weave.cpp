// Which yarns cross where.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/yarn/weave.hpp"

namespace dashpot::test_weave {
namespace {

WeaveSheet sheet(int warp, int weft) {
  WeaveSheet s;
  s.warp_yarns = warp;
  s.weft_yarns = weft;
  s.spacing = {1e-3, 2e-3};
  return s;
}

TEST(Weave, PlainTwillAndSatinInterlaceAsTheirNamesSay) {
  const auto floats = [](const WeavePattern& pattern, int length) {  // of each weft, how often it is below in a repeat
    std::set<int> counts;
    for (int j = 0; j < 40; ++j) {
      int below = 0;
      for (int i = 0; i < length; ++i) below += pattern.above(i, j) ? 1 : 0;
      counts.insert(below);
    }
    return counts;
  };
  EXPECT_EQ(floats({}, 2), std::set<int>{1});
  EXPECT_EQ(floats({WeavePattern::Kind::twill, 3, 1}, 4), std::set<int>{3});
  EXPECT_EQ(floats({WeavePattern::Kind::satin, 2, 2, 5, 2}, 5), std::set<int>{4});
  // In a satin no two binding points are neighbors.
  const WeavePattern satin{WeavePattern::Kind::satin, 2, 2, 8, 3};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      if (!satin.above(i, j)) EXPECT_TRUE(satin.above(i + 1, j) && satin.above(i, j + 1) && satin.above(i + 1, j + 1));
  const WeavePattern twill{WeavePattern::Kind::twill, 2, 2};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(twill.above(i, i), twill.above(i + 1, i + 1));  // the diagonal
}

TEST(Weave, PatternsNoLoomCouldMakeAreRefused) {
  for (const WeavePattern& pattern :
       {WeavePattern{WeavePattern::Kind::twill, 0, 2}, WeavePattern{WeavePattern::Kind::satin, 2, 2, 6, 2},
        WeavePattern{WeavePattern::Kind::satin, 2, 2, 5, 4}})
    EXPECT_THROW(pattern.check(), Error);
  WeaveSheet bad = sheet(1, 5);
  EXPECT_THROW(weave_sheet(bad), Error);
  bad = sheet(5, 5);
  bad.spacing.weft = 0;
  EXPECT_THROW(weave_sheet(bad), Error);
  bad = sheet(5, 5);
  bad.is_inside = [](double, double) { return false; };
  EXPECT_THROW(weave_sheet(bad), Error);
}

TEST(Weave, ARectangleHasItsYarnsSegmentsBendsAndCorners) {
  const WovenCloth cloth = weave_sheet(sheet(4, 6));
  ASSERT_EQ(cloth.num_crossings(), 24);
  EXPECT_NO_THROW(check_yarns(cloth.yarns, 24));
  EXPECT_EQ(cloth.yarns.size(), 10U);
  EXPECT_EQ(segments_of(cloth.yarns).families.size(), 4U * 5 + 6 * 3);
  EXPECT_EQ(bends_of(cloth.yarns).families.size(), 4U * 4 + 6 * 2);
  EXPECT_EQ(corners_of(cloth.yarns, 24).families.size(), 4U * 3 * 5);
  EXPECT_EQ(cloth.end_labels().size(), 20U);
  // Segments are as long as their labels say.
  const YarnPieces segments = segments_of(cloth.yarns);
  for (std::size_t s = 0; s < segments.families.size(); ++s) {
    const int a = crossing_size * segments.crossings[2 * s], b = crossing_size * segments.crossings[2 * s + 1];
    const int label = label_of(segments.families[s]);
    EXPECT_NEAR(cloth.rest[b + label] - cloth.rest[a + label],
                (cloth.rest.segment<3>(b) - cloth.rest.segment<3>(a)).norm(), 1e-15);
    EXPECT_GT(cloth.rest[b + label], cloth.rest[a + label]);
  }
}

TEST(Weave, APanelWithAHoleHasMoreYarnsAndNoStrays) {
  WeaveSheet s = sheet(21, 21);
  s.spacing = {1e-3, 1e-3};
  s.is_inside = [](double x, double y) {
    const double r = std::hypot(x - 0.01, y - 0.01);
    return r < 0.0101 && r > 0.0032;
  };
  const WovenCloth cloth = weave_sheet(s);
  EXPECT_NO_THROW(check_yarns(cloth.yarns, cloth.num_crossings()));
  int cut = 0;
  std::map<std::pair<int, double>, int> at_place;
  for (const Yarn& yarn : cloth.yarns) {
    EXPECT_GE(yarn.crossings.size(), 2U);
    if (yarn.family == YarnFamily::warp) ++at_place[{0, cloth.rest[crossing_size * yarn.crossings[0]]}];
  }
  for (const auto& [place, count] : at_place) cut += count == 2 ? 1 : 0;
  EXPECT_EQ(cut, 7);  // warp yarns that the hole divides
}

TEST(Weave, RingsCloseATube) {
  WeaveSheet s = sheet(12, 7);
  s.weft_rings = true;
  const WovenCloth cloth = weave_sheet(s);
  EXPECT_NO_THROW(check_yarns(cloth.yarns, cloth.num_crossings()));
  int rings = 0;
  for (const Yarn& yarn : cloth.yarns)
    if (yarn.ring_length > 0) {
      ++rings;
      EXPECT_NEAR(yarn.ring_length, 12e-3, 1e-15);
    }
  EXPECT_EQ(rings, 7);
  EXPECT_EQ(segments_of(cloth.yarns).families.size(), 12U * 6 + 7 * 12);
  EXPECT_EQ(bends_of(cloth.yarns).families.size(), 12U * 5 + 7 * 12);
  // D of the segment that closes a ring, through its shift
  const YarnPieces segments = segments_of(cloth.yarns);
  for (std::size_t k = 0; k < segments.families.size(); ++k) {
    const int label = label_of(segments.families[k]);
    const double D = cloth.rest[crossing_size * segments.crossings[2 * k + 1] + label] -
                     cloth.rest[crossing_size * segments.crossings[2 * k] + label] + segments.shifts[k];
    EXPECT_NEAR(D, segments.families[k] == YarnFamily::warp ? 2e-3 : 1e-3, 1e-15);
  }
}

}  // namespace
}  // namespace dashpot::test_weave
