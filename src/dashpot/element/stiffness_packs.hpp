#pragma once
// Where laws add their tangents. For .cpp files of kernels only.

#include "dashpot/math/pack.hpp"

namespace dashpot {

/// Stiffness of four elements between their nodes 1 .. N-1 (node 0 follows from sums being zero), nine packs a block at
/// kernel::upper<N>(a, b), a <= b.
struct StiffnessPacks {
  math::Pack4* upper = nullptr;  ///< K_ab
  math::Pack4* lower = nullptr;  ///< transpose of K_ba; null: the tangent is symmetric
};

}  // namespace dashpot
