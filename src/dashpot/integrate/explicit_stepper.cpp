#include "dashpot/integrate/explicit_stepper.hpp"

#include <cmath>

#include <fmt/format.h>

namespace dashpot {
namespace {

/// The contact whose losses are not finite at the end of a step: so it says that the step led through a collider. A
/// scheme that looks at forces only at the start has to ask; empty: none.
std::string contact_passed(const System& system, const Workspace& workspace, const State& next, double dt) {
  Vector force = Vector::Zero(next.q.size());
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    if (!term.is_contact()) continue;
    DissipationRequest request{next.q, next.v, next.memory[j], dt, workspace.dissipation[j].get()};
    request.time = next.time;
    request.force = &force;
    term.evaluate(request);
    if (!force.allFinite()) return term.body();
  }
  return {};
}

}  // namespace

bool ExplicitStepper::symplectic_euler(const System& system, const State& state, State& next, Workspace& workspace,
                                       double dt, StepReport& report) {
  motion_.q = state.q;
  motion_.v = state.v;
  Balance& start = samples_.at(Evaluation::start);
  if (!accelerate(system, workspace, state.memory, {state.time, 0}, mass_, motion_, start)) return false;
  samples_.q_at(Evaluation::start) = state.q;
  next.a = motion_.a;
  next.v = state.v + dt * motion_.a;
  next.time = state.time + dt;
  system.prescribe(next.time, nullptr, &next.v, nullptr);
  if (!filter_velocities(system, state.q, next.time, dt, mass_, next.v, report.work)) return false;
  next.q = state.q + dt * next.v;
  system.prescribe(next.time, &next.q, nullptr, nullptr);
  if (const std::string collider = contact_passed(system, workspace, next, dt); !collider.empty()) {
    report.explanation =
        fmt::format("a node would go deeper into '{}' than it is thick, and leave it at the back", collider);
    return false;
  }
  const std::vector<Weight> beginning = {{Evaluation::start, 1}};
  add_interval_work(system, samples_, {{}, 1, beginning, beginning, beginning}, next.q - state.q, dt, report.work);
  return true;
}

bool ExplicitStepper::leapfrog(const System& system, const State& state, State& next, Workspace& workspace, double dt,
                               StepReport& report) {
  const Workspace& before = state.last_dt > 0 ? held_.before(system, state) : workspace;
  evaluate_losses(system, before, state.memory, Motion{state.q, state.v, state.a}, {state.time, 0},
                  samples_.at(Evaluation::start));
  samples_.at(Evaluation::start).imbalance = state.imbalance;
  samples_.q_at(Evaluation::start) = state.q;
  next.time = state.time + dt;
  Vector v_half = state.v + 0.5 * dt * state.a;
  if (!filter_velocities(system, state.q, state.time + 0.5 * dt, dt, mass_, v_half, report.work)) return false;
  next.q = state.q + dt * v_half;
  system.prescribe(next.time, &next.q, nullptr, nullptr);
  motion_.q = next.q;
  motion_.v = v_half + 0.5 * dt * state.a;  // second-order prediction: keeps the order with damping
  system.prescribe(next.time, nullptr, &motion_.v, nullptr);
  if (!accelerate(system, workspace, state.memory, {next.time, dt}, mass_, motion_, samples_.at(Evaluation::end)))
    return false;
  samples_.q_at(Evaluation::end) = next.q;
  next.a = motion_.a;
  next.v = v_half + 0.5 * dt * next.a;
  system.prescribe(next.time, nullptr, &next.v, nullptr);
  next.imbalance = samples_.at(Evaluation::end).imbalance;
  const std::vector<Weight> ends = {{Evaluation::start, 0.5}, {Evaluation::end, 0.5}};
  add_interval_work(system, samples_, {{}, 1, ends, ends, ends}, next.q - state.q, dt, report.work);
  return true;
}

StepReport ExplicitStepper::step(const System& system, State& state, Workspace& workspace, double dt) {
  StepReport report;
  report.work = StepWork(system.dissipations().size() + system.filters().size());
  if (const std::string problem = system.step_problem(state, dt); !problem.empty()) {
    report.status = StepStatus::failed;
    report.explanation = fmt::format("step of {:.4g} s at t = {:.6g} s is too long: {}", dt, state.time, problem);
    return report;
  }
  system.begin_step(state, workspace);
  State next = state;
  bool ok = kind_ == StepperKind::leapfrog ? leapfrog(system, state, next, workspace, dt, report)
                                           : symplectic_euler(system, state, next, workspace, dt, report);
  if (ok) {
    finish(system, state, next, workspace, dt);
    report.end = energies(system, next);
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
  if (kind_ == StepperKind::leapfrog) held_.keep(system, state, workspace);
  state = std::move(next);
  return report;
}

void ExplicitStepper::finish(const System& system, const State& state, State& next, Workspace& workspace, double dt) {
  next.step = state.step + 1;
  next.last_dt = dt;
  next.time_previous = state.time;
  next.q_previous = state.q;
  next.v_previous = state.v;
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    if (system.dissipations()[j]->memory_size() == 0) continue;
    DissipationRequest request{next.q, next.v, state.memory[j], dt, workspace.dissipation[j].get()};
    request.time = next.time;
    request.new_memory = &next.memory[j];
    system.dissipations()[j]->evaluate(request);
  }
}

}  // namespace dashpot
