#include "dashpot/model/ties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {
namespace {

constexpr double weight_tolerance = 1e-9;  // of the sum of weights

void check_tie(const Tie& tie, int block_size, int num_blocks, std::vector<Problem>& problems) {
  const auto exists = [&](int block) { return block >= 0 && block < num_blocks; };
  const auto refuse = [&](std::string found, std::string expected, std::string remedy = {}) {
    problems.push_back(
        {"", fmt::format("block {} is tied {}", tie.block, found), std::move(expected), std::move(remedy)});
  };
  if (!exists(tie.block)) refuse("but does not exist", fmt::format("blocks 0 to {}", num_blocks - 1));
  for (const int master : tie.masters)
    if (!exists(master)) refuse(fmt::format("to block {}", master), fmt::format("blocks 0 to {}", num_blocks - 1));
  if (tie.masters.empty() || tie.masters.size() != tie.weights.size())
    return refuse(fmt::format("to {} blocks with {} weights", tie.masters.size(), tie.weights.size()),
                  "as many weights as blocks, at least one");
  double sum = 0, size = 0;
  for (const double weight : tie.weights) {
    sum += weight;
    size += std::abs(weight);
  }
  if (!(std::abs(sum - 1) <= weight_tolerance * std::max(1.0, size)))
    refuse(fmt::format("by weights that sum to {:.9g}", sum), "weights that sum to 1",
           "divide the weights by their sum");
  if (tie.offset.size() != 0 && (tie.offset.size() != block_size || !tie.offset.allFinite()))
    refuse("with an offset of wrong size or not finite", fmt::format("{} finite numbers", block_size));
}

/// Calls action(block, weight) for a block itself, or for those it follows; `tie_of` is -1 for blocks that are not
/// tied.
auto targets(const Ties& ties, const std::vector<int>& tie_of) {
  return [&ties, &tie_of](int block, auto action) {
    if (!ties.is_tied(block)) return action(block, 1.0);
    for (const Ties::Link& link : ties.links(tie_of[at(block)])) action(ties.masters()[at(link.master)], link.weight);
  };
}

}  // namespace

Ties::Ties(int block_size, int num_blocks, const std::vector<Tie>& ties)
    : block_size_(block_size), num_blocks_(num_blocks) {
  if (ties.empty()) return;
  std::vector<Problem> problems;
  for (const Tie& tie : ties) check_tie(tie, block_size, num_blocks, problems);
  if (!problems.empty()) throw Error(std::move(problems));
  for (const Tie& tie : ties) block_.push_back(tie.block);
  std::sort(block_.begin(), block_.end());
  for (std::size_t i = 1; i < block_.size(); ++i)
    if (block_[i] == block_[i - 1])
      problems.push_back({"", fmt::format("block {} is tied twice", block_[i]), "one tie a block", ""});
  if (!problems.empty()) throw Error(std::move(problems));
  tie_of_.assign(at(num_blocks), -1);
  for (std::size_t i = 0; i < block_.size(); ++i) tie_of_[at(block_[i])] = static_cast<int>(i);
  resolve(ties);
}

/// Replaces masters that are tied themselves by what they follow, in an order in which those are resolved first.
void Ties::resolve(const std::vector<Tie>& ties) {
  std::vector<const Tie*> tie_at(block_.size());
  for (const Tie& tie : ties) tie_at[at(tie_of_[at(tie.block)])] = &tie;
  struct Resolved {
    std::map<int, double> weight_of;
    Vector offset;
    int open_masters = 0;  ///< tied masters not yet resolved
  };
  std::vector<Resolved> resolved(block_.size());
  std::vector<std::vector<int>> followers(block_.size());
  std::vector<int> ready;
  for (std::size_t i = 0; i < block_.size(); ++i) {
    for (const int master : tie_at[i]->masters)
      if (tie_of_[at(master)] >= 0) {
        followers[at(tie_of_[at(master)])].push_back(static_cast<int>(i));
        ++resolved[i].open_masters;
      }
    if (resolved[i].open_masters == 0) ready.push_back(static_cast<int>(i));
  }
  std::size_t done = 0;
  for (; done < ready.size(); ++done) {
    const std::size_t i = at(ready[done]);
    const Tie& tie = *tie_at[i];
    resolved[i].offset = tie.offset.size() > 0 ? tie.offset : Vector::Zero(block_size_);
    for (std::size_t k = 0; k < tie.masters.size(); ++k) {
      const int next = tie_of_[at(tie.masters[k])];
      if (next < 0) {
        resolved[i].weight_of[tie.masters[k]] += tie.weights[k];
        continue;
      }
      for (const auto& [block, weight] : resolved[at(next)].weight_of)
        resolved[i].weight_of[block] += tie.weights[k] * weight;
      resolved[i].offset += tie.weights[k] * resolved[at(next)].offset;
    }
    for (const int follower : followers[i])
      if (--resolved[at(follower)].open_masters == 0) ready.push_back(follower);
  }
  if (done < block_.size()) {
    const auto stuck =
        std::find_if(resolved.begin(), resolved.end(), [](const Resolved& tie) { return tie.open_masters > 0; });
    throw Error(
        Problem{"", fmt::format("block {} is tied in a circle", block_[at(static_cast<int>(stuck - resolved.begin()))]),
                "ties that end at blocks that are free", "remove one of the attachments of the circle"});
  }
  for (const Resolved& tie : resolved)
    for (const auto& [block, weight] : tie.weight_of) master_.push_back(block);
  std::sort(master_.begin(), master_.end());
  master_.erase(std::unique(master_.begin(), master_.end()), master_.end());
  offset_.resize(block_size_, static_cast<Eigen::Index>(block_.size()));
  start_.push_back(0);
  for (std::size_t i = 0; i < block_.size(); ++i) {
    for (const auto& [block, weight] : resolved[i].weight_of) {
      const auto found = std::lower_bound(master_.begin(), master_.end(), block);
      links_.push_back({static_cast<int>(found - master_.begin()), weight});
    }
    start_.push_back(static_cast<int>(links_.size()));
    offset_.col(static_cast<Eigen::Index>(i)) = resolved[i].offset;
  }
}

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
  for_each_target(row, [&](int to_row, double row_weight) {
    for_each_target(column, [&](int to_column, double column_weight) {
      const int target = pattern.slot(to_row, to_column);
      assert(target >= 0);
      folds_.push_back({slot, target, row_weight * column_weight});
    });
  });
}

