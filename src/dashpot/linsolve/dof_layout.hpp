#pragma once
// Which dofs belong to which block: blocks of any size side by side in one vector of coordinates. A node in space is a
// block of 3, a yarn crossing one of 5, a reduced body one of r.
//
// The leading blocks, those of the size of block 0, are what most Systems are made of: block i of them begins at
// i * leading_size, and kernels for nodes rely on it. Blocks of other sizes stand behind them, by a table of offsets.

#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_range.hpp"

namespace dashpot {

/// Dofs [begin, end).
struct DofRange {
  int begin = 0, end = 0;
  int size() const { return end - begin; }
};

class DofLayout {
 public:
  DofLayout() = default;
  /// num_blocks blocks of one size.
  DofLayout(int block_size, int num_blocks) { append(block_size, num_blocks); }
  /// Adds `count` blocks of one size behind the others. Throws dashpot::Error for sizes below 1 and counts below 0.
  void append(int block_size, int count);
  void append(const DofLayout& other);

  int num_blocks() const { return num_leading_ + static_cast<int>(size_.size()); }
  int num_dofs() const { return offset(num_blocks()); }
  /// True when all blocks have the leading size.
  bool is_uniform() const { return size_.empty(); }
  /// Size and number of the leading blocks; an empty layout has blocks of 3.
  int leading_size() const { return leading_size_; }
  int num_leading() const { return num_leading_; }

  int size(int block) const { return block < num_leading_ ? leading_size_ : size_[at(block - num_leading_)]; }
  /// First dof of a block; offset(num_blocks()) is the number of dofs.
  int offset(int block) const {
    return block <= num_leading_ ? block * leading_size_ : offset_[at(block - num_leading_)];
  }
  DofRange dofs(const BlockRange& blocks) const { return {offset(blocks.begin), offset(blocks.end)}; }
  /// The block that a dof belongs to. Binary search where blocks differ.
  int block_of(int dof) const;
  bool operator==(const DofLayout&) const = default;

 private:
  int leading_size_ = 3, num_leading_ = 0;
  std::vector<int> size_;    ///< of the blocks behind the leading ones
  std::vector<int> offset_;  ///< of the same, and the end; empty where all are leading
};

}  // namespace dashpot
