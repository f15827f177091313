#include "dashpot/learn/material_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/embedding.hpp"
#include "dashpot/mesh/nearest_on_triangle.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot::learn {

Vec3 MaterialPoint::at(const std::vector<Vec3>& x) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) sum += weights[i] * x[dashpot::at(points[i])];
  return sum;
}

void MaterialPoint::add_to(std::vector<ResidualRows::Entry>& row, const Vec3& slope) const {
  for (std::size_t i = 0; i < points.size(); ++i) row.push_back({points[i], weights[i] * slope});
}

namespace {

Attachments attach_to_tets(const Mesh& rest, int first_point, const std::vector<Vec3>& positions) {
  const Embedding embedding = embed_points(rest, positions);
  Attachments found;
  found.distance = embedding.distance;
  const auto n = at(embedding.num_weights);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    MaterialPoint point;
    for (std::size_t k = n * i; k < n * (i + 1); ++k)
      if (embedding.weights[k] != 0) {
        point.points.push_back(first_point + embedding.nodes[k]);
        point.weights.push_back(embedding.weights[k]);
      }
    found.points.push_back(std::move(point));
  }
  return found;
}

Attachments attach_to_triangles(const Mesh& rest, int first_point, const std::vector<Vec3>& positions) {
  const Surface surface = boundary_surface(rest);
  if (surface.triangles.empty())
    throw Error(Problem{"", "a body without tets and triangles", "a solid or a surface to attach points to",
                        "name the nodes instead"});
  Attachments found;
  for (const Vec3& position : positions) {
    double nearest = std::numeric_limits<double>::infinity();
    MaterialPoint point;
    for (const std::array<int, 3>& t : surface.triangles) {
      const NearestOnTriangle hit =
          nearest_on_triangle(position, rest.nodes[at(t[0])], rest.nodes[at(t[1])], rest.nodes[at(t[2])]);
      const double distance = (hit.point - position).norm();
      if (!(distance < nearest)) continue;
      nearest = distance;
      point = {{}, {}};
      for (int k = 0; k < 3; ++k)
        if (hit.barycentric[k] != 0) {
          point.points.push_back(first_point + t[at(k)]);
          point.weights.push_back(hit.barycentric[k]);
        }
    }
    found.points.push_back(std::move(point));
    found.distance.push_back(nearest);
  }
  return found;
}

}  // namespace

Attachments attach_to(const Mesh& rest, int first_point, const std::vector<Vec3>& positions) {
  for (const Vec3& position : positions)
    if (!position.allFinite())
      throw Error(Problem{"", "a position that is not finite", "positions of points on the body", ""});
  return rest.tets() != nullptr ? attach_to_tets(rest, first_point, positions)
                                : attach_to_triangles(rest, first_point, positions);
}

std::vector<int> spread_out(const std::vector<Vec3>& positions, int count) {
  std::vector<int> chosen;
  std::vector<double> distance(positions.size(), std::numeric_limits<double>::infinity());
  std::size_t next = 0;
  while (std::ssize(chosen) < std::min<std::ptrdiff_t>(count, std::ssize(positions))) {
    chosen.push_back(static_cast<int>(next));
    for (std::size_t i = 0; i < positions.size(); ++i)
      distance[i] = std::min(distance[i], (positions[i] - positions[next]).squaredNorm());
    distance[next] = -1;
    next = static_cast<std::size_t>(std::ranges::max_element(distance) - distance.begin());
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace dashpot::learn
