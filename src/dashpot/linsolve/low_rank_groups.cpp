#include "dashpot/linsolve/low_rank_groups.hpp"

#include <algorithm>

namespace dashpot {
namespace {

PartGroup one_group(const std::vector<LowRank>& parts, Eigen::Index num_dofs) {
  PartGroup group;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    group.parts.push_back(static_cast<int>(i));
    group.num_columns += parts[i].U->cols();
  }
  group.rows = {{0, static_cast<int>(num_dofs)}};
  return group;
}

}  // namespace

PartGroups::PartGroups(const BlockComponents* components, const std::vector<LowRank>& parts, Eigen::Index num_dofs) {
  if (components == nullptr || components->size() == 1 || parts.size() < 2) {
    groups_.push_back(one_group(parts, num_dofs));
    return;
  }
  const BlockComponents& component = *components;
  const DofLayout& layout = component.layout();
  DisjointSets joined(component.size());  // a part that spans several components makes one of them
  const auto first_block = [&](const LowRank& part) { return layout.block_of(part.first_dof); };
  for (const LowRank& part : parts)
    for (int i = first_block(part); i < layout.num_blocks() && layout.offset(i) < part.first_dof + part.num_rows(); ++i)
      joined.unite(component[first_block(part)], component[i]);
  std::vector<int> group_of(at(component.size()), -1);  // by root
  for (std::size_t i = 0; i < parts.size(); ++i) {
    int& group = group_of[at(joined.root(component[first_block(parts[i])]))];
    if (group < 0) {
      group = static_cast<int>(groups_.size());
      groups_.emplace_back();
    }
    groups_[at(group)].parts.push_back(static_cast<int>(i));
    groups_[at(group)].num_columns += parts[i].U->cols();
  }
  for (int i = 0; i < layout.num_blocks(); ++i) {
    const int group = group_of[at(joined.root(component[i]))];
    if (group < 0) continue;
    std::vector<DofRange>& rows = groups_[at(group)].rows;
    if (rows.empty() || rows.back().end != layout.offset(i)) rows.push_back({layout.offset(i), layout.offset(i)});
    rows.back().end = layout.offset(i + 1);
  }
}

Eigen::Index PartGroups::num_columns() const {
  Eigen::Index most = 0;
  for (const PartGroup& group : groups_) most = std::max(most, group.num_columns);
  return most;
}

}  // namespace dashpot
