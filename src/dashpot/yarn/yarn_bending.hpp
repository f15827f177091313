#pragma once
// Bending of yarns at crossings, V = sum B theta^2/L (formula/bend.hpp), B = EI [N m^2] of each family. A bend without
// an angle is at rest; labels that slide change L, so yarn is drawn to where it bends. [reference ABCE, section 2.6]

#include <string>

#include "dashpot/model/terms.hpp"
#include "dashpot/yarn/yarn_stretch.hpp"

namespace dashpot {

class YarnBending final : public EnergyTerm {
 public:
  /// `bends` of three nodes along a yarn; B > 0. Throws Error for others.
  YarnBending(std::string body, std::shared_ptr<YarnBatch> bends, PerFamily stiffness);

  const std::string& body() const override { return body_; }
  const YarnBatch& batch() const { return *bends_; }
  const PerFamily& stiffness() const { return stiffness_; }
  BlockRange touched_blocks() const override { return bends_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { bends_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { bends_->bind(pattern); }
  /// Infinite where L <= 0.
  double evaluate(const EnergyRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_;
  std::shared_ptr<YarnBatch> bends_;
  PerFamily stiffness_;
};

/// Dissipation of bending with beta [s] of each family (formula::BendViscosity): of the strain theta/L, and for small
/// angles of the vector that it is the size of, which costs objectivity there.
class YarnBendingDamping final : public DissipationTerm {
 public:
  YarnBendingDamping(const YarnBending& bending, PerFamily beta, YarnRateTangent tangent);

  const std::string& body() const override { return bending_->body(); }
  std::string model() const override { return "yarn_bending"; }
  DissipationTraits traits() const override;
  BlockRange touched_blocks() const override { return bending_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { bending_->couple(pattern); }
  void bind(const BlockPattern&) override {}
  double evaluate(const DissipationRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  const YarnBending* bending_;
  PerFamily beta_;
  YarnRateTangent tangent_;
};

}  // namespace dashpot
