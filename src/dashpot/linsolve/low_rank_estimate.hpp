#pragma once
// What conjugate gradients leave out of (A + sum_i U_i S_i V_i^T) x = b, estimated. CG takes symmetric parts only; the
// rest N = sum (U S V^T)_left_out, for instance the slope of gains that depend on the motion, would cost one more solve
// per column of U by Woodbury's identity. Newton's method needs no exact direction, only a good one: solve the whole
// system on the span of Z, the displacements that the parts declare as their reach,
//     (Z^T (A + sum U S V^T) Z) y = Z^T b,      b <- b - N Z y,
// and let CG solve with the symmetric parts for the new b. The error of the direction is A_s^-1 N (x - Z y): what Z
// does not hold of the motion that N sees. Costs half a product of A with Z per reset() and
// k passes over vectors. A is symmetric, as CG asks for.

#include <cstdint>
#include <vector>

#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

class LowRankEstimate {
 public:
  /// The matrix has changed so much that its product with Z must be made anew (a new stage of a step).
  void reset() { has_matrix_ = false; }
  /// Changes b as above. Parts without reach and dofs that are not free take no part; b is left alone where nothing
  /// non-symmetric has a reach, or where the small system is singular.
  void apply(const BlockMatrix& A, const std::vector<std::uint8_t>& is_free, const std::vector<LowRank>& parts,
             VectorRef b);

 private:
  struct Projected {
    SharedMatrix U, V;
    Matrix ZtU, VtZ;
  };
  void collect_reach(const std::vector<LowRank>& parts, const std::vector<std::uint8_t>& is_free);
  void project(const std::vector<LowRank>& parts);

  std::vector<SharedMatrix> reach_;  ///< what Z was made of
  std::vector<int> first_dof_;       ///< of each of them
  Matrix Z_, ZtAZ_;
  std::vector<Projected> projected_;  ///< one per part
  bool has_matrix_ = false;
};

}  // namespace dashpot
