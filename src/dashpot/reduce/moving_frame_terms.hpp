#pragma once
// Terms of a reduced System that ride on a moving frame (moving_frame.hpp): they see the first r coordinates and their
// rates, and know nothing of p and R.

#include <memory>
#include <string>

#include "dashpot/model/system.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

constexpr int num_carried = 12;  ///< coordinates of the frame: p and R

/// Adds to the top left corner of the one block of a tangent.
void add_corner(const Matrix& A, double scale, BlockMatrix& out);

/// An energy that turns and travels along. `term` belongs to `still`, which must outlive this.
class MovingFrameEnergy final : public EnergyTerm {
 public:
  MovingFrameEnergy(const System& still, const EnergyTerm& term) : still_(still), term_(term) {}
  EnergyKind kind() const override { return term_.kind(); }
  const std::string& body() const override { return term_.body(); }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  bool is_quadratic() const override { return term_.is_quadratic(); }
  std::unique_ptr<TermScratch> make_scratch() const override { return term_.make_scratch(); }
  const EnergyTerm& scratch_owner() const override { return term_.scratch_owner(); }
  double evaluate(const EnergyRequest& request) const override;

 private:
  const System& still_;
  const EnergyTerm& term_;
};

/// A damping that sees rates in the frame.
class MovingFrameDamping final : public DissipationTerm {
 public:
  MovingFrameDamping(const System& still, std::shared_ptr<const DissipationTerm> term)
      : still_(still), term_(std::move(term)) {}
  const std::string& body() const override { return term_->body(); }
  std::string model() const override { return term_->model(); }
  DissipationTraits traits() const override { return term_->traits(); }
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.has_low_rank_tangent = term_->capabilities().has_low_rank_tangent;
    return offers;
  }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  int num_internal_variables() const override { return term_->num_internal_variables(); }
  double stored_energy(const Vector& internal_variables) const override {
    return term_->stored_energy(internal_variables);
  }
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override {
    return term_->make_scratch_beside(energies);
  }
  ParameterList parameters() const override { return term_->parameters(); }
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;
  std::string refusal_reason(const State& state, double dt) const override {
    return term_->refusal_reason(in_the_frame(state), dt);
  }
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;

 private:
  State in_the_frame(const State& state) const;

  const System& still_;
  std::shared_ptr<const DissipationTerm> term_;
};

}  // namespace dashpot
