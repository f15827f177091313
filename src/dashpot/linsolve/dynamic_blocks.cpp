#include "dashpot/linsolve/dynamic_blocks.hpp"

#include <algorithm>
#include <cassert>

namespace dashpot {

void DynamicBlocks::clear(const BlockPattern& pattern) {
  clear(pattern.layout().leading_size());
  if (!pattern.is_uniform()) layout_ = pattern.shared_layout();
}

void DynamicBlocks::clear(int block_size) {
  block_size_ = block_size;
  layout_.reset();
  entries_.clear();
  added_.clear();
  pairs_.clear();
  start_.clear();
  values_.clear();
}

void DynamicBlocks::add(int row, int column, const double* block) {
  assert(row != column && row >= 0 && column >= 0);
  const bool upper = row < column;
  const std::int64_t pair = upper ? (std::int64_t{row} << 32) + column : (std::int64_t{column} << 32) + row;
  entries_.push_back({pair, added_.size()});
  const std::size_t begin = added_.size(), rows = at(size_of(row)), columns = at(size_of(column));
  added_.resize(begin + rows * columns);
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < rows; ++r)
      added_[begin + (upper ? c * rows + r : r * columns + c)] = block[c * rows + r];
}

void DynamicBlocks::finish() {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.pair != b.pair ? a.pair < b.pair : a.begin < b.begin; });
  pairs_.clear();
  start_.clear();
  values_.clear();
  for (const Entry& entry : entries_) {
    if (pairs_.empty() || pairs_.back() != entry.pair) {
      pairs_.push_back(entry.pair);
      start_.push_back(values_.size());
      const int last = num_pairs() - 1;
      values_.resize(values_.size() + at(size_of(row(last))) * at(size_of(column(last))), 0.0);
    }
    double* sum = values_.data() + start_.back();
    const double* part = added_.data() + entry.begin;
    for (std::size_t i = 0; i < values_.size() - start_.back(); ++i) sum[i] += part[i];
  }
}

void DynamicBlocks::multiply_add(const ConstVectorRef& x, VectorRef y) const {
  for (int pair = 0; pair < num_pairs(); ++pair) {
    const double* value = block(pair);
    const Eigen::Index i = offset_of(row(pair)), j = offset_of(column(pair));
    const int rows = size_of(row(pair)), columns = size_of(column(pair));
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < rows; ++r) {
        y[i + r] += value[c * rows + r] * x[j + c];
        y[j + c] += value[c * rows + r] * x[i + r];
      }
  }
}

}  // namespace dashpot
