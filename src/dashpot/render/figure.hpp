#pragma once
// A plot as data: a Figure has panels, a Panel has two axes and series. Nothing here knows how it is drawn
// (svg_plot.hpp). NaN or infinite values are gaps in a line, never errors; on a logarithmic axis so are values that are
// not positive.
#include <optional>
#include <string>
#include <vector>

namespace dashpot::render {

struct Axis {
  std::string label;  ///< "time"; without its unit
  std::string unit;   ///< "s"; empty when dimensionless
  bool is_logarithmic = false;
  std::optional<double> min = std::nullopt;  ///< unset: from the data
  std::optional<double> max = std::nullopt;
};

enum class Mark { line, dashed_line, points, line_and_points };

struct Series {
  std::string name = {};             ///< legend entry; empty: not in the legend
  std::vector<double> x = {};        ///< unit of the x axis
  std::vector<double> y = {};        ///< unit of the y axis, as many as x
  std::vector<double> y_error = {};  ///< half length of the error bars; empty: none
  Mark mark = Mark::line;
  int color = -1;  ///< index into the palette; -1: next free one
};

/// A reference value drawn across the panel.
struct Guide {
  double value = 0;
  std::string label;
  bool is_vertical = false;
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
  std::vector<Guide> guides;
  /// Series are areas on top of each other: positive values upwards from zero, negative ones downwards. All share one
  /// x.
  bool is_stacked = false;
  double height = 300;  ///< of the drawn area [px]
};

struct Figure {
  std::string title;        ///< also the accessible name
  std::string description;  ///< one sentence for screen readers and as a caption
  std::vector<Panel> panels;
  int columns = 1;
  double width = 860;  ///< [px]
};

}  // namespace dashpot::render
