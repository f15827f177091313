#pragma once
// Which low-rank parts have to be solved for together. Parts in different connected components of A do not see each
// other: A^-1 of a sum of columns, one from each component, holds A^-1 of every one of them on its own rows. So the
// columns of all groups lie in the same right-hand sides, as many as the largest group has.

#include <vector>

#include "dashpot/linsolve/block_components.hpp"
#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

struct PartGroup {
  std::vector<int> parts;        ///< ascending
  Eigen::Index num_columns = 0;  ///< of their U together
  std::vector<DofRange> rows;    ///< of the components the parts are in
};

class PartGroups {
 public:
  /// `components` of A; null: all are one.
  PartGroups(const BlockComponents* components, const std::vector<LowRank>& parts, Eigen::Index num_dofs);

  const std::vector<PartGroup>& all() const { return groups_; }
  /// Right-hand sides that hold the columns of every group.
  Eigen::Index num_columns() const;

 private:
  std::vector<PartGroup> groups_;
};

}  // namespace dashpot
