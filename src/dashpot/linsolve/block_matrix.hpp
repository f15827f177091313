#pragma once
// A square sparse matrix of dense b x b blocks (BSR). One block row per node: b = 3 for solids and cloth, 5 for yarn
// crossings, 1 for reduced coordinates. Both triangles are stored, so that non-symmetric tangents need no second type.
// The pattern is built once; time loops write values through slots (positions of blocks) and never search.
// Blocks are column-major: entry (r, c) of slot s is values()[s*b*b + c*b + r].

#include <memory>
#include <utility>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

/// Where blocks are. Rows sorted by column; the diagonal block of every row is always present.
class BlockPattern : public std::enable_shared_from_this<BlockPattern> {
 public:
  BlockPattern() = default;
  /// `couplings` lists groups of blocks that are fully coupled to each other, e.g. the nodes of an element:
  /// group g is couplings[start[g]] .. couplings[start[g+1]-1].
  BlockPattern(int block_size, int num_blocks, const std::vector<int>& group_start, const std::vector<int>& couplings);

  int block_size() const { return block_size_; }
  int num_blocks() const { return num_blocks_; }
  int num_dofs() const { return num_blocks_ * block_size_; }
  int num_slots() const { return static_cast<int>(column_.size()); }
  const std::vector<int>& row_start() const { return row_start_; }  ///< size num_blocks + 1
  const std::vector<int>& column() const { return column_; }        ///< size num_slots
  int diagonal_slot(int row) const { return diagonal_[static_cast<std::size_t>(row)]; }
  /// Slot of block (row, column), or -1 when it is not stored. Binary search: not for time loops.
  int slot(int row, int column) const;

 private:
  int block_size_ = 3;
  int num_blocks_ = 0;
  std::vector<int> row_start_, column_, diagonal_;
};

class BlockMatrix {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern);

  const BlockPattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  double* block(int slot) { return values_.data() + static_cast<std::size_t>(slot) * block_area_; }
  const double* block(int slot) const { return values_.data() + static_cast<std::size_t>(slot) * block_area_; }
  std::size_t num_values() const { return values_.size(); }

  void set_zero();
  /// this = other; both on the same pattern.
  void copy_values(const BlockMatrix& other);
  /// this += scale * other; both on the same pattern.
  void add_scaled(double scale, const BlockMatrix& other);
  /// y = A x (parallel over rows; bits do not depend on the thread count).
  void multiply(const ConstVectorRef& x, VectorRef y) const;
  /// y += scale * A x.
  void multiply_add(double scale, const ConstVectorRef& x, VectorRef y) const;
  /// Dense copy, for tests and tiny systems.
  Matrix dense() const;
  /// Largest |A - A^T| entry relative to the largest |A| entry.
  double asymmetry() const;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::size_t block_area_ = 9;
  std::vector<double> values_;
};

}  // namespace dashpot
