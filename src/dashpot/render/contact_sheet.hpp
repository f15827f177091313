#pragma once
// Several pictures in one: stills of a run in a grid with their times, or runs side by side.

#include <optional>
#include <string>
#include <vector>

#include "dashpot/render/color_scale.hpp"
#include "dashpot/render/image.hpp"

namespace dashpot::render {

/// One picture of a sheet and what is written into its corner.
struct SheetCell {
  Image image;
  std::string caption;  ///< "0.40 s"; may be empty
};

struct SheetSettings {
  std::string title;                  ///< above all; may be empty
  std::string note;                   ///< small, under the title ("grid: 0.1 m"); may be empty
  std::vector<std::string> headings;  ///< above each column; empty: none
  int columns = 3;
  std::optional<ColorScale> scale;  ///< color bar at the upper right
};

/// All cells must have the same size; dashpot::Error otherwise, or when there are none.
Image contact_sheet(const std::vector<SheetCell>& cells, const SheetSettings& settings);

/// Writes title (upper left), time (upper right), note (lower left) and color bar (lower right) into one picture.
void annotate(Image& image, const std::string& title, const std::string& time, const std::string& note,
              const std::optional<ColorScale>& scale);

}  // namespace dashpot::render
