#pragma once
// How the material around each node has turned since rest: R_i is the rotation nearest to
//     A_i = sum_j (x_j - x_i) (X_j - X_i)^T
// over the nodes j that share an element with i (those the matrix couples). Exact for rigid motion; in a bent body it
// follows the bend. Needs positions only, no elements.

#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

class LocalRotations {
 public:
  LocalRotations() = default;
  /// Nodes first_block .. first_block + num_blocks - 1 of a pattern with blocks of 3; `rest` over all dofs.
  LocalRotations(const BlockPattern& pattern, const Vector& rest, int first_block, int num_blocks);

  /// R_i for every node of the body at q (over all dofs). A node without neighbors keeps the identity.
  void evaluate(const Vector& q, std::vector<Mat3>& rotations) const;
  /// Turns the part of each column that belongs to node i by R_i; X has the rows of the body.
  static void turn(const std::vector<Mat3>& rotations, Eigen::Ref<Matrix> X);

 private:
  int first_block_ = 0;
  std::vector<int> start_{0}, neighbor_;  ///< blocks
  Matrix rest_edges_;                     ///< X_j - X_i, one column each [m]
};

}  // namespace dashpot
