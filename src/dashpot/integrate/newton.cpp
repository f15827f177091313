#include "dashpot/integrate/newton.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace dashpot {
namespace {

constexpr std::size_t max_kept_factors = 4;  // Bathe needs two; sub-stepping a few more
constexpr int max_backtracks = 20;

}  // namespace

NewtonSolver::Factor& NewtonSolver::factor_for(const System& system, double a1, double v1) {
  if (pattern_ != system.pattern()) {
    factors_.clear();
    pattern_ = system.pattern();
    matrix_ = BlockMatrix(pattern_);
  }
  const bool constant = system.has_constant_tangent();
  for (Factor& factor : factors_)
    if (!constant || (factor.a1 == a1 && factor.v1 == v1)) return factor;
  if (factors_.size() >= max_kept_factors) factors_.erase(factors_.begin());
  Factor factor{a1, v1, make_linear_solver(linear_, system.num_dofs(), !constant, system.is_symmetric()), false};
  factor.solver->analyze(pattern_, system.is_free());
  factors_.push_back(std::move(factor));
  return factors_.back();
}

void NewtonSolver::set_memory(const System& system, const std::vector<std::int64_t>& memory) {
  if (!system.has_constant_tangent()) factor_for(system, 0, 0).solver->set_memory(memory);
}

std::vector<std::int64_t> NewtonSolver::memory() const {
  return factors_.size() == 1 ? factors_[0].solver->memory() : std::vector<std::int64_t>();
}

void NewtonSolver::set_motion(const StageProblem& problem, Vector& d, Motion& motion) const {
  motion.q = problem.start.q + d;
  motion.v = problem.v_known + problem.v1 * d;
  motion.a = problem.a_known + problem.a1 * d;
  problem.system.prescribe(problem.instant.time, &motion.q, &motion.v, nullptr);
  problem.system.prescribe(problem.inertia_time, nullptr, nullptr, &motion.a);
  for (const auto& constraint : problem.system.constraints())
    for (const int dof : constraint->dofs()) d[dof] = motion.q[dof] - problem.start.q[dof];
}

SolveStatus NewtonSolver::factorize(const StageProblem& problem, const Motion& motion, Factor& factor, bool assembled,
                                    StageOutcome& outcome) {
  const System& system = problem.system;
  if (system.has_constant_tangent() && factor.is_current) return SolveStatus::ok;
  const bool start_projected =
      options_.tangent == NewtonOptions::Tangent::projected || outcome.projected;  // sticky within a stage
  TangentRequest request{problem.a1, problem.v1, start_projected ? Projection::positive_semidefinite : Projection::none,
                         &matrix_, &low_rank_};
  if (!assembled) evaluate_tangent(system, problem.workspace, problem.start.memory, motion, problem.instant, request);
  ++outcome.factorizations;
  SolveStatus status = factor.solver->factorize(matrix_);
  if (status == SolveStatus::not_positive_definite && !start_projected) {
    outcome.projected = true;
    request.projection = Projection::positive_semidefinite;
    evaluate_tangent(system, problem.workspace, problem.start.memory, motion, problem.instant, request);
    ++outcome.factorizations;
    status = factor.solver->factorize(matrix_);
  }
  factor.is_current = status == SolveStatus::ok;
  factor.a1 = problem.a1;
  factor.v1 = problem.v1;
  return status;
}

SolveStatus NewtonSolver::find_direction(const StageProblem& problem, Factor& factor, const Balance& balance,
                                         StageOutcome& outcome) {
  right_side_ = -balance.imbalance;
  problem.system.zero_prescribed(right_side_);
  direction_.setZero(right_side_.size());
  const SolveReport report = low_rank_.empty()
                                 ? factor.solver->solve(right_side_, direction_)
                                 : solve_with_low_rank(*factor.solver, low_rank_, right_side_, direction_);
  outcome.linear_iterations += report.iterations;
  if (report.status == SolveStatus::ok && !direction_.allFinite()) return SolveStatus::not_finite;
  // An iterative solver that ran out of iterations still returns a usable direction: the line search judges it.
  return report.status == SolveStatus::not_converged ? SolveStatus::ok : report.status;
}

