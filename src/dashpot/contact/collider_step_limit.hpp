#pragma once
// No passing through: a step limit for thin colliders and fast nodes. A penalty pushes a node out on the nearer side,
// so a node that gets past the middle of a plate within one step leaves it at the back. This term exerts no force;
// where the plane a node saw at the start of the step says that it has gone deeper than the collider is,
//
//     d_n + 2 n_n . (x - x_n - v_surface t)  <  -depth - thickness,
//
// its forces are not a number: Newton's line search turns back, and a step that still ends there is taken in halves, or
// fails with the last good state kept. The factor 2 is for steppers that look at forces in the middle of a step.

#include <memory>
#include <string>

#include "dashpot/contact/collider_contact.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

class ColliderStepLimit final : public DissipationTerm {
 public:
  explicit ColliderStepLimit(std::shared_ptr<const ColliderPair> pair);
  const std::string& body() const override { return pair_->name; }
  std::string model() const override { return "step_limit"; }
  bool is_contact() const override { return true; }
  DissipationTraits traits() const override;
  BlockRange touched_blocks() const override { return range_of(pair_->blocks); }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch() const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;

 private:
  std::shared_ptr<const ColliderPair> pair_;
  double limit_;  ///< depth + thickness [m]
};

}  // namespace dashpot
