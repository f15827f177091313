#pragma once
// Cloth that touches itself, or another sheet: the energy of cloth_touches.hpp, Coulomb friction, and a guard that lets
// no step pass a node through a triangle or an edge through an edge (travel_check.hpp).
//
// Conservative forces, equal and opposite along one line: both momenta are kept to round-off. The pressure grows
// without limit as layers come near each other, and the guard sees to it that they are never on the wrong side, so that
// sheets which do not cross at the start never cross. Tangents between nodes that the mesh does not couple go to
// EnergyRequest::couplings. The projected tangent keeps psi'' of terms that count positively. Friction as between
// bodies (held_rubs.hpp): the touches of the start of the step are held over it.

#include <memory>

#include "dashpot/contact/cloth_touches.hpp"
#include "dashpot/model/impulsive_loss.hpp"
#include "dashpot/model/step_guard.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot::contact {

/// What energy, friction and guard share.
struct ClothMeeting {
  std::shared_ptr<const Kinematics> kinematics;
  ClothSurface surface;
  BarrierLaw law;

  /// Positions of the surface's nodes [m].
  void positions(const Vector& q, std::vector<Vec3>& x) const;
  BlockRange touched_blocks() const { return kinematics->block_range(surface.points); }
  void couple(PatternBuilder& pattern) const;
};

class ClothContact final : public EnergyTerm {
 public:
  explicit ClothContact(std::shared_ptr<const ClothMeeting> meeting) : meeting_(std::move(meeting)) {}
  EnergyKind kind() const override { return EnergyKind::contact; }
  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return meeting_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { meeting_->couple(pattern); }
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch() const override;
  double evaluate(const EnergyRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_ = "contact";
  std::shared_ptr<const ClothMeeting> meeting_;
};

class ClothFriction final : public DissipationTerm, public ImpulsiveLoss {
 public:
  /// As BodyFriction.
  ClothFriction(std::shared_ptr<const ClothMeeting> meeting, double mu, double v_eps)
      : meeting_(std::move(meeting)), mu_(mu), v_eps_(v_eps) {}
  const std::string& body() const override { return meeting_->surface.bodies; }
  std::string model() const override { return "friction"; }
  LossKind kind() const override { return LossKind::friction; }
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.impulsive = this;
    return offers;
  }
  DissipationTraits traits() const override;
  BlockRange touched_blocks() const override { return meeting_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { meeting_->couple(pattern); }
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch>) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  bool add_impulse(const ImpulseRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::shared_ptr<const ClothMeeting> meeting_;
  double mu_, v_eps_;
};

class ClothStepGuard final : public StepGuard {
 public:
  explicit ClothStepGuard(std::shared_ptr<const ClothMeeting> meeting) : meeting_(std::move(meeting)) {}
  std::string reason() const override;
  std::unique_ptr<TermScratch> make_scratch() const override;
  bool admits(const StepTrial& trial) const override;

 private:
  std::shared_ptr<const ClothMeeting> meeting_;
};

}  // namespace dashpot::contact
