#pragma once
// The triangles of a sheet, ready for element loops. Deformation gradient, from the plane of the triangle at rest into
// space:  F = sum_a x_a (x) g_a  (3 x 2);  integral over the sheet = sum_e area(e) f(F_e). The first axis of the plane
// is the edge from node 0 to node 1.

#include <vector>

#include "dashpot/model/element_batch.hpp"

namespace dashpot {

class TriangleBatch : public ElementBatch {
 public:
  /// triangles: three nodes each, indices into the rest positions X [m], of positive area; node k is block
  /// first_block + k of the System.
  TriangleBatch(const std::vector<Vec3>& X, const std::vector<int>& triangles, int first_block);

  /// Rest gradient of shape function a of element i [1/m].
  Eigen::Vector2d gradient(int i, int a) const {
    const double* g = pack_gradients(i / lanes) + i % lanes;
    const Eigen::Vector2d g1(g[0], g[lanes]), g2(g[2 * lanes], g[3 * lanes]);
    return a == 1 ? g1 : a == 2 ? g2 : Eigen::Vector2d(-g1 - g2);
  }
  /// Area of element i at rest [m^2].
  double area(int i) const { return areas_[index(i)]; }
  /// Gradients of nodes 1 and 2 of elements 4 pack .. 4 pack + 3: entry [2*lanes*(a-1) + lanes*component + lane]. The
  /// last pack is filled up with copies of the last element, of area zero.
  const double* pack_gradients(int pack) const { return gradients_.data() + index(pack) * 4 * lanes; }
  const double* pack_areas(int pack) const { return areas_.data() + index(pack) * lanes; }
  /// F of element i, or Fdot.
  Eigen::Matrix<double, 3, 2> deformation(const Vector& q, int i) const;

 private:
  std::vector<double> gradients_, areas_;
};

}  // namespace dashpot
