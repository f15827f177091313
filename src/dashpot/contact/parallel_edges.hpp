#pragma once
// Two edges u and v that become parallel have no single pair of closest points: the force between them would jump along
// them. So their energy is multiplied with a factor that goes smoothly to zero there [LiEtAl2020, eq. 24],
//
//     m = (2 - x) x,  x = c / c_min < 1;  1 beyond,       c = |u x v|^2,  c_min = 1e-3 |u|^2 |v|^2 at rest;
//
// what parallel edges do to each other is left to their nodes.

#include "dashpot/core/types.hpp"

namespace dashpot::contact {

struct ParallelFactor {
  double value = 1;      ///< m
  double slope = 0;      ///< dm/dc [1/m^4]
  double curvature = 0;  ///< d2m/dc2 [1/m^8]
  Vec3 u = Vec3::Zero(), v = Vec3::Zero();
};

inline ParallelFactor parallel_factor(const Vec3& u, const Vec3& v, double smallest) {
  ParallelFactor factor;
  factor.u = u;
  factor.v = v;
  const double uv = u.dot(v), c = u.squaredNorm() * v.squaredNorm() - uv * uv, x = c / smallest;
  if (x >= 1) return factor;
  factor.value = (2 - x) * x;
  factor.slope = 2 * (1 - x) / smallest;
  factor.curvature = -2 / (smallest * smallest);
  return factor;
}

/// dc/du and dc/dv.
inline Vec3 parallel_gradient(const ParallelFactor& f, bool of_v) {
  const Vec3 &a = of_v ? f.v : f.u, &b = of_v ? f.u : f.v;
  return 2 * (b.squaredNorm() * a - a.dot(b) * b);
}
/// d2c of u or v (rows) and u or v (columns).
inline Mat3 parallel_hessian(const ParallelFactor& f, bool row_v, bool column_v) {
  if (row_v == column_v) {
    const Vec3& b = row_v ? f.u : f.v;
    return 2 * (b.squaredNorm() * Mat3::Identity() - b * b.transpose());
  }
  const Vec3 &a = row_v ? f.v : f.u, &b = row_v ? f.u : f.v;
  return 4 * a * b.transpose() - 2 * b * a.transpose() - 2 * a.dot(b) * Mat3::Identity();
}

}  // namespace dashpot::contact
