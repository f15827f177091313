#pragma once
// The normal equations of a trajectory z_1 ... z_T of r numbers a step and m numbers x that all steps share: an arrow,
//
//     [ H   B ] [dz]     [g]
//     [ B^T C ] [dx] = - [h],      H block pentadiagonal: blocks (i, i), (i, i-1), (i, i-2) of r x r.
//
// H = L L^T by blocks, in O(T r^3); the shared numbers are found from the Schur complement C - B^T H^-1 B, which adds
// up over several trajectories [reference D, section 4, P1].

#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::learn {

/// J^T J and J^T r of one trajectory.
struct ArrowSystem {
  std::vector<Matrix> diagonal, below,
      second;                     ///< blocks (i, i), (i, i-1), (i, i-2); the last two empty where i < 1, 2
  Matrix border, corner;          ///< B: T r x m, C: m x m
  Vector gradient_z, gradient_x;  ///< g, h

  ArrowSystem(int num_steps, Eigen::Index r, Eigen::Index m);
  Eigen::Index block_size() const { return diagonal.front().rows(); }
  void set_zero();
};

class PentadiagonalCholesky {
 public:
  /// False where H is not positive definite, even with `shift` times its largest diagonal entry added to the diagonal.
  bool factorize(const ArrowSystem& system, double shift);
  /// H^-1 b, column by column.
  Matrix solve(Matrix b) const;

 private:
  std::vector<Matrix> diagonal_, below_, second_;  ///< of L
};

}  // namespace dashpot::learn
