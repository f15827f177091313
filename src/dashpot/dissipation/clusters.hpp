#pragma once
// Groups of points whose relative motion is damped together [SchmeddingGisslerTeschner2009, 3.4]: a whole body, its
// connected parts, its elements, neighbors in space, groups of a user. A point may be in several clusters or in none;
// it then belongs to each of its N_i clusters with the mass m_i/N_i.

#include <span>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/dissipation/torque_free.hpp"

namespace dashpot {

class Clusters {
 public:
  explicit Clusters(int num_points) : num_points_(num_points) {}
  /// Repeated points count once; a cluster of fewer than two points has no relative motion and is left out.
  /// dashpot::Error where a point does not exist.
  void add(std::span<const int> points);

  int num_points() const { return num_points_; }
  int size() const { return static_cast<int>(start_.size()) - 1; }
  std::span<const int> operator[](int cluster) const {
    const auto begin = start_[static_cast<std::size_t>(cluster)], end = start_[static_cast<std::size_t>(cluster) + 1];
    return {points_.data() + begin, end - begin};
  }
  /// N_i, the number of clusters each point is in.
  std::vector<int> copies() const;

 private:
  int num_points_;
  std::vector<std::size_t> start_{0};
  std::vector<int> points_;
};

/// All points in one.
Clusters one_cluster(int num_points);
/// Parts that are joined by edges; points without an edge are in none.
Clusters connected_parts(int num_points, std::span<const Edge> edges);
/// `elements` holds `per_element` points of each.
Clusters element_clusters(int num_points, std::span<const int> elements, int per_element);
/// For every point, itself and its `neighbors` nearest ones. The same cluster found twice counts twice.
Clusters nearest_clusters(const std::vector<Vec3>& points, int neighbors);

/// The edges within each cluster, in the numbering of its points: edges[k] joins points [c][i] and [c][j].
std::vector<std::vector<Edge>> edges_within(const Clusters& clusters, std::span<const Edge> edges);

}  // namespace dashpot
