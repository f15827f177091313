#include "dashpot/integrate/implicit_stepper.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/integrate/known_vectors.hpp"
#include "dashpot/integrate/table_analysis.hpp"

namespace dashpot {
namespace {
/// What helps where the solver fails while bodies rub: friction turns round within its slip speed, a kink for long
/// steps.
std::string friction_remedy(const System& system, const Balance& balance) {
  std::string rubbing;
  if (balance.damping.empty()) return {};  // not evaluated
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    if (term.kind() == LossKind::friction &&
        !is_zero(system, damping_dofs(system, j), damping_layer(system, balance, j)))
      rubbing += fmt::format("{}'{}'", rubbing.empty() ? "" : ", ", term.body());
  }
  if (rubbing.empty()) return {};
  return fmt::format(
      "; friction acts at {}: a larger slip_speed there, more of the solver's max_iterations or a shorter "
      "dt help",
      rubbing);
}
}  // namespace

ImplicitStepper::ImplicitStepper(std::string name, Integrator integrator, std::unique_ptr<StageSolver> solver)
    : name_(std::move(name)),
      integrator_(std::move(integrator)),
      follows_rates_(order(integrator_) > 2),
      solver_(std::move(solver)) {}

void ImplicitStepper::combine(const LinearForm& form, const State& state, Vector& out,
                              std::optional<Known> without) const {
  KnownVectors{state.v, state.a, d_previous_, state.v_previous, d_}.combine(form, out, without);
}

bool ImplicitStepper::solve_stage(const System& system, const State& state, const Workspace& workspace,
                                  const StageTable& table, std::size_t s, double dt, StepReport& report) {
  const Stage& stage = table.stages[s];
  StageProblem problem{system, workspace, state, {}, {}, 0, 0, {}};
  combine(stage.v, state, problem.v_known, stage_unknown(s));
  combine(stage.a, state, problem.a_known, stage_unknown(s));
  problem.v1 = stage.v[stage_unknown(s)];
  problem.a1 = stage.a[stage_unknown(s)];
  problem.instant = {state.time + stage.time * dt, stage.time * dt};
  if (!solver_->starts_where_the_last_stage_ended())
    combine(stage.guess, state, d_[s], stage_unknown(s));
  else if (s > 0)
    d_[s] = d_[s - 1];

  Balance& balance = samples_.at(at_stage(s));
  const StageOutcome outcome = solver_->solve(problem, d_[s], motion_, balance);
  samples_.q_at(at_stage(s)) = motion_.q;
  report.newton_iterations += outcome.iterations;
  report.factorizations += outcome.factorizations;
  report.linear_iterations += outcome.linear_iterations;
  report.analyses += outcome.analyses;
  report.projected |= outcome.projected;
  report.converged &= outcome.converged;
  if (balance.force_scale > 0) report.residual = std::max(report.residual, balance.residual_norm / balance.force_scale);
  if (!outcome.ok) report.explanation = outcome.explanation + friction_remedy(system, balance);
  return outcome.ok;
}

