#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "dashpot/contact/body_contact.hpp"
#include "dashpot/contact/held_jacobian.hpp"
#include "dashpot/contact/impulse_points.hpp"
#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/model/point_tangent.hpp"

namespace dashpot::contact {
namespace {

/// One rubbing contact, held over a step: slip velocity u = sum J_k xdot_k.
struct Rub {
  int count = 0;
  int points[5] = {};
  Mat3 J[5] = {Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};
  double force = 0;  ///< mu N [N]
};

struct FrictionScratch final : TermScratch {
  std::vector<Rub> rubs;
  HeldJacobian held;
};

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// R_k with omega = sum R_k v_k for the corners of a triangle; exact when they move as a rigid body.
void rotation_rates(const Vec3* x, Mat3* R) {
  const Vec3 e1 = x[1] - x[0], e2 = x[2] - x[0];
  const Vec3 n = e1.cross(e2).normalized();
  const Vec3 in_plane = n.cross(e1) / e1.squaredNorm();  // n . omega = in_plane . d(e1)
  // Dual basis of the plane: omega's tangential part turns n by dn = -sum d^a (n . d(e_a)), and omega_t = n x dn.
  const double area2 = e1.cross(e2).norm();
  const Vec3 d1 = e2.cross(n) / area2, d2 = n.cross(e1) / area2;
  const Mat3 r1 = -n.cross(d1) * n.transpose() + n * in_plane.transpose(), r2 = -n.cross(d2) * n.transpose();
  R[0] = -r1 - r2;
  R[1] = r1;
  R[2] = r2;
}

}  // namespace

BodyFriction::BodyFriction(std::shared_ptr<const BodyPair> pair, double mu, double v_eps)
    : body_(pair->first().body + "-" + pair->second().body), pair_(std::move(pair)), mu_(mu), v_eps_(v_eps) {
  for (const ContactSurface* surface : {&pair_->first(), &pair_->second()}) {
    points_.insert(points_.end(), surface->corners.begin(), surface->corners.end());
    for (const Sample& sample : surface->samples)
      points_.insert(points_.end(), sample.nodes.begin(), sample.nodes.begin() + sample.num_nodes());
  }
}

DissipationTraits BodyFriction::traits() const {
  DissipationTraits traits;
  traits.keeps_linear_momentum = true;
  traits.linear_in_velocity = false;  // Coulomb's cone
  return traits;
}

void BodyFriction::couple(PatternBuilder& pattern) const { BodyContact(pair_).couple(pattern); }

std::unique_ptr<TermScratch> BodyFriction::make_scratch_beside(std::span<const EnergyScratch>) const {
  return std::make_unique<FrictionScratch>();
}

void BodyFriction::begin_step(const State& state, TermScratch* scratch) const {
  std::vector<Rub>& rubs = static_cast<FrictionScratch*>(scratch)->rubs;
  rubs.clear();
  static_cast<FrictionScratch*>(scratch)->held.hold(pair_->kinematics(), points_, state.q);
  const PointPositions positions(pair_->kinematics(), state.q);
  const std::vector<Touch> touches = pair_->touches(state.q);
  const std::size_t num_first = static_cast<std::size_t>(
      std::distance(touches.begin(), std::find_if(touches.begin(), touches.end(), [&](const Touch& t) {
                      const Sample* begin = pair_->first().samples.data();
                      return t.sample < begin || t.sample >= begin + pair_->first().samples.size();
                    })));
  for (std::size_t i = 0; i < touches.size();) {
    // All touches of one sample press together: their resultant acts where the strongest of them is.
    Vec3 pressing = Vec3::Zero();
    std::size_t strongest = i;
    double most = 0;
    std::size_t j = i;
    for (; j < touches.size() && touches[j].sample == touches[i].sample; ++j) {
      const FeatureGap gap = pair_->gap(state.q, touches[j]);
      const Penalty<double> psi = penalty(pair_->clear_gap(gap), pair_->law().stiffness, pair_->law().onset);
      const double force = -touches[j].scale * psi.slope;
      pressing += force * gap.normal;
      if (force > most) {
        most = force;
        strongest = j;
      }
    }
    const ContactSurface& onto = i < num_first ? pair_->second() : pair_->first();
    i = j;
    const double N = pressing.norm();
    if (most == 0 || N == 0) continue;
    const Touch& touch = touches[strongest];
    const FeatureGap gap = pair_->gap(state.q, touch);
    const Vec3 n = pressing / N;
    const Mat3 P = Mat3::Identity() - n * n.transpose();
    Rub rub;
    rub.force = mu_ * N;
    const auto put = [&](int node, const Mat3& J) {
      for (int k = 0; k < rub.count; ++k)
        if (rub.points[k] == node) {
          rub.J[k] += J;
          return;
        }
      rub.points[rub.count] = node;
      rub.J[rub.count++] = J;
    };
    for (int k = 0; k < touch.sample->num_nodes(); ++k)
      put(touch.sample->nodes[at(k)], touch.sample->weights[at(k)] * P);
    for (int k = 0; k < touch.num_points; ++k) put(touch.nodes[at(k)], gap.weights[k + 1] * P);
    if (touch.triangle >= 0) {
      const std::array<int, 3>& t = onto.triangles[at(touch.triangle)];
      const Vec3 x[3] = {positions[t[0]], positions[t[1]], positions[t[2]]};
      Mat3 R[3];
      rotation_rates(x, R);
      const Mat3 arm = P * cross_matrix(gap.gap * gap.normal);  // -omega x s n = s n x omega
      for (int k = 0; k < 3; ++k) put(t[at(k)], arm * R[k]);
    }
    rubs.push_back(rub);
  }
}

double BodyFriction::evaluate(const DissipationRequest& request) const {
  double power = 0;
  const auto& scratch = static_cast<const FrictionScratch&>(*request.scratch);
  const Kinematics& kinematics = pair_->kinematics();
  const Vector& q = scratch.held.at(request.q);
  for (const Rub& rub : scratch.rubs) {
    Vec3 u = Vec3::Zero();
    for (int k = 0; k < rub.count; ++k) u += rub.J[k] * kinematics.velocity(q, request.v, rub.points[k]);
    const double speed = u.norm(), over = rub.force * friction_over_speed(speed, v_eps_);
    power += over * speed * speed;
    if (request.force != nullptr)
      for (int k = 0; k < rub.count; ++k)
        kinematics.add_force(q, rub.points[k], rub.J[k].transpose() * (over * u), *request.force);
    if (request.tangent == nullptr || request.dv_scale == 0) continue;
    Mat3 D = over * Mat3::Identity();
    if (speed > 0) {
      const Vec3 t = u / speed;
      D += (rub.force * friction_slope(speed, v_eps_) - over) * t * t.transpose();
    }
    D *= request.dv_scale;
    add_point_tangent(
        kinematics, q, rub.points, rub.count, [&](int k, int l) -> Mat3 { return rub.J[k].transpose() * D * rub.J[l]; },
        *request.tangent, request.couplings);
  }
  return power;
}

bool BodyFriction::add_impulse(const ImpulseRequest& request) const {
  std::vector<ImpulsePoint> points;
  const auto& scratch = static_cast<const FrictionScratch&>(*request.scratch);
  for (const Rub& rub : scratch.rubs) {
    ImpulsePoint& point = points.emplace_back();
    point.count = rub.count;
    std::copy_n(rub.points, rub.count, point.points);
    std::copy_n(rub.J, rub.count, point.J);
    point.limit = rub.force * request.dt;
  }
  const auto law = [this](const ImpulsePoint& point, const Vec3& u, double w) {
    return friction_impulse(u, w, point.limit, v_eps_);
  };
  return add_point_impulses(pair_->kinematics(), scratch.held.at(request.q), points, law, request);
}

ParameterList BodyFriction::parameters() const { return {{"friction", Quantity::number, {mu_}}}; }

std::shared_ptr<DissipationTerm> BodyFriction::remade(const double* values, const Replacements&) const {
  auto successor = std::make_shared<BodyFriction>(*this);
  successor->mu_ = values[0];
  return successor;
}

}  // namespace dashpot::contact
