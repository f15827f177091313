#include "dashpot/projective/projective_solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/linsolve/tall_product.hpp"
#include "dashpot/projective/scalar_matrix.hpp"

namespace dashpot {
namespace {

constexpr int rotation_period = 5;         // iterations of a fixed number between evaluations of e(q, v)
constexpr int max_idle = 20;               // iterations in a row without a smaller residual
constexpr int max_tightened = 8;           // times that a residual above round-off may grow so long
constexpr int max_stagnant = 5;            // rounds of such iterations
constexpr double stagnation_limit = 1e-9;  // of the forces: as near as round-off allows, whatever was asked for

}  // namespace

double ProjectiveSolver::seconds() const {
  if (options_.clock) return options_.clock();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void ProjectiveSolver::begin_step(double deadline, int stages) {
  deadline_ = deadline;
  stages_left_ = stages;
}

bool ProjectiveSolver::is_out_of_time(double& iteration_began) {
  if (stage_deadline_ == unlimited) return false;
  const double now = seconds();
  shortest_iteration_ = std::min(shortest_iteration_, now - iteration_began);
  iteration_began = now;
  ran_out_of_time_ = now + shortest_iteration_ > stage_deadline_;
  return ran_out_of_time_;
}

/// What does not change over the iterations. d holds the displacements of prescribed dofs, motion how they move.
void ProjectiveSolver::set_constant_part(const StageProblem& problem, const Vector& d, const StageState& motion) {
  const System& system = problem.system;
  const State& start = problem.start;
  // Velocities of prescribed dofs are those of their motion, not v_known + v1 d.
  Vector v_known = problem.v_known, a_known = problem.a_known;
  given_.setZero(d.size());
  for (const auto& constraint : system.constraints())
    for (const int dof : constraint->dofs()) {
      v_known[dof] = motion.v[dof] - problem.v1 * d[dof];
      a_known[dof] = motion.a[dof] - problem.a1 * d[dof];
      given_[dof] = d[dof];
    }
  constant_.setZero(system.num_dofs());
  system.inertia().add_force(start.q, v_known, a_known, constant_);
  for (const EnergyTerm* term : terms_.steady) {
    EnergyRequest request{start.q};
    request.gradient = &constant_;
    request.time = problem.instant.time;
    term->evaluate(request);
  }
  multiply_add(*pattern_, laplacian_, 1, start.q, constant_);
  if (!damping_.empty() && largest(system, v_known) > 0) multiply_add(*pattern_, damping_, 1, v_known, constant_);
  for (const HeldDamping& held : held_)
    if (!held.role.is_contact) held.C.multiply_add(1, v_known, constant_);
  constant_ = -constant_;
  system.add_external_force(problem.instant.time, constant_);

  if (!system.ties().empty()) system.ties().follow(given_);  // what is tied to prescribed nodes
  if (largest(system, given_) == 0) return;
  multiply(factors_[current_], given_, product_);
  constant_ -= product_;
}

/// Dampings whose force is not D v: right += C v - f, and their low-rank parts.
bool ProjectiveSolver::add_damping_excess(const StageProblem& problem, const StageState& motion) {
  low_rank_.clear();
  bool is_outgrown = false;
  for (const HeldDamping& held : held_) {
    if (held.role.is_linear) continue;
    const std::size_t j = held.role.index;
    force_.setZero(right_.size());
    DissipationRequest request{motion.q, motion.v, problem.start.internal_variables[j], problem.instant.elapsed,
                               problem.workspace.dissipation[j].get()};
    request.force = &force_;
    request.low_rank = &low_rank_;
    request.dv_scale = problem.v1;
    request.time = problem.instant.time;
    problem.system.dissipations()[j]->evaluate(request);
    right_ -= force_;
    if (held.role.is_contact) {
      contact_force_ += force_;
      is_outgrown |= contacts_.is_outgrown_by_friction(problem.v1, force_, motion.v);
    }
    if (!held.role.is_contact) held.C.multiply_add(1, motion.v, right_);
  }
  return is_outgrown;
}

bool ProjectiveSolver::is_outgrown_by_step(const StageProblem& problem, const Vector& d) {
  bool is_outgrown = false;
  if (last_d_.size() > 0) {
    const Vector s = d - last_d_;
    is_outgrown = contacts_.is_outgrown_by_step(problem.system, s, contact_force_ - last_contact_force_, [&] {
      product_.setZero(s.size());
      multiply_add(*pattern_, mass_, problem.a1, s, product_);
      return dot(problem.system, s, product_);
    });
  }
  last_d_ = d;
  last_contact_force_ = contact_force_;
  return is_outgrown;
}

// Rotation settles within a few iterations: a frame of a fixed number of them evaluates it now and then. What converges
// sees it at every iterate.
const Vector& ProjectiveSolver::known_part(const StageState& motion, int iteration) {
  if (!has_rotation_part_) return constant_;
  if (options_.iterations > 0 && iteration % rotation_period != 0) return turning_;
  turning_ = constant_;
  for (const ProjectiveTerms::Damping& damping : terms_.dampings)
    if (damping.scalar && damping.scalar->has_rotation_part())
      damping.scalar->add_rotation_part(motion.q, motion.v, turning_);
  return turning_;
}

SolveStatus ProjectiveSolver::set_right_side(const StageProblem& problem, Vector& d, StageState& motion,
                                             StageOutcome& outcome, int iteration) {
  set_motion(problem, d, motion);
  bool is_renewed = false;
  if (!contacts_.empty()) {
    contacts_.evaluate(problem, motion.q, gradient_);
    if (contacts_.is_outgrown_by(gradient_) || is_outgrown_) {
      contacts_.renew(problem, motion.q, motion.v);
      const SolveStatus status = factorize(problem, outcome);
      if (status != SolveStatus::ok) return status;
      set_constant_part(problem, d, motion);
      anderson_.reset();  // its steps were those of another matrix
      is_renewed = true;
    }
  }
  right_ = known_part(motion, is_renewed ? 0 : iteration);
  if (!contacts_.empty()) {
    right_ -= gradient_;
    contacts_.add_product(d - given_, right_);
    contact_force_ = gradient_;
  }
  for (std::size_t i = 0; i < terms_.forms.size(); ++i)
    terms_.forms[i]->add_projection(motion.q, scratch_[i].get(), right_);
  is_outgrown_ = add_damping_excess(problem, motion);
  if (!contacts_.empty()) is_outgrown_ |= is_outgrown_by_step(problem, d);
  if (const LowRank* sliding = contacts_.empty() ? nullptr : contacts_.sliding()) low_rank_.push_back(*sliding);
  for (const LowRank& part : low_rank_) add_product(part, d, right_);
  return SolveStatus::ok;
}

bool ProjectiveSolver::iterate(const StageProblem& problem, Vector& d, StageState& motion, StageOutcome& outcome,
                               int count, double residual_goal) {
  double best = std::numeric_limits<double>::infinity();
  int idle = 0;
  const double round_off = 2 * stagnation_limit / options_.tolerance * residual_goal;
  double iteration_began = stage_deadline_ < unlimited ? seconds() : 0;
  for (int i = 0; i < count; ++i) {
    SolveStatus status = set_right_side(problem, d, motion, outcome, i);
    if (status == SolveStatus::ok && residual_goal > 0 && i > 0) {
      multiply(factors_[current_], d, product_);
      product_ -= right_;
      for (const LowRank& part : low_rank_) add_product(part, d, product_);
      // A d holds A_fp d_p, which the right-hand side has too, on the other side.
      if (largest(problem.system, given_) > 0) {
        multiply(factors_[current_], given_, next_);
        product_ -= next_;
      }
      problem.system.reduce(product_);
      const double residual = norm(problem.system, product_);
      if (residual <= residual_goal) return true;
      idle = residual < best ? 0 : idle + 1;
      best = std::min(best, residual);
      if (idle >= max_idle) {
        if (best <= round_off || num_tightened_ == max_tightened) return true;  // the caller looks closer
        // Plain steps with bounds that hold bring the objective down, though not always the residual.
        if (!contacts_.empty()) contacts_.tighten();
        is_outgrown_ = !contacts_.empty();
        ++num_tightened_;
        idle = 0;
        best = residual;
      }
    }
    if (status == SolveStatus::ok) status = factors_[current_].step->solve(low_rank_, right_, next_);
    if (status != SolveStatus::ok || !all_finite(problem.system, next_)) {
      outcome.explanation = "the global step could not be solved: " +
                            to_string(status == SolveStatus::ok ? SolveStatus::not_finite : status);
      return false;
    }
    next_ += given_;
    if (options_.acceleration == Acceleration::anderson && num_tightened_ == 0)
      d = anderson_.next(d, next_, [&](const Vector& x, const Vector& y) { return dot(problem.system, x, y); });
    else
      std::swap(d, next_);
    ++outcome.iterations;
    if (is_out_of_time(iteration_began)) return true;
  }
  return true;
}

StageOutcome ProjectiveSolver::solve(const StageProblem& problem, Vector& d, StageState& motion, Balance& balance) {
  StageOutcome outcome;
  prepare(problem.system);
  ran_out_of_time_ = false;
  stage_deadline_ = shortest_iteration_ = unlimited;
  if (deadline_ < unlimited) {
    const double now = seconds();
    stage_deadline_ = now + (deadline_ - now) / std::max(stages_left_--, 1);
  }
  // Few iterations end between where they start and the step's solution. From the motion without forces, a = 0, that is
  // the same scheme with softer springs, as stable as the scheme is; a guess that contains a_n would make it explicit.
  if (options_.iterations > 0 && problem.a1 > 0) d = problem.a_known / -problem.a1;
  set_motion(problem, d, motion);  // prescribed entries of d
  for (std::size_t i = 0; i < terms_.forms.size(); ++i)
    terms_.forms[i]->begin_projection(problem.start.q, scratch_[i].get());
  hold_dampings(problem);
  is_outgrown_ = false;
  num_tightened_ = 0;
  last_d_.resize(0);
  if (!contacts_.empty()) contacts_.begin(problem, problem.start.q, motion.v);
  const SolveStatus status = factorize(problem, outcome);
  if (status != SolveStatus::ok) {
    outcome.explanation = "the matrix of the global step could not be factored: " + to_string(status);
    return outcome;
  }
  set_constant_part(problem, d, motion);
  anderson_.reset();

  const auto evaluate = [&] {
    if (deadline_ < unlimited) iterations_ended_ = seconds();
    set_motion(problem, d, motion);
    evaluate_balance(problem.system, problem.workspace, problem.start.internal_variables, motion, problem.instant,
                     nullptr, balance);
    outcome.converged = balance.is_admissible() && balance.residual_norm <= options_.tolerance * balance.force_scale;
    stage_position_ = motion.q;
    stage_force_ = balance.inertial - balance.residual;
    if (!balance.is_admissible())
      outcome.explanation =
          balance.is_finite ? balance.refused_by->reason() : "the forces are not finite where the iterations ended";
    return balance.is_admissible();
  };
  if (options_.iterations > 0) {
    outcome.ok = iterate(problem, d, motion, outcome, options_.iterations, 0) && evaluate();
    return outcome;
  }
  if (!evaluate()) return outcome;
  int stagnant = 0;  // rounds that did not bring the residual down: round-off
  while (!outcome.converged && outcome.iterations < options_.max_iterations && stagnant < max_stagnant &&
         !ran_out_of_time_) {
    const double before = balance.residual_norm / balance.force_scale;
    const double goal = std::max(0.5 * options_.tolerance * balance.force_scale, 1e-300);
    if (!iterate(problem, d, motion, outcome, options_.max_iterations - outcome.iterations, goal) || !evaluate())
      return outcome;
    stagnant = balance.residual_norm < 0.5 * before * balance.force_scale ? 0 : stagnant + 1;
  }
  // A body that comes to rest has no forces to be measured against, but those whose difference they are stay: L q.
  const double round_off = 100 * std::numeric_limits<double>::epsilon() * norm(problem.system, constant_);
  outcome.ok = outcome.converged || ran_out_of_time_ ||
               balance.residual_norm <=
                   std::max(round_off, std::min(1e3 * options_.tolerance, stagnation_limit) * balance.force_scale);
  if (!outcome.ok)
    outcome.explanation =
        fmt::format("{} local/global iterations leave a residual of {:.2g} of the forces (tolerance {:.2g}); {}",
                    outcome.iterations, balance.residual_norm / balance.force_scale, options_.tolerance,
                    outcome.iterations >= options_.max_iterations
                        ? "more max_iterations, Anderson acceleration or a shorter step help"
                        : "it grew again whatever the bounds of contact, so more iterations would not help, but a "
                          "shorter step may");
  return outcome;
}

}  // namespace dashpot
