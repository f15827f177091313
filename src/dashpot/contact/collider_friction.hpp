#pragma once
// Losses at a collider. Both hold the tangent plane of the step's start (foot point, normal n), so their tangents are
// symmetric, exact, and confined to the blocks of a point.
//
// ColliderFriction   Coulomb: f_i = mu N_i phi(|u|) u/|u|,  u = (I - n n^T)(v_i - v_surface) [m/s]
//     N_i is the penalty's normal force at the start of the step, phi of penalty_law.hpp. Power mu N |u| phi >= 0.
//     Sliding (|u| > v_eps) is exactly mu N; sticking creeps, at less than v_eps: a load of r mu N (r < 1) creeps at
//     (1 - sqrt(1 - r)) v_eps. A node that arrives feels friction from the next step on.
// ColliderDamping    Hunt-Crossley: the normal force p becomes p (1 - chi(c u_n)); loss p chi(c u_n) u_n >= 0
//     u_n = n . (v_i - v_surface): separation speed; p at the linearized gap g_n + n . (x - x_n - v_surface t).
//     restitution.hpp says which c belongs to which coefficient of restitution.
// Explicit steppers take both as impulses (model/impulsive_loss.hpp), which cannot overshoot.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/contact/collider_contact.hpp"
#include "dashpot/model/impulsive_loss.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

struct ColliderTouch;

/// What both have in common: points that touch, each with a force and a tangent of its own.
/// `contact`, where given, is the energy of the same pair: in a run they share the instants of the collider.
class ColliderLoss : public DissipationTerm, public ImpulsiveLoss {
 public:
  const std::string& body() const override { return pair_->name; }
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.impulsive = this;
    return offers;
  }
  DissipationTraits traits() const override {
    DissipationTraits traits;
    traits.linear_in_velocity = false;  // Coulomb's cone; a contact that damps but never pulls
    return traits;
  }
  BlockRange touched_blocks() const override { return pair_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { pair_->couple(pattern); }
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override;

 protected:
  ColliderLoss(std::shared_ptr<const ColliderPair> pair, const ColliderContact* contact)
      : pair_(std::move(pair)), contact_(contact) {}
  std::shared_ptr<const ColliderPair> pair_;

  /// Takes the stiffness of the contact, first of the values, and moves the pointer behind it.
  void take_stiffness(const double*& values);

 private:
  const EnergyTerm* contact_;  ///< to recognize its scratch
};

class ColliderFriction final : public ColliderLoss {
 public:
  /// mu >= 0; v_eps > 0 [m/s]. Throws Error.
  ColliderFriction(std::shared_ptr<const ColliderPair> pair, double mu, double v_eps,
                   const ColliderContact* contact = nullptr);
  std::string model() const override { return "friction"; }
  LossKind kind() const override { return LossKind::friction; }
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  bool add_impulse(const ImpulseRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  double mu_, v_eps_;
};

class ColliderDamping final : public ColliderLoss {
 public:
  /// damping c >= 0 [s/m]. Throws Error.
  ColliderDamping(std::shared_ptr<const ColliderPair> pair, double damping, const ColliderContact* contact = nullptr);
  std::string model() const override { return "contact_damping"; }
  LossKind kind() const override { return LossKind::impact; }
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  bool add_impulse(const ImpulseRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  /// Gap [m] to the tangent plane of the step's start, which moves with the surface.
  double held_gap(const ColliderTouch& touch, const Vec3& travel, double elapsed, const Vec3& surface_velocity) const;

  double damping_;
};

}  // namespace dashpot
