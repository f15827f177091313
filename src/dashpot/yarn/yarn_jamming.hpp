#pragma once
// Yarns side by side cannot come nearer than they are wide: V = sum over segments of k max(0, d - D)^2/2, D the length
// of yarn between two crossings, d the width of the yarns that cross there. It acts on labels alone.
// [reference ABCE, section 2.6]

#include <string>

#include "dashpot/model/terms.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

class YarnJamming final : public EnergyTerm {
 public:
  /// k [N/m] and d [m], d of the segments of each family: the width of the other one. Throws Error below zero.
  YarnJamming(std::string body, std::shared_ptr<YarnBatch> segments, double stiffness, PerFamily width);

  EnergyKind kind() const override { return EnergyKind::contact; }
  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return segments_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { segments_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { segments_->bind(pattern); }
  double evaluate(const EnergyRequest& request) const override;

 private:
  std::string body_;
  std::shared_ptr<YarnBatch> segments_;
  double stiffness_;
  PerFamily width_;
};

}  // namespace dashpot
