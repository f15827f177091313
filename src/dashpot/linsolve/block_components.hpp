#pragma once
// The connected components of a block-sparse matrix: bodies that neither touch nor are attached to each other.

#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/dynamic_blocks.hpp"

namespace dashpot {

/// Sets that can be united; the root of a set is its least member.
class DisjointSets {
 public:
  explicit DisjointSets(int count);
  int root(int i);
  void unite(int i, int j);

 private:
  std::vector<int> parent_;
};

class BlockComponents {
 public:
  /// Of A + B, A on the pattern and B the blocks outside it.
  BlockComponents(std::shared_ptr<const BlockPattern> pattern, const DynamicBlocks& outside);

  int size() const { return count_; }
  /// The component of a block; components are numbered from 0 in the order of their first blocks.
  int operator[](int block) const { return component_[at(block)]; }
  const DofLayout& layout() const { return pattern_->layout(); }

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<int> component_;
  int count_ = 0;
};

}  // namespace dashpot
