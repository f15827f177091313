#pragma once
// No passing through: a step limit for thin colliders and fast nodes. A penalty pushes a node out on the nearer side,
// so a node that gets past the middle of a plate within one step leaves it at the back. A state is refused where the
// plane a node saw at the start of the step says that it has gone deeper than the collider is,
//
//     d_n + 2 n_n . (x - x_n - v_surface t)  <  -depth - thickness,
//
// so that Newton's line search turns back, and a step that still ends there is taken in halves, or
// fails with the last good state kept. The factor 2 is for steppers that look at forces in the middle of a step.

#include <memory>
#include <string>

#include "dashpot/contact/collider_contact.hpp"
#include "dashpot/model/step_guard.hpp"

namespace dashpot {

class ColliderStepLimit final : public StepGuard {
 public:
  explicit ColliderStepLimit(std::shared_ptr<const ColliderPair> pair);
  std::string reason() const override;
  std::unique_ptr<TermScratch> make_scratch() const override;
  bool admits(const StepTrial& trial) const override;

 private:
  std::shared_ptr<const ColliderPair> pair_;
  double limit_;  ///< depth + thickness [m]
};

}  // namespace dashpot
