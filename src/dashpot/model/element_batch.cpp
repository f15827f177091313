#include "dashpot/model/element_batch.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "dashpot/model/pattern_builder.hpp"

namespace dashpot {
namespace {

/// Greedy colors of chunks: no two chunks of one color share a node. Chunk k holds elements [start[k], start[k+1]).
std::vector<int> color_chunks(const std::vector<int>& start, const std::vector<int>& order,
                              const std::vector<int>& nodes, int n, std::size_t num_nodes) {
  const std::size_t num_chunks = start.size() - 1;
  std::vector<int> color(num_chunks, -1);
  std::size_t num_colored = 0;
  for (int round = 0; num_colored < num_chunks; ++round) {  // 64 colors a round: one bit each
    std::vector<std::uint64_t> taken(num_nodes, 0);
    for (std::size_t k = 0; k < num_chunks; ++k) {
      if (color[k] >= 0) continue;
      const auto for_each_node = [&](auto&& visit) {
        for (int i = start[k]; i < start[k + 1]; ++i)
          for (int a = 0; a < n; ++a)
            visit(taken[static_cast<std::size_t>(
                nodes[static_cast<std::size_t>(order[static_cast<std::size_t>(i)] * n + a)])]);
      };
      std::uint64_t used = 0;
      for_each_node([&](std::uint64_t& mask) { used |= mask; });
      if (~used == 0) continue;
      const int bit = __builtin_ctzll(~used);
      for_each_node([&](std::uint64_t& mask) { mask |= std::uint64_t{1} << bit; });
      color[k] = 64 * round + bit;
      ++num_colored;
    }
  }
  return color;
}

}  // namespace

ElementBatch::ElementBatch(int nodes_per_element, const std::vector<int>& nodes, const std::vector<int>& order,
                           int num_nodes, int first_block, int chunk_size)
    : num_elements_(static_cast<int>(nodes.size()) / nodes_per_element), nodes_per_element_(nodes_per_element) {
  make_order(nodes, order, num_nodes, chunk_size);
  for (int& block : blocks_) block += first_block;
  touched_ = range_of(blocks_);
}

void ElementBatch::make_order(const std::vector<int>& nodes, const std::vector<int>& order, int num_nodes,
                              int chunk_size) {
  // The elements that do not fill a pack come last, as a chunk and a color of their own: all other chunks start on a
  // pack.
  const int num_full = num_elements_ / lanes * lanes;
  std::vector<int> start{0};
  while (start.back() < num_full) start.push_back(std::min(num_full, start.back() + chunk_size));
  const std::vector<int> color = color_chunks(start, order, nodes, nodes_per_element_, index(num_nodes));
  const int num_colors = color.empty() ? 0 : *std::max_element(color.begin(), color.end()) + 1;

  chunk_start_ = {0};
  color_start_ = {0};
  original_.reserve(index(num_elements_));
  std::vector<int> stored_at(start.size());
  const auto append = [&](int begin, int end) {
    original_.insert(original_.end(), order.begin() + begin, order.begin() + end);
    chunk_start_.push_back(static_cast<int>(original_.size()));
  };
  for (int c = 0; c < num_colors; ++c) {
    for (std::size_t k = 0; k + 1 < start.size(); ++k)
      if (color[k] == c) {
        stored_at[k] = static_cast<int>(original_.size());
        append(start[k], start[k + 1]);
      }
    color_start_.push_back(static_cast<int>(chunk_start_.size()) - 1);
  }
  if (num_full < num_elements_) {
    append(num_full, num_elements_);
    color_start_.push_back(static_cast<int>(chunk_start_.size()) - 1);
  }
  for (std::size_t k = 0; k + 1 < start.size(); ++k)
    for (int i = 0; i < start[k + 1] - start[k]; i += lanes) curve_packs_.push_back((stored_at[k] + i) / lanes);
  if (num_full < num_elements_) curve_packs_.push_back(num_full / lanes);
  blocks_.reserve(nodes.size());
  for (const int t : original_)
    for (int a = 0; a < nodes_per_element_; ++a)
      blocks_.push_back(nodes[index(t) * index(nodes_per_element_) + index(a)]);
}

std::vector<int> ElementBatch::elements_along_curve() const {
  std::vector<int> elements;
  for (const int pack : curve_packs_)
    for (int i = pack * lanes; i < std::min((pack + 1) * lanes, num_elements_); ++i) elements.push_back(i);
  return elements;
}

void ElementBatch::couple(PatternBuilder& pattern) const {
  for (int i = 0; i < num_elements_; ++i) pattern.add_group(blocks(i), nodes_per_element_);
}

void ElementBatch::bind(const BlockPattern& pattern) {
  const int n = nodes_per_element_;
  slots_.resize(index(num_elements_) * index(n * n));
  parallel_for(num_elements_, 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          slots_[index(i) * index(n * n) + index(a * n + b)] = pattern.slot(blocks(i)[a], blocks(i)[b]);
  });
}

void ElementBatch::for_each_chunk(FunctionRef<void(int, int)> body) const {
  for (std::size_t c = 0; c + 1 < color_start_.size(); ++c) {
    const int first = color_start_[c];
    parallel_for(color_start_[c + 1] - first, 1, [&](int begin, int end) {
      for (int k = first + begin; k < first + end; ++k) body(chunk_start_[index(k)], chunk_start_[index(k + 1)]);
    });
  }
}

double ElementBatch::sum_over_chunks(FunctionRef<double(int, int)> body) const {
  std::vector<double> part(chunk_start_.size(), 0.0);
  for (std::size_t c = 0; c + 1 < color_start_.size(); ++c) {
    const int first = color_start_[c];
    parallel_for(color_start_[c + 1] - first, 1, [&](int begin, int end) {
      for (int k = first + begin; k < first + end; ++k)
        part[index(k)] = body(chunk_start_[index(k)], chunk_start_[index(k + 1)]);
    });
  }
  return std::accumulate(part.begin(), part.end(), 0.0);
}

}  // namespace dashpot
