#pragma once
// The scalar sparse system over free dofs that direct solvers see: compressed rows of A without prescribed rows and
// columns. Where each value lies in the BlockMatrix is looked up once, so that a new matrix costs one gather.

#include <cstdint>
#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

/// Numbering of the free dofs, 0 .. num_free-1 in dof order.
struct FreeDofs {
  FreeDofs() = default;
  /// Throws dashpot::Error when is_free does not have one entry per dof of the pattern.
  FreeDofs(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free);
  int num_free() const { return static_cast<int>(to_dof.size()); }
  std::vector<int> to_dof;   ///< dof of each free unknown
  std::vector<int> to_free;  ///< free unknown of each dof, or -1
};

class FreeRows {
 public:
  FreeRows() = default;
  /// `upper_only`: keep entries (i, j) with j >= i. Read as compressed columns these rows are the lower triangle of a
  /// symmetric A, or all of A^T.
  FreeRows(const BlockPattern& pattern, const FreeDofs& dofs, bool upper_only);
  int size() const { return static_cast<int>(start_.size()) - 1; }
  int num_entries() const { return static_cast<int>(index_.size()); }
  const std::vector<int>& start() const { return start_; }  ///< size num_free + 1
  const std::vector<int>& index() const { return index_; }  ///< ascending in each row
  /// Copies the values of A into `values` (num_entries); false when one of them is NaN or Inf.
  bool gather(const BlockMatrix& A, std::vector<double>& values) const;

 private:
  std::vector<int> start_{0}, index_;
  std::vector<std::int64_t> source_;
};

/// True when no entry is NaN or Inf.
bool all_finite(const double* values, std::size_t count);

}  // namespace dashpot
