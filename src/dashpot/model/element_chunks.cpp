#include "dashpot/model/element_chunks.hpp"

#include <algorithm>

namespace dashpot {

ElementChunks::ElementChunks(int nodes_per_element, std::vector<int> nodes, int num_nodes, int first_block)
    : nodes_per_element_(nodes_per_element), blocks_(std::move(nodes)) {
  const int num_chunks = (num_elements() + chunk_size - 1) / chunk_size;
  std::vector<std::vector<int>> chunks_at(index(num_nodes));  // ascending
  std::vector<int> colour(index(num_chunks), -1);
  int num_colours = 0;
  for (int c = 0; c < num_chunks; ++c) {
    const std::size_t begin = index(c * chunk_size) * index(nodes_per_element_);
    const std::size_t end = std::min(blocks_.size(), begin + index(chunk_size * nodes_per_element_));
    std::vector<char> taken(index(num_colours + 1), 0);
    for (std::size_t k = begin; k < end; ++k) {
      std::vector<int>& others = chunks_at[index(blocks_[k])];
      for (const int other : others)
        if (other != c) taken[index(colour[index(other)])] = 1;
      if (others.empty() || others.back() != c) others.push_back(c);
    }
    colour[index(c)] = static_cast<int>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
    num_colours = std::max(num_colours, colour[index(c)] + 1);
  }
  colour_start_.push_back(0);
  for (int k = 0; k < num_colours; ++k) {
    for (int c = 0; c < num_chunks; ++c)
      if (colour[index(c)] == k) chunks_.push_back(c);
    colour_start_.push_back(static_cast<int>(chunks_.size()));
  }
  for (int& block : blocks_) block += first_block;
  touched_ = range_of(blocks_);
}

void ElementChunks::couple(PatternBuilder& pattern) const {
  for (int e = 0; e < num_elements(); ++e) pattern.add_group(blocks(e), nodes_per_element_);
}

void ElementChunks::bind(const BlockPattern& pattern) {
  slots_.clear();
  slots_.reserve(blocks_.size() * index(nodes_per_element_));
  for (int e = 0; e < num_elements(); ++e)
    for (int a = 0; a < nodes_per_element_; ++a)
      for (int b = 0; b < nodes_per_element_; ++b) slots_.push_back(pattern.slot(blocks(e)[a], blocks(e)[b]));
}

double ElementChunks::sum(FunctionRef<double(int, int)> body, Work work) const {
  const int chunks_per_range = work == Work::light ? 32 : 4;
  double total = 0;
  for (int k = 0; k < num_colours(); ++k) {
    const int first = colour_start_[index(k)], count = colour_start_[index(k) + 1] - first;
    total += parallel_sum(count, chunks_per_range, [&](int begin, int end) {
      double part = 0;
      for (int c = begin; c < end; ++c) {
        const int start = chunks_[index(first + c)] * chunk_size;
        part += body(start, std::min(num_elements(), start + chunk_size));
      }
      return part;
    });
  }
  return total;
}

void ElementChunks::add_to_slots(FunctionRef<double(int, int, int)> entry, std::vector<double>& of_slot) const {
  const int n = nodes_per_element_;
  for (int e = 0; e < num_elements(); ++e)
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) of_slot[index(slots(e)[a * n + b])] += entry(e, a, b);
}

}  // namespace dashpot
