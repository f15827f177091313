#pragma once
// The part of a symmetric positive definite block matrix that couples blocks of the same chain (block_chains.hpp), at
// most two steps apart, factored: L L^T with L block lower triangular of three block diagonals. Blocks of no chain are
// factored alone. As a part of a preconditioner it is held in single precision, eight chains at a time; what couples
// more distant blocks of a chain (the closing of a ring) is left out.

#include <memory>
#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

class ChainFactor {
 public:
  static constexpr int lanes = 8;  ///< chains factored side by side
  static constexpr int reach = 2;  ///< steps along a chain that are kept
  /// Block sizes it is compiled for.
  static bool can_solve(const BlockPattern& pattern) {
    return pattern.is_uniform() && (pattern.layout().leading_size() == 3 || pattern.layout().leading_size() == 5);
  }

  /// Throws Error for blocks that do not exist or stand in two chains.
  void analyze(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free,
               const std::vector<std::vector<int>>& chains);
  /// Rows and columns of dofs that are not free count as the unit matrix. not_positive_definite, not_finite.
  SolveStatus factorize(const BlockMatrix& A);
  /// z = T^-1 r; vectors over dofs; zero at dofs that are not free.
  void solve(const Vector& r, Vector& z) const;
  /// y = (A - T) x: what the chains leave out of A.
  void multiply_rest(const BlockMatrix& A, const Vector& x, Vector& y) const;

 private:
  template <int B>
  SolveStatus factorize_blocks(const BlockMatrix& A);
  template <int B>
  void solve_blocks(const Vector& r, Vector& z) const;
  template <int B>
  void multiply_rest_blocks(const BlockMatrix& A, const Vector& x, Vector& y) const;
  template <int B>
  bool factorize_pack(const BlockMatrix& A, int pack);
  int num_packs() const { return static_cast<int>(pack_start_.size()) - 1; }

  int block_size_ = 5;
  const BlockPattern* pattern_ = nullptr;
  std::vector<std::uint8_t> is_free_;
  std::vector<int> pack_start_;  ///< positions of each pack of chains; position p of lane l is entry lanes p + l below
  std::vector<int> block_;       ///< the block there, or -1
  std::vector<int> slots_;       ///< of the blocks with the one, two before; -1: none. (reach + 1) each, own first
  std::vector<int> rest_start_, rest_slot_, rest_column_;  ///< of each block row: what is left out
  std::vector<float> factor_;  ///< by position: inverse of L_ii, then L_i,i-1 and L_i,i-2, row-major, lanes inmost
};

}  // namespace dashpot
