#pragma once
// Units as people write them: "kg/m3", "N s/m", "MPa", "1/s".

#include <optional>
#include <string_view>

#include "dashpot/core/units.hpp"

namespace dashpot {

/// A unit: factor * 10^decade times base units. The decade is kept apart so that decimal prefixes round only once.
struct Unit {
  double factor = 1;
  int decade = 0;
  Dimension dimension{};
};

/// Nothing where it is not understood, or has two readings ("kg/m s").
std::optional<Unit> parse_unit(std::string_view text);

}  // namespace dashpot
