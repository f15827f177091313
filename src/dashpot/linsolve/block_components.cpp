#include "dashpot/linsolve/block_components.hpp"

#include <algorithm>
#include <numeric>

namespace dashpot {

DisjointSets::DisjointSets(int count) : parent_(at(count)) { std::iota(parent_.begin(), parent_.end(), 0); }

int DisjointSets::root(int i) {
  while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
  return i;
}

void DisjointSets::unite(int i, int j) {
  const int a = root(i), b = root(j);
  parent_[at(std::max(a, b))] = std::min(a, b);
}

BlockComponents::BlockComponents(std::shared_ptr<const BlockPattern> pattern, const DynamicBlocks& outside)
    : pattern_(std::move(pattern)) {
  const int n = pattern_->num_blocks();
  DisjointSets sets(n);
  for (int row = 0; row < n; ++row)
    for (int s = pattern_->diagonal_slot(row) + 1; s < pattern_->row_start()[at(row) + 1]; ++s)
      sets.unite(row, pattern_->column()[at(s)]);
  for (int pair = 0; pair < outside.num_pairs(); ++pair) sets.unite(outside.row(pair), outside.column(pair));
  component_.resize(at(n));
  for (int i = 0; i < n; ++i) component_[at(i)] = sets.root(i) == i ? count_++ : component_[at(sets.root(i))];
}

}  // namespace dashpot
