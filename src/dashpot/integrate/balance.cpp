#include "dashpot/integrate/balance.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

/// What is asked of each damping.
std::vector<DissipationRequest> damping_requests(const System& system, const Workspace& workspace,
                                                 const std::vector<Vector>& internal_variables,
                                                 const StageState& motion, const Instant& instant,
                                                 const TangentRequest* tangent, Balance* balance) {
  const std::size_t count = system.dissipations().size();
  if (balance) {
    balance->damping.resize(system.dissipation_layers().terms.size());
    for (Vector& layer : balance->damping) layer.setZero(system.num_dofs());
    balance->damping_driven.assign(count, 0.0);
  }
  std::vector<DissipationRequest> requests;
  requests.reserve(count);
  for (std::size_t j = 0; j < count; ++j) {
    DissipationRequest& request = requests.emplace_back(
        DissipationRequest{motion.q, motion.v, internal_variables[j], instant.elapsed, workspace.dissipation[j].get()});
    request.time = instant.time;
    if (balance) {
      request.force = &balance->damping[at(system.dissipation_layers().layer_of[j])];
      request.force_is_zero = true;
      request.driven_power = &balance->damping_driven[j];
    }
    if (tangent) {
      request.tangent = tangent->matrix;
      request.low_rank = tangent->low_rank;
      request.couplings = tangent->couplings;
      request.dv_scale = tangent->v1;
      request.dq_scale = 1;
    }
  }
  return requests;
}

/// The energies, each with the dampings that go along in its pass over the elements.
class EnergyPass {
 public:
  EnergyPass(const System& system, const Workspace& workspace, const std::vector<DissipationRequest>& dampings)
      : system_(system), workspace_(workspace), dampings_(dampings) {}

  double evaluate(int i, EnergyRequest& request) {
    calls_.clear();
    for (const int j : system_.companions(at(i)))
      calls_.push_back({system_.dissipations()[at(j)]->capabilities().point_law, &dampings_[at(j)]});
    request.companions = calls_;
    request.scratch = workspace_.of_energy(at(i));
    return system_.energies()[at(i)]->evaluate(request);
  }

 private:
  const System& system_;
  const Workspace& workspace_;
  const std::vector<DissipationRequest>& dampings_;
  std::vector<LawCall> calls_;
};

/// Adds what the energies contribute, and the dampings that go along; each layer is measured by itself, because
/// elasticity and gravity may cancel.
void evaluate_energies(const System& system, const Workspace& workspace, const StageState& motion, double time,
                       const TangentRequest* tangent, const std::vector<DissipationRequest>& dampings,
                       Balance* balance) {
  EnergyRequest request{motion.q};
  request.time = time;
  if (tangent) {
    request.hessian = tangent->matrix;
    request.projection = tangent->projection;
    request.couplings = tangent->couplings;
  }
  EnergyPass pass(system, workspace, dampings);
  if (!balance) {
    for (int i = 0; i < static_cast<int>(system.energies().size()); ++i) pass.evaluate(i, request);
    return;
  }
  balance->potential.resize(system.energies().size());
  balance->internal.setZero(system.num_dofs());
  balance->internal_scale = 0;
  request.gradient = &balance->gradient;
  for (const std::vector<int>& layer : system.energy_layers().terms) {
    balance->gradient.setZero(system.num_dofs());
    for (const int i : layer) balance->potential[at(i)] = pass.evaluate(i, request);
    balance->internal_scale += free_norm(system, balance->gradient);
    balance->internal += balance->gradient;
  }
}

double total_driven_power(const System& system, const Workspace& workspace, const Vector& q, double time) {
  double power = 0;
  for (std::size_t i = 0; i < system.energies().size(); ++i)
    power += system.energies()[i]->driven_power(q, time, workspace.of_energy(i));
  return power;
}

/// Which dampings: `alone` are those that no energy has taken along.
enum class Dampings { all, alone };

void evaluate_dampings(const System& system, const std::vector<DissipationRequest>& requests, Dampings which,
                       DissipationSubset subset) {
  for (std::size_t j = 0; j < requests.size(); ++j) {
    if (which == Dampings::alone && system.is_companion(j)) continue;
    const DissipationTerm& term = *system.dissipations()[j];
    if (subset == DissipationSubset::without_impulsive && term.capabilities().impulsive) continue;
    term.evaluate(requests[j]);
  }
}

