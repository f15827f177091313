#pragma once
// Shear of the weave, V = sum over corners of k (phi - pi/2)^2/2 (formula/shear.hpp): the angle between a warp and a
// weft segment at a crossing, k = k_x L_x [N m], four corners at a crossing inside the cloth.
// [reference ABCE, section 2.6]

#include <string>

#include "dashpot/model/terms.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

class YarnShear final : public EnergyTerm {
 public:
  /// `corners`: crossing, neighbor along the warp, neighbor along the weft; k >= 0 [N m]. Throws Error for others.
  YarnShear(std::string body, std::shared_ptr<YarnBatch> corners, double stiffness);

  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return corners_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { corners_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { corners_->bind(pattern); }
  /// Infinite where warp and weft lie on each other: the exact Hessian has no limit there.
  double evaluate(const EnergyRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_;
  std::shared_ptr<YarnBatch> corners_;
  double stiffness_;
};

}  // namespace dashpot
