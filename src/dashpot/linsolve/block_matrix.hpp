#pragma once
// A square sparse matrix of dense blocks (BSR), one block row per block of a DofLayout: 3 dofs for nodes of solids and
// cloth, 5 for yarn crossings, r for a reduced body. Both triangles are stored, so that non-symmetric tangents need no
// second type. The pattern is built once; time loops write values through slots (positions of blocks) and never search.
//
// Block (i, j) has size(i) x size(j) entries, column-major: entry (r, c) is block(slot)[c * size(i) + r]. In the rows
// of the leading blocks of the layout (all rows, where blocks have one size b) slot s begins at values()[s * b * b], so
// that kernels for nodes need no table. What has another size stands behind them, by a table; its place in the rows of
// leading blocks stays empty.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_range.hpp"
#include "dashpot/linsolve/dof_layout.hpp"

namespace dashpot {

/// Where blocks are. Rows sorted by column; the diagonal block of every row is always present.
class BlockPattern : public std::enable_shared_from_this<BlockPattern> {
 public:
  BlockPattern() = default;
  /// `couplings` lists groups of blocks that are fully coupled to each other, e.g. the nodes of an element:
  /// group g is couplings[start[g]] .. couplings[start[g+1]-1].
  BlockPattern(DofLayout layout, const std::vector<int>& group_start, const std::vector<int>& couplings);
  BlockPattern(int block_size, int num_blocks, const std::vector<int>& group_start, const std::vector<int>& couplings)
      : BlockPattern(DofLayout(block_size, num_blocks), group_start, couplings) {}

  const DofLayout& layout() const { return layout_; }
  /// The same, which outlives the pattern.
  std::shared_ptr<const DofLayout> shared_layout() const { return {shared_from_this(), &layout_}; }
  bool is_uniform() const { return layout_.is_uniform(); }
  /// Size of every block, for those who work with one size only. Throws dashpot::Error where sizes differ.
  int block_size() const {
    if (!is_uniform()) refuse_mixed();
    return layout_.leading_size();
  }
  int num_blocks() const { return layout_.num_blocks(); }
  int num_dofs() const { return layout_.num_dofs(); }
  int num_slots() const { return static_cast<int>(column_.size()); }
  const std::vector<int>& row_start() const { return row_start_; }  ///< size num_blocks + 1
  const std::vector<int>& column() const { return column_; }        ///< size num_slots
  int diagonal_slot(int row) const { return diagonal_[static_cast<std::size_t>(row)]; }
  /// Slot of block (row, column), or -1 when it is not stored. Binary search: not for time loops.
  int slot(int row, int column) const;
  /// Where the values of a slot begin in a matrix of all rows.
  std::int64_t position(int slot) const {
    const int b = layout_.leading_size();
    return place_.empty() ? std::int64_t{slot} * b * b : place_[static_cast<std::size_t>(slot)];
  }
  /// Positions of all slots where sizes differ; else null.
  const std::int64_t* places() const { return place_.empty() ? nullptr : place_.data(); }
  /// Rows [0, num_blocks]: where the values behind the leading ones begin that belong to a row; empty: there are none.
  const std::vector<std::int64_t>& place_start() const { return place_start_; }

 private:
  void place_blocks();
  [[noreturn]] void refuse_mixed() const;

  DofLayout layout_;
  std::vector<int> row_start_, column_, diagonal_;
  std::vector<std::int64_t> place_, place_start_;  ///< only where sizes differ
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
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  double* block(int slot) { return values_.data() + offset(slot); }
  const double* block(int slot) const { return values_.data() + offset(slot); }
  /// Block (row, .) in `slot`, as a matrix of the sizes of its row and column.
  Eigen::Map<Matrix> view(int row, int slot);
  Eigen::Map<const Matrix> view(int row, int slot) const;
  /// Where slot 0 is, or would be: slot s of leading rows is at origin() + s b^2, for loops that go through many slots.
  double* origin() { return values_.data() - first_; }
  const double* origin() const { return values_.data() - first_; }
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
  std::ptrdiff_t offset(int slot) const {
    if (places_ == nullptr) return static_cast<std::ptrdiff_t>(slot) * block_area_ - first_;
    const std::ptrdiff_t place = places_[slot];
    return place < first_place_ ? place - first_ : place - shift_;
  }

  std::shared_ptr<const BlockPattern> pattern_;
  BlockRange rows_;
  std::ptrdiff_t block_area_ = 9;
  std::ptrdiff_t first_ = 0;              ///< place of the first stored value of leading rows
  const std::int64_t* places_ = nullptr;  ///< of all slots, where sizes differ
  std::ptrdiff_t first_place_ = 0;        ///< where values behind the leading ones begin in a matrix of all rows
  std::ptrdiff_t shift_ = 0;              ///< by which those are moved here
  std::ptrdiff_t num_leading_ = 0;        ///< stored values in leading rows
  std::vector<double> values_;
};

}  // namespace dashpot
