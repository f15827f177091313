#pragma once
// One panel of a figure: from data to SVG elements. Internal to svg_plot.
#include <string>
#include <vector>

#include "dashpot/render/figure.hpp"
#include "dashpot/render/ticks.hpp"

namespace dashpot::render {

// Sizes shared by layout and drawing [px].
inline constexpr double tick_size = 11.5, right_margin = 18, bottom_margin = 44, legend_row = 19;

/// Maps one axis to pixels.
struct Scale {
  double low = 0, high = 1;  ///< data range
  double from = 0, to = 1;   ///< pixels of low and high
  bool is_logarithmic = false;
  /// NaN for values the axis cannot show.
  double pixel(double value) const;
};

/// What must be known of a panel before it can be placed.
struct PanelLayout {
  Scale x, y;
  Ticks x_ticks, y_ticks;
  double left_margin = 0;    ///< room for the y tick labels [px]
  double header_height = 0;  ///< title, legend, y label [px]
  int legend_rows = 0;
  bool has_data = false;
  double total_height(const Panel& panel) const;
};

/// Cumulative sums of stacked series: area i lies between base[i] and top[i].
struct Stack {
  std::vector<std::vector<double>> base, top;
};
Stack stack_up(const std::vector<Series>& series);

double legend_entry_width(const Series& series);

/// Ranges, ticks and margins for a panel of total `width` [px].
PanelLayout lay_out(const Panel& panel, double width);
/// The panel with its upper left corner at (left, top); `left_margin` may be wider than asked so that panels align.
std::string draw_panel(const Panel& panel, PanelLayout layout, double left, double top, double width,
                       double left_margin, const std::string& id);

}  // namespace dashpot::render
