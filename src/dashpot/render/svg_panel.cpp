#include "dashpot/render/svg_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/render/decimate.hpp"
#include "dashpot/render/markup.hpp"
#include "dashpot/render/svg_plot.hpp"

namespace dashpot::render {
namespace {

constexpr double label_size = 12.5, title_size = 14.5;

std::string axis_text(const Axis& axis, const Ticks& ticks) {
  return ticks.unit.empty() ? axis.label : fmt::format("{} [{}]", axis.label, ticks.unit);
}

int color_of(const Panel& panel, std::size_t i) {
  return panel.series[i].color >= 0 ? panel.series[i].color : static_cast<int>(i);
}

/// Areas beyond the eight colors of the palette are paler.
std::string fill_style(const Panel& panel, std::size_t i) {
  const int color = color_of(panel, i);
  return fmt::format("fill=\"{}\"{}", palette_color(color), (color / 8) % 2 == 1 ? " style=\"fill-opacity:.45\"" : "");
}

/// Dashes distinguish what the palette cannot: asked for, or beyond its eight colors.
std::string stroke_style(const Panel& panel, std::size_t i) {
  const int color = color_of(panel, i);
  const bool is_dashed = panel.series[i].mark == Mark::dashed_line || (color / 8) % 2 == 1;
  return fmt::format("stroke=\"{}\"{}", palette_color(color), is_dashed ? " stroke-dasharray=\"6 4\"" : "");
}

/// Path in tenths of a pixel, relative after the first point of each line: half the size of absolute coordinates.
std::string path_of(const std::vector<PixelPoint>& points) {
  std::string d;
  long x = 0, y = 0;
  for (const PixelPoint& p : points) {
    const long px = std::lround(10 * p.x), py = std::lround(10 * p.y);
    const double dx = static_cast<double>(px - x) / 10, dy = static_cast<double>(py - y) / 10;
    if (p.starts_line)
      d += 'M' + coordinate(p.x) + ' ' + coordinate(p.y);
    else
      d += 'l' + coordinate(dx) + (dy < 0 ? "" : " ") + coordinate(dy);
    x = px;
    y = py;
  }
  return d;
}

std::vector<PixelPoint> to_pixels(const std::vector<double>& x, const std::vector<double>& y,
                                  const PanelLayout& layout) {
  std::vector<PixelPoint> points;
  bool starts_line = true;
  // Values far outside the frame are drawn just outside it: browsers dislike huge coordinates.
  const double low = std::min(layout.y.from, layout.y.to) - 2000, high = std::max(layout.y.from, layout.y.to) + 2000;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double px = layout.x.pixel(x[i]), py = layout.y.pixel(y[i]);
    if (!std::isfinite(px) || !std::isfinite(py)) {
      starts_line = true;
      continue;
    }
    points.push_back({px, std::clamp(py, low, high), starts_line});
    starts_line = false;
  }
  return points;
}

std::string text(double x, double y, const char* css, const std::string& content, const char* anchor = "start") {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n", coordinate(x),
                     coordinate(y), css, anchor, escape_markup(content));
}

std::string line(double x1, double y1, double x2, double y2, const char* css) {
  return fmt::format("<path class=\"{}\" d=\"M{} {}L{} {}\"/>\n", css, coordinate(x1), coordinate(y1), coordinate(x2),
                     coordinate(y2));
}

std::string draw_frame(const Panel& panel, const PanelLayout& layout) {
  const Scale &x = layout.x, &y = layout.y;
  std::string svg;
  for (const double v : layout.y_ticks.minor) svg += line(x.from, y.pixel(v), x.to, y.pixel(v), "dp-minor");
  for (const double v : layout.x_ticks.minor) svg += line(x.pixel(v), y.from, x.pixel(v), y.to, "dp-minor");
  for (std::size_t i = 0; i < layout.y_ticks.major.size(); ++i) {
    const double py = y.pixel(layout.y_ticks.major[i]);
    svg += line(x.from, py, x.to, py, "dp-grid");
    svg += text(x.from - 7, py + 4, "dp-tick", layout.y_ticks.labels[i], "end");
  }
  for (std::size_t i = 0; i < layout.x_ticks.major.size(); ++i) {
    const double px = x.pixel(layout.x_ticks.major[i]);
    if (x.is_logarithmic) svg += line(px, y.from, px, y.to, "dp-grid");
    svg += line(px, y.from, px, y.from + 5, "dp-axis");
    svg += text(px, y.from + 18, "dp-tick", layout.x_ticks.labels[i], "middle");
  }
  svg += text((x.from + x.to) / 2, y.from + 37, "dp-label", axis_text(panel.x, layout.x_ticks), "middle");
  return svg;
}

