#pragma once
// Chains: rows of blocks along which a matrix couples far more strongly than across, such as crossings along a yarn.
// Whoever knows of them tells the solver (LinearSolverOptions::chains).

#include <array>
#include <vector>

namespace dashpot {

struct BlockChains {
  /// Families of chains; the chains of one family share no block.
  std::vector<std::vector<std::vector<int>>> families;
  /// Where each block stands on a grid, for what is smooth over many of them; empty: not known. Blocks of one sheet are
  /// neighbors where their places are.
  std::vector<std::array<int, 2>> places;
};

}  // namespace dashpot
