#include "dashpot/render/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::render {

Image::Image(int w, int h, Rgb fill) : width(w), height(h) {
  constexpr int largest = 16384;
  if (w < 1 || h < 1 || w > largest || h > largest)
    throw Error(Problem{"picture", fmt::format("size {} x {}", w, h), fmt::format("1 to {} pixels each way", largest),
                        "choose another size"});
  rgb.resize(3 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
  for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = fill[i % 3];
}

void mix_pixel(Image& image, int x, int y, Rgb color, float coverage) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || !(coverage > 0)) return;
  coverage = std::min(coverage, 1.0F);
  std::uint8_t* p = image.pixel(x, y);
  for (std::size_t i = 0; i < 3; ++i)
    p[i] = static_cast<std::uint8_t>(
        std::lround(static_cast<float>(p[i]) * (1 - coverage) + static_cast<float>(color[i]) * coverage));
}

void fill_rectangle(Image& image, int x, int y, int width, int height, Rgb color) {
  for (int row = std::max(0, y); row < std::min(image.height, y + height); ++row)
    for (int column = std::max(0, x); column < std::min(image.width, x + width); ++column)
      std::copy(color.begin(), color.end(), image.pixel(column, row));
}

void paste(Image& image, const Image& source, int x, int y) {
  const int first = std::max(0, -x), last = std::min(source.width, image.width - x);
  if (first >= last) return;
  for (int row = std::max(0, -y); row < std::min(source.height, image.height - y); ++row)
    std::copy(source.pixel(first, row), source.pixel(first, row) + 3 * (last - first), image.pixel(x + first, y + row));
}

}  // namespace dashpot::render
