#include "dashpot/constraint/driven_nodes.hpp"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>
#include <numbers>

#include "dashpot/math/rotation.hpp"

namespace dashpot {

DrivenNodes::DrivenNodes(std::shared_ptr<const PointMotion> motion, std::vector<int> dofs, std::vector<int> points,
                         std::vector<int> axes)
    : motion_(std::move(motion)), dofs_(std::move(dofs)), points_(std::move(points)), axes_(std::move(axes)) {
  assert(dofs_.size() == points_.size() && dofs_.size() == axes_.size());
}

void DrivenNodes::prescribe(double time, Vector* q, Vector* v, Vector* a) const {
  std::vector<Vec3> x, xdot, xddot;
  motion_->evaluate(time, q ? &x : nullptr, v ? &xdot : nullptr, a ? &xddot : nullptr);
  const auto write = [&](Vector* to, const std::vector<Vec3>& from) {
    if (to == nullptr) return;
    for (std::size_t i = 0; i < dofs_.size(); ++i)
      (*to)[dofs_[i]] = from[static_cast<std::size_t>(points_[i])][axes_[i]];
  };
  write(q, x);
  write(v, xdot);
  write(a, xddot);
}

std::array<double, 3> fade_in(double time, double ramp) {
  if (time < 0) return {0, 0, 0};
  if (ramp <= 0 || time >= ramp) return {1, 0, 0};
  const double x = time / ramp;
  return {x * x * x * (10 + x * (-15 + 6 * x)), 30 * x * x * (1 - x) * (1 - x) / ramp,
          60 * x * (1 - x) * (1 - 2 * x) / (ramp * ramp)};
}

std::array<double, 3> HarmonicMotion::evaluate(double time) const {
  const double t = time - start;
  if (t < 0) return {0, 0, 0};
  const double w = 2 * std::numbers::pi * frequency;
  const double s = std::sin(w * t + phase), c = std::cos(w * t + phase);
  const std::array<double, 3> wave = {s, w * c, -w * w * s}, f = fade_in(t, ramp);
  return {f[0] * wave[0], f[1] * wave[0] + f[0] * wave[1], f[2] * wave[0] + 2 * f[1] * wave[1] + f[0] * wave[2]};
}

RigidPose ShakenTable::pose(double time) const {
  const std::array<double, 3> s = motion_.evaluate(time);
  RigidPose pose;
  pose.p = s[0] * motion_.amplitude;
  pose.velocity = s[1] * motion_.amplitude;
  pose.acceleration = s[2] * motion_.amplitude;
  return pose;
}

KeyedRigidMotion::KeyedRigidMotion(math::Spline translation, math::Spline rotation, Vec3 pivot)
    : translation_(std::move(translation)), rotation_(std::move(rotation)), pivot_(std::move(pivot)) {
  assert(translation_.dimension() == 3 && rotation_.dimension() == 3);
}

RigidPose KeyedRigidMotion::pose(double time) const {
  Vector tau, dtau, ddtau, phi, dphi, ddphi;
  translation_.evaluate(time, &tau, &dtau, &ddtau);
  rotation_.evaluate(time, &phi, &dphi, &ddphi);
  const math::RotationRates turn = math::rotation_rates(phi, dphi, ddphi);
  RigidPose about_pivot, there, back;
  about_pivot.R = turn.R;
  about_pivot.angular_velocity = turn.omega;
  about_pivot.angular_acceleration = turn.alpha;
  there.p = pivot_ + tau;
  there.velocity = dtau;
  there.acceleration = ddtau;
  back.p = -pivot_;
  return compose(there, compose(about_pivot, back));
}

DelayedMotion::DelayedMotion(std::shared_ptr<const PointMotion> motion, std::vector<Vec3> rest, double start,
                             double ramp)
    : motion_(std::move(motion)), rest_(std::move(rest)), start_(start), ramp_(ramp) {
  assert(static_cast<int>(rest_.size()) == motion_->num_points());
}

void DelayedMotion::evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const {
  const double t = time - start_;
  std::vector<Vec3> m, dm, ddm;
  motion_->evaluate(t, &m, &dm, &ddm);
  const std::array<double, 3> s = ramp_ > 0 ? fade_in(t, ramp_) : std::array<double, 3>{1, 0, 0};
  for (std::vector<Vec3>* out : {x, v, a})
    if (out != nullptr) out->resize(rest_.size());
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    const Vec3 away = m[i] - rest_[i];
    if (x) (*x)[i] = rest_[i] + s[0] * away;
    if (v) (*v)[i] = s[1] * away + s[0] * dm[i];
    if (a) (*a)[i] = s[2] * away + 2 * s[1] * dm[i] + s[0] * ddm[i];
  }
}

}  // namespace dashpot
