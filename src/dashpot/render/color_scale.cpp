#include "dashpot/render/color_scale.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/render/ticks.hpp"

namespace dashpot::render {
namespace {

/// The smallest of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 times a power of ten that is at least x.
double round_up(double x) {
  const double decade = std::pow(10, std::floor(std::log10(x)));
  for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (step * decade >= x * (1 - 1e-9)) return step * decade;
  return 10 * decade;
}

double percentile(std::vector<double>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

std::vector<Rgb> ColorScale::colors(const std::vector<double>& values) const {
  std::vector<Rgb> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(color(value));
  return result;
}

ColorScale scale_for(std::vector<double> values, const std::string& label, const std::string& unit) {
  ColorScale scale;
  scale.label = label;
  scale.unit = unit;
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return scale;
  const double top = percentile(values, 0.995), bottom = percentile(values, 0.005);
  const double largest = *std::max_element(values.begin(), values.end());
  const double lowest = *std::min_element(values.begin(), values.end());
  double reach = std::max(top, -bottom);
  if (!(reach > 0)) reach = std::max(largest, -lowest);
  if (!(reach > 1e-300)) return scale;
  scale.high = round_up(reach);
  if (bottom < -0.05 * reach) {
    scale.map = ColorMap::diverging;
    scale.low = -scale.high;
  }
  scale.is_clipped = largest > scale.high * (1 + 1e-9) || lowest < scale.low - 1e-9 * scale.high;
  return scale;
}

double color_bar_height(const TextStyle& style) { return 2.75 * style.size; }

void draw_color_bar(Image& image, double x, double y, double width, const ColorScale& scale, const TextStyle& style) {
  const Ticks ticks = linear_ticks(scale.low, scale.high, 4, scale.unit);
  const int left = static_cast<int>(std::lround(x)), columns = static_cast<int>(std::lround(width));
  const int top = static_cast<int>(std::lround(y + 1.15 * style.size));
  const int rows = std::max(4, static_cast<int>(std::lround(0.6 * style.size)));
  std::string label = scale.label;
  if (!ticks.unit.empty()) label += " [" + ticks.unit + "]";
  if (scale.is_clipped) label += ", clipped";
  draw_text(image, x, y + 0.85 * style.size, fit_text(label, width, style), style);
  for (int column = 0; column < columns; ++column)
    fill_rectangle(image, left + column, top, 1, rows, map_color(scale.map, (column + 0.5) / columns));
  TextStyle small = style;
  small.size = 0.86 * style.size;
  small.align = Align::center;
  for (std::size_t i = 0; i < ticks.major.size(); ++i) {
    const double share = (ticks.major[i] - scale.low) / (scale.high - scale.low);
    if (share < -1e-9 || share > 1 + 1e-9) continue;
    const int at = left + std::clamp(static_cast<int>(std::lround(share * columns)), 0, columns - 1);
    fill_rectangle(image, at, top + rows, 1, 3, style.color);
    const double half = text_width(ticks.labels[i], small) / 2;
    const double middle = std::clamp(at + 0.5, x + half, x + width - half + 4);
    draw_text(image, middle, top + rows + 3 + 0.85 * small.size, ticks.labels[i], small);
  }
}

}  // namespace dashpot::render