void begin_tangent(const TangentRequest& tangent) {
  tangent.matrix->set_zero();
  tangent.low_rank->clear();
  if (tangent.couplings) tangent.couplings->clear(tangent.matrix->pattern());
}

void finish_tangent(const TangentRequest& tangent) {
  if (tangent.couplings) tangent.couplings->finish();
}

}  // namespace

const Vector& damping_layer(const System& system, const Balance& balance, std::size_t j) {
  return balance.damping[at(system.dissipation_layers().layer_of[j])];
}

DofRange damping_dofs(const System& system, std::size_t j) {
  return system.pattern()->layout().dofs(system.dissipation_blocks(j));
}

void evaluate_balance(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                      const StageState& motion, const Instant& instant, const TangentRequest* tangent, Balance& balance,
                      DissipationSubset subset) {
  const int n = system.num_dofs();
  if (tangent) {
    begin_tangent(*tangent);
    system.inertia().add_tangent(motion.q, motion.v, motion.a, tangent->a1, tangent->v1, 1.0, *tangent->matrix);
  }
  balance.inertial.setZero(n);
  system.inertia().add_force(motion.q, motion.v, motion.a, balance.inertial);
  const auto dampings = damping_requests(system, workspace, internal_variables, motion, instant, tangent, &balance);
  evaluate_energies(system, workspace, motion, instant.time, tangent, dampings, &balance);
  evaluate_dampings(system, dampings, Dampings::alone, subset);
  if (tangent) finish_tangent(*tangent);
  balance.driven_power = total_driven_power(system, workspace, motion.q, instant.time);
  balance.external.setZero(n);
  system.add_external_force(instant.time, balance.external);

  balance.residual = balance.inertial + balance.internal - balance.external;
  balance.force_scale = free_norm(system, balance.inertial) + balance.internal_scale;
  if (!system.loads().empty()) balance.force_scale += free_norm(system, balance.external);
  for (const Vector& force : balance.damping) {
    balance.residual += force;
    balance.force_scale += free_norm(system, force);
  }
  if (!system.ties().empty()) system.ties().condense(balance.residual);
  balance.residual_norm = free_norm(system, balance.residual);
  balance.is_finite = std::isfinite(balance.residual_norm) && std::isfinite(balance.force_scale);
  for (const double value : balance.potential) balance.is_finite &= std::isfinite(value);
  balance.refused_by = instant.elapsed > 0 ? system.refusing_guard(workspace, motion.q, instant.time) : nullptr;
}

void evaluate_tangent(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                      const StageState& motion, const Instant& instant, const TangentRequest& tangent,
                      DissipationSubset subset) {
  begin_tangent(tangent);
  system.inertia().add_tangent(motion.q, motion.v, motion.a, tangent.a1, tangent.v1, 1.0, *tangent.matrix);
  const auto dampings = damping_requests(system, workspace, internal_variables, motion, instant, &tangent, nullptr);
  evaluate_energies(system, workspace, motion, instant.time, &tangent, dampings, nullptr);
  evaluate_dampings(system, dampings, Dampings::alone, subset);
  finish_tangent(tangent);
}

void condense_tangent(const System& system, const TangentRequest& tangent) {
  if (system.ties().empty()) return;
  system.ties().condense(*tangent.matrix, tangent.couplings);
  for (LowRank& part : *tangent.low_rank) {
    for (SharedMatrix* factor : {&part.U, &part.V}) {
      Matrix condensed = over_all_dofs(**factor, part.first_dof, system.num_dofs());
      system.ties().condense(condensed);
      *factor = std::move(condensed);
    }
    part.first_dof = 0;
    part.reach = {};  // it would have to follow the ties; parts work without
  }
}

void evaluate_losses(const System& system, const Workspace& workspace, const std::vector<Vector>& internal_variables,
                     const StageState& motion, const Instant& instant, Balance& balance, DissipationSubset subset) {
  const auto dampings = damping_requests(system, workspace, internal_variables, motion, instant, nullptr, &balance);
  evaluate_dampings(system, dampings, Dampings::all, subset);
  balance.driven_power = total_driven_power(system, workspace, motion.q, instant.time);
  balance.external.setZero(system.num_dofs());
  system.add_external_force(instant.time, balance.external);
}

}  // namespace dashpot
