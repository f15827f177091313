#pragma once
// States of points before and after one application of cluster damping.

#include <algorithm>
#include <vector>

#include "dashpot/dissipation/cluster_damping.hpp"
#include "support/cube8.hpp"
#include "support/point_states.hpp"

namespace dashpot::testing {

constexpr double cluster_dt = 0.01;

inline Vector flat(const std::vector<Vec3>& points) {
  Vector all(3 * static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) all.segment<3>(3 * static_cast<Eigen::Index>(i)) = points[i];
  return all;
}

/// The state after one application.
inline PointState damped(const PointState& state, const Clusters& clusters, TorqueElimination elimination, double gamma,
                         const std::vector<Edge>& edges = {}, int iterations = 1) {
  const ClusterDamping filter("body", 0, state.mass, clusters, elimination, FilterGain::per_step(gamma), edges,
                              iterations);
  Vector v = flat(state.v);
  filter.apply(flat(state.x), cluster_dt, v);
  PointState after = state;
  for (std::size_t i = 0; i < after.v.size(); ++i) after.v[i] = v.segment<3>(3 * static_cast<Eigen::Index>(i));
  return after;
}

inline double difference(const PointState& a, const PointState& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.v.size(); ++i) largest = std::max(largest, (a.v[i] - b.v[i]).norm());
  return largest;
}

inline PointState cube_state() {
  const Cube8 cube;
  return {cube.mass, cube.x, cube.v};
}

/// n^3 points with unit spacing.
inline std::vector<Vec3> lattice(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) points.emplace_back(i, j, k);
  return points;
}

}  // namespace dashpot::testing
