#pragma once
// Solves one implicit stage by Newton's method: exact tangents first, projected ones when the exact tangent is not
// positive definite, a backtracking line search on the residual, and a status that says what happened.
//
// Two economies change the work, not what counts as converged. Iterative linear solvers are asked for a tenth of the
// residual that Newton may leave and for no more digits. And where the last tangent reduced the residual by a factor c,
// used once more it leaves about 2 c of it: when that is far below the tolerance, no new tangent is made.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/integrate/stage_solver.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/linsolve/low_rank_estimate.hpp"

namespace dashpot {

class NewtonSolver final : public StageSolver {
 public:
  NewtonSolver(const NewtonOptions& newton, const LinearSolverOptions& linear) : options_(newton), linear_(linear) {}

  /// A fixed number of iterations does not get rid of what extrapolation makes of the accelerations of stiff modes: it
  /// may grow from step to step. Where the last stage ended it cannot, and reduced bodies know their forces there.
  bool starts_where_the_last_stage_ended() const override { return options_.fixed_iterations > 0; }
  StageOutcome solve(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) override;

  void set_history(const System& system, const std::vector<std::int64_t>& history) override;
  std::vector<std::int64_t> history() const override;

 private:
  /// A factorized tangent. Systems with a constant tangent keep one per (a1, v1); others keep one and refactor.
  struct Factor {
    double a1 = 0, v1 = 0;
    std::unique_ptr<LinearSolver> solver;
    std::vector<LowRank> low_rank;  ///< parts of the tangent that are not in the factor
    bool is_current = false;
  };
  /// Sets the motion that belongs to d and evaluates its balance.
  void evaluate(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) const;
  /// The same and the tangent, in one pass over the elements; the next factorize() at this motion uses it.
  void evaluate_both(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance);
  void accept_trial(Vector& d, StageState& motion, Balance& balance);
  /// Newton's iterations from (d, motion, balance), which belong together.
  StageOutcome iterate(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance,
                       bool projected_first);
  Factor& factor_for(const System& system, double a1, double v1);
  /// Assembles and factorizes the tangent at `motion`, unless the last one is good enough.
  SolveStatus factorize(const StageProblem& problem, const StageState& motion, Factor& factor, StageOutcome& outcome);
  /// Solves for direction_ with the factor and its low-rank parts, some of which an iterative solver does without.
  SolveReport solve_linear(const System& system, Factor& factor);
  /// Newton direction, tangent * direction = -residual; goes over to a projected tangent when the exact one fails.
  SolveStatus find_direction(const StageProblem& problem, const StageState& motion, const Balance& balance,
                             Factor& factor, StageOutcome& outcome);
  /// Whether the tangent of the last iteration, which left `contraction` of the residual, will do for this one.
  bool last_tangent_suffices(const Balance& balance, double contraction) const;
  /// Whether to stop, and whether that is a success.
  bool is_done(const Balance& balance, StageOutcome& outcome) const;
  Projection projection() const { return projecting_ ? Projection::positive_semidefinite : Projection::none; }
  /// Moves d along the direction until the residual falls; returns the step length, 0 when none helps.
  double line_search(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance);

  NewtonOptions options_;
  LinearSolverOptions linear_;
  std::shared_ptr<const BlockPattern> pattern_;  ///< what the factors were analyzed for
  std::uint64_t system_id_ = 0;                  ///< what they were made for
  bool was_constant_ = false, was_symmetric_ = true;
  std::vector<Factor> factors_;
  BlockMatrix matrix_;
  LowRankEstimate estimate_;
  std::vector<LowRank> symmetric_parts_;  ///< what conjugate gradients are given of a factor's low-rank parts
  DynamicBlocks couplings_;               ///< the part of the tangent outside the pattern
  bool projecting_ = false;               ///< the present iteration uses a projected tangent
  bool keeps_tangent_ = false;            ///< the present iteration uses the last one's factor
  bool has_tangent_ = false;              ///< matrix_ is the tangent where the next direction is sought
  Vector direction_, right_side_, trial_;
  StageState trial_motion_;
  Balance trial_balance_;
};

}  // namespace dashpot
