#pragma once
// The tets of a body, ready for element loops: rest gradients, quadrature weights, matrix slots, and chunks coloured so
// that chunks of one colour share no node. Energies and dampings on the same elements share one TetBatch.
//
// Summation order is (colour, chunk, element): forces and tangents have the same bits for every thread count.

#include <memory>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

class TetBatch {
 public:
  /// nodes: n per tet (4 or 10), indices of rest positions X, offset by first_block in the System's blocks.
  TetBatch(const std::vector<Vec3>& X, std::vector<int> nodes, int nodes_per_tet, int first_block);

  int num_tets() const { return num_tets_; }
  int nodes_per_tet() const { return nodes_per_tet_; }  ///< n: 4 or 10
  int num_points() const { return num_points_; }        ///< quadrature points per tet: 1 (n = 4) or 4 (n = 10)
  /// Blocks of element slot i (elements are reordered for locality; see original()).
  const int* blocks(int i) const { return blocks_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(nodes_per_tet_); }
  /// Index in the mesh of the element stored at i.
  int original(int i) const { return original_[static_cast<std::size_t>(i)]; }
  /// Rest gradient of shape function a at quadrature point p of element i: three doubles [1/m].
  const double* gradient(int i, int p, int a) const {
    return gradients_.data() + 3 * ((static_cast<std::size_t>(i) * static_cast<std::size_t>(num_points_) + static_cast<std::size_t>(p)) *
                                        static_cast<std::size_t>(nodes_per_tet_) + static_cast<std::size_t>(a));
  }
  /// Quadrature weight times volume [m^3].
  double weight(int i, int p) const { return weights_[static_cast<std::size_t>(i) * static_cast<std::size_t>(num_points_) + static_cast<std::size_t>(p)]; }

  /// Looks up the n x n slots of every element.
  void bind(const BlockPattern& pattern);
  /// Slot of block (blocks(i)[a], blocks(i)[b]) is slots(i)[a*n + b].
  const int* slots(int i) const {
    return slots_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(nodes_per_tet_) * static_cast<std::size_t>(nodes_per_tet_);
  }

  /// Calls body(begin, end) over all elements, in parallel inside a colour; bodies may scatter to their elements' nodes.
  void for_each_chunk(FunctionRef<void(int, int)> body) const;
  /// The same, returning the sum of what body returns, added in a fixed order.
  double sum_over_chunks(FunctionRef<double(int, int)> body) const;

 private:
  int num_tets_ = 0, nodes_per_tet_ = 4, num_points_ = 1;
  std::vector<int> blocks_, original_, slots_;
  std::vector<double> gradients_, weights_;
  std::vector<int> chunk_start_;   ///< element ranges, size num_chunks + 1, ordered by colour
  std::vector<int> colour_start_;  ///< chunk ranges, size num_colours + 1
};

}  // namespace dashpot
