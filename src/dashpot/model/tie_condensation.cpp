// What ties do to vectors and matrices.
#include <cassert>

#include "dashpot/core/types.hpp"
#include "dashpot/model/pattern_builder.hpp"
#include "dashpot/model/ties.hpp"

namespace dashpot {
namespace {

/// Calls action(block, link) for a block itself, or for those it follows; `tie_of` is -1 for blocks that are not
/// tied.
auto targets(const Ties& ties, const std::vector<int>& tie_of) {
  return [&ties, &tie_of](int block, auto action) {
    if (!ties.is_tied(block)) return action(block, Ties::Link{-1, 1.0});
    for (const Ties::Link& link : ties.links(tie_of[at(block)])) action(ties.masters()[at(link.master)], link);
  };
}

}  // namespace

void Ties::couple(const BlockPattern& before, PatternBuilder& pattern) const {
  std::vector<int> group;
  const auto add = [&](int block) {
    if (!is_tied(block)) return group.push_back(block);
    for (const Link& link : links(tie_of_[at(block)])) group.push_back(master_[at(link.master)]);
  };
  for (const int block : block_)
    for (int s = before.row_start()[at(block)]; s < before.row_start()[at(block) + 1]; ++s) {
      group.clear();
      add(block);
      add(before.column()[at(s)]);
      pattern.add_group(group.data(), static_cast<int>(group.size()));
    }
}

/// Where block (row, column), one of them tied, goes.
void Ties::add_folds(const BlockPattern& pattern, int row, int column, int slot) {
  const auto for_each_target = targets(*this, tie_of_);
  const int size = layout_.size(block_.front());
  for_each_target(row, [&](int to_row, const Link& row_link) {
    for_each_target(column, [&](int to_column, const Link& column_link) {
      const int target = pattern.slot(to_row, to_column);
      assert(target >= 0);
      if (row_link.map < 0 && column_link.map < 0 && layout_.size(row) == size && layout_.size(column) == size)
        condensations_.push_back({slot, target, row_link.weight * column_link.weight});
      else
        mapped_condensations_.push_back({row, slot, to_row, target, row_link, column_link});
    });
  });
}

Matrix Ties::condensed(const Link& row, const Eigen::Ref<const Matrix>& block, const Link& column) const {
  const Matrix left = row.map < 0 ? Matrix(row.weight * block) : Matrix(map(row).transpose() * block);
  return column.map < 0 ? Matrix(column.weight * left) : Matrix(left * map(column));
}

void Ties::bind(const BlockPattern& pattern) {
  condensations_.clear();
  mapped_condensations_.clear();
  for (const int block : block_)
    for (int s = pattern.row_start()[at(block)]; s < pattern.row_start()[at(block) + 1]; ++s) {
      const int column = pattern.column()[at(s)];
      add_folds(pattern, block, column, s);
      if (!is_tied(column)) add_folds(pattern, column, block, pattern.slot(column, block));
    }
}

void Ties::place(Vector& q) const {
  follow(q);
  for (std::size_t i = 0; i < block_.size(); ++i) q.segment(layout_.offset(block_[i]), offset_[i].size()) += offset_[i];
}

void Ties::follow(Eigen::Ref<Matrix> v) const {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    auto tied = v.middleRows(layout_.offset(block_[i]), layout_.size(block_[i]));
    tied.setZero();
    for (const Link& link : links(static_cast<int>(i))) {
      const int master = master_[at(link.master)];
      const auto followed = v.middleRows(layout_.offset(master), layout_.size(master));
      if (link.map < 0)
        tied += link.weight * followed;
      else
        tied += map(link) * followed;
    }
  }
}

void Ties::condense(Eigen::Ref<Matrix> f) const {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    auto tied = f.middleRows(layout_.offset(block_[i]), layout_.size(block_[i]));
    for (const Link& link : links(static_cast<int>(i))) {
      const int master = master_[at(link.master)];
      auto followed = f.middleRows(layout_.offset(master), layout_.size(master));
      if (link.map < 0)
        followed += link.weight * tied;
      else
        followed += map(link).transpose() * tied;
    }
    tied.setZero();
  }
}

void Ties::condense(BlockMatrix& A, DynamicBlocks* couplings) const {
  if (!condensations_.empty()) {
    const int size = layout_.size(block_.front()), area = size * size;
    for (const Condensation& condense : condensations_) {
      const double* from = A.block(condense.from);
      double* to = A.block(condense.to);
      for (int k = 0; k < area; ++k) to[k] += condense.weight * from[k];
    }
  }
  for (const MappedCondensation& condense : mapped_condensations_)
    A.view(condense.to_row, condense.to) +=
        condensed(condense.row, A.view(condense.from_row, condense.from), condense.column);
  if (couplings && !couplings->empty()) condense_couplings(A, *couplings);
}

void Ties::condense_couplings(BlockMatrix& A, DynamicBlocks& couplings) const {
  const DynamicBlocks before = couplings;
  couplings.clear(A.pattern());
  const auto for_each_target = targets(*this, tie_of_);
  const auto to_matrix = [&](int row, int column, const Matrix& value) {
    const int slot = A.pattern().slot(row, column);
    if (slot >= 0) A.view(row, slot) += value;
    return slot >= 0;
  };
  for (int pair = 0; pair < before.num_pairs(); ++pair)
    for_each_target(before.row(pair), [&](int row, const Link& row_link) {
      for_each_target(before.column(pair), [&](int column, const Link& column_link) {
        const Matrix value = condensed(row_link, before.view(pair), column_link);
        if (to_matrix(row, column, value))
          to_matrix(column, row, value.transpose());
        else
          couplings.add(row, column, value.data());
      });
    });
  couplings.finish();
}

double Ties::condensed_norm_gain(const Vector& f, const std::vector<std::uint8_t>& is_free) const {
  Vector condensed = Vector::Zero(master_start_.back());
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const auto tied = f.segment(layout_.offset(block_[i]), layout_.size(block_[i]));
    for (const Link& link : links(static_cast<int>(i))) {
      const int first = master_start_[at(link.master)];
      auto followed = condensed.segment(first, master_start_[at(link.master) + 1] - first);
      if (link.map < 0)
        followed += link.weight * tied;
      else
        followed += map(link).transpose() * tied;
    }
  }
  double gain = 0;
  for (std::size_t m = 0; m < master_.size(); ++m)
    for (int c = 0; c < layout_.size(master_[m]); ++c) {
      const int dof = layout_.offset(master_[m]) + c;
      const double added = condensed[master_start_[m] + c];
      if (is_free[at(dof)] != 0) gain += added * (added + 2 * f[dof]);
    }
  return gain;
}

}  // namespace dashpot
