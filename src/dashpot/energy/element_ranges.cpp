#include "dashpot/energy/element_ranges.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "dashpot/core/spin_team.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

constexpr int max_ranges = 8;
constexpr int least_elements = 256;  // in a range: some ten microseconds of work

}  // namespace

ElementRanges::ElementRanges(int nodes_per_element, const std::vector<int>& blocks, const std::vector<int>& order,
                             int lanes)
    : nodes_per_element_(nodes_per_element), lanes_(lanes) {
  const int count = static_cast<int>(order.size());
  int num_ranges = 1;  // a power of two: most machines share it evenly
  while (2 * num_ranges <= max_ranges && 2 * num_ranges * least_elements <= count) num_ranges *= 2;
  const int total_packs = (count + lanes - 1) / lanes;
  for (int r = 0; r < num_ranges; ++r) {
    const auto piece = [&](int k) { return std::min(count, total_packs * k / num_ranges * lanes); };
    Range range;
    range.first_pack = num_packs();
    element_.insert(element_.end(), order.begin() + piece(r), order.begin() + piece(r + 1));
    while (element_.size() % at(lanes_) != 0) element_.push_back(-1);
    range.end_pack = num_packs();
    ranges_.push_back(range);
  }
  number_nodes(blocks);
}

void ElementRanges::number_nodes(const std::vector<int>& blocks) {
  const int n = nodes_per_element_;
  const int num_blocks = blocks.empty() ? 0 : *std::max_element(blocks.begin(), blocks.end()) + 1;
  const auto block_of = [&](int element, int a) { return blocks[at(element) * at(n) + at(a)]; };
  const auto for_each_element = [&](const Range& range, auto&& visit) {
    for (int k = range.first_pack * lanes_; k < range.end_pack * lanes_; ++k) visit(k, element_[at(k)]);
  };
  std::vector<int> count(at(num_blocks), 0), seen(at(num_blocks), -1);  // ranges that have a block; the last one
  for (std::size_t r = 0; r < ranges_.size(); ++r)
    for_each_element(ranges_[r], [&](int, int element) {
      for (int a = 0; a < n && element >= 0; ++a)
        if (std::exchange(seen[at(block_of(element, a))], static_cast<int>(r)) != static_cast<int>(r))
          ++count[at(block_of(element, a))];
    });
  node_.resize(at(n) * element_.size());
  std::vector<std::pair<int, int>> places;  // (block, where in block_) of the shared ones
  std::vector<int> local(at(num_blocks), -1);
  for (Range& range : ranges_) {
    range.first_node = static_cast<int>(block_.size());
    const auto append = [&](bool shared) {  // in the order of the elements, so that neighbors lie together
      for_each_element(range, [&](int, int element) {
        for (int a = 0; a < n && element >= 0; ++a) {
          const int block = block_of(element, a);
          if ((count[at(block)] > 1) != shared || local[at(block)] >= range.first_node) continue;
          local[at(block)] = static_cast<int>(block_.size());
          if (shared) places.emplace_back(block, local[at(block)]);
          block_.push_back(block);
        }
      });
    };
    append(false);
    range.end_private = static_cast<int>(block_.size());
    append(true);
    range.end_node = static_cast<int>(block_.size());
    int last = 0;
    for_each_element(range, [&](int k, int element) {
      if (element >= 0) last = element;
      for (int a = 0; a < n; ++a)
        node_[at(n * lanes_ * (k / lanes_) + lanes_ * a + k % lanes_)] =
            local[at(block_of(last, a))] - range.first_node;
    });
  }
  std::sort(places.begin(), places.end());  // a block's places in the order of the ranges
  for (const auto& [block, where] : places) shared_at_.push_back(where);
}

void ElementRanges::run(const Vector& q, const Vector* v, Vector* force, Body body) const {
  // Not set to zero: ranges write what they read. The allocator keeps these blocks from call to call.
  const auto buffer = [&](bool is_wanted) {
    return std::make_unique_for_overwrite<Four[]>(is_wanted ? block_.size() : 0);
  };
  const std::unique_ptr<Four[]> x = buffer(true), xdot = buffer(v != nullptr), f = buffer(force != nullptr);
  const auto add = [&](int k) {
    double* to = force->data() + 3 * at(block_[at(k)]);
    for (int c = 0; c < 3; ++c) to[c] += f[at(k)].v[c];
  };
  const auto take = [&](const Vector& from, const Range& range, Four* to) {
    for (int k = range.first_node; k < range.end_node; ++k) {
      const double* place = from.data() + 3 * at(block_[at(k)]);
      to[at(k)] = {{place[0], place[1], place[2], 0}};
    }
  };
  spin_parallel_for(static_cast<int>(ranges_.size()), [&](int r) {
    const Range& range = ranges_[at(r)];
    take(q, range, x.get());
    if (v != nullptr) take(*v, range, xdot.get());
    if (force != nullptr) std::fill(f.get() + range.first_node, f.get() + range.end_node, Four{});
    body(range.first_pack, range.end_pack, x.get() + range.first_node,
         v != nullptr ? xdot.get() + range.first_node : nullptr,
         force != nullptr ? f.get() + range.first_node : nullptr);
    for (int k = range.first_node; k < range.end_private && force != nullptr; ++k) add(k);
  });
  if (force == nullptr) return;
  for (const int k : shared_at_) add(k);
}

}  // namespace dashpot
