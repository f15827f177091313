#pragma once
// Text and numbers on their way into SVG and HTML.
#include <string>
#include <string_view>

#include "dashpot/core/markup.hpp"

namespace dashpot::render {

/// Approximate width [px] of text in the report's sans-serif font at `size` [px]; counts code points, not bytes.
double text_width(std::string_view text, double size);
/// A coordinate with at most `decimals` places, without trailing zeros and never "-0" or "nan".
std::string coordinate(double value, int decimals = 1);

}  // namespace dashpot::render
