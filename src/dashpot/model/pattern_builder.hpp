#pragma once
// Collects which blocks are coupled, before the pattern exists.

#include <memory>
#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

class PatternBuilder {
 public:
  /// Couples the `count` blocks at `blocks` with each other.
  void add_group(const int* blocks, int count);
  std::shared_ptr<const BlockPattern> build(const DofLayout& layout) const;
  std::shared_ptr<const BlockPattern> build(int block_size, int num_blocks) const {
    return build(DofLayout(block_size, num_blocks));
  }

 private:
  std::vector<int> start_{0}, blocks_;
};

}  // namespace dashpot
