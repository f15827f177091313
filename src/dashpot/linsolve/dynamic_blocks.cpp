#include "dashpot/linsolve/dynamic_blocks.hpp"

#include <algorithm>
#include <cassert>

namespace dashpot {

void DynamicBlocks::clear(int block_size) {
  block_size_ = block_size;
  entries_.clear();
  added_.clear();
  pairs_.clear();
  values_.clear();
}

void DynamicBlocks::add(int row, int column, const double* block) {
  assert(row != column && row >= 0 && column >= 0);
  const bool upper = row < column;
  const std::int64_t pair = upper ? (std::int64_t{row} << 32) + column : (std::int64_t{column} << 32) + row;
  entries_.push_back({pair, static_cast<int>(entries_.size())});
  const std::size_t begin = added_.size(), b = static_cast<std::size_t>(block_size_);
  added_.resize(begin + area());
  for (std::size_t c = 0; c < b; ++c)
    for (std::size_t r = 0; r < b; ++r) added_[begin + (upper ? c * b + r : r * b + c)] = block[c * b + r];
}

void DynamicBlocks::finish() {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.pair != b.pair ? a.pair < b.pair : a.index < b.index; });
  pairs_.clear();
  values_.clear();
  for (const Entry& entry : entries_) {
    if (pairs_.empty() || pairs_.back() != entry.pair) {
      pairs_.push_back(entry.pair);
      values_.resize(values_.size() + area(), 0.0);
    }
    double* sum = values_.data() + values_.size() - area();
    const double* part = added_.data() + static_cast<std::size_t>(entry.index) * area();
    for (std::size_t i = 0; i < area(); ++i) sum[i] += part[i];
  }
}

void DynamicBlocks::multiply_add(const ConstVectorRef& x, VectorRef y) const {
  const int b = block_size_;
  for (int pair = 0; pair < num_pairs(); ++pair) {
    const double* value = block(pair);
    const Eigen::Index i = Eigen::Index{row(pair)} * b, j = Eigen::Index{column(pair)} * b;
    for (int c = 0; c < b; ++c)
      for (int r = 0; r < b; ++r) {
        y[i + r] += value[c * b + r] * x[j + c];
        y[j + c] += value[c * b + r] * x[i + r];
      }
  }
}

}  // namespace dashpot
