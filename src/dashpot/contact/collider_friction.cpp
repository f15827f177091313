#include "dashpot/contact/collider_friction.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/contact/collider_touches.hpp"
#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/model/point_tangent.hpp"

namespace dashpot {
namespace {

/// Points with a gap below `beyond` past the onset.
void find_touches(const ColliderPair& pair, const State& state, double beyond, TermScratch* scratch) {
  auto& found = static_cast<ColliderTouches&>(*scratch);
  std::vector<ColliderTouch>& touches = found.touches;
  touches.clear();
  found.held.hold(*pair.kinematics, pair.points, state.q);
  const std::shared_ptr<const ColliderInstant> now = instant_at(*pair.collider, state.time, found.kept);
  ColliderTouch touch;
  for (touch.index = 0; touch.index < pair.size(); ++touch.index) {
    const std::size_t i = at(touch.index);
    touch.x = pair.kinematics->position(state.q, pair.points[i]);
    const double reach = pair.thickness + 0.5 * pair.onset[i];
    if (!now->sample(touch.x, reach + beyond, false, touch.surface)) continue;
    // Behind an open sheet (depth 0) there is no solid: the penalty ends there, and so do losses.
    if (touch.surface.distance < -reach && pair.collider->depth() == 0) continue;
    touch.normal_force =
        -contact::penalty(touch.surface.distance - pair.thickness, pair.stiffness[i], pair.onset[i]).slope;
    touches.push_back(touch);
  }
}

void require(bool holds, const ColliderPair& pair, const std::string& found, const std::string& expected) {
  if (!holds) throw Error(Problem{pair.name, found, expected});
}

/// Force on a point, which stands on the left of the equation of motion, and its tangent.
struct PointLoss {
  Vec3 force = Vec3::Zero();
  Mat3 tangent = Mat3::Zero();
};

/// Adds what loss(touch, velocity, surface_velocity) says of every touch to what was asked for, and books what the
/// collider's motion takes part in. Returns the power on the body [W].
template <class Loss>
double add_losses(const ColliderPair& pair, const DissipationRequest& request, Loss loss) {
  const auto& found = static_cast<const ColliderTouches&>(*request.scratch);
  const std::shared_ptr<const ColliderInstant> now = instant_at(*pair.collider, request.time, found.kept);
  const Vector& q = found.held.at(request.q);
  double power = 0;
  for (const ColliderTouch& touch : found.touches) {
    const int point = pair.points[at(touch.index)];
    const Vec3 velocity = pair.kinematics->velocity(q, request.v, point);
    const Vec3 surface_velocity = now->surface_velocity(touch.x, touch.surface);
    const PointLoss lost = loss(touch, velocity, surface_velocity);
    if (request.force != nullptr) pair.kinematics->add_force(q, point, lost.force, *request.force);
    if (request.tangent != nullptr) add_point_tangent(*pair.kinematics, q, point, lost.tangent, *request.tangent);
    if (request.driven_power != nullptr) *request.driven_power += lost.force.dot(surface_velocity);
    power += lost.force.dot(velocity);
  }
  return power;
}

}  // namespace

std::unique_ptr<TermScratch> ColliderLoss::make_scratch_beside(std::span<const EnergyScratch> energies) const {
  auto touches = std::make_unique<ColliderTouches>();
  touches->kept = &touches->own;
  for (const EnergyScratch& energy : energies)
    if (energy.owner == contact_ && energy.scratch != nullptr)
      touches->kept = static_cast<KeptInstant*>(energy.scratch);
  return touches;
}

ColliderFriction::ColliderFriction(std::shared_ptr<const ColliderPair> pair, double mu, double v_eps,
                                   const ColliderContact* contact)
    : ColliderLoss(std::move(pair), contact), mu_(mu), v_eps_(v_eps) {
  require(std::isfinite(mu) && mu >= 0, *pair_, fmt::format("friction = {:.6g}", mu), "friction >= 0");
  require(std::isfinite(v_eps) && v_eps > 0, *pair_, fmt::format("slip speed = {:.6g} m/s", v_eps), "slip speed > 0");
}

void ColliderFriction::begin_step(const State& state, TermScratch* scratch) const {
  find_touches(*pair_, state, 0, scratch);
}

double ColliderFriction::evaluate(const DissipationRequest& request) const {
  return add_losses(*pair_, request, [&](const ColliderTouch& touch, const Vec3& v, const Vec3& surface_velocity) {
    const Vec3& n = touch.surface.normal;
    const Vec3 relative = v - surface_velocity;
    const Vec3 slip = relative - n.dot(relative) * n;
    const double speed = slip.norm(), limit = mu_ * touch.normal_force;
    const double over_speed = contact::friction_over_speed(speed, v_eps_);
    PointLoss loss;
    loss.force = limit * over_speed * slip;
    if (request.tangent == nullptr) return loss;
    const double scale = request.dv_scale * limit;
    loss.tangent = scale * over_speed * (Mat3::Identity() - n * n.transpose());
    if (speed > 0)
      loss.tangent +=
          scale * (contact::friction_slope(speed, v_eps_) - over_speed) / (speed * speed) * slip * slip.transpose();
    return loss;
  });
}

ColliderDamping::ColliderDamping(std::shared_ptr<const ColliderPair> pair, double damping,
                                 const ColliderContact* contact)
    : ColliderLoss(std::move(pair), contact), damping_(damping) {
  require(std::isfinite(damping) && damping >= 0, *pair_, fmt::format("damping = {:.6g} s/m", damping), "damping >= 0");
}

void ColliderDamping::begin_step(const State& state, TermScratch* scratch) const {
  // How far a point will travel in this step is not known: all are kept.
  find_touches(*pair_, state, std::numeric_limits<double>::infinity(), scratch);
}

double ColliderDamping::held_gap(const ColliderTouch& touch, const Vec3& travel, double elapsed,
                                 const Vec3& surface_velocity) const {
  const Vec3 relative = travel - elapsed * surface_velocity;
  return touch.surface.distance - pair_->thickness + touch.surface.normal.dot(relative);
}

double ColliderDamping::evaluate(const DissipationRequest& request) const {
  const contact::HeldJacobian& held = static_cast<const ColliderTouches&>(*request.scratch).held;
  return add_losses(*pair_, request, [&](const ColliderTouch& touch, const Vec3& v, const Vec3& surface_velocity) {
    PointLoss loss;
    const Vec3& n = touch.surface.normal;
    const Vec3 travel = held.travel(*pair_->kinematics, request.q, pair_->points[at(touch.index)], touch.x);
    const double gap = held_gap(touch, travel, request.dt, surface_velocity), w = pair_->onset[at(touch.index)];
    if (gap >= 0.5 * w) return loss;
    const contact::Penalty<double> psi = contact::penalty(gap, pair_->stiffness[at(touch.index)], w);
    const double parting = n.dot(v - surface_velocity);
    const contact::RateFactor<double> chi = contact::rate_factor(damping_ * parting);
    loss.force = -psi.slope * chi.value * n;
    loss.tangent =
        (request.dv_scale * -psi.slope * chi.slope * damping_ - request.dq_scale * psi.curvature * chi.value) * n *
        n.transpose();
    return loss;
  });
}

void ColliderLoss::take_stiffness(const double*& values) {
  if (pair_->pressure_stiffness == 0) return;
  if (*values == pair_->pressure_stiffness) {
    ++values;
    return;
  }
  contact_ = nullptr;  // that energy is replaced, too
  pair_ = pair_->with(values);
}

ParameterList ColliderFriction::parameters() const {
  ParameterList list = pair_->parameters();
  list.push_back({"friction", Quantity::number, {mu_}});
  return list;
}

std::shared_ptr<DissipationTerm> ColliderFriction::remade(const double* values, const Replacements&) const {
  auto successor = std::make_shared<ColliderFriction>(*this);
  successor->take_stiffness(values);
  successor->mu_ = *values;
  return successor;
}

ParameterList ColliderDamping::parameters() const {
  ParameterList list = pair_->parameters();
  list.push_back({"damping", Quantity::slowness, {damping_}});
  return list;
}

std::shared_ptr<DissipationTerm> ColliderDamping::remade(const double* values, const Replacements&) const {
  auto successor = std::make_shared<ColliderDamping>(*this);
  successor->take_stiffness(values);
  successor->damping_ = *values;
  return successor;
}

}  // namespace dashpot
