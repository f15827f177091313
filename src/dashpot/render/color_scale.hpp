#pragma once
// From numbers to colors and back: the range of a color map with its name and unit, and the bar that tells a reader
// which color means how much.

#include <string>
#include <vector>

#include "dashpot/render/color.hpp"
#include "dashpot/render/text.hpp"

namespace dashpot::render {

struct ColorScale {
  ColorMap map = ColorMap::sequential;
  double low = 0, high = 1;  ///< values beyond take the end colors
  std::string label;         ///< "speed"
  std::string unit;          ///< "m/s"; empty: dimensionless
  bool is_clipped = false;   ///< some values lie beyond `high`: the bar says so

  Rgb color(double value) const { return map_color(map, high > low ? (value - low) / (high - low) : 0.0); }
  std::vector<Rgb> colors(const std::vector<double>& values) const;
};

/// A range for these values that a few outliers do not spoil: from 0 to a round number at or above the 99.5th
/// percentile; symmetric about 0 with the diverging map when negative values matter (below -5 % of the largest).
/// NaN values are left out.
ColorScale scale_for(std::vector<double> values, const std::string& label, const std::string& unit);

/// Draws the bar with numbers and unit, `width` pixels wide, its upper left corner at (x, y). About 2.8 lines high.
void draw_color_bar(Image& image, double x, double y, double width, const ColorScale& scale, const TextStyle& style);
/// Height of what draw_color_bar draws [pixels].
double color_bar_height(const TextStyle& style);

}  // namespace dashpot::render
