#pragma once
// Blocks that couple nodes the pattern knows nothing of, e.g. bodies that touch for a while: a list B of dense blocks
// (row, column), row != column, of size(row) x size(column) entries, that stands beside a BlockMatrix A. The solvers
// then solve (A + B) x = b.
//
// B is symmetric as a whole: block (j, i) is the transpose of block (i, j) and is implied, so each pair is given once.
// What a coupling adds to the diagonal belongs into A, whose diagonal slots always exist: preconditioners see it there.
// The list is rebuilt for every tangent (clear, add ..., finish) and keeps its storage.

#include <cstdint>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

class DynamicBlocks {
 public:
  /// Forgets all blocks, keeps the storage. Blocks added later fit those of this pattern ...
  void clear(const BlockPattern& pattern);
  /// ... or have one size.
  void clear(int block_size);
  /// Adds `block` (size(row) x size(column), column-major) to block (row, column); row != column.
  void add(int row, int column, const double* block);
  /// Sums what was added to the same pair, in the order of the add() calls; no add() after it.
  void finish();

  bool empty() const { return entries_.empty(); }

  // After finish(): pairs in ascending order of (row, column), row < column.
  int num_pairs() const { return static_cast<int>(pairs_.size()); }
  int row(int pair) const { return static_cast<int>(pairs_[static_cast<std::size_t>(pair)] >> 32); }
  int column(int pair) const { return static_cast<int>(pairs_[static_cast<std::size_t>(pair)] & 0xffffffff); }
  /// Pairs as (row << 32) + column.
  const std::vector<std::int64_t>& pairs() const { return pairs_; }
  const double* block(int pair) const { return values_.data() + start_[static_cast<std::size_t>(pair)]; }
  Eigen::Map<const Matrix> view(int pair) const { return {block(pair), size_of(row(pair)), size_of(column(pair))}; }
  /// y += B x, both triangles.
  void multiply_add(const ConstVectorRef& x, VectorRef y) const;

 private:
  struct Entry {
    std::int64_t pair;
    std::size_t begin;  ///< of its values in added_: ascending in the order of the add() calls
  };
  int size_of(int block) const { return layout_ ? layout_->size(block) : block_size_; }
  int offset_of(int block) const { return layout_ ? layout_->offset(block) : block * block_size_; }

  int block_size_ = 3;
  std::shared_ptr<const DofLayout> layout_;  ///< null: all blocks have block_size_
  std::vector<Entry> entries_;
  std::vector<double> added_;
  std::vector<std::int64_t> pairs_;
  std::vector<std::size_t> start_;  ///< of the values of each pair
  std::vector<double> values_;
};

}  // namespace dashpot