bool NewtonSolver::line_search(const StageProblem& problem, Vector& d, Motion& motion, Balance& balance) {
  const double slope = balance.imbalance.dot(direction_);
  double length = 1;
  for (int attempt = 0; attempt <= max_backtracks; ++attempt, length *= 0.5) {
    trial_ = d + length * direction_;
    set_motion(problem, trial_, trial_motion_);
    evaluate_balance(problem.system, problem.workspace, problem.start.memory, trial_motion_, problem.instant, nullptr,
                     trial_balance_);
    const bool last_word = options_.fixed_iterations > 0;  // real-time use: accept whatever is finite
    const bool residual_falls = trial_balance_.residual <= (1 - 1e-4 * length) * balance.residual;
    // Along the direction the projected residual must shrink: the first-order condition of a minimum on this line.
    const bool slope_falls = std::abs(trial_balance_.imbalance.dot(direction_)) <= 0.9 * std::abs(slope);
    if (!trial_balance_.is_finite || !(last_word || residual_falls || slope_falls)) continue;
    std::swap(d, trial_);
    std::swap(motion, trial_motion_);
    std::swap(balance, trial_balance_);
    return true;
  }
  return false;
}

StageOutcome NewtonSolver::solve(const StageProblem& problem, Vector& d, Motion& motion, Balance& balance) {
  StageOutcome outcome;
  const System& system = problem.system;
  Factor& factor = factor_for(system, problem.a1, problem.v1);
  const bool needs_tangent = !(system.has_constant_tangent() && factor.is_current);
  const bool projected_first = options_.tangent == NewtonOptions::Tangent::projected;
  const TangentRequest first{problem.a1, problem.v1,
                             projected_first ? Projection::positive_semidefinite : Projection::none, &matrix_,
                             &low_rank_};

  set_motion(problem, d, motion);
  evaluate_balance(system, problem.workspace, problem.start.memory, motion, problem.instant,
                   needs_tangent ? &first : nullptr, balance);
  bool assembled = needs_tangent;
  double largest_coordinate = 0;  // over the iterations: round-off of a far first guess stays in d
  const int limit = options_.fixed_iterations > 0 ? options_.fixed_iterations : options_.max_iterations;
  for (;; ++outcome.iterations, assembled = false) {
    if (!balance.is_finite) {
      outcome.explanation = "the forces are not finite at the predicted positions";
      return outcome;
    }
    outcome.converged = balance.residual <= options_.tolerance * balance.force_scale;
    const bool all_done =
        options_.fixed_iterations > 0 ? outcome.iterations == limit || balance.residual == 0 : outcome.converged;
    if (all_done) {
      outcome.ok = true;
      return outcome;
    }
    if (outcome.iterations == limit) {
      outcome.explanation = fmt::format(
          "Newton's method did not converge in {} iterations (residual {:.2g} of the forces, "
          "tolerance {:.2g})",
          limit, balance.residual / balance.force_scale, options_.tolerance);
      return outcome;
    }
    SolveStatus status = factorize(problem, motion, factor, assembled, outcome);
    if (status == SolveStatus::ok) status = find_direction(problem, factor, balance, outcome);
    if (status == SolveStatus::not_positive_definite && !outcome.projected) {  // met by CG during the solve
      outcome.projected = true;
      factor.is_current = false;
      status = factorize(problem, motion, factor, false, outcome);
      if (status == SolveStatus::ok) status = find_direction(problem, factor, balance, outcome);
    }
    if (status != SolveStatus::ok) {
      outcome.explanation = "the linear system could not be solved: " + to_string(status);
      return outcome;
    }
    // A direction below round-off of the coordinates cannot improve anything: this is as converged as it gets.
    largest_coordinate = std::max(largest_coordinate, motion.q.lpNorm<Eigen::Infinity>());
    if (direction_.lpNorm<Eigen::Infinity>() <= 1e-15 * largest_coordinate && options_.fixed_iterations == 0) {
      outcome.ok = outcome.converged = true;
      return outcome;
    }
    if (line_search(problem, d, motion, balance)) continue;
    const double step = direction_.lpNorm<Eigen::Infinity>();
    if (balance.residual <= 1e3 * options_.tolerance * balance.force_scale || step <= 1e-11 * largest_coordinate) {
      outcome.ok = true;  // stagnated at round-off; the ledger shows the residual's work
      return outcome;
    }
    if (!outcome.projected && system.is_symmetric() && !system.has_constant_tangent()) {
      outcome.projected = true;  // an exact tangent can point the wrong way where the energy is not convex
      continue;
    }
    outcome.explanation = fmt::format("no step along Newton's direction reduces the residual ({:.2g} of the forces)",
                                      balance.residual / balance.force_scale);
    return outcome;
  }
}

}  // namespace dashpot
