#pragma once
// Signed distances of simple bodies: negative inside, zero on the surface, positive outside [m]. All are exact
// distances (ellipsoid to 1e-7 of its size), hence continuous and 1-Lipschitz: |f(x) - f(y)| <= |x - y|. Pruning of
// empty space and of inner space rests on that bound.
//
// Blending: the quadratic smooth minimum  min(a,b) - max(k - |a-b|, 0)^2 / 4k  [Quilez2013]. It changes values only
// where |a-b| < k, by k/4 at most, and its gradient is a convex combination of both gradients: still 1-Lipschitz.

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "dashpot/core/types.hpp"

namespace dashpot::shape_formula {

inline double smooth_min(double a, double b, double k) {
  const double h = k - std::abs(a - b);
  return std::min(a, b) - (h > 0 ? h * h / (4 * k) : 0);
}
inline double smooth_max(double a, double b, double k) { return -smooth_min(-a, -b, k); }

inline double sphere(const Vec3& x, double radius) { return x.norm() - radius; }

/// Distance to |x / r| = 1. The nearest point is x_i r_i^2 / (t + r_i^2), t the largest root of
/// F(t) = sum (r_i x_i / (t + r_i^2))^2 - 1. F is convex and falling right of its poles; the start has 0 <= F <= 2, so
/// Newton's iterates climb to the root monotonically [Eberly2013, our start].
inline double ellipsoid(const Vec3& x, const Vec3& r) {
  Vec3 y, rr = r.cwiseProduct(r);
  double t = -rr.minCoeff();
  for (int i = 0; i < 3; ++i) {
    y[i] = std::max(std::abs(x[i]), 1e-9 * r[i]);  // off the symmetry planes, where the root would sit on a pole
    t = std::max(t, r[i] * y[i] - rr[i]);
  }
  for (int iteration = 0; iteration < 40; ++iteration) {
    double F = -1, dF = 0;
    for (int i = 0; i < 3; ++i) {
      const double q = r[i] * y[i] / (t + rr[i]);
      F += q * q;
      dF -= 2 * q * q / (t + rr[i]);
    }
    if (!(F > 1e-13)) break;
    t -= F / dF;
  }
  // x - nearest = t x / (t + r^2), component by component.
  double squares = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = t * y[i] / (t + rr[i]);
    squares += d * d;
  }
  return std::copysign(std::sqrt(squares), t);
}

/// Hull of two balls: min over u in [0, L] of |x - a - u e| - r(u), r linear; closed form since the bracket is convex.
inline double tapered_capsule(const Vec3& x, const Vec3& a, const Vec3& b, double r_a, double r_b) {
  const Vec3 ab = b - a, ax = x - a;
  const double L = ab.norm();
  if (!(L > 0)) return ax.norm() - std::max(r_a, r_b);
  const double y = ax.dot(ab) / L, d = std::sqrt(std::max(0.0, ax.squaredNorm() - y * y));
  const double slope = (r_a - r_b) / L;
  double u = slope >= 1 ? 0.0 : slope <= -1 ? L : y - d * slope / std::sqrt(1 - slope * slope);
  u = std::clamp(u, 0.0, L);
  return std::hypot(d, y - u) - (r_a - slope * u);
}

/// A box about the origin; edges rounded by `round` <= smallest half side.
inline double box(const Vec3& x, const Vec3& half, double round) {
  const Vec3 q = x.cwiseAbs() - (half.array() - round).matrix();
  return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0) - round;
}

inline double torus(const Vec3& x, const Vec3& axis, double radius, double tube) {
  const double h = x.dot(axis), d = std::sqrt(std::max(0.0, x.squaredNorm() - h * h));
  return std::hypot(d - radius, h) - tube;
}

/// Cylinder or cone with flat ends [Quilez2013].
inline double capped_cone(const Vec3& x, const Vec3& a, const Vec3& b, double r_a, double r_b) {
  const Vec3 ab = b - a, ax = x - a;
  const double L2 = ab.squaredNorm(), y = ax.dot(ab) / L2;
  const double d = std::sqrt(std::max(0.0, ax.squaredNorm() - y * y * L2)), dr = r_b - r_a;
  const double cap_out = std::max(0.0, d - (y < 0.5 ? r_a : r_b)), cap_along = std::abs(y - 0.5) - 0.5;
  const double s = std::clamp((dr * (d - r_a) + y * L2) / (dr * dr + L2), 0.0, 1.0);
  const double side_out = d - r_a - s * dr, side_along = y - s;
  const double squares =
      std::min(cap_out * cap_out + cap_along * cap_along * L2, side_out * side_out + side_along * side_along * L2);
  return side_out < 0 && cap_along < 0 ? -std::sqrt(squares) : std::sqrt(squares);
}

}  // namespace dashpot::shape_formula
