#include "dashpot/integrate/impulses.hpp"

#include <algorithm>

#include "dashpot/model/impulsive_loss.hpp"

namespace dashpot {

bool StepImpulses::has_any(const System& system) {
  return std::any_of(system.dissipations().begin(), system.dissipations().end(),
                     [](const auto& term) { return term->capabilities().impulsive != nullptr; });
}

bool StepImpulses::acted() const {
  return std::any_of(acting_.begin(), acting_.end(), [](const Acting& acting) { return acting.touches; });
}

bool StepImpulses::apply(const System& system, const Workspace& workspace, const ImpulseInterval& interval,
                         MassSolver& mass, Vector& v) {
  acting_.resize(system.dissipations().size());
  for (Acting& acting : acting_) acting.lambda.clear();
  return apply_again(system, workspace, interval, mass, v);
}

bool StepImpulses::apply_again(const System& system, const Workspace& workspace, const ImpulseInterval& interval,
                               MassSolver& mass, Vector& v) {
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const ImpulsiveLoss* loss = system.dissipations()[j]->capabilities().impulsive;
    if (loss == nullptr) continue;
    Acting& acting = acting_[j];
    acting.p.setZero(system.num_dofs());
    acting.driven = 0;
    const Vector start = v;
    acting.touches = loss->add_impulse({interval.q, interval.instant.time, interval.instant.elapsed, interval.dt,
                                        workspace.dissipation[j].get(), mass.mobility_bound(system, interval.q),
                                        interval.law_velocity, acting.lambda, v, acting.p, acting.driven});
    if (!acting.touches) continue;
    if (!mass.bound_is_exact(system)) {
      v = start;
      if (!mass.correct(system, interval.q, acting.p, v)) return false;
    }
    limit(start, acting, v);
  }
  return true;
}

void StepImpulses::limit(const Vector& start, Acting& acting, Vector& v) const {
  const double pull = acting.p.dot(start) - acting.driven, response = acting.p.dot(start - v);
  if (response <= pull) return;
  const double share = std::max(0.0, pull / response);
  v = start + share * (v - start);
  acting.p *= share;
  acting.driven *= share;
  for (Vec3& lambda : acting.lambda) lambda *= share;
}

void StepImpulses::book(const System& system, const Vector& q, const Vector& before, const Vector& after,
                        StepWork& work) const {
  for (std::size_t j = 0; j < acting_.size(); ++j) {
    const Acting& acting = acting_[j];
    if (!acting.touches) continue;
    const double loss = 0.5 * (acting.p.dot(before) + acting.p.dot(after)) - acting.driven;
    work.damping[j] += std::max(0.0, loss);
    work.external -= acting.driven;
    const Wrench wrench = system.kinematics().wrench(q, acting.p);
    work.impulse[j].linear -= wrench.linear;
    work.impulse[j].angular -= wrench.angular;
  }
}

void StepImpulses::add_reactions(const System& system, const Vector& q, double dt, const Vector& change,
                                 Vector& imbalance) const {
  if (!acted() || !system.has_moving_constraints()) return;
  const Vector rest = Vector::Zero(change.size());
  Vector force = rest;
  system.inertia().add_force(q, rest, change / dt, force);
  for (const Acting& acting : acting_)
    if (acting.touches) force += acting.p / dt;
  if (!system.ties().empty()) system.ties().fold(force);
  imbalance += force;
}

}  // namespace dashpot
