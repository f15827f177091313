// Friction and impact damping at a collider as impulses.
#include "dashpot/contact/collider_friction.hpp"
#include "dashpot/contact/collider_touches.hpp"
#include "dashpot/contact/impulse_points.hpp"
#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {

using contact::ImpulsePoint;

namespace {

/// The point of a touch that feels only the part J v of velocities.
ImpulsePoint point_of(const ColliderPair& pair, const ColliderTouch& touch, const Mat3& J,
                      const Vec3& surface_velocity) {
  ImpulsePoint point;
  point.count = 1;
  point.points[0] = pair.points[at(touch.index)];
  point.J[0] = J;
  point.given = J * surface_velocity;
  point.direction = touch.surface.normal;
  return point;
}

}  // namespace

bool ColliderFriction::add_impulse(const ImpulseRequest& request) const {
  const auto& found = static_cast<const ColliderTouches&>(*request.scratch);
  const std::shared_ptr<const ColliderInstant> now = instant_at(*pair_->collider, request.time, found.kept);
  std::vector<ImpulsePoint> points;
  for (const ColliderTouch& touch : found.touches) {
    if (!(touch.normal_force > 0)) continue;
    const Vec3& n = touch.surface.normal;
    points.push_back(
        point_of(*pair_, touch, Mat3::Identity() - n * n.transpose(), now->surface_velocity(touch.x, touch.surface)));
    points.back().limit = mu_ * touch.normal_force * request.dt;
  }
  const auto law = [this](const ImpulsePoint& point, const Vec3& u, double w) {
    return contact::friction_impulse(u, w, point.limit, v_eps_);
  };
  return contact::add_point_impulses(*pair_->kinematics, found.held.at(request.q), points, law, request);
}

bool ColliderDamping::add_impulse(const ImpulseRequest& request) const {
  const auto& found = static_cast<const ColliderTouches&>(*request.scratch);
  const std::shared_ptr<const ColliderInstant> now = instant_at(*pair_->collider, request.time, found.kept);
  std::vector<ImpulsePoint> points;
  for (const ColliderTouch& touch : found.touches) {
    const Vec3& n = touch.surface.normal;
    const Vec3 surface_velocity = now->surface_velocity(touch.x, touch.surface);
    const Vec3 travel = found.held.travel(*pair_->kinematics, request.q, pair_->points[at(touch.index)], touch.x);
    const double gap = held_gap(touch, travel, request.elapsed, surface_velocity);
    if (damping_ == 0 || gap >= 0.5 * pair_->onset[at(touch.index)]) continue;
    points.push_back(point_of(*pair_, touch, n * n.transpose(), surface_velocity));
    points.back().limit =
        -contact::penalty(gap, pair_->stiffness[at(touch.index)], pair_->onset[at(touch.index)]).slope * request.dt;
  }
  const auto law = [this](const ImpulsePoint& point, const Vec3& u, double w) -> Vec3 {
    return contact::rate_impulse(point.direction.dot(u), w, point.limit, damping_) * point.direction;
  };
  return contact::add_point_impulses(*pair_->kinematics, found.held.at(request.q), points, law, request);
}

}  // namespace dashpot