StepReport ImplicitStepper::step(const System& system, State& state, Workspace& workspace, double dt) {
  StepReport report;
  report.work = StepWork(system.dissipations().size() + system.filters().size());
  if (const std::string problem = system.refusal_reason(state, dt); !problem.empty()) {
    report.status = StepStatus::failed;
    report.explanation = fmt::format("step of {:.4g} s at t = {:.6g} s is too long: {}", dt, state.time, problem);
    return report;
  }
  const StageTable table = integrator_.table(dt, state.last_dt);
  samples_.prepare(table.stages.size());
  system.begin_step(state, workspace);
  solver_->set_history(system, state.solver_history);
  if (state.q_previous.size() > 0) d_previous_ = state.q_previous - state.q;
  d_.resize(table.stages.size());
  for (Vector& d : d_) d.setZero(state.q.size());

  for (std::size_t s = 0; s < table.stages.size(); ++s) {
    if (solve_stage(system, state, workspace, table, s, dt, report)) continue;
    report.status = StepStatus::failed;
    report.explanation =
        fmt::format("step of {:.4g} s at t = {:.6g} s with {} failed: {}", dt, state.time, name_, report.explanation);
    return report;
  }
  State next = state;
  combine(table.displacement_end, state, next.q);
  next.q += state.q;
  combine(table.v_end, state, next.v);
  combine(table.a_end, state, next.a);
  next.time = state.time + dt;
  system.prescribe(next.time, &next.q, &next.v, &next.a);
  next.step = state.step + 1;
  next.solver_history = solver_->history();
  next.last_dt = dt;
  next.is_rebalanced = false;
  next.time_previous = state.time;
  next.q_previous = state.q;
  next.v_previous = state.v;

  if (const StepGuard* guard =
          table.evaluates(Evaluation::end) ? system.refusing_guard(workspace, next.q, next.time) : nullptr) {
    report.status = StepStatus::failed;
    report.explanation =
        fmt::format("step of {:.4g} s at t = {:.6g} s with {} failed: {}", dt, state.time, name_, guard->reason());
    return report;
  }
  if (table.evaluates(Evaluation::start)) {
    // Filters make a_n anew, with what this step holds; so do the very first step and a change of parameters.
    const bool follows =
        table.starts_from_last_balance && state.last_dt > 0 && !state.is_rebalanced && system.filters().empty();
    evaluate_losses(system, follows ? previous_.before(system, state) : workspace, state.internal_variables,
                    StageState{state.q, state.v, state.a}, {state.time, 0}, samples_.at(Evaluation::start));
    samples_.q_at(Evaluation::start) = state.q;
  }
  samples_.at(Evaluation::start).residual = state.residual;
  for (const WorkInterval& interval : table.work) {
    set_displacement(system, state, next, table, interval, dt);
    if (&interval == &table.work.front() && table.evaluates(Evaluation::end)) {
      evaluate_losses(system, workspace, state.internal_variables, StageState{next.q, next.v, next.a}, {next.time, dt},
                      samples_.at(Evaluation::end));
      samples_.q_at(Evaluation::end) = next.q;
    }
    add_interval_work(system, samples_, interval, displacement_, dt, report.work);
  }
  if (!finish(system, next, workspace, table, dt, report)) {
    report.status = StepStatus::failed;
    report.explanation =
        fmt::format("step of {:.4g} s at t = {:.6g} s with {} failed: it ends in numbers that are not finite", dt,
                    state.time, name_);
    return report;
  }
  if (table.starts_from_last_balance) previous_.keep(system, state, workspace);
  state = std::move(next);
  return report;
}

void ImplicitStepper::set_displacement(const System& system, const State& state, const State& next,
                                       const StageTable& table, const WorkInterval& interval, double dt) {
  combine(interval.displacement, state, displacement_);
  if (table.work.size() == 1) {  // prescribed dofs move exactly as told, also where the form extrapolates
    system.prescribe_displacement(state.q, next.q, displacement_);
  } else if (interval.velocity_of && system.has_moving_constraints()) {
    const double seconds = interval.duration * dt;
    displacement_ /= seconds;
    const double time = state.time + table.time_of(*interval.velocity_of) * dt;
    system.prescribe(time, nullptr, &displacement_, nullptr);
    displacement_ *= seconds;
  }
}

bool ImplicitStepper::finish(const System& system, State& next, Workspace& workspace, const StageTable& table,
                             double dt, StepReport& report) {
  const std::size_t last = table.stages.size() - 1;
  next.residual = samples_.at(at_stage(last)).residual;
  update_memory(system, workspace, dt, follows_rates_, next, report.work);
  if (table.ends_at_last_stage) {
    report.end.potential = samples_.at(at_stage(last)).potential;
    report.end.kinetic = system.inertia().kinetic_energy(next.q, next.v);
    report.end.stored.clear();
    for (std::size_t j = 0; j < system.dissipations().size(); ++j)
      report.end.stored.push_back(system.dissipations()[j]->stored_energy(next.internal_variables[j]));
  } else {
    report.end = energies(system, next, &workspace);
  }
  return apply_filters(system, next, workspace, dt, mass_, samples_.at(Evaluation::end), report) && next.is_finite() &&
         std::isfinite(report.end.total()) && report.work.is_finite();
}

}  // namespace dashpot
