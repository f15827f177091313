#pragma once
// Local damping of many small clusters (edges, triangles, tets), four at a time: what relative_motion.hpp does to one
// body, done to every cluster with the masses m_i/N_i. A point's velocity changes by the mean of what its N_i clusters
// want; all start from the same velocities.

#include <vector>

#include "dashpot/dissipation/torque_free.hpp"
#include "dashpot/model/element_batch.hpp"

namespace dashpot {

/// Position, share m/N of the mass, velocity of a point: one line of the cache.
struct alignas(64) PointInCluster {
  double x[3], share;
  double v[3], unused = 0;
};
/// Sum of the changes of velocity that clusters want for a point.
struct alignas(32) VelocityChange {
  double v[3] = {0, 0, 0}, unused = 0;
};

/// Clusters of 2, 3 or 4 points. `points` and `changes` hold the points of the clusters, and one more that is of no
/// consequence.
void add_cluster_changes(const ElementBatch& clusters, int per_cluster, TorqueElimination elimination, double gamma,
                         const std::vector<PointInCluster>& points, std::vector<VelocityChange>& changes);

}  // namespace dashpot
