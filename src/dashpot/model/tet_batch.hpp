#pragma once
// The tets of a body, ready for element loops: rest gradients, quadrature weights, matrix slots, and chunks coloured so
// that chunks of one colour share no node. Energies and dampings on the same elements share one TetBatch.
//
// Deformation gradient at quadrature point p:  F = sum_a x_a (x) gradient(i, p, a);  integral = sum_p weight(i, p)
// f(F_p). Tets of 4 nodes have one point, tets of 10 nodes four (exact for quadratic integrands on straight-sided
// tets).
//
// Elements are reordered along a space-filling curve; original(i) tells where element i stood in the mesh. Rest data
// are stored four elements at a time (lane = i % 4), so that kernels load one number of four tets with one instruction.
// Summation order is (colour, chunk, element): forces and tangents have the same bits for every thread count.

#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

class TetBatch {
 public:
  static constexpr int lanes = 4;  ///< elements stored side by side

  /// nodes: n per tet (4 or 10, order of mesh/mesh.hpp), indices into the rest positions X [m]; node k is block
  /// first_block + k of the System. Throws Error naming tets of zero or negative volume and indices out of range.
  TetBatch(const std::vector<Vec3>& X, const std::vector<int>& nodes, int nodes_per_tet, int first_block);

  int num_tets() const { return num_tets_; }
  int nodes_per_tet() const { return nodes_per_tet_; }  ///< n: 4 or 10
  int num_points() const { return num_points_; }        ///< quadrature points per tet: 1 (n = 4) or 4 (n = 10)
  int num_packs() const { return (num_tets_ + lanes - 1) / lanes; }
  /// Blocks of element i.
  const int* blocks(int i) const { return blocks_.data() + index(i) * index(nodes_per_tet_); }
  /// All blocks that elements have.
  BlockRange touched_blocks() const { return touched_; }
  /// Index in the mesh of the element stored at i.
  int original(int i) const { return original_[index(i)]; }
  /// Rest gradient of shape function a at quadrature point p of element i [1/m].
  Vec3 gradient(int i, int p, int a) const {
    const double* g = pack_gradients(i / lanes, p) + 3 * lanes * a + i % lanes;
    return {g[0], g[lanes], g[2 * lanes]};
  }
  /// Quadrature weight times volume [m^3].
  double weight(int i, int p) const { return pack_weights(i / lanes, p)[i % lanes]; }
  /// Volume of element i at rest [m^3].
  double volume(int i) const;

  /// Gradients of elements 4 pack .. 4 pack + 3 at point p: entry [3*lanes*a + lanes*component + lane]. The last pack
  /// is filled up with copies of the last element, of weight zero.
  const double* pack_gradients(int pack, int p) const {
    return gradients_.data() + index(pack * num_points_ + p) * index(3 * lanes * nodes_per_tet_);
  }
  const double* pack_weights(int pack, int p) const { return weights_.data() + index(pack * num_points_ + p) * lanes; }

  /// Looks up the n x n slots of every element. Terms that share the batch may each call it.
  void bind(const BlockPattern& pattern);
  /// Slot of block (blocks(i)[a], blocks(i)[b]) is slots(i)[a*n + b].
  const int* slots(int i) const { return slots_.data() + index(i) * index(nodes_per_tet_ * nodes_per_tet_); }

  /// Calls body(begin, end) over all elements, in parallel inside a colour; bodies may scatter to their elements'
  /// nodes. begin is a multiple of `lanes`; end is too, or it is num_tets.
  void for_each_chunk(FunctionRef<void(int, int)> body) const;
  /// The same, returning the sum of what body returns, added in a fixed order.
  double sum_over_chunks(FunctionRef<double(int, int)> body) const;
  int num_colours() const { return static_cast<int>(colour_start_.size()) - 1; }
  /// The elements along the space-filling curve, colours aside: pieces of this list are compact pieces of the body.
  std::vector<int> elements_along_curve() const;
  /// blocks(i) of all elements, one after the other.
  const std::vector<int>& all_blocks() const { return blocks_; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void make_order(const std::vector<Vec3>& X, const std::vector<int>& nodes);
  void compute_rest_data(const std::vector<Vec3>& X, int first_block);

  int num_tets_ = 0, nodes_per_tet_ = 4, num_points_ = 1;
  std::vector<int> blocks_, original_, slots_;
  BlockRange touched_;
  std::vector<double> gradients_, weights_;
  std::vector<int> chunk_start_;   ///< element ranges, size num_chunks + 1, ordered by colour
  std::vector<int> colour_start_;  ///< chunk ranges, size num_colours + 1
  std::vector<int> curve_packs_;
};

}  // namespace dashpot
