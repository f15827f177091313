#include "dashpot/contact/impulse_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Eigenvalues>

#include "dashpot/contact/penalty_law.hpp"

namespace dashpot::contact {
namespace {

constexpr int max_sweeps = 40;
constexpr double settled = 1e-6;  ///< of the fastest contact

/// One contact as the coordinates see it.
class Contact {
 public:
  Contact(const Kinematics& kinematics, const Vector& q, ImpulsePoint& point)
      : kinematics_(kinematics), q_(q), point_(point) {}

  void find_columns() {
    const auto is_node = [&](int p) { return kinematics_.is_node(p); };
    if (std::all_of(point_.points, point_.points + point_.count, is_node)) return;
    std::map<int, Vec3> column_of;
    for (int k = 0; k < point_.count; ++k) {
      const PointJacobian J = kinematics_.jacobian(q_, point_.points[k]);
      const Eigen::Matrix3Xd columns = point_.J[k] * J.columns;
      Eigen::Index column = 0;
      for (const PointJacobian::Part& part : J.parts)
        for (int i = 0; i < part.size; ++i, ++column)
          column_of.try_emplace(part.first_dof + i, Vec3::Zero()).first->second += columns.col(column);
    }
    for (const auto& [dof, value] : column_of) point_.columns.push_back({dof, value});
  }

  /// Largest eigenvalue of du/dv diag(w) du/dv^T [1/kg].
  double response(const Vector& inverse_mass) const {
    const auto weight = [&](int k) { return inverse_mass.segment<3>(kinematics_.node_dof(point_.points[k])); };
    Mat3 W = Mat3::Zero();
    if (point_.columns.empty()) {
      if (point_.count == 1) {  // J is a projection: exact where w is the same in all directions
        const Vec3 w = weight(0);
        if (w[0] == w[1] && w[1] == w[2]) return w[0];
      }
      for (int k = 0; k < point_.count; ++k) W += point_.J[k] * weight(k).asDiagonal() * point_.J[k].transpose();
    }
    for (const ImpulsePoint::Column& c : point_.columns) W += inverse_mass[c.dof] * c.value * c.value.transpose();
    if (!W.allFinite()) return std::numeric_limits<double>::infinity();
    return Eigen::SelfAdjointEigenSolver<Mat3>(W, Eigen::EigenvaluesOnly).eigenvalues()[2];
  }

  Vec3 slip(const Vector& v) const {
    Vec3 u = -point_.given;
    for (const ImpulsePoint::Column& c : point_.columns) u += v[c.dof] * c.value;
    if (point_.columns.empty())
      for (int k = 0; k < point_.count; ++k) u += point_.J[k] * kinematics_.velocity(q_, v, point_.points[k]);
    return u;
  }

  void change(const Vec3& by, const ImpulseRequest& request) {
    point_.lambda += by;
    for (const ImpulsePoint::Column& c : point_.columns)
      request.v[c.dof] -= request.inverse_mass[c.dof] * c.value.dot(by);
    if (!point_.columns.empty()) return;
    for (int k = 0; k < point_.count; ++k) {
      const Eigen::Index i = kinematics_.node_dof(point_.points[k]);
      request.v.segment<3>(i) -= request.inverse_mass.segment<3>(i).cwiseProduct(point_.J[k].transpose() * by);
    }
  }

  void add_impulse(const Vec3& added, Vector& impulse) const {
    for (const ImpulsePoint::Column& c : point_.columns) impulse[c.dof] += c.value.dot(added);
    if (!point_.columns.empty()) return;
    for (int k = 0; k < point_.count; ++k)
      kinematics_.add_force(q_, point_.points[k], point_.J[k].transpose() * added, impulse);
  }

 private:
  const Kinematics& kinematics_;
  const Vector& q_;
  ImpulsePoint& point_;
};

/// The law at a velocity that is given, but no more than what stops the point. False: alone it would more than stop
/// that velocity, so that the law has to hold at the end.
bool take_given(Contact contact, const ImpulsePoint& point, double w, ImpulseLaw law, const ImpulseRequest& request) {
  const Vec3 u = contact.slip(*request.law_velocity), lambda = law(point, u, 0);
  if (w * lambda.squaredNorm() > lambda.dot(u)) return false;
  const double size = w * lambda.squaredNorm(), most = lambda.dot(contact.slip(request.v));
  contact.change((most >= size ? 1.0 : std::max(0.0, most / size)) * lambda, request);
  return true;
}

}  // namespace

bool add_point_impulses(const Kinematics& kinematics, const Vector& q, std::vector<ImpulsePoint>& points,
                        ImpulseLaw law, const ImpulseRequest& request) {
  struct Visit {
    std::size_t point;
    double w;
  };
  if (points.empty()) return false;
  const std::vector<Vec3> known =
      request.lambda.empty() ? std::vector<Vec3>(points.size(), Vec3::Zero()) : request.lambda;
  request.lambda.clear();
  std::vector<Visit> visits;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Contact contact(kinematics, q, points[i]);
    contact.find_columns();
    const double w = contact.response(request.inverse_mass);
    points[i].lambda = known[i];
    if (!std::isfinite(w)) continue;  // a node without mass: nothing that could be stopped
    if (request.law_velocity == nullptr || !take_given(contact, points[i], w, law, request)) visits.push_back({i, w});
  }
  for (int sweep = 0; sweep < max_sweeps && !visits.empty(); ++sweep) {
    double largest_change = 0, largest_speed = 0;
    for (const Visit& visit : visits) {
      ImpulsePoint& point = points[visit.point];
      Contact contact(kinematics, q, point);
      const Vec3 without = contact.slip(request.v) + visit.w * point.lambda;
      const Vec3 by = law(point, without, visit.w) - point.lambda;
      contact.change(by, request);
      largest_change = std::max(largest_change, visit.w * by.norm());
      largest_speed = std::max(largest_speed, without.norm());
    }
    if (largest_change <= settled * largest_speed) break;
    std::reverse(visits.begin(), visits.end());
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    ImpulsePoint& point = points[i];
    const Vec3 added = point.lambda - known[i];
    Contact(kinematics, q, point).add_impulse(added, request.impulse);
    request.driven += added.dot(point.given);
    request.lambda.push_back(point.lambda);
  }
  return true;
}

Vec3 friction_impulse(const Vec3& u, double w, double limit, double v_eps) {
  const double speed = u.norm(), k = w * limit;
  if (speed == 0) return Vec3::Zero();
  if (speed >= v_eps + k) return limit / speed * u;
  const double b = v_eps + 2 * k;  // k s^2 - b s + speed = 0 for s = |u+|/v_eps
  const double s = 2 * speed / (b + std::sqrt(std::max(0.0, b * b - 4 * k * speed)));
  return limit * s * (2 - s) / speed * u;
}

double rate_impulse(double u, double w, double limit, double c) {
  const double k = w * limit * c;
  if (u <= 0) return limit * c * u / (1 + k);
  const double b = 1 + k - c * u, root = std::sqrt(b * b + 4 * c * u);  // c x^2 + b x - u = 0 for x = u+
  const double x = b > 0 ? 2 * u / (b + root) : (root - b) / (2 * c);
  return limit * rate_factor(c * x).value;
}

}  // namespace dashpot::contact