void Ties::bind(const BlockPattern& pattern) {
  folds_.clear();
  for (const int block : block_)
    for (int s = pattern.row_start()[at(block)]; s < pattern.row_start()[at(block) + 1]; ++s) {
      const int column = pattern.column()[at(s)];
      add_folds(pattern, block, column, s);
      if (!is_tied(column)) add_folds(pattern, column, block, pattern.slot(column, block));
    }
}

void Ties::place(Vector& q) const {
  follow(q);
  for (std::size_t i = 0; i < block_.size(); ++i)
    q.segment(block_[i] * block_size_, block_size_) += offset_.col(static_cast<Eigen::Index>(i));
}

void Ties::follow(Eigen::Ref<Matrix> v) const {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    auto tied = v.middleRows(block_[i] * block_size_, block_size_);
    tied.setZero();
    for (const Link& link : links(static_cast<int>(i)))
      tied += link.weight * v.middleRows(master_[at(link.master)] * block_size_, block_size_);
  }
}

void Ties::fold(Eigen::Ref<Matrix> f) const {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    auto tied = f.middleRows(block_[i] * block_size_, block_size_);
    for (const Link& link : links(static_cast<int>(i)))
      f.middleRows(master_[at(link.master)] * block_size_, block_size_) += link.weight * tied;
    tied.setZero();
  }
}

void Ties::fold(BlockMatrix& A, DynamicBlocks* couplings) const {
  const int area = block_size_ * block_size_;
  for (const Fold& fold : folds_) {
    const double* from = A.block(fold.from);
    double* to = A.block(fold.to);
    for (int k = 0; k < area; ++k) to[k] += fold.weight * from[k];
  }
  if (couplings && !couplings->empty()) fold_couplings(A, *couplings);
}

void Ties::fold_couplings(BlockMatrix& A, DynamicBlocks& couplings) const {
  const DynamicBlocks before = couplings;
  couplings.clear(block_size_);
  const auto for_each_target = targets(*this, tie_of_);
  const auto to_matrix = [&](int row, int column, const Matrix& value) {
    const int slot = A.pattern().slot(row, column);
    if (slot >= 0) Eigen::Map<Matrix>(A.block(slot), block_size_, block_size_) += value;
    return slot >= 0;
  };
  for (int pair = 0; pair < before.num_pairs(); ++pair)
    for_each_target(before.row(pair), [&](int row, double row_weight) {
      for_each_target(before.column(pair), [&](int column, double column_weight) {
        const Matrix value =
            row_weight * column_weight * Eigen::Map<const Matrix>(before.block(pair), block_size_, block_size_);
        if (to_matrix(row, column, value))
          to_matrix(column, row, value.transpose());
        else
          couplings.add(row, column, value.data());
      });
    });
  couplings.finish();
}

double Ties::folding_gain(const Vector& f, const std::vector<std::uint8_t>& is_free) const {
  Vector folded = Vector::Zero(static_cast<Eigen::Index>(master_.size()) * block_size_);
  for (std::size_t i = 0; i < block_.size(); ++i)
    for (const Link& link : links(static_cast<int>(i)))
      folded.segment(link.master * block_size_, block_size_) +=
          link.weight * f.segment(block_[i] * block_size_, block_size_);
  double gain = 0;
  for (std::size_t m = 0; m < master_.size(); ++m)
    for (int c = 0; c < block_size_; ++c) {
      const int dof = master_[m] * block_size_ + c;
      const double added = folded[static_cast<Eigen::Index>(m) * block_size_ + c];
      if (is_free[at(dof)] != 0) gain += added * (added + 2 * f[dof]);
    }
  return gain;
}

}  // namespace dashpot
