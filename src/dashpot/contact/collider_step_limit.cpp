#include "dashpot/contact/collider_step_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace dashpot {

ColliderStepLimit::ColliderStepLimit(std::shared_ptr<const ColliderPair> pair)
    : pair_(std::move(pair)), limit_(pair_->collider->depth() + pair_->thickness) {}

std::string ColliderStepLimit::reason() const {
  return fmt::format("a node would go deeper into '{}' than it is thick, and leave it at the back", pair_->name);
}

std::unique_ptr<TermScratch> ColliderStepLimit::make_scratch() const {
  return pair_->collider->is_fixed() ? nullptr : std::make_unique<KeptInstant>();
}

bool ColliderStepLimit::admits(const StepTrial& trial) const {
  if (std::isinf(limit_)) return true;
  const std::shared_ptr<const ColliderInstant> then =
      instant_at(*pair_->collider, trial.time_start, static_cast<KeptInstant*>(trial.scratch));
  for (const int point : pair_->points) {
    const Vec3 x = pair_->kinematics->position(trial.q_start, point);
    const Vec3 travel = pair_->kinematics->position(trial.q, point) - x;
    // A point outside that moves less than the collider is deep cannot pass it, unless the collider moves.
    const double reach = pair_->collider->is_fixed() ? std::max(pair_->thickness, 2 * travel.norm() - limit_)
                                                     : std::numeric_limits<double>::infinity();
    SurfaceSample sample;
    if (!then->sample(x, reach, false, sample)) continue;
    const double elapsed = trial.time - trial.time_start;
    const Vec3 relative = 2 * (travel - elapsed * then->surface_velocity(x, sample));
    const bool was_within = sample.distance > -limit_ * (1 + 1e-12);  // the middle itself counts
    if (was_within && sample.distance + sample.normal.dot(relative) < -limit_) return false;
  }
  return true;
}

}  // namespace dashpot
