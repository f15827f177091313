#include "dashpot/contact/collider_friction.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A node and the surface it saw at the start of the step.
struct Touch {
  int node = 0;  ///< index into the pair
  Vec3 x = Vec3::Zero();
  SurfaceSample surface;
  double normal_force = 0;  ///< of the penalty [N]
};

struct TouchScratch final : TermScratch {
  std::vector<Touch> touches;
};

/// Nodes with a gap below `beyond` past the onset.
void find_touches(const ColliderPair& pair, const State& state, double beyond, TermScratch* scratch) {
  std::vector<Touch>& touches = static_cast<TouchScratch*>(scratch)->touches;
  touches.clear();
  const std::shared_ptr<const ColliderInstant> now = pair.collider->at(state.time);
  Touch touch;
  for (touch.node = 0; touch.node < pair.size(); ++touch.node) {
    const std::size_t i = at(touch.node);
    touch.x = Vec3::Map(state.q.data() + 3 * pair.blocks[i]);
    const double reach = pair.thickness + 0.5 * pair.onset[i];
    if (!now->sample(touch.x, reach + beyond, false, touch.surface)) continue;
    // Behind an open sheet (depth 0) there is no solid: the penalty ends there, and so do losses.
    if (touch.surface.distance < -reach && pair.collider->depth() == 0) continue;
    touch.normal_force =
        -contact::penalty(touch.surface.distance - pair.thickness, pair.stiffness[i], pair.onset[i]).slope;
    touches.push_back(touch);
  }
}

const std::vector<Touch>& touches_of(const DissipationRequest& request) {
  return static_cast<const TouchScratch*>(request.scratch)->touches;
}

void require(bool holds, const ColliderPair& pair, const std::string& found, const std::string& expected) {
  if (!holds) throw Error(Problem{pair.name, found, expected});
}

std::vector<int> diagonal_slots(const ColliderPair& pair, const BlockPattern& pattern) {
  std::vector<int> slots;
  for (const int block : pair.blocks) slots.push_back(pattern.diagonal_slot(block));
  return slots;
}

/// Adds force and tangent of one node; returns its power on the body, and books what the collider's motion takes part
/// in.
double add_node(const DissipationRequest& request, int block, int slot, const Vec3& force, const Mat3& tangent,
                const Vec3& surface_velocity) {
  if (request.force != nullptr) Vec3::Map(request.force->data() + 3 * block) += force;
  if (request.tangent != nullptr) Mat3::Map(request.tangent->block(slot)) += tangent;
  if (request.driven_power != nullptr) *request.driven_power += force.dot(surface_velocity);
  return force.dot(Vec3::Map(request.v.data() + 3 * block));
}

}  // namespace

ColliderFriction::ColliderFriction(std::shared_ptr<const ColliderPair> pair, double mu, double v_eps)
    : pair_(std::move(pair)), mu_(mu), v_eps_(v_eps) {
  require(std::isfinite(mu) && mu >= 0, *pair_, fmt::format("friction = {:.6g}", mu), "friction >= 0");
  require(std::isfinite(v_eps) && v_eps > 0, *pair_, fmt::format("slip speed = {:.6g} m/s", v_eps), "slip speed > 0");
}

void ColliderFriction::bind(const BlockPattern& pattern) { slots_ = diagonal_slots(*pair_, pattern); }
std::unique_ptr<TermScratch> ColliderFriction::make_scratch() const { return std::make_unique<TouchScratch>(); }
void ColliderFriction::begin_step(const State& state, TermScratch* scratch) const {
  find_touches(*pair_, state, 0, scratch);
}

double ColliderFriction::evaluate(const DissipationRequest& request) const {
  const std::shared_ptr<const ColliderInstant> now = pair_->collider->at(request.time);
  double power = 0;
  for (const Touch& touch : touches_of(request)) {
    const int block = pair_->blocks[at(touch.node)];
    const Vec3& n = touch.surface.normal;
    const Vec3 surface_velocity = now->surface_velocity(touch.x, touch.surface);
    const Vec3 relative = Vec3::Map(request.v.data() + 3 * block) - surface_velocity;
    const Vec3 slip = relative - n.dot(relative) * n;
    const double speed = slip.norm(), limit = mu_ * touch.normal_force;
    const double over_speed = contact::friction_over_speed(speed, v_eps_);
    Mat3 tangent = Mat3::Zero();
    if (request.tangent != nullptr) {
      const double scale = request.dv_scale * limit;
      tangent = scale * over_speed * (Mat3::Identity() - n * n.transpose());
      if (speed > 0)
        tangent +=
            scale * (contact::friction_slope(speed, v_eps_) - over_speed) / (speed * speed) * slip * slip.transpose();
    }
    power += add_node(request, block, slots_[at(touch.node)], limit * over_speed * slip, tangent, surface_velocity);
  }
  return power;
}

ColliderDamping::ColliderDamping(std::shared_ptr<const ColliderPair> pair, double damping)
    : pair_(std::move(pair)), damping_(damping) {
  require(std::isfinite(damping) && damping >= 0, *pair_, fmt::format("damping = {:.6g} s/m", damping), "damping >= 0");
}

void ColliderDamping::bind(const BlockPattern& pattern) { slots_ = diagonal_slots(*pair_, pattern); }
std::unique_ptr<TermScratch> ColliderDamping::make_scratch() const { return std::make_unique<TouchScratch>(); }
void ColliderDamping::begin_step(const State& state, TermScratch* scratch) const {
  // How far a node will travel in this step is not known: all are kept.
  find_touches(*pair_, state, std::numeric_limits<double>::infinity(), scratch);
}

double ColliderDamping::evaluate(const DissipationRequest& request) const {
  const std::shared_ptr<const ColliderInstant> now = pair_->collider->at(request.time);
  double power = 0;
  for (const Touch& touch : touches_of(request)) {
    const int block = pair_->blocks[at(touch.node)];
    const Vec3& n = touch.surface.normal;
    const Vec3 surface_velocity = now->surface_velocity(touch.x, touch.surface);
    const Vec3 travel = Vec3::Map(request.q.data() + 3 * block) - touch.x - request.dt * surface_velocity;
    const double gap = touch.surface.distance - pair_->thickness + n.dot(travel);
    if (gap >= 0.5 * pair_->onset[at(touch.node)]) continue;
    const contact::Penalty<double> psi =
        contact::penalty(gap, pair_->stiffness[at(touch.node)], pair_->onset[at(touch.node)]);
    const double parting = n.dot(Vec3::Map(request.v.data() + 3 * block) - surface_velocity);
    const contact::RateFactor<double> chi = contact::rate_factor(damping_ * parting);
    const Mat3 tangent =
        (request.dv_scale * -psi.slope * chi.slope * damping_ - request.dq_scale * psi.curvature * chi.value) * n *
        n.transpose();
    power += add_node(request, block, slots_[at(touch.node)], -psi.slope * chi.value * n, tangent, surface_velocity);
  }
  return power;
}

}  // namespace dashpot
