#include "dashpot/contact/feature_gap.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace dashpot::contact {
namespace {

/// N of two tangents.
void set_metric(FeatureGap& g) {
  const double a = g.tangents[0].squaredNorm(), b = g.tangents[0].dot(g.tangents[1]), c = g.tangents[1].squaredNorm(),
               inverse = 1 / (a * c - b * b);
  g.metric[0][0] = c * inverse;
  g.metric[0][1] = g.metric[1][0] = -b * inverse;
  g.metric[1][1] = a * inverse;
}

/// beta' = N T^T r for the tangents already set, and the closest point.
Vec3 closest_point(FeatureGap& g, const Vec3& p, const Vec3* x) {
  const int m = g.num_tangents;
  for (int a = 0; a < m; ++a) {
    g.tangents[a] = x[a + 1] - x[0];
    g.ends[a][0] = 1;
    g.ends[a][1] = a + 2;
  }
  const Vec3 r = p - x[0];
  double beta[2] = {0, 0};
  if (m == 1) {
    g.metric[0][0] = 1 / g.tangents[0].squaredNorm();
    beta[0] = g.metric[0][0] * g.tangents[0].dot(r);
  } else if (m == 2) {
    set_metric(g);
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
  g.num_points = num_points + 1;
  g.num_tangents = num_points - 1;
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

FeatureGap crossing_gap(const Vec3* a, const Vec3* b) {
  FeatureGap g;
  g.num_points = 4;
  g.num_tangents = 2;
  g.tangents[0] = a[1] - a[0];
  g.tangents[1] = b[1] - b[0];
  for (int k = 0; k < 2; ++k) {
    g.ends[k][0] = 2 * k;
    g.ends[k][1] = 2 * k + 1;
  }
  set_metric(g);
  const Vec3 r = a[0] - b[0];
  const double y0 = g.tangents[0].dot(r), y1 = g.tangents[1].dot(r);
  const double s = -(g.metric[0][0] * y0 + g.metric[0][1] * y1), t = g.metric[1][0] * y0 + g.metric[1][1] * y1;
  const double weights[4] = {1 - s, s, t - 1, -t};
  std::copy_n(weights, 4, g.weights);
  const Vec3 n = g.tangents[0].cross(g.tangents[1]).normalized();  // needs no division by the distance
  g.gap = n.dot(r);
  g.normal = g.gap < 0 ? Vec3(-n) : n;
  g.gap = std::abs(g.gap);
  return g;
}

Mat3 gap_hessian_block(const FeatureGap& g, int k, int l) {
  const int m = g.num_tangents;
  const auto u = [&](int a, int point) { return point == g.ends[a][0] ? -1.0 : point == g.ends[a][1] ? 1.0 : 0.0; };
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

ClosestOfSegments closest_of_segments(const Vec3* a, const Vec3* b) {
  const Vec3 u = a[1] - a[0], v = b[1] - b[0], r = a[0] - b[0];
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), ur = u.dot(r), vr = v.dot(r);
  const double determinant = uu * vv - uv * uv;
  if (determinant > 1e-14 * uu * vv) {
    const double s = (uv * vr - ur * vv) / determinant, t = (uu * vr - uv * ur) / determinant;
    if (s > 0 && s < 1 && t > 0 && t < 1) return {(r + s * u - t * v).squaredNorm(), 3, 3};
  }
  // Else one of the closest points is an end.
  ClosestOfSegments best{std::numeric_limits<double>::infinity(), 0, 0};
  for (unsigned k = 0; k < 2; ++k) {
    const Closest from_a = closest_on_segment(a[k], b[0], b[1]), from_b = closest_on_segment(b[k], a[0], a[1]);
    if (from_a.distance2 < best.distance2) best = {from_a.distance2, k + 1, from_a.corners};
    if (from_b.distance2 < best.distance2) best = {from_b.distance2, from_b.corners, k + 1};
  }
  return best;
}

}  // namespace dashpot::contact
