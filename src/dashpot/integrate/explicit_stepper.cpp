#include "dashpot/integrate/explicit_stepper.hpp"

#include <cmath>

#include <fmt/format.h>

namespace dashpot {
bool ExplicitStepper::impulses_and_filters(const System& system, const State& state, const Workspace& workspace,
                                           const ImpulseInterval& interval, double dt, double time, Vector& v,
                                           Vector& reactions, StepReport& report) {
  const Vector kicked = v;
  if (!impulses_.apply(system, workspace, interval, mass_, v)) return false;
  if (impulses_.acted()) {
    impulses_.book(system, state.q, state.v, v, report.work);
    impulses_.add_reactions(system, state.q, interval.dt, v - kicked, reactions);
  }
  if (!filter_velocities(system, state.q, time, dt, mass_, v, report.work)) return false;
  if (system.filters().empty() || !impulses_.acted()) return true;
  const Vector filtered = v;
  if (!impulses_.apply_again(system, workspace, interval, mass_, v)) return false;
  impulses_.book(system, state.q, filtered, v, report.work);
  impulses_.add_reactions(system, state.q, interval.dt, v - filtered, reactions);
  return true;
}

bool ExplicitStepper::kick_drift(const System& system, const State& state, State& next, Workspace& workspace, double dt,
                                 StepReport& report) {
  motion_.q = state.q;
  motion_.v = state.v;
  Balance& start = samples_.at(Evaluation::start);
  if (!accelerate(system, workspace, state.internal_variables, {state.time, 0}, mass_, motion_, start,
                  DissipationSubset::without_impulsive))
    return false;
  samples_.q_at(Evaluation::start) = state.q;
  next.a = motion_.a;
  next.v = state.v + dt * motion_.a;
  next.time = state.time + dt;
  system.prescribe(next.time, nullptr, &next.v, nullptr);
  const ImpulseInterval interval{state.q, {state.time, 0}, dt};
  if (!impulses_and_filters(system, state, workspace, interval, dt, next.time, next.v, start.residual, report))
    return false;
  if (impulses_.acted()) next.a = (next.v - state.v) / dt;
  next.q = state.q + dt * next.v;
  system.prescribe(next.time, &next.q, nullptr, nullptr);
  // A scheme that looks at forces only at the start has to ask.
  if (const StepGuard* guard = system.refusing_guard(workspace, next.q, next.time)) {
    report.explanation = guard->reason();
    return false;
  }
  book_work(system, next.q - state.q, dt, report.work);
  return true;
}

bool ExplicitStepper::begin_first_kick(const System& system, const State& state, const Workspace& workspace) {
  motion_.q = state.q;
  motion_.v = state.v;
  Balance& start = samples_.at(Evaluation::start);
  samples_.q_at(Evaluation::start) = state.q;
  // A state that no step has led to is balanced with all forces, impulsive ones among them.
  const bool follows = state.last_dt > 0 && !state.is_rebalanced;
  if (!follows && StepImpulses::has_any(system))
    return accelerate(system, workspace, state.internal_variables, {state.time, 0}, mass_, motion_, start,
                      DissipationSubset::without_impulsive);
  motion_.a = state.a;
  const Workspace& before = follows ? previous_.before(system, state) : workspace;
  evaluate_losses(system, before, state.internal_variables, motion_, {state.time, 0}, start,
                  DissipationSubset::without_impulsive);
  start.residual = state.residual;
  return true;
}

bool ExplicitStepper::kick_drift_kick(const System& system, const State& state, State& next, Workspace& workspace,
                                      double dt, StepReport& report) {
  if (!begin_first_kick(system, state, workspace)) return false;
  Balance &start = samples_.at(Evaluation::start), &end = samples_.at(Evaluation::end);
  const Vector a = motion_.a;
  const double first = scheme_.first_kick * dt, second = (1 - scheme_.first_kick) * dt;
  next.time = state.time + dt;
  Vector v_half = state.v + first * a;
  const ImpulseInterval first_half{state.q, {state.time, 0}, first};
  if (!impulses_and_filters(system, state, workspace, first_half, dt, state.time + first, v_half, start.residual,
                            report))
    return false;
  next.q = state.q + dt * v_half;
  system.prescribe(next.time, &next.q, nullptr, nullptr);
  motion_.q = next.q;
  motion_.v = v_half + second * a;  // second-order prediction: keeps the order with damping
  system.prescribe(next.time, nullptr, &motion_.v, nullptr);
  if (!accelerate(system, workspace, state.internal_variables, {next.time, dt}, mass_, motion_, end,
                  DissipationSubset::without_impulsive)) {
    if (end.refused_by) report.explanation = end.refused_by->reason();
    return false;
  }
  samples_.q_at(Evaluation::end) = next.q;
  next.a = motion_.a;
  next.v = v_half + second * next.a;
  system.prescribe(next.time, nullptr, &next.v, nullptr);
  next.residual = end.residual;
  const Vector before_end = next.v;
  if (!impulses_.apply(system, workspace, {next.q, {next.time, dt}, second, &v_half}, mass_, next.v)) return false;
  if (impulses_.acted()) {
    impulses_.book(system, next.q, v_half, next.v, report.work);
    impulses_.add_reactions(system, next.q, second, next.v - before_end, end.residual);
  }
  book_work(system, next.q - state.q, dt, report.work);
  return true;
}

StepReport ExplicitStepper::step(const System& system, State& state, Workspace& workspace, double dt) {
  StepReport report;
  report.work = StepWork(system.dissipations().size() + system.filters().size());
  if (const std::string problem = system.refusal_reason(state, dt); !problem.empty()) {
    report.status = StepStatus::failed;
    report.explanation = fmt::format("step of {:.4g} s at t = {:.6g} s is too long: {}", dt, state.time, problem);
    return report;
  }
  system.begin_step(state, workspace);
  State next = state;
  bool ok = has_second_kick() ? kick_drift_kick(system, state, next, workspace, dt, report)
                              : kick_drift(system, state, next, workspace, dt, report);
  if (ok) {
    finish(system, state, next, workspace, dt, report.work);
    report.end = energies(system, next, &workspace);
    ok = next.is_finite() && std::isfinite(report.end.total());
  }
  if (!ok) {
    report.status = StepStatus::failed;
    if (report.explanation.empty())
      report.explanation = "the forces are not finite or the mass is singular; explicit steppers need dt < 2/omega_max";
    report.explanation =
        fmt::format("step of {:.4g} s at t = {:.6g} s with {} failed: {}", dt, state.time, name(), report.explanation);
    return report;
  }
  if (has_second_kick()) previous_.keep(system, state, workspace);
  state = std::move(next);
  return report;
}

void ExplicitStepper::book_work(const System& system, const Vector& displacement, double dt, StepWork& work) const {
  for (const WorkInterval& interval : kick_drift_table(dt, scheme_).work)
    add_interval_work(system, samples_, interval, displacement, dt, work);
}

void ExplicitStepper::finish(const System& system, const State& state, State& next, const Workspace& workspace,
                             double dt, StepWork& work) {
  next.step = state.step + 1;
  next.last_dt = dt;
  next.is_rebalanced = false;
  next.time_previous = state.time;
  next.q_previous = state.q;
  next.v_previous = state.v;
  update_memory(system, workspace, dt, false, next, work);
}

}  // namespace dashpot
