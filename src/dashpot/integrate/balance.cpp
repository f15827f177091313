#include "dashpot/integrate/balance.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

/// Adds what the energies contribute; each layer is measured by itself, because elasticity and gravity may cancel.
void evaluate_energies(const System& system, const Motion& motion, double time, const TangentRequest* tangent,
                       Balance* balance) {
  EnergyRequest request{motion.q};
  request.time = time;
  if (tangent) {
    request.hessian = tangent->matrix;
    request.projection = tangent->projection;
    request.couplings = tangent->couplings;
  }
  if (!balance) {
    for (const auto& term : system.energies()) term->evaluate(request);
    return;
  }
  balance->potential.resize(system.energies().size());
  balance->internal.setZero(system.num_dofs());
  balance->internal_scale = 0;
  request.gradient = &balance->gradient;
  for (const std::vector<int>& layer : system.energy_layers().terms) {
    balance->gradient.setZero(system.num_dofs());
    for (const int i : layer) balance->potential[at(i)] = system.energies()[at(i)]->evaluate(request);
    balance->internal_scale += free_norm(system, balance->gradient);
    balance->internal += balance->gradient;
  }
}

double total_driven_power(const System& system, const Vector& q, double time) {
  double power = 0;
  for (const auto& term : system.energies()) power += term->driven_power(q, time);
  return power;
}

void evaluate_dampings(const System& system, const Workspace& workspace, const std::vector<Vector>& memory,
                       const Motion& motion, const Instant& instant, const TangentRequest* tangent, Balance* balance,
                       Losses losses) {
  const std::size_t count = system.dissipations().size();
  if (balance) {
    balance->damping.resize(system.dissipation_layers().terms.size());
    for (Vector& layer : balance->damping) layer.setZero(system.num_dofs());
    balance->damping_driven.assign(count, 0.0);
  }
  for (std::size_t j = 0; j < count; ++j) {
    DissipationRequest request{motion.q, motion.v, memory[j], instant.elapsed, workspace.dissipation[j].get()};
    request.time = instant.time;
    if (balance) {
      request.force = &balance->damping[at(system.dissipation_layers().layer_of[j])];
      request.force_is_zero = true;
      request.driven_power = &balance->damping_driven[j];
    }
    if (losses == Losses::without_impulsive && system.dissipations()[j]->capabilities().impulsive) continue;
    if (tangent) {
      request.tangent = tangent->matrix;
      request.low_rank = tangent->low_rank;
      request.couplings = tangent->couplings;
      request.dv_scale = tangent->v1;
      request.dq_scale = 1;
    }
    system.dissipations()[j]->evaluate(request);
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

Eigen::VectorBlock<const Vector> damping_force(const System& system, const Balance& balance, std::size_t j) {
  const DofRange dofs = system.pattern()->layout().dofs(system.dissipation_blocks(j));
  return balance.damping[at(system.dissipation_layers().layer_of[j])].segment(dofs.begin, dofs.size());
}

double free_norm(const System& system, const Vector& f) {
  double squares = 0;
  for (const DofRange& range : system.free_ranges()) squares += f.segment(range.begin, range.size()).squaredNorm();
  if (!system.ties().empty()) squares = std::max(0.0, squares + system.ties().folding_gain(f, system.is_free()));
  return std::sqrt(squares);
}

void evaluate_balance(const System& system, const Workspace& workspace, const std::vector<Vector>& memory,
                      const Motion& motion, const Instant& instant, const TangentRequest* tangent, Balance& balance,
                      Losses losses) {
  const int n = system.num_dofs();
  if (tangent) {
    begin_tangent(*tangent);
    system.inertia().add_tangent(motion.q, motion.v, motion.a, tangent->a1, tangent->v1, 1.0, *tangent->matrix);
  }
  balance.inertial.setZero(n);
  system.inertia().add_force(motion.q, motion.v, motion.a, balance.inertial);
  evaluate_energies(system, motion, instant.time, tangent, &balance);
  evaluate_dampings(system, workspace, memory, motion, instant, tangent, &balance, losses);
  if (tangent) finish_tangent(*tangent);
  balance.driven_power = total_driven_power(system, motion.q, instant.time);
  balance.external.setZero(n);
  system.add_external_force(instant.time, balance.external);

  balance.imbalance = balance.inertial + balance.internal - balance.external;
  balance.force_scale = free_norm(system, balance.inertial) + balance.internal_scale;
  if (!system.loads().empty()) balance.force_scale += free_norm(system, balance.external);
  for (const Vector& force : balance.damping) {
    balance.imbalance += force;
    balance.force_scale += free_norm(system, force);
  }
  if (!system.ties().empty()) system.ties().fold(balance.imbalance);
  balance.residual = free_norm(system, balance.imbalance);
  balance.is_finite = std::isfinite(balance.residual) && std::isfinite(balance.force_scale);
  for (const double value : balance.potential) balance.is_finite &= std::isfinite(value);
  balance.refused_by = instant.elapsed > 0 ? system.refusing_guard(workspace, motion.q, instant.time) : nullptr;
}

void evaluate_tangent(const System& system, const Workspace& workspace, const std::vector<Vector>& memory,
                      const Motion& motion, const Instant& instant, const TangentRequest& tangent, Losses losses) {
  begin_tangent(tangent);
  system.inertia().add_tangent(motion.q, motion.v, motion.a, tangent.a1, tangent.v1, 1.0, *tangent.matrix);
  evaluate_energies(system, motion, instant.time, &tangent, nullptr);
  evaluate_dampings(system, workspace, memory, motion, instant, &tangent, nullptr, losses);
  finish_tangent(tangent);
}

void fold_tangent(const System& system, const TangentRequest& tangent) {
  if (system.ties().empty()) return;
  system.ties().fold(*tangent.matrix, tangent.couplings);
  for (LowRank& part : *tangent.low_rank) {
    for (SharedMatrix* factor : {&part.U, &part.V}) {
      Matrix folded = **factor;
      system.ties().fold(folded);
      *factor = std::move(folded);
    }
    part.reach = {};  // it would have to follow the ties; parts work without
  }
}

void evaluate_losses(const System& system, const Workspace& workspace, const std::vector<Vector>& memory,
                     const Motion& motion, const Instant& instant, Balance& balance, Losses losses) {
  evaluate_dampings(system, workspace, memory, motion, instant, nullptr, &balance, losses);
  balance.driven_power = total_driven_power(system, motion.q, instant.time);
  balance.external.setZero(system.num_dofs());
  system.add_external_force(instant.time, balance.external);
}

}  // namespace dashpot
