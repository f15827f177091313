#include "dashpot/scene/assembly/bent_region.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

/// Nodes of the part that share an element with a node outside it.
std::vector<int> border_of(const Mesh& mesh, const std::vector<char>& inside) {
  std::vector<char> is_border(inside.size(), 0);
  for (const ElementGroup& group : mesh.groups) {
    const int n = nodes_per_element(group.kind);
    for (int e = 0; e < group.size(); ++e) {
      const int* element = group.element(e);
      const auto is_inside = [&](int node) { return inside[static_cast<std::size_t>(node)] != 0; };
      if (std::all_of(element, element + n, is_inside)) continue;
      for (int a = 0; a < n; ++a)
        if (is_inside(element[a])) is_border[static_cast<std::size_t>(element[a])] = 1;
    }
  }
  std::vector<int> border;
  for (std::size_t i = 0; i < is_border.size(); ++i)
    if (is_border[i] != 0) border.push_back(static_cast<int>(i));
  return border;
}

double distance_to(const std::vector<int>& others, const Mesh& mesh, const Vec3& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const int other : others) least = std::min(least, (mesh.nodes[static_cast<std::size_t>(other)] - x).norm());
  return least;
}

}  // namespace

std::vector<Vec3> bend_region(const Mesh& mesh, const std::vector<int>& nodes, const RegionBend& bend) {
  std::vector<char> inside(mesh.nodes.size(), 0);
  for (const int node : nodes) inside[static_cast<std::size_t>(node)] = 1;
  const std::vector<int> border = border_of(mesh, inside);
  if (border.empty())
    throw Error(Problem{"", "a part without a border to the rest of the body",
                        "a part of the body, such as one of its regions", "choose fewer nodes"});
  Vec3 center = Vec3::Zero();
  for (const int node : border)
    center += mesh.nodes[static_cast<std::size_t>(node)] / static_cast<double>(border.size());
  if (bend.center) center = *bend.center;

  std::vector<double> depth;
  for (const int node : nodes) depth.push_back(distance_to(border, mesh, mesh.nodes[static_cast<std::size_t>(node)]));
  const double rise = bend.rise > 0 ? bend.rise : 0.5 * *std::max_element(depth.begin(), depth.end());
  std::vector<Vec3> positions = mesh.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double s = rise > 0 ? std::min(1.0, depth[i] / rise) : 1.0;
    const double share = s * s * (3 - 2 * s);
    Vec3& x = positions[static_cast<std::size_t>(nodes[i])];
    x = center + Eigen::AngleAxisd(share * bend.angle, bend.axis.normalized()) * (x - center);
  }
  return positions;
}

}  // namespace dashpot
