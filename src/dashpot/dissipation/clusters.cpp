#include "dashpot/dissipation/clusters.hpp"

#include <nanoflann.hpp>

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

/// What nanoflann wants to know about points.
struct PointCloud {
  const std::vector<Vec3>& points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return points[i][static_cast<int>(axis)]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, PointCloud>, PointCloud, 3>;

/// Smallest point of the part each point belongs to.
std::vector<int> part_of_points(int num_points, std::span<const Edge> edges) {
  std::vector<int> root(at(num_points));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[at(i)] != i) i = root[at(i)] = root[at(root[at(i)])];
    return i;
  };
  for (const Edge& edge : edges) {
    const int a = find(edge[0]), b = find(edge[1]);
    root[at(std::max(a, b))] = std::min(a, b);
  }
  for (int i = 0; i < num_points; ++i) root[at(i)] = find(i);
  return root;
}

}  // namespace

void Clusters::add(std::span<const int> points) {
  std::vector<int> members(points.begin(), points.end());
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (!members.empty() && (members.front() < 0 || members.back() >= num_points_))
    throw Error(Problem{"cluster", fmt::format("point {}", members.front() < 0 ? members.front() : members.back()),
                        fmt::format("0 to {}", num_points_ - 1), ""});
  if (members.size() < 2) return;
  points_.insert(points_.end(), members.begin(), members.end());
  start_.push_back(points_.size());
}

std::vector<int> Clusters::copies() const {
  std::vector<int> count(at(num_points_), 0);
  for (const int i : points_) ++count[at(i)];
  return count;
}

Clusters one_cluster(int num_points) {
  Clusters clusters(num_points);
  std::vector<int> all(at(num_points));
  std::iota(all.begin(), all.end(), 0);
  clusters.add(all);
  return clusters;
}

Clusters connected_parts(int num_points, std::span<const Edge> edges) {
  const std::vector<int> part = part_of_points(num_points, edges);
  std::vector<std::vector<int>> members(at(num_points));
  for (int i = 0; i < num_points; ++i) members[at(part[at(i)])].push_back(i);
  Clusters clusters(num_points);
  for (const std::vector<int>& points : members) clusters.add(points);
  return clusters;
}

Clusters element_clusters(int num_points, std::span<const int> elements, int per_element) {
  Clusters clusters(num_points);
  for (std::size_t e = 0; e + at(per_element) <= elements.size(); e += at(per_element))
    clusters.add(elements.subspan(e, at(per_element)));
  return clusters;
}

Clusters nearest_clusters(const std::vector<Vec3>& points, int neighbors) {
  if (neighbors < 1)
    throw Error(Problem{"clusters of neighbors", fmt::format("{} neighbors", neighbors), "at least 1", ""});
  Clusters clusters(static_cast<int>(points.size()));
  const PointCloud cloud{points};
  const Tree tree(3, cloud);
  const std::size_t wanted = std::min(points.size(), at(neighbors) + 1);
  std::vector<std::uint32_t> found(wanted);
  std::vector<double> distance2(wanted);
  std::vector<int> members;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t count = tree.knnSearch(points[i].data(), wanted, found.data(), distance2.data());
    // Where several points coincide, the point itself may not be among those found.
    members.assign(1, static_cast<int>(i));
    for (std::size_t k = 0; k < count && members.size() < wanted; ++k)
      if (found[k] != i) members.push_back(static_cast<int>(found[k]));
    clusters.add(members);
  }
  return clusters;
}

std::vector<std::vector<Edge>> edges_within(const Clusters& clusters, std::span<const Edge> edges) {
  std::vector<std::vector<int>> neighbors(at(clusters.num_points()));
  for (const Edge& edge : edges) neighbors[at(edge[0])].push_back(edge[1]);
  std::vector<int> place(at(clusters.num_points()), -1);
  std::vector<std::vector<Edge>> within(at(clusters.size()));
  for (int c = 0; c < clusters.size(); ++c) {
    const std::span<const int> points = clusters[c];
    for (std::size_t a = 0; a < points.size(); ++a) place[at(points[a])] = static_cast<int>(a);
    for (std::size_t a = 0; a < points.size(); ++a)
      for (const int other : neighbors[at(points[a])])
        if (place[at(other)] >= 0) within[at(c)].push_back({static_cast<int>(a), place[at(other)]});
    for (const int i : points) place[at(i)] = -1;
  }
  return within;
}

}  // namespace dashpot