/// Outlines of one layer. Where its value changes sign it leaves the pile above zero for the one below: a new outline
/// begins there, or a line would cross the other layers.
std::string stack_outlines(const std::vector<double>& x, const std::vector<double>& base,
                           const std::vector<double>& top, const PanelLayout& layout) {
  std::string d;
  const auto is_below = [&](std::size_t k) { return top[k] < base[k]; };
  for (std::size_t from = 0, to = 0; from < top.size(); from = to) {
    while (to < top.size() && is_below(to) == is_below(from)) ++to;
    const auto part = [&](const std::vector<double>& v) {
      return std::vector<double>(v.begin() + static_cast<std::ptrdiff_t>(from),
                                 v.begin() + static_cast<std::ptrdiff_t>(to));
    };
    std::vector<PixelPoint> outline = decimate(to_pixels(part(x), part(top), layout));
    const std::vector<PixelPoint> lower = decimate(to_pixels(part(x), part(base), layout));
    outline.insert(outline.end(), lower.rbegin(), lower.rend());
    for (std::size_t k = 0; k < outline.size(); ++k) outline[k].starts_line = k == 0;
    if (!outline.empty()) d += path_of(outline) + "Z";
  }
  return d;
}

std::string draw_stack(const Panel& panel, const PanelLayout& layout) {
  std::string svg;
  const Stack stack = stack_up(panel.series);
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const std::string areas = stack_outlines(panel.series[i].x, stack.base[i], stack.top[i], layout);
    if (areas.empty()) continue;
    svg += fmt::format("<path {} class=\"dp-area\" d=\"{}\"><title>{}</title></path>\n", fill_style(panel, i), areas,
                       escape_markup(panel.series[i].name));
  }
  return svg;
}

std::string draw_error_bars(const Series& s, const PanelLayout& layout, const std::string& color) {
  std::string d;
  for (std::size_t i = 0; i < s.x.size() && i < s.y_error.size(); ++i) {
    const double px = layout.x.pixel(s.x[i]), high = layout.y.pixel(s.y[i] + s.y_error[i]);
    double low = layout.y.pixel(s.y[i] - s.y_error[i]);
    if (!std::isfinite(low)) low = layout.y.from;  // the bar reaches below a logarithmic axis
    if (!std::isfinite(px) || !std::isfinite(high)) continue;
    d += fmt::format("M{0} {2}h6m-3 0L{1} {3}m-3 0h6", coordinate(px - 3), coordinate(px), coordinate(high),
                     coordinate(low));
  }
  return d.empty() ? d : fmt::format("<path class=\"dp-error\" stroke=\"{}\" d=\"{}\"/>\n", color, d);
}

std::string draw_series(const Panel& panel, const PanelLayout& layout, std::size_t i) {
  const Series& s = panel.series[i];
  const std::string color = palette_color(color_of(panel, i));
  const std::vector<PixelPoint> points = decimate(to_pixels(s.x, s.y, layout));
  std::string svg = fmt::format("<g><title>{}</title>\n", escape_markup(s.name));
  svg += draw_error_bars(s, layout, color);
  if (s.mark != Mark::points)
    svg += fmt::format("<path class=\"dp-line\" {} d=\"{}\"/>\n", stroke_style(panel, i), path_of(points));
  if (s.mark == Mark::points || s.mark == Mark::line_and_points) {
    svg += fmt::format("<g class=\"dp-dots\" fill=\"{}\">", color);
    for (const PixelPoint& p : points)
      svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.2\"/>", coordinate(p.x), coordinate(p.y));
    svg += "</g>\n";
  }
  return svg + "</g>\n";
}

