#pragma once
// The tets of a body, ready for element loops (element_batch.hpp), with rest gradients and quadrature weights. Energies
// and dampings on the same elements share one TetBatch.
//
// Deformation gradient at quadrature point p:  F = sum_a x_a (x) gradient(i, p, a);  integral = sum_p weight(i, p)
// f(F_p). Tets of 4 nodes have one point, tets of 10 nodes four (exact for quadratic integrands on straight-sided
// tets).

#include <vector>

#include "dashpot/model/element_batch.hpp"

namespace dashpot {

class TetBatch : public ElementBatch {
 public:
  /// nodes: n per tet (4 or 10, order of mesh/mesh.hpp), indices into the rest positions X [m]; node k is block
  /// first_block + k of the System. Throws Error naming tets of zero or negative volume and indices out of range.
  TetBatch(const std::vector<Vec3>& X, const std::vector<int>& nodes, int nodes_per_tet, int first_block);

  int num_tets() const { return num_elements(); }
  int nodes_per_tet() const { return nodes_per_element(); }  ///< n: 4 or 10
  int num_points() const { return num_points_; }             ///< quadrature points per tet: 1 (n = 4) or 4 (n = 10)
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
    return gradients_.data() + index(pack * num_points_ + p) * index(3 * lanes * nodes_per_element());
  }
  const double* pack_weights(int pack, int p) const { return weights_.data() + index(pack * num_points_ + p) * lanes; }

 private:
  void compute_rest_data(const std::vector<Vec3>& X, int first_block);

  int num_points_ = 1;
  std::vector<double> gradients_, weights_;
};

}  // namespace dashpot
