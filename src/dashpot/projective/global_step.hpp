#pragma once
// The global step: solves (A + sum_i U_i S_i V_i^T) d = b, A = a1 M + v1 D + L + bounds of contact stiffness. A is a
// scalar matrix with three right-hand sides where it can be (every node free or held as a whole, no ties, damping
// alike in all directions), else a block matrix. Y_i = A^-1 U_i is kept as long as A and U_i stay: a low-rank part then
// costs two thin products a solve, whatever S_i does [reference ABCE, 1.2 and 4.4].

#include <memory>
#include <optional>
#include <vector>

#include "dashpot/linsolve/low_rank_groups.hpp"
#include "dashpot/linsolve/scalar_cholesky.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {

class GlobalStep {
 public:
  explicit GlobalStep(const System& system);
  /// The same System with other values of its parameters (System::with).
  void attach(const System& system) { system_ = &system; }

  /// Whether the nodes and ties of the System allow a scalar matrix.
  bool can_be_scalar() const { return can_be_scalar_; }
  /// Factors a scalar matrix, one number per slot; needs can_be_scalar().
  SolveStatus factorize(const std::vector<double>& of_slot);
  /// Factors a block matrix, over all dofs and not yet folded.
  SolveStatus factorize(BlockMatrix matrix);
  /// Solves for d at the free dofs; zero elsewhere. `b` is a force over all dofs.
  SolveStatus solve(const std::vector<LowRank>& parts, const Vector& b, Vector& d);

 private:
  /// Y = A^-1 U on the rows from first to last of the components that U is in.
  struct Reach {
    SharedMatrix U;
    int first_dof = 0;  ///< of U
    DofRange rows;
    Matrix Y;
  };
  SolveStatus solve_columns(Eigen::Ref<Matrix> x);
  /// d -= Y (I + S V^T Y)^-1 S V^T d.
  SolveStatus correct(const std::vector<LowRank>& parts, Vector& d);
  /// Finds or makes the reach of every part; groups share right-hand sides.
  SolveStatus set_reach(const std::vector<LowRank>& parts, const PartGroups& groups);
  /// Where the reach of part `hint` is; -1: not there.
  int find_reach(const LowRank& part, std::size_t hint) const;
  /// Drops what the parts do not use, where that has become much.
  void forget_idle(const std::vector<LowRank>& parts);

  const System* system_;  ///< of the present step
  bool can_be_scalar_ = false, is_scalar_ = false;
  std::vector<std::uint8_t> block_is_free_;
  std::unique_ptr<ScalarCholesky> scalar_;
  std::unique_ptr<LinearSolver> blocks_;
  std::optional<BlockComponents> components_;  ///< of A; none where ties may join any
  std::vector<Reach> reach_;
  std::vector<int> reach_of_;  ///< of each part of the last solve
};

}  // namespace dashpot
