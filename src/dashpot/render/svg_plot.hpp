#pragma once
// Draws a Figure as SVG: crisp at report width, safe for color-blind readers (Okabe-Ito palette, dashes when it
// repeats), accessible (title, desc, role), without scripts, fonts or anything from the network. Long series are
// decimated to what pixels can show, so a file stays below about 200 kB. Colors of ink, grid and paper are CSS
// variables (--dp-ink,
// --dp-muted, --dp-grid, --dp-paper) with dark-on-white defaults: a page may set them for dark mode.
#include <string>

#include "dashpot/render/figure.hpp"

namespace dashpot::render {

struct SvgOptions {
  bool has_title = true;       ///< draw the figure's title (a report has its own heading)
  std::string id = "dashpot";  ///< prefix of ids; must differ between SVGs of one page
  std::string stamp;           ///< provenance for <metadata>; empty: version and commit
};

/// dashpot::Error when a series has different numbers of x and y, or stacked series do not share their x.
std::string to_svg(const Figure& figure, const SvgOptions& options = {});

/// Color i of the palette as "#rrggbb"; repeats after 8.
std::string palette_color(int i);

}  // namespace dashpot::render
