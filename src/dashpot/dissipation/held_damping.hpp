#pragma once
// Dampings that are linear in v, with their matrix held over a step: f = C(q_n) v, C = sum_i df_i/dv at the start of
// the step. Makes of strain-rate laws, which depend on where the body is, what examples and modes can be designed over
// (model/viscous_operator.hpp). Held so, they act at first order in the step; at small motion there is no difference.
//
// Claims: as the dampings that it holds, where they keep momenta at q_n; a body that turns during the step is not the
// one whose C is held, so that rotation is free to first order only.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/terms.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

class HeldDamping final : public DissipationTerm, public ViscousOperator {
 public:
  /// At least one, all of one body; dashpot::Error where one is not linear in v or has a memory.
  explicit HeldDamping(std::vector<std::shared_ptr<DissipationTerm>> parts);

  const std::string& body() const override { return parts_.front()->body(); }
  std::string model() const override { return parts_.front()->model(); }
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.viscous = this;
    return offers;
  }
  BlockRange touched_blocks() const override;
  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern& pattern) override;
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const override;
  /// Those of its parts, one after the other.
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::vector<std::shared_ptr<DissipationTerm>> parts_;
  std::shared_ptr<const BlockPattern> pattern_;
};

}  // namespace dashpot
