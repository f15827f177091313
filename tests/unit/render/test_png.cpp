#include "dashpot/render/png.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"

namespace dashpot::render::test_png {
namespace {

Image pattern() {
  Image image(37, 21, {10, 20, 30});
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      image.pixel(x, y)[0] = static_cast<std::uint8_t>(7 * x);
      image.pixel(x, y)[1] = static_cast<std::uint8_t>(11 * y + x * y);
    }
  return image;
}

TEST(Png, APictureReadBackByLibpngIsTheSamePicture) {
  const Image image = pattern();
  PngTexts texts;
  const Image back = read_png(to_png(image, {{"Title", "A beam: ζ = 0.02"}}), "x.png", &texts);
  EXPECT_NE(image.at(3, 4), image.at(4, 3));
  EXPECT_EQ(back, image);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].second, "A beam: ζ = 0.02");
  EXPECT_EQ(texts[1].first, "Software");
}

TEST(Png, TheSamePictureGivesTheSameBytes) { EXPECT_EQ(to_png(pattern()), to_png(pattern())); }

TEST(Png, BrokenFilesAreRefusedByName) {
  const std::string good = to_png(pattern());
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 0x55);
  for (const std::string& bytes : {std::string(), std::string("P6 1 1"), good.substr(0, good.size() / 2), flipped}) {
    try {
      read_png(bytes, "broken.png");
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.problems()[0].place, "broken.png");
    }
  }
}

TEST(Image, PastingAndFillingStayInsideThePicture) {
  Image image(8, 6, {0, 0, 0});
  paste(image, Image(4, 4, {9, 9, 9}), 6, -2);
  EXPECT_EQ(image.at(7, 1), (Rgb{9, 9, 9}));
  EXPECT_EQ(image.at(5, 1), (Rgb{0, 0, 0}));
  EXPECT_EQ(image.at(7, 2), (Rgb{0, 0, 0}));
  fill_rectangle(image, -5, 4, 100, 100, {1, 2, 3});
  EXPECT_EQ(image.at(0, 5), (Rgb{1, 2, 3}));
  mix_pixel(image, 99, 99, {1, 1, 1}, 1);
  EXPECT_THROW(Image(0, 4), Error);
}

}  // namespace
}  // namespace dashpot::render::test_png
