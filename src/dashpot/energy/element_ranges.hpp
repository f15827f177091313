#pragma once
// Elements of n nodes (tets, triangles, hinges) in a few compact pieces (ranges) that scatter side by side. Every range
// numbers its own nodes, first those that no other range has, then the shared ones; it gathers and adds in buffers of
// its own, which stay in cache and live for one run. Sums over shared nodes are made in range order. The ranges depend
// on the mesh alone, so bits do not depend on the thread count. For .cpp files of energy/ only.

#include <cstddef>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {

class ElementRanges {
 public:
  /// Element e has the blocks blocks[n e .. n e + n). Pieces of `order`, a list of all elements, become the ranges;
  /// `lanes` elements (4 or 8) stand side by side in a pack.
  ElementRanges(int nodes_per_element, const std::vector<int>& blocks, const std::vector<int>& order, int lanes);

  int num_packs() const { return static_cast<int>(element_.size()) / lanes_; }
  /// Calls visit(pack, lane, element, exists) for every lane of every pack; a surplus lane, which does not exist, comes
  /// with the element before it.
  template <class Visit>
  void for_each_lane(const Visit& visit) const {
    int last = 0;
    for (int k = 0; k < static_cast<int>(element_.size()); ++k) {
      const bool exists = element_[static_cast<std::size_t>(k)] >= 0;
      if (exists) last = element_[static_cast<std::size_t>(k)];
      visit(k / lanes_, k % lanes_, last, exists);
    }
  }
  /// Nodes of a pack, counted in its range: node a of lane l is at nodes(pack)[lanes a + l].
  const int* nodes(int pack) const {
    return node_.data() + static_cast<std::size_t>(nodes_per_element_ * lanes_) * static_cast<std::size_t>(pack);
  }

  struct alignas(32) Four {
    double v[4];
  };
  using Body = FunctionRef<void(int, int, const Four*, const Four*, Four*)>;
  /// Calls body(first pack, end pack, x, xdot, f) for every range on the spinning team: x and xdot hold q and v (where
  /// given) of its nodes, four numbers a node; what body adds to f (zero at first) is added to `force` (where given; f
  /// is null without).
  void run(const Vector& q, const Vector* v, Vector* force, Body body) const;

 private:
  struct Range {
    int first_pack = 0, end_pack = 0;
    int first_node = 0, end_private = 0, end_node = 0;  ///< in block_
  };
  void number_nodes(const std::vector<int>& blocks);

  int nodes_per_element_, lanes_;
  std::vector<int> element_;  ///< by lane; -1: a surplus lane, whose nodes are those of the element before it
  std::vector<int> node_;
  std::vector<Range> ranges_;
  std::vector<int> block_;      ///< block of each node of each range
  std::vector<int> shared_at_;  ///< places of shared blocks in block_, block by block
};

}  // namespace dashpot
