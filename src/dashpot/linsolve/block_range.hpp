#pragma once
// Consecutive blocks (nodes, usually those of one body) of a System: what a term touches.
#include <algorithm>
#include <limits>

namespace dashpot {

struct BlockRange {
  int begin = 0, end = 0;

  /// Every block, however many there are.
  static constexpr BlockRange all() { return {0, std::numeric_limits<int>::max()}; }
  constexpr int size() const { return end - begin; }
  constexpr bool is_empty() const { return begin >= end; }
  constexpr bool operator==(const BlockRange&) const = default;
  constexpr bool overlaps(const BlockRange& other) const { return begin < other.end && other.begin < end; }
  /// The part of it below num_blocks.
  constexpr BlockRange clipped(int num_blocks) const {
    return {std::min(begin, num_blocks), std::min(end, num_blocks)};
  }
};

/// The smallest range around both; an empty one does not count.
constexpr BlockRange hull(const BlockRange& a, const BlockRange& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

/// The smallest range around a list of blocks.
template <class Blocks>
constexpr BlockRange range_of(const Blocks& blocks) {
  if (std::empty(blocks)) return {};
  const auto [low, high] = std::minmax_element(std::begin(blocks), std::end(blocks));
  return {*low, *high + 1};
}

}  // namespace dashpot
