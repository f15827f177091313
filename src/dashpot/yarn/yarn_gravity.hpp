#pragma once
// Weight of yarns, V = -sum over segments of rho D g.(x_0 + x_1)/2: where labels slide, yarn changes its height, so
// gravity acts on labels too. [reference ABCE, section 2.6]

#include <string>

#include "dashpot/model/terms.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

class YarnGravity final : public EnergyTerm {
 public:
  /// rho [kg/m] of each family, g [m/s^2].
  YarnGravity(std::string body, std::shared_ptr<YarnBatch> segments, PerFamily density, Vec3 gravity);

  EnergyKind kind() const override { return EnergyKind::gravity; }
  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return segments_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { segments_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { segments_->bind(pattern); }
  /// The exact Hessian couples places with labels and is indefinite; projected it is left out.
  double evaluate(const EnergyRequest& request) const override;

 private:
  std::string body_;
  std::shared_ptr<YarnBatch> segments_;
  PerFamily density_;
  Vec3 gravity_;
};

}  // namespace dashpot