std::string draw_guides(const Panel& panel, const PanelLayout& layout) {
  std::string svg;
  for (const Guide& guide : panel.guides) {
    const Scale& scale = guide.is_vertical ? layout.x : layout.y;
    const double p = scale.pixel(guide.value);
    if (!std::isfinite(p) || guide.value < scale.low || guide.value > scale.high) continue;
    const Scale &x = layout.x, &y = layout.y;
    svg += guide.is_vertical ? line(p, y.from, p, y.to, "dp-guide") : line(x.from, p, x.to, p, "dp-guide");
    const bool is_right_half = p > (x.from + x.to) / 2;
    svg += guide.is_vertical
               ? text(is_right_half ? p - 5 : p + 5, y.to + 13, "dp-note", guide.label, is_right_half ? "end" : "start")
               : text(x.to - 4, p - 5, "dp-note", guide.label, "end");
  }
  return svg;
}

std::string draw_legend(const Panel& panel, double left, double top, double width) {
  std::string svg;
  double x = left, y = top;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& s = panel.series[i];
    if (s.name.empty()) continue;
    if (x > left && x + legend_entry_width(s) > left + width) {
      x = left;
      y += legend_row;
    }
    const std::string color = palette_color(color_of(panel, i));
    if (panel.is_stacked)
      svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"11\" rx=\"2\" {}/>\n", coordinate(x + 3),
                         coordinate(y - 9), fill_style(panel, i));
    else if (s.mark != Mark::points)
      svg += fmt::format("<path class=\"dp-line\" {} d=\"M{} {}h20\"/>\n", stroke_style(panel, i), coordinate(x),
                         coordinate(y - 4));
    if (!panel.is_stacked && (s.mark == Mark::points || s.mark == Mark::line_and_points))
      svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.2\" fill=\"{}\"/>\n", coordinate(x + 10), coordinate(y - 4),
                         color);
    svg += text(x + 26, y, "dp-legend", s.name);
    x += legend_entry_width(s);
  }
  return svg;
}

}  // namespace

std::string draw_panel(const Panel& panel, PanelLayout layout, double left, double top, double width,
                       double left_margin, const std::string& id) {
  std::string svg = fmt::format("<g>\n");
  double y = top;
  if (!panel.title.empty()) {
    svg += text(left, y + title_size + 1, "dp-title", panel.title);
    y += 26;
  }
  if (layout.legend_rows > 0) {
    svg += draw_legend(panel, left, y + 13, width - 8);
    y += layout.legend_rows * legend_row;
  }
  layout.x.from = left + left_margin;
  layout.x.to = left + width - right_margin;
  layout.y.to = top + layout.header_height;
  layout.y.from = layout.y.to + panel.height;
  svg += text(left, y + label_size + 3, "dp-label", axis_text(panel.y, layout.y_ticks));
  svg += draw_frame(panel, layout);
  const std::string clip = id + "-clip";
  svg += fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                     escape_markup(clip), coordinate(layout.x.from), coordinate(layout.y.to - 2),
                     coordinate(layout.x.to - layout.x.from + 3), coordinate(panel.height + 4));
  svg += fmt::format("<g clip-path=\"url(#{})\">\n", escape_markup(clip));
  if (panel.is_stacked)
    svg += draw_stack(panel, layout);
  else
    for (std::size_t i = 0; i < panel.series.size(); ++i) svg += draw_series(panel, layout, i);
  svg += "</g>\n" + draw_guides(panel, layout);
  svg += line(layout.x.from, layout.y.from, layout.x.to, layout.y.from, "dp-axis");
  if (!layout.has_data)
    svg += text((layout.x.from + layout.x.to) / 2, (layout.y.from + layout.y.to) / 2, "dp-note", "no data to show",
                "middle");
  return svg + "</g>\n";
}

}  // namespace dashpot::render
