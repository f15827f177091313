#include "dashpot/contact/feature_gap.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace dashpot::contact {
namespace {

/// beta' = N T^T r for the tangents already set, and the closest point.
Vec3 closest_point(FeatureGap& g, const Vec3& p, const Vec3* x) {
  const int m = g.num_points - 1;
  for (int a = 0; a < m; ++a) g.tangents[a] = x[a + 1] - x[0];
  const Vec3 r = p - x[0];
  double beta[2] = {0, 0};
  if (m == 1) {
    g.metric[0][0] = 1 / g.tangents[0].squaredNorm();
    beta[0] = g.metric[0][0] * g.tangents[0].dot(r);
  } else if (m == 2) {
    const double a = g.tangents[0].squaredNorm(), b = g.tangents[0].dot(g.tangents[1]), c = g.tangents[1].squaredNorm(),
                 inverse = 1 / (a * c - b * b);
    g.metric[0][0] = c * inverse;
    g.metric[0][1] = g.metric[1][0] = -b * inverse;
    g.metric[1][1] = a * inverse;
    const double y0 = g.tangents[0].dot(r), y1 = g.tangents[1].dot(r);
    beta[0] = g.metric[0][0] * y0 + g.metric[0][1] * y1;
    beta[1] = g.metric[1][0] * y0 + g.metric[1][1] * y1;
  }
  g.weights[0] = 1;
  g.weights[1] = -(1 - beta[0] - beta[1]);
  Vec3 c = x[0];
  for (int a = 0; a < m; ++a) {
    g.weights[a + 2] = -beta[a];
    c += beta[a] * g.tangents[a];
  }
  return c;
}

}  // namespace

FeatureGap feature_gap(const Vec3& p, const Vec3* x, int num_points, double side, const Vec3& fallback) {
  FeatureGap g;
  g.num_points = num_points;
  const Vec3 c = closest_point(g, p, x);
  if (num_points == 3) {  // the plane's normal, which needs no division by the distance
    const Vec3 n = g.tangents[0].cross(g.tangents[1]).normalized();
    const double s = n.dot(p - x[0]);
    const bool flip = s == 0 ? n.dot(fallback) < 0 : (s > 0) != (side > 0);
    g.normal = flip ? Vec3(-n) : n;
    g.gap = flip ? -s : s;
    return g;
  }
  const Vec3 r = p - c;
  const double d = r.norm();
  g.gap = side * d;
  g.normal = d > 0 ? Vec3((side / d) * r) : fallback;
  return g;
}

Mat3 gap_hessian_block(const FeatureGap& g, int k, int l) {
  const int m = g.num_points - 1;
  const auto u = [](int a, int corner) { return corner == 1 ? -1.0 : corner == a + 2 ? 1.0 : 0.0; };
  Mat3 H = Mat3::Zero();
  if (m < 2 && g.gap != 0) {
    H = Mat3::Identity() - g.normal * g.normal.transpose();
    if (m == 1) H -= g.metric[0][0] * g.tangents[0] * g.tangents[0].transpose();
    H *= g.weights[k] * g.weights[l] / g.gap;
  }
  double nn = 0;
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < m; ++b) {
      H -= g.metric[a][b] * (g.weights[k] * u(b, l) * g.tangents[a] * g.normal.transpose() +
                             u(a, k) * g.weights[l] * g.normal * g.tangents[b].transpose());
      nn += g.metric[a][b] * u(a, k) * u(b, l);
    }
  return H - (g.gap * nn) * g.normal * g.normal.transpose();
}

Closest closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 e = b - a;
  const double t = e.dot(p - a), length2 = e.squaredNorm();
  if (t <= 0) return {(p - a).squaredNorm(), 1};
  if (t >= length2) return {(p - b).squaredNorm(), 2};
  return {(p - a - (t / length2) * e).squaredNorm(), 3};
}

}  // namespace dashpot::contact
