#include "dashpot/integrate/newton.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/linsolve/iterative_solver.hpp"
#include "dashpot/linsolve/low_rank_solver.hpp"

namespace dashpot {
namespace {

constexpr std::size_t max_kept_factors = 4;  // Bathe needs two; sub-stepping a few more
constexpr int max_backtracks = 20;
constexpr double linear_share = 0.1;       // of the tolerated residual may come from the linear solver
constexpr double stagnation_limit = 1e-5;  // of the forces: more than round-off, whatever tolerance was asked for

}  // namespace

NewtonSolver::Factor& NewtonSolver::factor_for(const System& system, double a1, double v1) {
  const bool constant = system.has_constant_tangent();
  if (system_id_ != system.id()) {
    // With other values of its parameters alone, the analyses stay good.
    if (pattern_ != system.pattern() || was_constant_ != constant || was_symmetric_ != system.is_symmetric())
      factors_.clear();
    for (Factor& factor : factors_) factor.is_current = false;
    if (pattern_ != system.pattern()) matrix_ = BlockMatrix(system.pattern());
    pattern_ = system.pattern();
    system_id_ = system.id();
    was_constant_ = constant;
    was_symmetric_ = system.is_symmetric();
  }
  for (Factor& factor : factors_)
    if (!constant || (factor.a1 == a1 && factor.v1 == v1)) return factor;
  if (factors_.size() >= max_kept_factors) factors_.erase(factors_.begin());
  Factor factor{a1, v1, make_linear_solver(linear_, system.num_dofs(), !constant, system.is_symmetric()), {}, false};
  factor.solver->analyze(pattern_, system.is_free());
  factors_.push_back(std::move(factor));
  return factors_.back();
}

void NewtonSolver::set_history(const System& system, const std::vector<std::int64_t>& history) {
  if (!system.has_constant_tangent()) factor_for(system, 0, 0).solver->set_history(history);
}

std::vector<std::int64_t> NewtonSolver::history() const {
  return factors_.size() == 1 ? factors_[0].solver->history() : std::vector<std::int64_t>();
}

SolveStatus NewtonSolver::factorize(const StageProblem& problem, const StageState& motion, Factor& factor,
                                    StageOutcome& outcome) {
  if (keeps_tangent_ || (problem.system.has_constant_tangent() && factor.is_current)) return SolveStatus::ok;
  const TangentRequest request{problem.a1, problem.v1, projection(), &matrix_, &factor.low_rank, &couplings_};
  if (!has_tangent_)
    evaluate_tangent(problem.system, problem.workspace, problem.start.internal_variables, motion, problem.instant,
                     request);
  has_tangent_ = false;
  condense_tangent(problem.system, request);
  ++outcome.factorizations;
  outcome.projected |= projecting_;
  const std::int64_t analyses = factor.solver->num_reanalyses();
  const SolveStatus status = factor.solver->factorize_coupled(matrix_, couplings_);
  outcome.analyses += static_cast<int>(factor.solver->num_reanalyses() - analyses);
  factor.is_current = status == SolveStatus::ok;
  factor.a1 = problem.a1;
  factor.v1 = problem.v1;
  return status;
}

SolveReport NewtonSolver::solve_linear(const System& system, Factor& factor) {
  if (factor.low_rank.empty()) return factor.solver->solve(right_side_, direction_);
  // Gains that depend on the state add non-symmetric parts; iterative solvers are better off with an estimate of them.
  LowRankSolver* iterative = factor.solver->low_rank_solver();
  if (!iterative || !iterative->prefers_symmetric_parts())
    return solve_with_low_rank(*factor.solver, factor.low_rank, right_side_, direction_);
  estimate_.apply(matrix_, system.is_free(), factor.low_rank, right_side_);
  symmetric_parts_ = factor.low_rank;
  keep_symmetric_parts(symmetric_parts_);
  return iterative->solve_low_rank(symmetric_parts_, right_side_, direction_);
}

SolveStatus NewtonSolver::find_direction(const StageProblem& problem, const StageState& motion, const Balance& balance,
                                         Factor& factor, StageOutcome& outcome) {
  SolveStatus status = factorize(problem, motion, factor, outcome);
  if (status == SolveStatus::ok) {
    right_side_ = -balance.residual;
    problem.system.reduce(right_side_);
    direction_.setZero(right_side_.size());
    if (IterativeSolver* iterative = factor.solver->iterative_solver()) {
      const double wanted = linear_share * options_.tolerance * balance.force_scale / balance.residual_norm;
      iterative->set_tolerance(options_.fixed_iterations > 0 ? 0.0 : std::min(wanted, linear_share));
    }
    const SolveReport report = solve_linear(problem.system, factor);
    outcome.linear_iterations += report.iterations;
    // An iterative solver that ran out of iterations still returns a usable direction: the line search judges it.
    status = report.status == SolveStatus::not_converged ? SolveStatus::ok : report.status;
    if (status == SolveStatus::ok && !all_finite(problem.system, direction_)) status = SolveStatus::not_finite;
    if (!problem.system.ties().empty()) problem.system.ties().follow(direction_);
  }
  if (status != SolveStatus::not_positive_definite || projecting_) return status;
  keeps_tangent_ = false;
  projecting_ = true;  // Cholesky met a bad pivot, or CG a direction of negative curvature
  return find_direction(problem, motion, balance, factor, outcome);
}

double NewtonSolver::line_search(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) {
  const double slope = dot(problem.system, balance.residual, direction_);
  const bool far = balance.residual_norm > 1e-9 * balance.force_scale;  // nearer, slopes are round-off
  double length = 1;
  for (int attempt = 0; attempt <= max_backtracks; ++attempt, length *= 0.5) {
    trial_ = d + length * direction_;
    evaluate(problem, trial_, trial_motion_, trial_balance_);
    const bool last_word = options_.fixed_iterations > 0;  // real-time use: accept whatever is admissible
    const bool residual_falls = trial_balance_.residual_norm <= (1 - 1e-4 * length) * balance.residual_norm;
    // The forces of a stage derive from a potential where damping is held over the step. By the trapezoid rule it falls
    // over this step when its slope at the end is less than minus its slope at the start.
    const bool potential_falls =
        far && slope < 0 && dot(problem.system, trial_balance_.residual, direction_) <= -0.9 * slope;
    // Half of a motion is no motion: where the only step there is leads to a state that cannot be, a shorter time step
    // must be tried.
    if (last_word && !trial_balance_.is_admissible()) return 0;
    if (!trial_balance_.is_admissible() || !(last_word || residual_falls || potential_falls)) continue;
    accept_trial(d, motion, balance);
    return length;
  }
  return 0;
}

void NewtonSolver::evaluate(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) const {
  set_motion(problem, d, motion);
  evaluate_balance(problem.system, problem.workspace, problem.start.internal_variables, motion, problem.instant,
                   nullptr, balance);
}

void NewtonSolver::evaluate_both(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) {
  Factor& factor = factor_for(problem.system, problem.a1, problem.v1);
  projecting_ = false;
  const TangentRequest request{problem.a1, problem.v1, projection(), &matrix_, &factor.low_rank, &couplings_};
  set_motion(problem, d, motion);
  evaluate_balance(problem.system, problem.workspace, problem.start.internal_variables, motion, problem.instant,
                   &request, balance);
  has_tangent_ = true;
}

StageOutcome NewtonSolver::solve(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) {
  const bool always_projected = options_.tangent == NewtonOptions::Tangent::projected;
  has_tangent_ = false;
  if (options_.fixed_iterations > 0 && !always_projected && !problem.system.has_constant_tangent()) {
    // Real time: one pass for force and tangent at the guess, and no second guess while the first can be used.
    evaluate_both(problem, d, motion, balance);
    if (balance.is_admissible()) return iterate(problem, d, motion, balance, false);
    has_tangent_ = false;
  } else {
    evaluate(problem, d, motion, balance);
  }
  if (problem.system.has_constant_tangent()) return iterate(problem, d, motion, balance, always_projected);

  // The extrapolated guess saves iterations in smooth motion; where a load was just let go it may lie behind an
  // inverted element, next to a spurious solution. Where the last step ended is never that far: take it when it is
  // better balanced.
  trial_.setZero(d.size());
  evaluate(problem, trial_, trial_motion_, trial_balance_);
  const bool is_better = trial_balance_.is_admissible() && trial_balance_.residual_norm < balance.residual_norm;
  if (!balance.is_admissible() || is_better) accept_trial(d, motion, balance);
  StageOutcome outcome = iterate(problem, d, motion, balance, always_projected);
  if (outcome.ok || options_.fixed_iterations > 0) return outcome;

  d.setZero();
  evaluate(problem, d, motion, balance);
  StageOutcome second = iterate(problem, d, motion, balance, problem.system.is_symmetric());
  second.iterations += outcome.iterations;
  second.factorizations += outcome.factorizations;
  second.linear_iterations += outcome.linear_iterations;
  second.analyses += outcome.analyses;
  second.projected |= outcome.projected;
  return second;
}

void NewtonSolver::accept_trial(Vector& d, StageState& motion, Balance& balance) {
  std::swap(d, trial_);
  std::swap(motion, trial_motion_);
  std::swap(balance, trial_balance_);
}

StageOutcome NewtonSolver::iterate(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance,
                                   bool projected_first) {
  StageOutcome outcome;
  const System& system = problem.system;
  const bool may_project = system.is_symmetric() && !system.has_constant_tangent();
  const bool fixed = options_.fixed_iterations > 0;
  Factor& factor = factor_for(system, problem.a1, problem.v1);
  estimate_.reset();
  projecting_ = projected_first;
  double contraction = 1;         // of the residual by the last iteration with a new tangent and a whole step
  double largest_coordinate = 0;  // over the iterations: round-off of a far first guess stays in d
  for (;; ++outcome.iterations) {
    if (is_done(balance, outcome)) return outcome;
    // Near the solution the exact tangent converges quadratically; far from it a projected one is a safer guide.
    if (options_.tangent != NewtonOptions::Tangent::projected && balance.residual_norm < 1e-3 * balance.force_scale)
      projecting_ = false;
    keeps_tangent_ = !fixed && factor.is_current && last_tangent_suffices(balance, contraction);
    const SolveStatus status = find_direction(problem, motion, balance, factor, outcome);
    if (status != SolveStatus::ok) {
      outcome.explanation = "the linear system could not be solved: " + to_string(status);
      return outcome;
    }
    largest_coordinate = std::max({largest_coordinate, largest(system, motion.q), largest(system, d)});
    const double step = largest(system, direction_);
    if (!fixed && step <= 1e-15 * largest_coordinate) {  // below round-off of the coordinates: as good as it gets
      outcome.ok = outcome.converged = true;
      return outcome;
    }
    const double residual = balance.residual_norm, length = line_search(problem, d, motion, balance);
    if (length > 0) {
      contraction = length == 1 && !keeps_tangent_ ? balance.residual_norm / residual : 1;
      continue;
    }
    if (fixed) {
      outcome.explanation = trial_balance_.is_finite ? trial_balance_.refused_by->reason()
                                                     : "the forces are not finite where Newton's only step leads";
      return outcome;
    }
    contraction = 1;
    if (keeps_tangent_) continue;  // an old tangent is no reason to give up
    const double stagnated = std::min(1e3 * options_.tolerance, stagnation_limit);
    if (balance.residual_norm <= stagnated * balance.force_scale || step <= 1e-11 * largest_coordinate) {
      outcome.ok = true;  // stagnated at round-off; the ledger shows the residual's work
      return outcome;
    }
    if (projecting_ || !may_project) {
      outcome.explanation = fmt::format("no step along Newton's direction reduces the residual ({:.2g} of the forces)",
                                        balance.residual_norm / balance.force_scale);
      return outcome;
    }
    projecting_ = true;  // an exact tangent can point the wrong way where the energy is not convex
  }
}

bool NewtonSolver::last_tangent_suffices(const Balance& balance, double contraction) const {
  // Newton's error is half the tangent's change over the step, applied to the step; with the old tangent it is all of
  // it. Norms differ between directions, so ask for a margin of 20 besides.
  return 2 * contraction * balance.residual_norm <= 0.05 * options_.tolerance * balance.force_scale;
}

bool NewtonSolver::is_done(const Balance& balance, StageOutcome& outcome) const {
  if (!balance.is_admissible()) {
    outcome.explanation =
        balance.is_finite ? balance.refused_by->reason() : "the forces are not finite at the predicted positions";
    return true;
  }
  outcome.converged = balance.residual_norm <= options_.tolerance * balance.force_scale;
  const bool fixed = options_.fixed_iterations > 0;
  const int limit = fixed ? options_.fixed_iterations : options_.max_iterations;
  const bool out_of_iterations = outcome.iterations == limit;
  outcome.ok = fixed ? out_of_iterations || balance.residual_norm == 0 : outcome.converged;
  if (!outcome.ok && out_of_iterations)
    outcome.explanation = fmt::format(
        "Newton's method did not converge in {} iterations (residual {:.2g} of the forces, tolerance {:.2g})", limit,
        balance.residual_norm / balance.force_scale, options_.tolerance);
  return outcome.ok || out_of_iterations;
}

}  // namespace dashpot
