#pragma once
// Two deformable bodies that press on each other: the energy of a BodyPair, and Coulomb friction between them.
//
// BodyContact is conservative; forces come in equal and opposite pairs along one line, so both momenta are kept to
// round-off. Tangent blocks between the bodies go to EnergyRequest::couplings, the rest into slots.
//
// BodyFriction holds the touches of the start of the step (held_rubs.hpp). Angular momentum changes only by what q
// turns within the step; against the edges and points of chains, which have no rotation, by the couple s N mu as well.
// Explicit steppers take it as impulses (model/impulsive_loss.hpp), which cannot overshoot.

#include <memory>

#include "dashpot/contact/body_pair.hpp"
#include "dashpot/model/impulsive_loss.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot::contact {

class BodyContact final : public EnergyTerm {
 public:
  explicit BodyContact(std::shared_ptr<const BodyPair> pair) : pair_(std::move(pair)) {}
  EnergyKind kind() const override { return EnergyKind::contact; }
  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override;
  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern&) override {}
  double evaluate(const EnergyRequest& request) const override;
  /// Asks for shorter steps when points come nearer than the skin and the depth limit allow for.
  std::string refusal_reason(const State& state, double dt) const override;

 private:
  std::string body_ = "contact";
  std::shared_ptr<const BodyPair> pair_;
};

class BodyFriction final : public DissipationTerm, public ImpulsiveLoss {
 public:
  /// `mu` >= 0; `v_eps` > 0: below this speed [m/s] friction grows with speed instead of holding.
  BodyFriction(std::shared_ptr<const BodyPair> pair, double mu, double v_eps);
  const std::string& body() const override { return body_; }
  std::string model() const override { return "friction"; }
  LossKind kind() const override { return LossKind::friction; }
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.impulsive = this;
    return offers;
  }
  DissipationTraits traits() const override;
  BlockRange touched_blocks() const override { return BodyContact(pair_).touched_blocks(); }
  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch>) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  bool add_impulse(const ImpulseRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_;
  std::shared_ptr<const BodyPair> pair_;
  double mu_, v_eps_;
  std::vector<int> points_;  ///< of both surfaces, whose Jacobians are held
};

}  // namespace dashpot::contact
