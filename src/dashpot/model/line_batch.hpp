#pragma once
// Elements that see the motion through one vector, a difference of their nodes:
//     y = sum_{a >= 1} c_a (x_a - x_0),      c_0 = - sum_{a >= 1} c_a:
// springs (2 nodes, y from one end to the other), bends of strands (3) and hinges (4), where y is a second difference.
// Sizes |y| of less than 1e-12 of the sum of the parts of y at rest are round-off: there y has no direction.

#include <vector>

#include "dashpot/model/element_batch.hpp"

namespace dashpot {

class LineBatch : public ElementBatch {
 public:
  /// nodes: n per element (2, 3 or 4), indices into the rest positions X [m]; node k is block first_block + k of the
  /// System. coefficients: n per element, of sum zero.
  LineBatch(int n, const std::vector<int>& nodes, const std::vector<double>& coefficients, const std::vector<Vec3>& X,
            int first_block);

  /// c_a of element i.
  double coefficient(int i, int a) const {
    return coefficients_[index(i / lanes) * index(lanes * nodes_per_element()) + index(lanes * a + i % lanes)];
  }
  /// Coefficients of elements 4 pack .. 4 pack + 3: entry [lanes*a + lane]. The last pack is filled up with copies.
  const double* pack_coefficients(int pack) const {
    return coefficients_.data() + index(pack) * index(lanes * nodes_per_element());
  }
  /// Squares of the sizes below which y has no direction, of the same elements.
  const double* pack_least_squares(int pack) const { return least_squares_.data() + index(pack) * lanes; }
  bool has_direction(const Vec3& y, int i) const { return y.squaredNorm() > least_squares_[index(i)]; }
  /// y of element i, or its rate.
  Vec3 difference(const Vector& q, int i) const;

 private:
  std::vector<double> coefficients_, least_squares_;
};

}  // namespace dashpot
