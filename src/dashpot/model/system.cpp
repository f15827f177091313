#include "dashpot/model/system.hpp"

namespace dashpot {
State System::initial_state(double time) const {
  State state;
  state.q = rest_;
  state.v = Vector::Zero(num_dofs());
  state.a = Vector::Zero(num_dofs());
  state.time = time;
  prescribe(time, &state.q, &state.v, &state.a);
  for (const auto& term : dissipations_)
    state.internal_variables.push_back(Vector::Zero(term->num_internal_variables()));
  return state;
}

Workspace System::make_workspace(const Workspace* beside) const {
  Workspace workspace;
  if (beside != nullptr && beside->energy.size() == energies_.size()) workspace.energy = beside->energy;
  std::vector<EnergyScratch> of_energies;
  if (workspace.energy.empty())
    for (const auto& term : energies_) workspace.energy.emplace_back(term->make_scratch());
  for (std::size_t i = 0; i < energies_.size(); ++i)
    of_energies.push_back({&energies_[i]->scratch_owner(), workspace.energy[i].get()});
  for (const auto& term : dissipations_) workspace.dissipation.push_back(term->make_scratch_beside(of_energies));
  for (const auto& guard : guards_) workspace.guard.push_back(guard->make_scratch());
  return workspace;
}

void System::begin_step(const State& state, Workspace& workspace) const {
  for (std::size_t j = 0; j < dissipations_.size(); ++j)
    dissipations_[j]->begin_step(state, workspace.dissipation[j].get());
  if (guards_.empty()) return;
  workspace.q_start = state.q;
  workspace.time_start = state.time;
}

const StepGuard* System::refusing_guard(const Workspace& workspace, const Vector& q, double time) const {
  for (std::size_t k = 0; k < guards_.size(); ++k)
    if (!guards_[k]->admits({workspace.q_start, workspace.time_start, q, time, workspace.of_guard(k)}))
      return guards_[k].get();
  return nullptr;
}

std::string System::refusal_reason(const State& state, double dt) const {
  for (const auto& term : energies_)
    if (std::string problem = term->refusal_reason(state, dt); !problem.empty()) return problem;
  for (const auto& term : dissipations_)
    if (std::string problem = term->refusal_reason(state, dt); !problem.empty()) return problem;
  for (const auto& filter : filters_)
    if (std::string problem = filter->refusal_reason(dt); !problem.empty()) return problem;
  return {};
}

void System::prescribe(double time, Vector* q, Vector* v, Vector* a) const {
  for (const auto& constraint : constraints_) constraint->prescribe(time, q, v, a);
  if (ties_.empty()) return;
  if (q) ties_.place(*q);
  if (v) ties_.follow(*v);
  if (a) ties_.follow(*a);
}

void System::reduce(Vector& f) const {
  if (!ties_.empty()) ties_.condense(f);
  for (const auto& constraint : constraints_)
    for (const int dof : constraint->dofs()) f[dof] = 0;
}

void System::prescribe_displacement(const Vector& from, const Vector& to, Vector& d) const {
  for (const auto& constraint : constraints_)
    for (const int dof : constraint->dofs()) d[dof] = to[dof] - from[dof];
  if (!ties_.empty()) ties_.follow(d);
}

void System::add_external_force(double time, Vector& f) const {
  for (const auto& load : loads_) load->add_force(time, f);
}

}  // namespace dashpot
