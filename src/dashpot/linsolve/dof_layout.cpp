#include "dashpot/linsolve/dof_layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

void DofLayout::append(int block_size, int count) {
  std::vector<Problem> problems;
  if (block_size < 1) problems.push_back({"", fmt::format("block size {}", block_size), "at least 1", ""});
  if (count < 0) problems.push_back({"", fmt::format("{} blocks", count), "at least 0", ""});
  if (!problems.empty()) throw Error(std::move(problems));
  if (num_leading_ == 0) leading_size_ = block_size;
  if (is_uniform() && block_size == leading_size_) {
    num_leading_ += count;
    return;
  }
  if (count == 0) return;
  if (offset_.empty()) offset_.push_back(num_leading_ * leading_size_);
  for (int i = 0; i < count; ++i) {
    size_.push_back(block_size);
    offset_.push_back(offset_.back() + block_size);
  }
}

void DofLayout::append(const DofLayout& other) {
  const std::vector<int> sizes = other.size_;  // other may be this one
  append(other.leading_size_, other.num_leading_);
  for (const int size : sizes) append(size, 1);
}

int DofLayout::block_of(int dof) const {
  if (dof < num_leading_ * leading_size_) return dof / leading_size_;
  const auto next = std::upper_bound(offset_.begin(), offset_.end(), dof);
  return num_leading_ + static_cast<int>(next - offset_.begin()) - 1;
}

}  // namespace dashpot
