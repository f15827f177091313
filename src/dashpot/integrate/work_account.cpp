#include "dashpot/integrate/work_account.hpp"

#include "dashpot/integrate/stepper.hpp"

namespace dashpot {

namespace {

/// sum of weight * residual . displacement over the free dofs, or over the prescribed ones.
double residual_work(const System& system, const StepSamples& samples, const std::vector<Weight>& weights,
                     const Vector& displacement, bool on_free) {
  double total = 0;
  for (const Weight& weight : weights) {
    const Vector& r = samples.at(weight.where).residual;
    if (weight.weight == 0 || r.size() == 0) continue;
    total += weight.weight * (on_free ? free_dot(system, r, displacement) : prescribed_dot(system, r, displacement));
  }
  return total;
}

}  // namespace

void add_interval_work(const System& system, const StepSamples& samples, const WorkInterval& interval,
                       const Vector& displacement, double dt, StepWork& work) {
  for (const Weight& weight : interval.force) {
    if (weight.weight == 0) continue;
    const Balance& sample = samples.at(weight.where);
    const Vector& q = samples.q[static_cast<std::size_t>(weight.where)];
    const double seconds = weight.weight * interval.duration * dt;
    if (!system.loads().empty()) work.external += weight.weight * dot(system, sample.external, displacement);
    work.external += seconds * sample.driven_power;
    for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
      const double given = seconds * sample.damping_driven[j];
      const Vector& layer = damping_layer(system, sample, j);
      work.damping[j] += weight.weight * dot(system, damping_dofs(system, j), layer, displacement) - given;
      work.external -= given;
      const LinearAngular wrench = system.kinematics().wrench(q, layer, system.dissipation_blocks(j));
      work.impulse[j].linear -= seconds * wrench.linear;
      work.impulse[j].angular -= seconds * wrench.angular;
    }
  }
  work.solver -= residual_work(system, samples, interval.residual, displacement, true);
  if (system.has_moving_constraints())
    work.external += residual_work(system, samples, interval.reaction, displacement, false);
}

void update_memory(const System& system, const Workspace& workspace, double dt, bool follows_rates, State& next,
                   StepWork& work) {
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    if (term.num_internal_variables() == 0) continue;
    const Vector start = next.internal_variables[j];
    DissipationRequest request{next.q, next.v, start, dt, workspace.dissipation[j].get()};
    request.time = next.time;
    request.follows_rates = follows_rates;
    request.new_internal_variables = &next.internal_variables[j];
    term.evaluate(request);
    work.damping[j] -= term.stored_energy(next.internal_variables[j]) - term.stored_energy(start);
  }
}

namespace {

/// Gives prescribed dofs their velocity, and tied ones that of what they follow: the nearest such velocities in the
/// norm of M, so that what one side gains the other loses.
bool rejoin(const System& system, const Vector& q, double time, MassSolver& mass, Vector& v) {
  const Vector apart = v;
  system.prescribe(time, nullptr, &v, nullptr);
  if (system.ties().empty()) return true;
  Vector momentum = Vector::Zero(v.size());  // M (v - apart); c(q, v) does not change the momentum of an impact
  Vector rest = Vector::Zero(v.size()), change = v - apart;
  for (const auto& constraint : system.constraints())
    for (const int dof : constraint->dofs()) change[dof] = 0;  // supports give what it takes
  system.inertia().add_force(q, rest, change, momentum);
  return mass.correct(system, q, momentum, v);
}

}  // namespace

bool filter_velocities(const System& system, const Vector& q, double time, double dt, MassSolver& mass, Vector& v,
                       StepWork& work) {
  std::size_t column = system.dissipations().size();
  if (!system.filters().empty()) system.prescribe(time, nullptr, &v, nullptr);  // what supports change is not a loss
  for (const auto& filter : system.filters()) {
    const double energy_before = system.inertia().kinetic_energy(q, v);
    const LinearAngular momentum_before = system.inertia().momentum(q, v);
    filter->apply(q, dt, v);
    if (!rejoin(system, q, time, mass, v)) return false;
    const LinearAngular momentum_after = system.inertia().momentum(q, v);
    work.damping[column] += energy_before - system.inertia().kinetic_energy(q, v);
    work.impulse[column].linear += momentum_after.linear - momentum_before.linear;
    work.impulse[column].angular += momentum_after.angular - momentum_before.angular;
    ++column;
  }
  return true;
}

Energies energies(const System& system, const State& state, const Workspace* workspace) {
  Energies result;
  result.kinetic = system.inertia().kinetic_energy(state.q, state.v);
  EnergyRequest request{state.q};
  request.time = state.time;
  for (std::size_t i = 0; i < system.energies().size(); ++i) {
    if (workspace != nullptr) request.scratch = workspace->of_energy(i);
    result.potential.push_back(system.energies()[i]->evaluate(request));
  }
  for (std::size_t j = 0; j < system.dissipations().size(); ++j)
    result.stored.push_back(system.dissipations()[j]->stored_energy(state.internal_variables[j]));
  return result;
}

bool make_consistent(const System& system, State& state, Workspace& workspace, MassSolver& mass, Balance& balance) {
  system.begin_step(state, workspace);
  StageState motion{state.q, state.v, {}};
  if (!accelerate(system, workspace, state.internal_variables, {state.time, 0}, mass, motion, balance)) return false;
  state.a = std::move(motion.a);
  state.residual = balance.residual;
  return true;
}

bool apply_filters(const System& system, State& state, Workspace& workspace, double dt, MassSolver& mass,
                   Balance& balance, StepReport& report) {
  if (system.filters().empty()) return true;
  if (!filter_velocities(system, state.q, state.time, dt, mass, state.v, report.work)) return false;
  report.end.kinetic = system.inertia().kinetic_energy(state.q, state.v);
  // Forces that feel velocity have changed: M a must balance them again.
  const bool forces_changed = !system.dissipations().empty() || !system.inertia().is_constant();
  if (forces_changed && !make_consistent(system, state, workspace, mass, balance)) return false;
  // A multistep scheme reads its velocity off old positions: place them on the filtered trajectory.
  if (state.last_dt > 0) {
    const double h = state.last_dt;
    state.q_previous = state.q - h * state.v + 0.5 * h * h * state.a;
    state.v_previous = state.v - h * state.a;
    system.prescribe(state.time - h, &state.q_previous, &state.v_previous, nullptr);
  }
  return true;
}

}  // namespace dashpot
