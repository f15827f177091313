#include "dashpot/contact/held_rubs.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "dashpot/contact/impulse_points.hpp"
#include "dashpot/contact/penalty_law.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/model/point_tangent.hpp"

namespace dashpot::contact {
namespace {

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

Rub make_rub(const PointPositions& x, double mu, const Vec3& pressing, const RubPlace& place) {
  const double N = pressing.norm();
  const Vec3 n = pressing / N;
  const Mat3 P = Mat3::Identity() - n * n.transpose();
  Rub rub;
  rub.force = mu * N;
  const auto put = [&](int point, const Mat3& J) {
    for (int k = 0; k < rub.count; ++k)
      if (rub.points[k] == point) {
        rub.J[k] += J;
        return;
      }
    rub.points[rub.count] = point;
    rub.J[rub.count++] = J;
  };
  for (std::size_t k = 0; k < place.points.size(); ++k) put(place.points[k], place.weights[k] * P);
  if (place.triangle != nullptr) {
    const std::array<int, 3>& t = *place.triangle;
    const Vec3 corners[3] = {x[t[0]], x[t[1]], x[t[2]]};
    Mat3 R[3];
    rotation_rates(corners, R);
    const Mat3 arm = P * cross_matrix(place.gap);  // -omega x s n = s n x omega
    for (int k = 0; k < 3; ++k) put(t[at(k)], arm * R[k]);
  }
  return rub;
}

double evaluate_rubs(const Kinematics& kinematics, const RubScratch& scratch, double v_eps,
                     const DissipationRequest& request) {
  double power = 0;
  const Vector& q = scratch.held.at(request.q);
  for (const Rub& rub : scratch.rubs) {
    Vec3 u = Vec3::Zero();
    for (int k = 0; k < rub.count; ++k) u += rub.J[k] * kinematics.velocity(q, request.v, rub.points[k]);
    const double speed = u.norm(), over = rub.force * friction_over_speed(speed, v_eps);
    power += over * speed * speed;
    if (request.force != nullptr)
      for (int k = 0; k < rub.count; ++k)
        kinematics.add_force(q, rub.points[k], rub.J[k].transpose() * (over * u), *request.force);
    if (request.tangent == nullptr || request.dv_scale == 0) continue;
    Mat3 D = over * Mat3::Identity();
    if (speed > 0) {
      const Vec3 t = u / speed;
      D += (rub.force * friction_slope(speed, v_eps) - over) * t * t.transpose();
    }
    D *= request.dv_scale;
    add_point_tangent(
        kinematics, q, rub.points, rub.count, [&](int k, int l) -> Mat3 { return rub.J[k].transpose() * D * rub.J[l]; },
        *request.tangent, request.couplings);
  }
  return power;
}

bool add_rub_impulses(const Kinematics& kinematics, const RubScratch& scratch, double v_eps,
                      const ImpulseRequest& request) {
  std::vector<ImpulsePoint> points;
  for (const Rub& rub : scratch.rubs) {
    ImpulsePoint& point = points.emplace_back();
    point.count = rub.count;
    std::copy_n(rub.points, rub.count, point.points);
    std::copy_n(rub.J, rub.count, point.J);
    point.limit = rub.force * request.dt;
  }
  const auto law = [v_eps](const ImpulsePoint& point, const Vec3& u, double w) {
    return friction_impulse(u, w, point.limit, v_eps);
  };
  return add_point_impulses(kinematics, scratch.held.at(request.q), points, law, request);
}

}  // namespace dashpot::contact
