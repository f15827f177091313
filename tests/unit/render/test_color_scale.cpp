#include "dashpot/render/color_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/render/stroke_font.hpp"

namespace dashpot::render::test_color_scale {
namespace {

/// Lightness L* of a color.
double lightness(Rgb color) {
  const Color c = linear(color);
  const double y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(ColorMap, EndsAreThoseOfThePublishedMaps) {
  EXPECT_EQ(map_color(ColorMap::sequential, 0), (Rgb{68, 1, 84}));
  EXPECT_EQ(map_color(ColorMap::sequential, 1), (Rgb{253, 231, 37}));
  EXPECT_EQ(map_color(ColorMap::sequential, -5), map_color(ColorMap::sequential, 0));
  EXPECT_EQ(map_color(ColorMap::sequential, 7), map_color(ColorMap::sequential, 1));
  EXPECT_EQ(map_color(ColorMap::diverging, 0), (Rgb{59, 76, 192}));
  EXPECT_EQ(map_color(ColorMap::diverging, 0.5), (Rgb{221, 221, 221}));
  EXPECT_EQ(map_color(ColorMap::diverging, 1), (Rgb{180, 4, 38}));
  EXPECT_EQ(map_color(ColorMap::sequential, NAN), (Rgb{128, 128, 128}));
}

TEST(ColorMap, LightnessOfTheSequentialMapGrowsEvenly) {
  for (int i = 0; i < 20; ++i) {
    const double step = lightness(map_color(ColorMap::sequential, (i + 1) / 20.0)) -
                        lightness(map_color(ColorMap::sequential, i / 20.0));
    EXPECT_GT(step, 2.5) << i;
    EXPECT_LT(step, 6.0) << i;
  }
}

TEST(Color, SrgbAndLinearLightAreInverse) {
  for (int i = 0; i < 256; ++i) {
    const auto c = static_cast<std::uint8_t>(i);
    EXPECT_EQ(srgb(linear({c, c, c})), (Rgb{c, c, c}));
  }
  EXPECT_NEAR(linear({188, 188, 188})[0], 0.5, 0.005);
  EXPECT_EQ(srgb(Color(-1, 2, 0)), (Rgb{0, 255, 0}));
}

TEST(ColorScale, OneOutlierDoesNotSpoilTheRange) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i * 1e-3);
  values.push_back(1e6);
  values.push_back(NAN);
  const ColorScale scale = scale_for(values, "speed", "m/s");
  EXPECT_EQ(scale.low, 0);
  EXPECT_EQ(scale.high, 1);
  EXPECT_TRUE(scale.is_clipped);
  EXPECT_EQ(scale.map, ColorMap::sequential);
  EXPECT_EQ(scale.color(0.0), map_color(ColorMap::sequential, 0));
  EXPECT_EQ(scale.color(1.0), map_color(ColorMap::sequential, 1));
}

TEST(ColorScale, SignedValuesGetASymmetricDivergingScale) {
  std::vector<double> values;
  for (int i = -300; i <= 900; ++i) values.push_back(i);
  const ColorScale scale = scale_for(values, "power", "W/m³");
  EXPECT_EQ(scale.map, ColorMap::diverging);
  EXPECT_EQ(scale.low, -scale.high);
  EXPECT_GE(scale.high, 890);
  EXPECT_EQ(scale.color(0), (Rgb{221, 221, 221}));
}

TEST(ColorScale, NothingOrZerosStillGiveAScale) {
  EXPECT_GT(scale_for({}, "", "").high, 0);
  EXPECT_GT(scale_for({0, 0, 0}, "", "").high, 0);
  EXPECT_GT(scale_for({NAN}, "", "").high, 0);
}

TEST(Text, TakesRoomInProportionToItsSizeAndLeavesInk) {
  const TextStyle small{12}, large{24};
  EXPECT_GT(text_width("0.40 s", small), 20);
  EXPECT_NEAR(text_width("0.40 s", large), 2 * text_width("0.40 s", small), 1e-9);
  Image image(120, 30, {255, 255, 255});
  draw_text(image, 5, 20, "ζ = 0.02", {18, {0, 0, 0}});
  int dark = 0;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 120; ++x) dark += image.at(x, y)[0] < 64 ? 1 : 0;
  EXPECT_GT(dark, 60);
  EXPECT_LT(dark, 700);
}

TEST(Text, EveryPrintableCharacterHasAGlyphAndOthersABox) {
  const Glyph& box = glyph_of(U'\u4e2d');
  EXPECT_EQ(box.segments.size(), 4U);
  for (char32_t c = U'!'; c <= U'}'; ++c) {
    if (c == U'$' || c == U'`') continue;
    EXPECT_NE(&glyph_of(c), &box) << static_cast<int>(c);
    EXPECT_FALSE(glyph_of(c).segments.empty()) << static_cast<int>(c);
  }
  for (const char32_t c : U"³²⁻⁹×µζαβηλσ°±—–") {
    if (c != U'\0') {
      EXPECT_NE(&glyph_of(c), &box) << static_cast<int>(c);
    }
  }
}

TEST(Text, WhatDoesNotFitIsCutBetweenCharacters) {
  const TextStyle style{15};
  EXPECT_EQ(fit_text("short", 500, style), "short");
  const std::string cut = fit_text("ζζζζζζζζζζζζζζζζζζζζ", 100, style);
  EXPECT_LE(text_width(cut, style), 100);
  EXPECT_EQ((cut.size() - 3) % 2, 0U);
  EXPECT_EQ(cut.substr(cut.size() - 3), "...");
  Image image(50, 20);
  draw_text(image, -500, 90, "\xff\xfe outside and broken", style);
}

}  // namespace
}  // namespace dashpot::render::test_color_scale
