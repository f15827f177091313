#pragma once
// The elements of a body (tets, triangles, hinges, springs, bends), n nodes each, ready for element loops: blocks,
// matrix slots, and chunks colored so that chunks of one color share no node. Terms on the same elements share one
// batch.
//
// Elements are stored in an order that keeps neighbors together; original(i) tells where element i stood in the mesh.
// Rest data of derived batches are stored four elements at a time (lane = i % 4), so that kernels load one number of
// four elements with one instruction. Summation order is (color, chunk, element): forces and tangents have the same
// bits for every thread count. A batch is constant once bound, and needs no buffers to run.

#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

class PatternBuilder;

class ElementBatch {
 public:
  static constexpr int lanes = 4;  ///< elements stored side by side

  /// nodes: n per element, each below num_nodes; node k is block first_block + k of the System. Elements are stored in
  /// pieces of `order`, a list of all of them. chunk_size: elements that one thread takes at a time, a multiple of
  /// `lanes`.
  ElementBatch(int nodes_per_element, const std::vector<int>& nodes, const std::vector<int>& order, int num_nodes,
               int first_block, int chunk_size);

  int num_elements() const { return num_elements_; }
  int nodes_per_element() const { return nodes_per_element_; }  ///< n
  int num_packs() const { return (num_elements_ + lanes - 1) / lanes; }
  /// Blocks of element i.
  const int* blocks(int i) const { return blocks_.data() + index(i) * index(nodes_per_element_); }
  /// All blocks that elements have.
  BlockRange touched_blocks() const { return touched_; }
  /// Index in the mesh of the element stored at i.
  int original(int i) const { return original_[index(i)]; }

  /// Asks for the blocks between all nodes of each element.
  void couple(PatternBuilder& pattern) const;
  /// Looks up the n x n slots of every element. Terms that share the batch may each call it.
  void bind(const BlockPattern& pattern);
  /// Slot of block (blocks(i)[a], blocks(i)[b]) is slots(i)[a*n + b].
  const int* slots(int i) const { return slots_.data() + index(i) * index(nodes_per_element_ * nodes_per_element_); }

  /// Calls body(begin, end) over all elements, in parallel inside a color; bodies may scatter to their elements'
  /// nodes. begin is a multiple of `lanes`; end is too, or it is num_elements.
  void for_each_chunk(FunctionRef<void(int, int)> body) const;
  /// The same, returning the sum of what body returns, added in a fixed order.
  double sum_over_chunks(FunctionRef<double(int, int)> body) const;
  int num_colors() const { return static_cast<int>(color_start_.size()) - 1; }
  /// The elements along `order`, colors aside: pieces of this list are compact pieces of the body.
  std::vector<int> elements_along_curve() const;
  /// blocks(i) of all elements, one after the other.
  const std::vector<int>& all_blocks() const { return blocks_; }

 protected:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

 private:
  void make_order(const std::vector<int>& nodes, const std::vector<int>& order, int num_nodes, int chunk_size);

  int num_elements_ = 0, nodes_per_element_ = 0;
  std::vector<int> blocks_, original_, slots_;
  BlockRange touched_;
  std::vector<int> chunk_start_;  ///< element ranges, size num_chunks + 1, ordered by color
  std::vector<int> color_start_;  ///< chunk ranges, size num_colors + 1
  std::vector<int> curve_packs_;
};

}  // namespace dashpot
