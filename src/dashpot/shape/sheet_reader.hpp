#pragma once
// "sheet" of a shape file. Internal to the shape reader.
#include "dashpot/shape/node_reader.hpp"

namespace dashpot {

Sheet read_sheet(ValueReader& values, NodeReader& nodes, const JsonValue& value);

}  // namespace dashpot
