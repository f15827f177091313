#pragma once
// A symmetric block system prepared for conjugate gradients with symmetric Gauss-Seidel (SSOR, omega = 1)
// preconditioning.
//
// Blocks are renumbered by breadth-first levels and cut into chunks of consecutive rows; fully prescribed blocks leave
// the system, partly prescribed ones get unit rows. Each diagonal block is factored, A_ii = S_i S_i^T, and the system
// scaled:
//     S^-1 A S^-T = I + L + L^T + R      (L: strictly lower inside chunks, R: between chunks, and couplings)
// CG then runs on (I+L)^-1 (I + L + L^T + R) (I+L^T)^-1, whose product needs one backward and one forward sweep and no
// product with L [Eisenstat1981]: the preconditioner is nearly free. Chunks depend on the pattern alone, so parallel
// sweeps have the same bits for every thread count.

#include <cstdint>
#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/linear_solver.hpp"

namespace dashpot {

/// Compressed block rows in the order in which a sweep visits them.
struct SweepRows {
  std::vector<int> start{0}, column;
  std::vector<std::int64_t> source;  ///< first value of the transposed block in the BlockMatrix
  std::vector<double> values;        ///< row-major blocks, and one spare entry that may be read in vain
};

class SsorSystem {
 public:
  /// Block sizes the sweeps are compiled for: 1 .. max_block_size.
  static constexpr int max_block_size = 6;
  /// Whether it takes such blocks: all of one size, which is not too large.
  static bool can_solve(const BlockPattern& pattern) {
    return pattern.is_uniform() && pattern.layout().leading_size() <= max_block_size;
  }

  void analyze(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free);
  /// Copies and scales A and, where given, the blocks outside its pattern (their part of R). not_positive_definite when
  /// a diagonal block is not, not_finite when a value is not.
  SolveStatus assemble(const BlockMatrix& A, const DynamicBlocks* couplings = nullptr);

  int num_rows() const { return static_cast<int>(block_.size()); }
  int num_chunks() const { return static_cast<int>(chunk_start_.size()) - 1; }
  std::size_t num_blocks() const {
    return lower_.column.size() + upper_.column.size() + off_.column.size() + coupled_.column.size();
  }
  /// Internal vectors have `stride` doubles a row: b, or 4 for b = 3 (the fourth is zero), so that a row is one SIMD
  /// vector.
  int stride() const { return stride_; }
  int block_size() const { return block_size_; }
  std::size_t vector_size() const { return static_cast<std::size_t>(num_rows()) * static_cast<std::size_t>(stride_); }
  /// Entries of internal vectors that belong to a chunk.
  std::size_t chunk_begin(int chunk) const {
    return static_cast<std::size_t>(chunk_start_[static_cast<std::size_t>(chunk)] * stride_);
  }
  std::size_t chunk_end(int chunk) const { return chunk_begin(chunk + 1); }

  // All of the following work on one chunk; x and b are vectors over dofs, everything else is internal.

  /// scaled = S^-1 b; returns the squared norm of b over the chunk's free dofs.
  double scale_force(int chunk, const double* b, double* scaled) const;
  /// scaled = S^T x.
  void scale_solution(int chunk, const double* x, double* scaled) const;
  /// x = S^-T scaled at free dofs; the others are not touched.
  void unscale_solution(int chunk, const double* scaled, double* x) const;
  /// r = f - (I + L + L^T + R) y; returns the squared norm of S r, the residual before scaling.
  double residual(int chunk, const double* f, const double* y, double* r) const;
  /// t = (I + L^T)^-1 p.
  void sweep_backward(int chunk, const double* p, double* t) const;
  /// q = t + (I+L)^-1 (p - t + R t), which is the preconditioned product with p when all of t = (I + L^T)^-1 p is
  /// known; returns p . q.
  double sweep_forward(int chunk, const double* p, const double* t, double* q) const;
  /// r <- (I+L)^-1 r; returns the squared norm of the result.
  double solve_forward(int chunk, double* r) const;
  /// (I+L)^-1 S^-1 of several vectors b over dofs at once, for blocks of 3: row by row of the chunk, 3 entries a
  /// column; writes one entry more.
  void solve_forward_columns(int chunk, const std::vector<const double*>& b, double* rows) const;

 private:
  int rows_begin(int chunk) const { return chunk_start_[static_cast<std::size_t>(chunk)]; }
  int rows_end(int chunk) const { return chunk_start_[static_cast<std::size_t>(chunk) + 1]; }
  void number_rows(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free);
  void cut_chunks(const BlockPattern& pattern);
  void split_rows(const BlockPattern& pattern);
  template <int B>
  SolveStatus assemble_blocks(const BlockMatrix& A);
  template <int B>
  bool scale_blocks(const double* values, int row, int position, SweepRows& rows) const;
  template <int B>
  bool add_couplings(const DynamicBlocks& couplings);

  int block_size_ = 3, stride_ = 4;
  std::vector<int> block_;  ///< block of each row
  std::vector<int> row_;    ///< row of each block, or -1
  std::vector<int> chunk_start_{0};
  std::vector<std::int64_t> diagonal_source_;  ///< of each row
  std::vector<std::uint8_t> mask_;             ///< free flags, block_size per row
  std::vector<std::uint8_t> is_partial_;       ///< rows with a prescribed dof
  std::vector<double> factor_, inverse_;       ///< S_i and S_i^-1 of each row (lower triangular, column-major)
  SweepRows lower_, upper_, off_;              ///< L and R row by row; L^T from the last row of a chunk to its first
  SweepRows coupled_;                          ///< the part of R outside the pattern; no rows when there is none
  std::vector<double> coupled_values_;         ///< its blocks as SweepRows::source sees them
};

}  // namespace dashpot
