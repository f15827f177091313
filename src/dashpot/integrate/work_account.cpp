#include "dashpot/integrate/work_account.hpp"

#include "dashpot/integrate/stepper.hpp"

namespace dashpot {

void add_interval_work(const System& system, const StepSamples& samples, const std::vector<Weight>& force,
                       const std::vector<Weight>& imbalance, const Vector& displacement, double duration,
                       StepWork& work) {
  for (const Weight& weight : force) {
    if (weight.weight == 0) continue;
    const Balance& sample = samples.at(weight.where);
    const Vector& q = samples.q[static_cast<std::size_t>(weight.where)];
    if (!system.loads().empty()) work.external += weight.weight * sample.external.dot(displacement);
    for (std::size_t j = 0; j < sample.damping.size(); ++j) {
      work.damping[j] += weight.weight * sample.damping[j].dot(displacement);
      const Wrench wrench = system.kinematics().wrench(q, sample.damping[j]);
      work.impulse[j].linear -= weight.weight * duration * wrench.linear;
      work.impulse[j].angular -= weight.weight * duration * wrench.angular;
    }
  }
  const std::vector<std::uint8_t>& is_free = system.is_free();
  for (const Weight& weight : imbalance) {
    const Vector& r = samples.at(weight.where).imbalance;
    if (weight.weight == 0 || r.size() == 0) continue;
    double solver = 0, reactions = 0;
    for (Eigen::Index i = 0; i < r.size(); ++i)
      (is_free[static_cast<std::size_t>(i)] ? solver : reactions) += r[i] * displacement[i];
    work.solver -= weight.weight * solver;
    work.external += weight.weight * reactions;
  }
}

void filter_velocities(const System& system, const Vector& q, double time, double dt, Vector& v, StepWork& work) {
  std::size_t column = system.dissipations().size();
  for (const auto& filter : system.filters()) {
    const double energy_before = system.inertia().kinetic_energy(q, v);
    const Wrench momentum_before = system.inertia().momentum(q, v);
    filter->apply(q, dt, v);
    system.prescribe(time, nullptr, &v, nullptr);
    const Wrench momentum_after = system.inertia().momentum(q, v);
    work.damping[column] += energy_before - system.inertia().kinetic_energy(q, v);
    work.impulse[column].linear += momentum_after.linear - momentum_before.linear;
    work.impulse[column].angular += momentum_after.angular - momentum_before.angular;
    ++column;
  }
}

void apply_filters(const System& system, State& state, Workspace& workspace, double dt, StepReport& report) {
  if (system.filters().empty()) return;
  filter_velocities(system, state.q, state.time, dt, state.v, report.work);
  report.end.kinetic = system.inertia().kinetic_energy(state.q, state.v);
  // Forces that feel velocity have changed: M a must balance them again.
  if (!system.dissipations().empty() || !system.inertia().is_constant()) make_consistent(system, state, workspace);
  // A multistep scheme reads its velocity off old positions: place them on the filtered trajectory.
  if (state.last_dt > 0) {
    const double h = state.last_dt;
    state.q_previous = state.q - h * state.v + 0.5 * h * h * state.a;
    state.v_previous = state.v - h * state.a;
    system.prescribe(state.time - h, &state.q_previous, &state.v_previous, nullptr);
  }
}

}  // namespace dashpot
