#include "dashpot/contact/impulse_points.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "dashpot/contact/penalty_law.hpp"

namespace dashpot::contact {
namespace {

constexpr int max_sweeps = 40;
constexpr double settled = 1e-6;  ///< of the fastest contact

Eigen::Index dof(int node) { return 3 * Eigen::Index{node}; }

/// Largest eigenvalue of J diag(w) J^T [1/kg].
double response(const ImpulsePoint& point, const Vector& inverse_mass) {
  if (point.count == 1) {  // J is a projection: exact where w is the same in all directions
    const Vec3 w = inverse_mass.segment<3>(dof(point.nodes[0]));
    if (w[0] == w[1] && w[1] == w[2]) return w[0];
  }
  Mat3 W = Mat3::Zero();
  for (int k = 0; k < point.count; ++k)
    W += point.J[k] * inverse_mass.segment<3>(dof(point.nodes[k])).asDiagonal() * point.J[k].transpose();
  if (!W.allFinite()) return std::numeric_limits<double>::infinity();
  return Eigen::SelfAdjointEigenSolver<Mat3>(W, Eigen::EigenvaluesOnly).eigenvalues()[2];
}

Vec3 slip(const ImpulsePoint& point, const Vector& v) {
  Vec3 u = -point.given;
  for (int k = 0; k < point.count; ++k) u += point.J[k] * v.segment<3>(dof(point.nodes[k]));
  return u;
}

void change(ImpulsePoint& point, const Vec3& by, const ImpulseRequest& request) {
  point.lambda += by;
  for (int k = 0; k < point.count; ++k) {
    const Eigen::Index i = dof(point.nodes[k]);
    request.v.segment<3>(i) -= request.inverse_mass.segment<3>(i).cwiseProduct(point.J[k].transpose() * by);
  }
}

/// The law at a velocity that is given, but no more than what stops the point. False: alone it would more than stop
/// that velocity, so that the law has to hold at the end.
bool take_given(ImpulsePoint& point, double w, ImpulseLaw law, const ImpulseRequest& request) {
  const Vec3 u = slip(point, *request.law_velocity), lambda = law(point, u, 0);
  if (w * lambda.squaredNorm() > lambda.dot(u)) return false;
  const double size = w * lambda.squaredNorm(), most = lambda.dot(slip(point, request.v));
  change(point, (most >= size ? 1.0 : std::max(0.0, most / size)) * lambda, request);
  return true;
}

}  // namespace

bool add_point_impulses(std::vector<ImpulsePoint>& points, ImpulseLaw law, const ImpulseRequest& request) {
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
    const double w = response(points[i], request.inverse_mass);
    points[i].lambda = known[i];
    if (!std::isfinite(w)) continue;  // a node without mass: nothing that could be stopped
    if (request.law_velocity == nullptr || !take_given(points[i], w, law, request)) visits.push_back({i, w});
  }
  for (int sweep = 0; sweep < max_sweeps && !visits.empty(); ++sweep) {
    double largest_change = 0, largest_speed = 0;
    for (const Visit& visit : visits) {
      ImpulsePoint& point = points[visit.point];
      const Vec3 without = slip(point, request.v) + visit.w * point.lambda;
      const Vec3 by = law(point, without, visit.w) - point.lambda;
      change(point, by, request);
      largest_change = std::max(largest_change, visit.w * by.norm());
      largest_speed = std::max(largest_speed, without.norm());
    }
    if (largest_change <= settled * largest_speed) break;
    std::reverse(visits.begin(), visits.end());
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImpulsePoint& point = points[i];
    const Vec3 added = point.lambda - known[i];
    for (int k = 0; k < point.count; ++k)
      request.impulse.segment<3>(dof(point.nodes[k])) += point.J[k].transpose() * added;
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
