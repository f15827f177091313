#include "dashpot/render/contact_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::render {
namespace {

constexpr Rgb paper{250, 250, 249}, ink{45, 49, 55}, faint{110, 115, 122};
constexpr int gap = 6;

/// Text sizes that suit a picture.
double text_size(int width, int height) { return std::clamp(std::sqrt(width * height) / 46.0, 12.0, 26.0); }

}  // namespace

Image contact_sheet(const std::vector<SheetCell>& cells, const SheetSettings& settings) {
  if (cells.empty()) throw Error(Problem{"contact sheet", "no pictures", "at least one", ""});
  const int w = cells.front().image.width, h = cells.front().image.height;
  for (const SheetCell& cell : cells)
    if (cell.image.width != w || cell.image.height != h)
      throw Error(Problem{"contact sheet",
                          fmt::format("pictures of {} x {} and {} x {}", w, h, cell.image.width, cell.image.height),
                          "pictures of one size", ""});
  const int columns = std::clamp(settings.columns, 1, static_cast<int>(cells.size()));
  const int rows = (static_cast<int>(cells.size()) + columns - 1) / columns;
  const int width = gap + columns * (w + gap);
  const double size = std::max(text_size(width, width / 2), 14.0), cell_size = text_size(w, h) * 1.05;
  const TextStyle title{size * 1.1, ink, Align::left, 1.25}, note{size * 0.85, faint}, bar{size * 0.85, ink};
  TextStyle heading{std::max(cell_size, 13.0), ink, Align::center, 1.15};

  int top = gap;
  if (!settings.title.empty() || !settings.note.empty()) top = static_cast<int>(2.6 * size);
  if (settings.scale) top = std::max(top, static_cast<int>(color_bar_height(bar) + 1.8 * gap));
  const int heading_height = settings.headings.empty() ? 0 : static_cast<int>(1.6 * heading.size);
  Image sheet(width, top + heading_height + rows * (h + gap), paper);

  const double bar_width = settings.scale ? std::min(0.42 * width, 22 * size) : 0;
  const double room = width - bar_width - 5 * gap;
  const double title_line = settings.note.empty() && !settings.scale ? 1.6 * size : 1.25 * size;
  draw_text(sheet, 2 * gap, title_line, fit_text(settings.title, room, title), title);
  draw_text(sheet, 2 * gap, title_line + 1.15 * size, fit_text(settings.note, room, note), note);
  if (settings.scale) draw_color_bar(sheet, width - bar_width - 2 * gap, 0.35 * gap, bar_width, *settings.scale, bar);
  for (std::size_t i = 0; i < settings.headings.size() && i < static_cast<std::size_t>(columns); ++i)
    draw_text(sheet, gap + static_cast<int>(i) * (w + gap) + w / 2.0, top + heading_height - 0.5 * heading.size,
              fit_text(settings.headings[i], w - 8, heading), heading);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int x = gap + static_cast<int>(i) % columns * (w + gap);
    const int y = top + heading_height + static_cast<int>(i) / columns * (h + gap);
    paste(sheet, cells[i].image, x, y);
    draw_text(sheet, x + 0.6 * cell_size, y + h - 0.6 * cell_size, cells[i].caption, {cell_size, ink});
  }
  return sheet;
}

void annotate(Image& image, const std::string& title, const std::string& time, const std::string& note,
              const std::optional<ColorScale>& scale) {
  const double size = text_size(image.width, image.height), margin = 0.8 * size;
  const double time_width = text_width(time, {size, ink});
  const TextStyle bold{size, ink, Align::left, 1.25};
  draw_text(image, margin, margin + 0.7 * size, fit_text(title, image.width - time_width - 4 * margin, bold), bold);
  draw_text(image, image.width - margin, margin + 0.7 * size, time, {size, ink, Align::right});
  draw_text(image, margin, image.height - margin, note, {0.85 * size, faint});
  if (!scale) return;
  const TextStyle bar{0.9 * size, ink};
  const double width = std::min(16 * size, 0.5 * image.width);
  draw_color_bar(image, image.width - margin - width, image.height - 0.5 * margin - color_bar_height(bar), width,
                 *scale, bar);
}

}  // namespace dashpot::render
