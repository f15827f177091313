#include "dashpot/contact/collider_step_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dashpot {
namespace {

struct StartScratch final : TermScratch {
  Vector q;
  double time = 0;
};

}  // namespace

ColliderStepLimit::ColliderStepLimit(std::shared_ptr<const ColliderPair> pair)
    : pair_(std::move(pair)), limit_(pair_->collider->depth() + pair_->thickness) {}

DissipationTraits ColliderStepLimit::traits() const {
  return {.objective = true, .keeps_linear_momentum = true, .keeps_angular_momentum = true, .constant = true};
}

std::unique_ptr<TermScratch> ColliderStepLimit::make_scratch() const { return std::make_unique<StartScratch>(); }

void ColliderStepLimit::begin_step(const State& state, TermScratch* scratch) const {
  auto& start = *static_cast<StartScratch*>(scratch);
  start.q = state.q;
  start.time = state.time;
}

double ColliderStepLimit::evaluate(const DissipationRequest& request) const {
  if (request.force == nullptr || std::isinf(limit_)) return 0;
  const auto& start = *static_cast<const StartScratch*>(request.scratch);
  for (std::size_t i = 0; i < pair_->blocks.size(); ++i) {
    const Eigen::Index dof = 3 * pair_->blocks[i];
    const Vec3 x = start.q.segment<3>(dof), travel = request.q.segment<3>(dof) - x;
    // A node outside that moves less than the collider is deep cannot pass it, unless the collider moves.
    const double reach = pair_->collider->is_fixed() ? std::max(pair_->thickness, 2 * travel.norm() - limit_)
                                                     : std::numeric_limits<double>::infinity();
    SurfaceSample sample;
    const std::shared_ptr<const ColliderInstant> then = pair_->collider->at(start.time);
    if (!then->sample(x, reach, false, sample)) continue;
    const Vec3 relative = 2 * (travel - request.dt * then->surface_velocity(x, sample));
    const bool was_within = sample.distance > -limit_ * (1 + 1e-12);  // the middle itself counts
    if (was_within && sample.distance + sample.normal.dot(relative) < -limit_)
      request.force->segment<3>(dof).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return 0;
}

}  // namespace dashpot
