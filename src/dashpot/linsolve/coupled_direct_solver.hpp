#pragma once
// A direct solver for A + B, where B holds blocks outside the pattern of A (DynamicBlocks).
//
// The factor is made for an extended pattern: that of A and the pairs of an `extension`. Blocks of B inside it are
// factored with A and cost nothing more. What is left outside, B_out, is met by conjugate gradients on A + B,
// preconditioned with the factor F of everything inside; as the diagonal parts of couplings are in A, the spectrum of
// F^-1 (A + B) lies in (0, 2). A new analysis takes all present pairs into the extension, and their neighbors on both
// sides, so that bodies may slide on each other for a while.
//
// When to analyze again (CouplingStrategy::automatic): when the iterations spent since the last analysis have cost as
// much as an analysis, both counted and never timed: at most twice the cost of the better choice, whatever comes. After
// `max_idle` matrices without couplings the extension is dropped. Everything learned is in history(): equal States give
// equal bits. LU, for non-symmetric systems, always analyses again.

#include <memory>
#include <optional>

#include "dashpot/linsolve/block_components.hpp"
#include "dashpot/linsolve/direct_solver.hpp"

namespace dashpot {

class CoupledDirectSolver final : public LinearSolver {
 public:
  CoupledDirectSolver(const LinearSolverOptions& options, std::unique_ptr<DirectSolver> direct);
  std::string name() const override { return direct_->name(); }
  /// The symbolic analysis is made when it is first needed.
  void analyze(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_free) override;
  SolveStatus factorize(const BlockMatrix& matrix) override { return factorize_coupled(matrix, DynamicBlocks()); }
  SolveStatus factorize_coupled(const BlockMatrix& matrix, const DynamicBlocks& couplings) override;
  SolveReport solve(const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> x) override;
  /// Of the pattern with its extension, which may hold pairs that no longer touch.
  const BlockComponents* components() override;
  bool handles_nonsymmetric() const override { return direct_->handles_nonsymmetric(); }
  bool accepts_low_rank(bool symmetric) const override;
  std::size_t factor_bytes() const override { return direct_->factor_bytes(); }
  /// {iterations' cost since the last analysis [ns], matrices without couplings, pairs of the extension ...}.
  std::vector<std::int64_t> history() const override;
  void set_history(const std::vector<std::int64_t>& history) override;
  std::int64_t num_reanalyses() const override { return num_reanalyses_; }

  /// Makes the analysis now, when it is not there.
  void prepare();
  double factor_operations() const { return direct_->factor_operations(); }
  double factor_entries() const { return direct_->factor_entries(); }

 private:
  bool must_reanalyze() const;
  /// Takes the present pairs, their neighbors and, while they are few, the old pairs into the extension.
  void extend(const DynamicBlocks& couplings);
  void set_extension(std::vector<std::int64_t> pairs);
  bool has_outside(const DynamicBlocks& couplings) const;
  /// matrix_ = A + what of B is inside; the rest goes to outside_.
  void assemble(const BlockMatrix& A, const DynamicBlocks& couplings);
  SolveReport iterate(const ConstVectorRef& b, VectorRef x);
  void multiply(const Vector& x, Vector& y) const;
  void solve_inside(const Vector& b, Vector& x);
  double analysis_nanoseconds() const;

  LinearSolverOptions options_;
  std::unique_ptr<DirectSolver> direct_;
  std::shared_ptr<const BlockPattern> base_, pattern_;  ///< of A; with the extension
  std::vector<std::uint8_t> is_free_;
  bool is_prepared_ = false;
  std::vector<std::int64_t> extension_;  ///< pairs as in DynamicBlocks, ascending
  std::vector<int> slot_of_;             ///< slot in pattern_ of each slot of base_; empty: they are the same
  BlockMatrix matrix_;                   ///< on pattern_; kept where it differs from A or is needed for products
  DynamicBlocks outside_;
  std::optional<BlockComponents> components_;  ///< of pattern_ and outside_; made when asked for
  std::int64_t spent_ = 0, idle_ = 0, num_reanalyses_ = 0;
  Vector r_, z_, p_, Ap_;
};

/// The pattern with the pairs (row << 32) + column added, both triangles.
std::shared_ptr<const BlockPattern> extended_pattern(const BlockPattern& pattern,
                                                     const std::vector<std::int64_t>& pairs);
/// A + B on a pattern that holds both, for those who need one matrix (vibration modes of touching bodies).
BlockMatrix with_couplings(const BlockMatrix& A, const DynamicBlocks& couplings,
                           const std::shared_ptr<const BlockPattern>& pattern);

}  // namespace dashpot
