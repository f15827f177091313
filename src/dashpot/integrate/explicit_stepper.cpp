#include "dashpot/integrate/explicit_stepper.hpp"

#include <fmt/format.h>

namespace dashpot {

bool ExplicitStepper::accelerate(const System& system, const State& start, const Workspace& workspace,
                                 const Instant& instant, Motion& motion, Balance& balance) {
  motion.a.setZero(system.num_dofs());
  system.prescribe(instant.time, nullptr, nullptr, &motion.a);
  evaluate_balance(system, workspace, start.memory, motion, instant, nullptr, balance);
  if (!balance.is_finite || !mass_.correct(system, motion.q, balance.imbalance, motion.a)) return false;
  // With the new accelerations the free part is balanced; what remains are the reactions.
  balance.inertial.setZero(system.num_dofs());
  system.inertia().add_force(motion.q, motion.v, motion.a, balance.inertial);
  balance.imbalance = balance.inertial + balance.internal - balance.external;
  for (const Vector& force : balance.damping) balance.imbalance += force;
  return true;
}

bool ExplicitStepper::symplectic_euler(const System& system, State& state, Workspace& workspace, double dt,
                                       StepReport& report) {
  motion_.q = state.q;
  motion_.v = state.v;
  Balance& start = samples_.at(Evaluation::start);
  if (!accelerate(system, state, workspace, {state.time, 0}, motion_, start)) return false;
  samples_.q_at(Evaluation::start) = state.q;
  State next = state;
  next.a = motion_.a;
  next.v = state.v + dt * motion_.a;
  next.time = state.time + dt;
  system.prescribe(next.time, nullptr, &next.v, nullptr);
  filter_velocities(system, state.q, next.time, dt, next.v, report.work);
  next.q = state.q + dt * next.v;
  system.prescribe(next.time, &next.q, nullptr, nullptr);
  if (!next.is_finite()) return false;
  const std::vector<Weight> beginning = {{Evaluation::start, 1}};
  add_interval_work(system, samples_, {{}, 1, beginning, beginning, beginning}, next.q - state.q, dt, report.work);
  state = std::move(next);
  return true;
}

bool ExplicitStepper::leapfrog(const System& system, State& state, Workspace& workspace, double dt,
                               StepReport& report) {
  evaluate_losses(system, workspace, state.memory, Motion{state.q, state.v, state.a}, {state.time, 0},
                  samples_.at(Evaluation::start));
  samples_.at(Evaluation::start).imbalance = state.imbalance;
  samples_.q_at(Evaluation::start) = state.q;
  State next = state;
  next.time = state.time + dt;
  Vector v_half = state.v + 0.5 * dt * state.a;
  filter_velocities(system, state.q, state.time + 0.5 * dt, dt, v_half, report.work);
  next.q = state.q + dt * v_half;
  system.prescribe(next.time, &next.q, nullptr, nullptr);
  motion_.q = next.q;
  motion_.v = v_half + 0.5 * dt * state.a;  // second-order prediction: keeps the order with damping
  system.prescribe(next.time, nullptr, &motion_.v, nullptr);
  if (!accelerate(system, state, workspace, {next.time, dt}, motion_, samples_.at(Evaluation::end))) return false;
  samples_.q_at(Evaluation::end) = next.q;
  next.a = motion_.a;
  next.v = v_half + 0.5 * dt * next.a;
  system.prescribe(next.time, nullptr, &next.v, nullptr);
  next.imbalance = samples_.at(Evaluation::end).imbalance;
  if (!next.is_finite()) return false;
  const std::vector<Weight> ends = {{Evaluation::start, 0.5}, {Evaluation::end, 0.5}};
  add_interval_work(system, samples_, {{}, 1, ends, ends, ends}, next.q - state.q, dt, report.work);
  state = std::move(next);
  return true;
}

StepReport ExplicitStepper::step(const System& system, State& state, Workspace& workspace, double dt) {
  StepReport report;
  report.work = StepWork(system.dissipations().size() + system.filters().size());
  system.begin_step(state, workspace);
  const Vector q_start = state.q, v_start = state.v;
  const bool ok = kind_ == StepperKind::leapfrog ? leapfrog(system, state, workspace, dt, report)
                                                 : symplectic_euler(system, state, workspace, dt, report);
  if (!ok) {
    report.status = StepStatus::failed;
    report.explanation = fmt::format(
        "step of {:.4g} s at t = {:.6g} s with {} failed: the forces are not finite or the mass is singular; "
        "explicit steppers need dt < 2/omega_max",
        dt, state.time, name());
    return report;
  }
  ++state.step;
  state.last_dt = dt;
  state.q_previous = q_start;
  state.v_previous = v_start;
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    if (system.dissipations()[j]->memory_size() == 0) continue;
    const Vector memory_start = state.memory[j];
    DissipationRequest request{state.q, state.v, memory_start, dt, workspace.dissipation[j].get()};
    request.new_memory = &state.memory[j];
    system.dissipations()[j]->evaluate(request);
  }
  report.end = energies(system, state);
  return report;
}

}  // namespace dashpot
