#include "dashpot/integrate/impulses.hpp"

#include <algorithm>
#include <utility>

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
  if (impulse_.size() != v.size()) impulse_.setZero(v.size());
  const bool is_exact = mass.bound_is_exact(system);  // then a term changes velocities of its own blocks only
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const ImpulsiveLoss* loss = system.dissipations()[j]->capabilities().impulsive;
    if (loss == nullptr) continue;
    Acting& acting = acting_[j];
    acting.dofs = damping_dofs(system, j);
    const DofRange changed = is_exact ? acting.dofs : DofRange{0, static_cast<int>(v.size())};
    const Vector start = v.segment(changed.begin, changed.size());
    acting.driven = 0;
    acting.touches = loss->add_impulse({interval.q, interval.instant.time, interval.instant.elapsed, interval.dt,
                                        workspace.dissipation[j].get(), mass.mobility_bound(system, interval.q),
                                        interval.law_velocity, acting.lambda, v, impulse_, acting.driven});
    if (!acting.touches) continue;
    bool ok = true;
    if (!is_exact) {
      v = start;
      ok = mass.correct(system, interval.q, impulse_, v);
    }
    if (ok) limit(system, start, changed, acting, v);
    acting.p = impulse_.segment(acting.dofs.begin, acting.dofs.size());
    impulse_.segment(acting.dofs.begin, acting.dofs.size()).setZero();
    if (!ok) return false;
  }
  return true;
}

void StepImpulses::limit(const System& system, const Vector& start, const DofRange& changed, Acting& acting,
                         Vector& v) {
  const auto p = impulse_.segment(changed.begin, changed.size());
  auto end = v.segment(changed.begin, changed.size());
  const double pull = dot(system, p, start) - acting.driven, response = dot(system, p, start - end);
  if (response <= pull) return;
  const double share = std::max(0.0, pull / response);
  end = (start + share * (end - start)).eval();
  impulse_.segment(acting.dofs.begin, acting.dofs.size()) *= share;
  acting.driven *= share;
  for (Vec3& lambda : acting.lambda) lambda *= share;
}

void StepImpulses::book(const System& system, const Vector& q, const Vector& before, const Vector& after,
                        StepWork& work) const {
  Vector impulse;
  for (std::size_t j = 0; j < acting_.size(); ++j) {
    const Acting& acting = acting_[j];
    if (!acting.touches) continue;
    const auto [begin, size] = std::pair(acting.dofs.begin, acting.dofs.size());
    const double loss =
        0.5 * (dot(system, acting.p, before.segment(begin, size)) + dot(system, acting.p, after.segment(begin, size))) -
        acting.driven;
    work.damping[j] += std::max(0.0, loss);
    work.external -= acting.driven;
    if (impulse.size() == 0) impulse.resize(q.size());
    impulse.segment(begin, size) = acting.p;
    const LinearAngular wrench = system.kinematics().wrench(q, impulse, system.dissipation_blocks(j));
    work.impulse[j].linear -= wrench.linear;
    work.impulse[j].angular -= wrench.angular;
  }
}

void StepImpulses::add_reactions(const System& system, const Vector& q, double dt, const Vector& change,
                                 Vector& residual) const {
  if (!acted() || !system.has_moving_constraints()) return;
  const Vector rest = Vector::Zero(change.size());
  Vector force = rest;
  system.inertia().add_force(q, rest, change / dt, force);
  for (const Acting& acting : acting_)
    if (acting.touches) force.segment(acting.dofs.begin, acting.dofs.size()) += acting.p / dt;
  if (!system.ties().empty()) system.ties().condense(force);
  residual += force;
}

}  // namespace dashpot
