#pragma once
// Terms that touch different blocks can share one vector: each writes its own part of it. A layer is such a set of
// terms. A System of a thousand bodies with elasticity and gravity has two layers of energies, not two thousand, and
// sums and norms over layers cost as much per body as they do for one body alone.

#include <vector>

#include "dashpot/linsolve/block_range.hpp"

namespace dashpot {

struct TermLayers {
  std::vector<std::vector<int>> terms;  ///< of each layer, ascending
  std::vector<int> layer_of;            ///< of each term

  int size() const { return static_cast<int>(terms.size()); }
};

/// Gives each term the first layer in which it overlaps no other.
TermLayers assign_layers(const std::vector<BlockRange>& touched);

}  // namespace dashpot
