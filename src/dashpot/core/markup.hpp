#pragma once
// Text on its way into XML, SVG and HTML.
#include <string>
#include <string_view>

namespace dashpot {

/// Escapes & < > " ' and drops control characters that XML forbids, so any user text is safe in text and attributes.
std::string escape_markup(std::string_view text);

}  // namespace dashpot
