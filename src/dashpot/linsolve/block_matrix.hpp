#pragma once
// A square sparse matrix of dense b x b blocks (BSR). One block row per node: b = 3 for solids and cloth, 5 for yarn
// crossings, 1 for reduced coordinates. Both triangles are stored, so that non-symmetric tangents need no second type.
// The pattern is built once; time loops write values through slots (positions of blocks) and never search.
// Blocks are column-major: entry (r, c) of slot s is values()[s*b*b + c*b + r].

#include <memory>
#include <utility>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_range.hpp"

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
  /// Only these rows of the pattern: what a term holds of one body among many. Slots keep their numbers.
  BlockMatrix(std::shared_ptr<const BlockPattern> pattern, BlockRange rows);

  const BlockPattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
  /// The rows that are stored; all of them unless fewer were asked for.
  const BlockRange& rows() const { return rows_; }
  /// Slots that are stored: first_slot() .. first_slot() + num_stored() - 1.
  int first_slot() const { return first_slot_; }
  int num_stored() const { return static_cast<int>(values_.size() / block_area_); }
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  double* block(int slot) { return values_.data() + offset(slot); }
  const double* block(int slot) const { return values_.data() + offset(slot); }
  /// Where slot 0 is, or would be: slot s is at origin() + s b^2, for loops that go through many slots.
  double* origin() { return block(0); }
  const double* origin() const { return block(0); }
  std::size_t num_values() const { return values_.size(); }

  void set_zero();
  /// this = other; both of the same rows of the same pattern.
  void copy_values(const BlockMatrix& other);
  /// this += scale * other; both on the same pattern. The other may have fewer rows.
  void add_scaled(double scale, const BlockMatrix& other);
  /// y = A x (parallel over rows; bits do not depend on the thread count). Rows that are not stored are left alone.
  void multiply(const ConstVectorRef& x, VectorRef y) const;
  /// y += scale * A x.
  void multiply_add(double scale, const ConstVectorRef& x, VectorRef y) const;
  /// Dense copy, for tests and tiny systems.
  Matrix dense() const;
  /// Largest |A - A^T| entry relative to the largest |A| entry.
  double asymmetry() const;

 private:
  /// Calls body(first slot, last slot) over all stored slots, in parallel.
  void for_each_range(FunctionRef<void(int, int)> body) const;
  std::ptrdiff_t offset(int slot) const {
    return static_cast<std::ptrdiff_t>(slot - first_slot_) * static_cast<std::ptrdiff_t>(block_area_);
  }

  std::shared_ptr<const BlockPattern> pattern_;
  BlockRange rows_;
  int first_slot_ = 0;
  std::size_t block_area_ = 9;
  std::vector<double> values_;
};

}  // namespace dashpot
