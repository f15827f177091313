#pragma once
// Text on its way to a terminal.
#include <string>
#include <string_view>

namespace dashpot {

/// Control characters made visible ("\x1b"), but for line ends and tabs: names come from files and command lines, and
/// must not be able to move the cursor, change colors or set titles. C0, DEL, C1 (U+0080 to U+009F) and bytes that are
/// no UTF-8 count; all other characters stay as they are.
std::string printable(std::string_view text);

}  // namespace dashpot
