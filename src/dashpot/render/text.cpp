#include "dashpot/render/text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dashpot/render/stroke_font.hpp"

namespace dashpot::render {
namespace {

constexpr double line_units = 12;  ///< height of a line in glyph units

/// Unicode characters of a UTF-8 text; bytes that are none become U+FFFD.
std::vector<char32_t> characters(const std::string& text) {
  std::vector<char32_t> result;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t more = lead < 0x80         ? 0
                             : (lead >> 5) == 6  ? 1
                             : (lead >> 4) == 14 ? 2
                             : (lead >> 3) == 30 ? 3
                                                 : 99;
    char32_t value = more == 0 ? lead : lead & (0x3FU >> more);
    bool valid = more != 99 && i + more < text.size();
    for (std::size_t k = 1; valid && k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      valid = (next >> 6) == 2;
      value = (value << 6) | (next & 0x3FU);
    }
    result.push_back(valid ? value : 0xFFFD);
    i += valid ? more + 1 : 1;
  }
  return result;
}

double distance_to(const std::array<double, 4>& s, double x, double y) {
  const double dx = s[2] - s[0], dy = s[3] - s[1], length = dx * dx + dy * dy;
  const double t = length > 0 ? std::clamp(((x - s[0]) * dx + (y - s[1]) * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(x - s[0] - t * dx, y - s[1] - t * dy);
}

/// Draws a glyph whose origin is at (x, y); `half` is half the stroke's width [pixels].
void draw_glyph(Image& image, const Glyph& glyph, double x, double y, double unit, double half, Rgb color) {
  if (glyph.segments.empty()) return;
  std::vector<std::array<double, 4>> strokes;
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (const auto& s : glyph.segments) {
    strokes.push_back({x + unit * s[0], y - unit * s[1], x + unit * s[2], y - unit * s[3]});
    left = std::min({left, strokes.back()[0], strokes.back()[2]});
    right = std::max({right, strokes.back()[0], strokes.back()[2]});
    top = std::min({top, strokes.back()[1], strokes.back()[3]});
    bottom = std::max({bottom, strokes.back()[1], strokes.back()[3]});
  }
  const double reach = half + 1;
  for (int py = static_cast<int>(std::floor(top - reach)); py <= static_cast<int>(std::ceil(bottom + reach)); ++py)
    for (int px = static_cast<int>(std::floor(left - reach)); px <= static_cast<int>(std::ceil(right + reach)); ++px) {
      double nearest = 1e9;
      for (const auto& s : strokes) nearest = std::min(nearest, distance_to(s, px + 0.5, py + 0.5));
      mix_pixel(image, px, py, color, static_cast<float>(std::clamp(half + 0.5 - nearest, 0.0, 1.0)));
    }
}

}  // namespace

double text_width(const std::string& text, const TextStyle& style) {
  double width = 0;
  for (const char32_t c : characters(text)) width += glyph_of(c).advance;
  return width * style.size / line_units;
}

void draw_text(Image& image, double x, double y, const std::string& text, const TextStyle& style) {
  const double unit = style.size / line_units, half = 0.46 * unit * style.weight;
  if (style.align != Align::left) x -= text_width(text, style) * (style.align == Align::center ? 0.5 : 1.0);
  const double base = std::floor(y) + 0.5;
  for (const char32_t c : characters(text)) {
    const Glyph& glyph = glyph_of(c);
    // Stems and the base line on pixel centers: as sharp as this size allows.
    draw_glyph(image, glyph, std::floor(x) + 0.5, base, unit, half, style.color);
    x += glyph.advance * unit;
  }
}

std::string fit_text(const std::string& text, double width, const TextStyle& style) {
  if (text_width(text, style) <= width) return text;
  std::string cut = text;
  while (!cut.empty() && text_width(cut + "...", style) > width) {
    std::size_t last = cut.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(cut[last]) & 0xC0U) == 0x80U) --last;
    cut.resize(last);
  }
  return cut + "...";
}

}  // namespace dashpot::render
