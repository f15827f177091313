#pragma once
// Small elements of n nodes each (triangles, hinges, bends of strands) in chunks, coloured so that chunks of one colour
// share no node: chunks of one colour run in parallel and scatter to their nodes. The order of summation is (colour,
// chunk, element), whatever the number of threads.

#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

class ElementChunks {
 public:
  /// nodes: n per element, each below num_nodes; node i is block first_block + i.
  ElementChunks(int nodes_per_element, std::vector<int> nodes, int num_nodes, int first_block);

  int num_elements() const { return static_cast<int>(blocks_.size()) / nodes_per_element_; }
  /// All blocks that elements have.
  BlockRange touched_blocks() const { return touched_; }
  int num_colours() const { return static_cast<int>(colour_start_.size()) - 1; }
  const int* blocks(int e) const { return blocks_.data() + index(e) * index(nodes_per_element_); }
  /// Slot of block (blocks(e)[a], blocks(e)[b]) is slots(e)[a*n + b].
  const int* slots(int e) const { return slots_.data() + index(e) * index(nodes_per_element_ * nodes_per_element_); }

  void couple(PatternBuilder& pattern) const;
  void bind(const BlockPattern& pattern);

  /// What an element costs: few chunks of light ones are not worth a second thread.
  enum class Work { light, heavy };
  /// Sum of body(begin, end) over all elements, added in a fixed order; bodies may scatter to their elements' nodes.
  double sum(FunctionRef<double(int, int)> body, Work work = Work::heavy) const;
  /// of_slot[s] += entry(e, a, b) for every element and pair (a, b) of its nodes.
  void add_to_slots(FunctionRef<double(int, int, int)> entry, std::vector<double>& of_slot) const;

 private:
  static constexpr int chunk_size = 64;
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  int nodes_per_element_;
  std::vector<int> blocks_, slots_;
  BlockRange touched_;
  std::vector<int> chunks_;        ///< ordered by colour
  std::vector<int> colour_start_;  ///< ranges of chunks_, size num_colours + 1
};

}  // namespace dashpot
