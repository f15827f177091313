#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/render/markup.hpp"
#include "dashpot/render/svg_panel.hpp"

namespace dashpot::render {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double v, bool is_logarithmic) {
    if (!std::isfinite(v) || (is_logarithmic && v <= 0)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool is_empty() const { return low > high; }
};

Scale make_scale(Range range, const Axis& axis, bool has_zero) {
  Scale scale;
  scale.is_logarithmic = axis.is_logarithmic;
  if (range.is_empty()) range = axis.is_logarithmic ? Range{1, 10} : Range{0, 1};
  if (has_zero && !axis.is_logarithmic) {
    range.low = std::min(range.low, 0.0);
    range.high = std::max(range.high, 0.0);
  }
  if (axis.min && (!axis.is_logarithmic || *axis.min > 0)) range.low = *axis.min;
  if (axis.max && (!axis.is_logarithmic || *axis.max > 0)) range.high = *axis.max;
  // A curve through zero reaches any depth on a logarithmic axis: ten decades are enough.
  if (axis.is_logarithmic && !axis.min) range.low = std::max(range.low, range.high * 1e-10);
  if (!(range.high > range.low)) {  // one value only: open a window around it
    const double pad = range.low == 0 ? 1 : 0.1 * std::abs(range.low);
    range.high = axis.is_logarithmic ? range.low * 2 : range.low + pad;
    range.low = axis.is_logarithmic ? range.low / 2 : range.low - pad;
  }
  scale.low = range.low;
  scale.high = range.high;
  return scale;
}

/// Adds a little room at the ends that were not asked for.
void widen(Scale& scale, const Axis& axis, double share, bool keep_low) {
  const bool is_log = scale.is_logarithmic;
  const double room = is_log ? std::pow(scale.high / scale.low, share) : share * (scale.high - scale.low);
  if (!axis.max) scale.high = is_log ? scale.high * room : scale.high + room;
  if (!axis.min && !keep_low) scale.low = is_log ? scale.low / room : scale.low - room;
}

Ticks make_ticks(const Scale& scale, const std::string& unit, double pixels, double spacing) {
  // Decades may stand closer together than numbers that must be told apart.
  const int wanted = std::max(2, static_cast<int>(pixels / (scale.is_logarithmic ? 0.7 * spacing : spacing)));
  return scale.is_logarithmic ? log_ticks(scale.low, scale.high, wanted, unit)
                              : linear_ticks(scale.low, scale.high, wanted, unit);
}

bool needs_legend(const Panel& panel) {
  const auto named =
      std::count_if(panel.series.begin(), panel.series.end(), [](const Series& s) { return !s.name.empty(); });
  return named > 1 || panel.is_stacked;
}

int count_legend_rows(const Panel& panel, double width) {
  if (!needs_legend(panel)) return 0;
  int rows = 1;
  double used = 0;
  for (const Series& s : panel.series) {
    if (s.name.empty()) continue;
    if (used > 0 && used + legend_entry_width(s) > width) {
      ++rows;
      used = 0;
    }
    used += legend_entry_width(s);
  }
  return rows;
}

/// A run that ends just short of a round number gets its last tick.
void reach_next_tick(Scale& scale, double wanted) {
  const Ticks ticks = linear_ticks(scale.low, scale.high, static_cast<int>(wanted), "");
  if (ticks.major.size() < 2) return;
  const double next = ticks.major.back() + (ticks.major[1] - ticks.major[0]);
  if (next - scale.high < 0.02 * (scale.high - scale.low)) scale.high = next;
}

}  // namespace

double legend_entry_width(const Series& series) { return 28 + text_width(series.name, tick_size + 0.5) + 16; }

Stack stack_up(const std::vector<Series>& series) {
  Stack stack;
  const std::size_t n = series.empty() ? 0 : series.front().y.size();
  std::vector<double> up(n, 0), down(n, 0);
  for (const Series& s : series) {
    std::vector<double> base(n), top(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double y = std::isfinite(s.y[i]) ? s.y[i] : 0;
      double& edge = y >= 0 ? up[i] : down[i];
      base[i] = edge;
      edge += y;
      top[i] = edge;
    }
    stack.base.push_back(std::move(base));
    stack.top.push_back(std::move(top));
  }
  return stack;
}

double Scale::pixel(double value) const {
  if (!std::isfinite(value) || (is_logarithmic && value <= 0)) return std::numeric_limits<double>::quiet_NaN();
  const double share = is_logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + share * (to - from);
}

double PanelLayout::total_height(const Panel& panel) const { return header_height + panel.height + bottom_margin; }

PanelLayout lay_out(const Panel& panel, double width) {
  PanelLayout layout;
  Range x, y;
  const Stack stack = panel.is_stacked ? stack_up(panel.series) : Stack{};
  for (std::size_t k = 0; k < panel.series.size(); ++k) {
    const Series& s = panel.series[k];
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      const bool is_shown = std::isfinite(s.y[i]) && !(panel.y.is_logarithmic && s.y[i] <= 0);
      if (!is_shown) continue;
      x.add(s.x[i], panel.x.is_logarithmic);
      y.add(panel.is_stacked ? stack.top[k][i] : s.y[i], panel.y.is_logarithmic);
      if (i < s.y_error.size() && std::isfinite(s.y_error[i])) {
        y.add(s.y[i] + s.y_error[i], panel.y.is_logarithmic);
        if (!panel.y.is_logarithmic) y.add(s.y[i] - s.y_error[i], false);
      }
    }
  }
  layout.has_data = !x.is_empty() && !y.is_empty();
  for (const Guide& guide : panel.guides)
    (guide.is_vertical ? x : y).add(guide.value, guide.is_vertical ? panel.x.is_logarithmic : panel.y.is_logarithmic);
  layout.x = make_scale(x, panel.x, false);
  layout.y = make_scale(y, panel.y, panel.is_stacked);
  const bool has_dots = std::any_of(panel.series.begin(), panel.series.end(), [](const Series& s) {
    return s.mark == Mark::points || s.mark == Mark::line_and_points;
  });
  if (has_dots) widen(layout.x, panel.x, 0.03, false);
  if (!has_dots && !panel.x.max && !panel.x.is_logarithmic) reach_next_tick(layout.x, width / 90);
  widen(layout.y, panel.y, 0.05, layout.y.low == 0);
  layout.y_ticks = make_ticks(layout.y, panel.y.unit, panel.height, 46);
  for (const std::string& label : layout.y_ticks.labels)
    layout.left_margin = std::max(layout.left_margin, text_width(label, tick_size) + 14);
  layout.x_ticks = make_ticks(layout.x, panel.x.unit, width - layout.left_margin - right_margin, 90);
  layout.legend_rows = count_legend_rows(panel, width - 8);
  layout.header_height = (panel.title.empty() ? 0 : 26) + layout.legend_rows * legend_row + 26;
  return layout;
}

}  // namespace dashpot::render
