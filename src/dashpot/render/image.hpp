#pragma once
// A picture as data: rows of 8-bit RGB pixels in the sRGB color space, top row first.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dashpot::render {

using Rgb = std::array<std::uint8_t, 3>;

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 * width * height

  Image() = default;
  /// dashpot::Error unless 1 <= width, height <= 16384.
  Image(int width, int height, Rgb fill = {255, 255, 255});

  std::uint8_t* pixel(int x, int y) { return rgb.data() + 3 * (static_cast<std::size_t>(y) * stride() + column(x)); }
  const std::uint8_t* pixel(int x, int y) const {
    return rgb.data() + 3 * (static_cast<std::size_t>(y) * stride() + column(x));
  }
  Rgb at(int x, int y) const { return {pixel(x, y)[0], pixel(x, y)[1], pixel(x, y)[2]}; }
  bool operator==(const Image&) const = default;

 private:
  std::size_t stride() const { return static_cast<std::size_t>(width); }
  static std::size_t column(int x) { return static_cast<std::size_t>(x); }
};

/// Mixes `color` into a pixel, `coverage` in [0, 1]; outside the picture nothing happens.
void mix_pixel(Image& image, int x, int y, Rgb color, float coverage);
/// Fills the rectangle with corner (x, y); parts outside the picture are left out.
void fill_rectangle(Image& image, int x, int y, int width, int height, Rgb color);
/// Copies `source` so that its corner comes to (x, y); parts outside the picture are left out.
void paste(Image& image, const Image& source, int x, int y);

}  // namespace dashpot::render
