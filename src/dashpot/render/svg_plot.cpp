#include "dashpot/render/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dashpot/core/error.hpp"
#include "dashpot/core/version.hpp"
#include "dashpot/render/markup.hpp"
#include "dashpot/render/svg_panel.hpp"

namespace dashpot::render {
namespace {

constexpr double gutter = 34;  // between columns and rows [px]

constexpr const char* style_sheet =
    "<style>\n"
    ".dp-figure text{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans','DejaVu Sans',Arial,sans-serif;"
    "fill:var(--dp-ink,#1a1a1a)}\n"
    ".dp-figure .dp-heading{font-size:17px;font-weight:600}.dp-figure .dp-title{font-size:14.5px;font-weight:600}\n"
    ".dp-figure .dp-label{font-size:12.5px}.dp-figure .dp-legend{font-size:12px}\n"
    ".dp-figure .dp-tick{font-size:11.5px;fill:var(--dp-muted,#4d4d4d);font-variant-numeric:tabular-nums}\n"
    ".dp-figure .dp-note{font-size:11.5px;fill:var(--dp-muted,#4d4d4d);paint-order:stroke;stroke:var(--dp-paper,#fff);"
    "stroke-width:3px}\n"
    ".dp-figure .dp-grid{stroke:var(--dp-grid,#dddddd);fill:none}.dp-figure .dp-minor{stroke:var(--dp-grid,#dddddd);"
    "stroke-opacity:.5;fill:none}\n"
    ".dp-figure .dp-axis{stroke:var(--dp-ink,#1a1a1a);fill:none}\n"
    ".dp-figure .dp-guide{stroke:var(--dp-muted,#4d4d4d);stroke-dasharray:3 3;fill:none}\n"
    ".dp-figure .dp-line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}\n"
    ".dp-figure .dp-error{fill:none;stroke-width:1.2}.dp-figure .dp-dots "
    "circle{stroke:var(--dp-paper,#fff);stroke-width:.8}\n"
    ".dp-figure .dp-area{stroke:var(--dp-paper,#fff);stroke-width:.6;fill-opacity:.9}\n"
    ".dp-figure .dp-paper{fill:var(--dp-paper,#fff)}\n"
    "</style>\n";

void check(const Figure& figure) {
  std::vector<Problem> problems;
  for (const Panel& panel : figure.panels)
    for (const Series& s : panel.series) {
      const std::string place = fmt::format("panel '{}', series '{}'", panel.title, s.name);
      if (s.x.size() != s.y.size())
        problems.push_back({place, fmt::format("{} x and {} y values", s.x.size(), s.y.size()), "as many of both", ""});
      if (!s.y_error.empty() && s.y_error.size() != s.y.size())
        problems.push_back(
            {place, fmt::format("{} error bars", s.y_error.size()), fmt::format("none or {}", s.y.size()), ""});
      if (panel.is_stacked && s.x != panel.series.front().x)
        problems.push_back(
            {place, "x values of its own", "the x values of the first stacked series", "interpolate first"});
    }
  if (!problems.empty()) throw Error(problems);
}

struct Placed {
  PanelLayout layout;
  double left = 0, top = 0, margin = 0;
};

/// Grid of panels; panels of one column share their left margin, panels of one row their top.
std::vector<Placed> place(const Figure& figure, int columns, double panel_width, double left, double top,
                          double& bottom) {
  std::vector<Placed> placed;
  std::vector<double> margins(static_cast<std::size_t>(columns), 0);
  double row_height = 0;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const auto column = i % static_cast<std::size_t>(columns);
    if (column == 0 && i > 0) {
      top += row_height + gutter * 0.6;
      row_height = 0;
    }
    Placed p;
    p.layout = lay_out(figure.panels[i], panel_width);
    p.left = left + static_cast<double>(column) * (panel_width + gutter);
    p.top = top;
    row_height = std::max(row_height, p.layout.total_height(figure.panels[i]));
    margins[column] = std::max(margins[column], p.layout.left_margin);
    placed.push_back(std::move(p));
  }
  for (std::size_t i = 0; i < placed.size(); ++i) placed[i].margin = margins[i % static_cast<std::size_t>(columns)];
  bottom = top + row_height;
  return placed;
}

}  // namespace

std::string palette_color(int i) {
  // Okabe-Ito, its yellow and black replaced by olive and gray, which stay visible on white and on dark paper.
  static constexpr std::array<const char*, 8> colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#e69f00", "#56b4e9", "#8a8a00", "#777777"};
  return colors[static_cast<std::size_t>(std::abs(i)) % colors.size()];
}

std::string to_svg(const Figure& figure, const SvgOptions& options) {
  check(figure);
  const int columns =
      std::max(1, std::min(figure.columns, static_cast<int>(std::max<std::size_t>(1, figure.panels.size()))));
  const double left = options.has_title ? 12 : 1;  // a page has its own margin
  const double panel_width = (figure.width - left - 4 - (columns - 1) * gutter) / columns;
  const bool has_heading = options.has_title && !figure.title.empty();
  double bottom = 0;
  const std::vector<Placed> placed = place(figure, columns, panel_width, left, has_heading ? 40 : 8, bottom);
  const std::string id = escape_markup(options.id), height = coordinate(bottom + 6), width = coordinate(figure.width);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\" "
      "class=\"dp-figure\" "
      "role=\"img\" aria-labeledby=\"{0}-title {0}-desc\">\n<title id=\"{0}-title\">{3}</title>\n<desc "
      "id=\"{0}-desc\">{4}</desc>\n",
      id, width, height, escape_markup(figure.title), escape_markup(figure.description));
  const std::string stamp = options.stamp.empty() ? fmt::format("dashpot {} {}", version(), commit()) : options.stamp;
  svg += fmt::format("<metadata>{}</metadata>\n", escape_markup(stamp));
  svg += style_sheet;
  svg += fmt::format("<rect class=\"dp-paper\" width=\"{}\" height=\"{}\"/>\n", width, height);
  if (has_heading)
    svg += fmt::format("<text x=\"12\" y=\"26\" class=\"dp-heading\">{}</text>\n", escape_markup(figure.title));
  for (std::size_t i = 0; i < placed.size(); ++i)
    svg += draw_panel(figure.panels[i], placed[i].layout, placed[i].left, placed[i].top, panel_width, placed[i].margin,
                      fmt::format("{}-{}", options.id, i));
  return svg + "</svg>\n";
}

}  // namespace dashpot::render
