// How SupernodalSolve cuts the elimination tree and lays out the factor.
#include <algorithm>

#include "dashpot/linsolve/supernodal_solve.hpp"

#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

constexpr int max_parts = 8;
constexpr int max_splits = 64;
// Below this many numbers a solve takes some microseconds, as much as handing out work does.
constexpr double least_parallel_work = 30000;

struct Subtree {
  double work = 0;
  int root = 0;
  bool operator<(const Subtree& other) const { return work != other.work ? work < other.work : root < other.root; }
};

/// Heaviest first, each to the lightest bin; returns the bin of each subtree.
std::vector<int> distribute(const std::vector<Subtree>& sorted, int num_bins, std::vector<double>& load) {
  load.assign(at(num_bins), 0.0);
  std::vector<int> bin;
  for (const Subtree& tree : sorted) {
    bin.push_back(static_cast<int>(std::min_element(load.begin(), load.end()) - load.begin()));
    load[at(bin.back())] += tree.work;
  }
  return bin;
}

struct Forest {
  std::vector<std::vector<int>> children;
  std::vector<double> work, subtree;  ///< numbers in a supernode, and in all below it
  std::vector<Subtree> roots;
  double total = 0;
};

Forest make_forest(const SupernodalStructure& f) {
  const int count = static_cast<int>(f.first_column.size()) - 1;
  std::vector<int> node_of(at(f.first_column.back()));
  for (int s = 0; s < count; ++s)
    for (int c = f.first_column[at(s)]; c < f.first_column[at(s) + 1]; ++c) node_of[at(c)] = s;
  Forest forest;
  forest.children.resize(at(count));
  forest.work.resize(at(count));
  forest.subtree.assign(at(count), 0.0);
  for (int s = 0; s < count; ++s) {  // children come before their parents
    const int columns = f.first_column[at(s) + 1] - f.first_column[at(s)],
              rows = f.row_start[at(s) + 1] - f.row_start[at(s)];
    forest.work[at(s)] = columns * (rows - 0.5 * columns) + 4 * rows;  // gather and scatter count as four columns
    forest.subtree[at(s)] += forest.work[at(s)];
    forest.total += forest.work[at(s)];
    if (rows == columns) {
      forest.roots.push_back({forest.subtree[at(s)], s});
      continue;
    }
    const int parent = node_of[at(f.rows[at(f.row_start[at(s)] + columns)])];
    forest.children[at(parent)].push_back(s);
    forest.subtree[at(parent)] += forest.subtree[at(s)];
  }
  return forest;
}

/// Splits the heaviest subtree again and again, its root joining the top, and keeps the cut that two threads finish
/// first; more threads gain what is left.
std::vector<Subtree> best_cut(const Forest& forest) {
  std::vector<Subtree> now = forest.roots, best = now;
  double top = 0, best_time = forest.total;
  if (forest.total < least_parallel_work) return {};
  for (int split = 0; split <= max_splits && !now.empty(); ++split) {
    std::sort(now.rbegin(), now.rend());
    std::vector<double> load;
    distribute(now, 2, load);
    const double time = top + std::max(load[0], load[1]);
    if (time < best_time) best_time = time, best = now;
    top += forest.work[at(now.front().root)];
    const std::vector<int>& children = forest.children[at(now.front().root)];
    now.erase(now.begin());
    for (const int child : children) now.push_back({forest.subtree[at(child)], child});
  }
  std::sort(best.rbegin(), best.rend());
  return best;
}

}  // namespace

void SupernodalSolve::cut_tree(const SupernodalStructure& factor) {
  const Forest forest = make_forest(factor);
  const std::vector<Subtree> cut = best_cut(forest);
  const int count = static_cast<int>(forest.work.size());
  part_of_.assign(at(count), -1);
  const int num_parts = std::min<int>(max_parts, static_cast<int>(cut.size()));
  std::vector<double> load;
  const std::vector<int> bin = cut.empty() ? std::vector<int>{} : distribute(cut, num_parts, load);
  for (std::size_t k = 0; k < cut.size(); ++k) part_of_[at(cut[k].root)] = bin[k];
  for (int s = count; s-- > 0;)  // parents before children
    if (part_of_[at(s)] >= 0)
      for (const int child : forest.children[at(s)]) part_of_[at(child)] = part_of_[at(s)];
  order_.clear();
  parts_.assign(at(num_parts), Range());
  for (int p = 0; p <= num_parts; ++p) {
    Range& range = p < num_parts ? parts_[at(p)] : top_;
    range.begin = static_cast<int>(order_.size());
    for (int s = 0; s < count; ++s)
      if (part_of_[at(s)] == (p < num_parts ? p : -1)) order_.push_back(s);
    range.end = static_cast<int>(order_.size());
  }
}

void SupernodalSolve::renumber(const SupernodalStructure& factor) {
  std::vector<int> new_row(factor.block_of.size());
  block_of_.clear();
  const auto number = [&](Range& range) {
    range.first_row = static_cast<int>(block_of_.size());
    for (int k = range.begin; k < range.end; ++k)
      for (int c = factor.first_column[at(order_[at(k)])]; c < factor.first_column[at(order_[at(k)]) + 1]; ++c) {
        new_row[at(c)] = static_cast<int>(block_of_.size());
        block_of_.push_back(factor.block_of[at(c)]);
      }
    range.last_row = static_cast<int>(block_of_.size());
  };
  for (Range& part : parts_) number(part);
  number(top_);
  nodes_.assign(part_of_.size(), Node());
  rows_.clear();
  std::size_t size = 0;
  for (const int s : order_) {  // panels in the order of the sweeps
    Node& node = nodes_[at(s)];
    node.column = new_row[at(factor.first_column[at(s)])];
    node.num_columns = factor.first_column[at(s) + 1] - factor.first_column[at(s)];
    node.rows_begin = static_cast<int>(rows_.size());
    for (int i = factor.row_start[at(s)] + node.num_columns; i < factor.row_start[at(s) + 1]; ++i) {
      rows_.push_back(new_row[at(factor.rows[at(i)])]);
      // Ancestors in the part come before those in the top: rows ascend towards the root.
      if (part_of_[at(s)] < 0 || rows_.back() < top_.first_row) ++node.num_inner;
      ++node.num_below;
    }
    node.ld = (node.num_columns + node.num_below + 3) & ~3;
    node.values = size;
    size += at(node.ld / 4) * at(node.num_columns);
    work_size_ = std::max(work_size_, at(node.ld));
  }
  values_.assign(size, Four{});
}

void SupernodalSolve::analyze(const SupernodalStructure& factor, int num_blocks) {
  work_size_ = 0;
  cut_tree(factor);
  renumber(factor);
  rows4_.assign(block_of_.size(), Four{});
  above4_.assign(parts_.size() * at(top_.last_row - top_.first_row), Four{});
  work_.assign((parts_.size() + 1) * work_size_, Four{});
  std::vector<char> present(at(num_blocks), 0);
  for (const int block : block_of_) present[at(block)] = 1;
  absent_.clear();
  for (int block = 0; block < num_blocks; ++block)
    if (!present[at(block)]) absent_.push_back(block);
}

double SupernodalSolve::sequential_share() const {
  if (values_.empty()) return 0;
  std::size_t top = 0;
  for (int k = top_.begin; k < top_.end; ++k) {
    const Node& node = nodes_[at(order_[at(k)])];
    top += at(node.ld) * at(node.num_columns);
  }
  return static_cast<double>(top) / static_cast<double>(num_entries());
}

}  // namespace dashpot
