#pragma once
// Distance between a point p and a moving simplex (corner, edge or triangle) x_0 .. x_m at its closest interior point
// c = sum beta_k x_k, or between two moving segments that cross, with exact first and second derivatives in all points.
//
// With the direction n = +-(p - c)/|p - c|, weights w = (1, -beta_0, .. -beta_m) over z = (p, x_0, .. x_m), tangents
// T = (x_1 - x_0, ..), metric inverse N = (T^T T)^-1 and, for a variation dz, y = T^T sum w_k dz_k and
// u_a = n . (dx_a - dx_0):
//
//     ds   = n . sum w_k dz_k
//     d2s  = |P sum w_k dz_k|^2 / s - 2 y . N u - s u . N u,     P = I - n n^T - T N T^T
//
// For segments a_0 a_1 and b_0 b_1 with closest points at fractions s and t the same holds with z = (a_0, a_1, b_0,
// b_1), w = (1 - s, s, t - 1, -t) and T = (a_1 - a_0, b_1 - b_0).
//
// P vanishes for triangles and for segments, so that the signed distance to a triangle is smooth through zero. The
// weights sum to zero and (p - c) x n = 0: forces along the gradient keep linear and angular momentum.

#include "dashpot/core/types.hpp"

namespace dashpot::contact {

struct FeatureGap {
  int num_points = 0;  ///< of z
  double gap = 0;      ///< s: negative where the point counts as inside [m]
  Vec3 normal;         ///< n = ds/dp
  double weights[4];   ///< w
  int num_tangents = 0;
  Vec3 tangents[2];       ///< T
  int ends[2][2]{};       ///< tangent a leads from z[ends[a][0]] to z[ends[a][1]]
  double metric[2][2]{};  ///< N
};

/// Gap of p and the simplex x[0 .. num_points-1]; `side` = +1: s = |p - c|, -1: s = -|p - c|. `fallback` is the
/// direction used where p lies on the simplex. The closest point must lie inside the simplex, else derivatives are
/// those of the infinite line or plane.
FeatureGap feature_gap(const Vec3& p, const Vec3* x, int num_points, double side, const Vec3& fallback);

/// Gap of two segments whose closest points lie inside both, which are not parallel and do not meet: z = (a_0, a_1,
/// b_0, b_1), n from b to a.
FeatureGap crossing_gap(const Vec3* a, const Vec3* b);

/// Block (k, l) of d2s/dz2.
Mat3 gap_hessian_block(const FeatureGap& gap, int k, int l);

/// Closest point of a segment: its distance and which corners carry it, as bits.
struct Closest {
  double distance2 = 0;
  unsigned corners = 0;
};
Closest closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b);

/// Closest points of two segments: their distance and which ends carry them, as bits.
struct ClosestOfSegments {
  double distance2 = 0;
  unsigned on_a = 0, on_b = 0;  ///< 1: the first end, 2: the second, 3: inside
};
ClosestOfSegments closest_of_segments(const Vec3* a, const Vec3* b);

}  // namespace dashpot::contact
