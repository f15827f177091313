#pragma once
// The connected parts of a System that nothing holds: they can move as rigid bodies.

#include <vector>

#include "dashpot/model/system.hpp"

namespace dashpot {

/// Blocks of each connected part without a held or tied node.
std::vector<std::vector<int>> free_parts(const System& system);

}  // namespace dashpot
