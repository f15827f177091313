#pragma once
// Glyphs as strokes. Units: base line at y = 0, capitals 7 high, small letters 4.8, descenders to -2; y upward.

#include <array>
#include <vector>

namespace dashpot::render {

struct Glyph {
  double advance = 4;                           ///< to the next glyph's origin
  std::vector<std::array<double, 4>> segments;  ///< x0, y0, x1, y1; a dot has both ends in one place
};

/// The glyph of a Unicode character; a box when there is none.
const Glyph& glyph_of(char32_t character);

}  // namespace dashpot::render
