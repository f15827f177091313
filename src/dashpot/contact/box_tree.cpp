#include "dashpot/contact/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace dashpot::contact {
namespace {
constexpr int leaf_size = 4;
}

BoxTree::BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), order_(boxes_.size()) {
  if (boxes_.empty()) return;
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(boxes_.size());
  nodes_.emplace_back();
  split(0, 0, static_cast<int>(boxes_.size()));
}

void BoxTree::split(int node, int begin, int end) {
  Box all;
  for (int i = begin; i < end; ++i) all.extend(boxes_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])]);
  nodes_[static_cast<std::size_t>(node)].box = all;
  if (end - begin <= leaf_size) {
    nodes_[static_cast<std::size_t>(node)].first = begin;
    nodes_[static_cast<std::size_t>(node)].count = end - begin;
    return;
  }
  int axis = 0;
  all.sizes().maxCoeff(&axis);
  const auto middle = [&](int thing) {
    const Box& box = boxes_[static_cast<std::size_t>(thing)];
    return box.min()[axis] + box.max()[axis];
  };
  const int half = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end,
                   [&](int a, int b) { return middle(a) != middle(b) ? middle(a) < middle(b) : a < b; });
  const int left = static_cast<int>(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  nodes_[static_cast<std::size_t>(node)].first = left;
  split(left, begin, half);
  split(left + 1, half, end);
}

}  // namespace dashpot::contact
