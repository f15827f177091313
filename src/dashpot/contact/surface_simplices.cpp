#include "dashpot/contact/surface_simplices.hpp"

#include <cmath>

#include "dashpot/core/types.hpp"

namespace dashpot::contact {
namespace {

Vec3 triangle_normal(const PointPositions& x, const std::array<int, 3>& t) {
  const Vec3 a = x[t[0]];
  return (x[t[1]] - a).cross(x[t[2]] - a).normalized();
}

Vec3 edge_normal(const ContactSurface& surface, const PointPositions& x, int edge) {
  Vec3 n = Vec3::Zero();
  for (const int t : surface.edge_triangles[at(edge)]) n += triangle_normal(x, surface.triangles[at(t)]);
  return n;
}

/// Mean of the triangles' normals, weighted with their angles at the corner.
Vec3 corner_normal(const ContactSurface& surface, const PointPositions& x, int corner) {
  Vec3 n = Vec3::Zero();
  for (const int t : surface.corner_triangles[at(corner)]) {
    const std::array<int, 3>& nodes = surface.triangles[at(t)];
    int k = 0;
    while (surface.triangle_corners[at(t)][at(k)] != corner) ++k;
    const Vec3 here = x[nodes[at(k)]];
    const Vec3 u = x[nodes[at((k + 1) % 3)]] - here, v = x[nodes[at((k + 2) % 3)]] - here;
    n += std::atan2(u.cross(v).norm(), u.dot(v)) * triangle_normal(x, nodes);
  }
  return n;
}

}  // namespace

std::array<int, 3> nodes_of(const ContactSurface& surface, const Simplex& simplex) {
  if (simplex.kind == 3) return surface.triangles[at(simplex.index)];
  if (simplex.kind == 1) return {surface.corners[at(simplex.index)], 0, 0};
  const std::array<int, 2>& ends = surface.edges[at(simplex.index)];
  return {ends[0], ends[1], 0};
}

Simplex carrier_on_triangle(const ContactSurface& surface, int t, const NearestOnTriangle& nearest) {
  if (nearest.feature == TriangleFeature::face) return {3, t};
  if (nearest.feature == TriangleFeature::edge) return {2, surface.triangle_edges[at(t)][at(nearest.which)]};
  return {1, surface.triangle_corners[at(t)][at(nearest.which)]};
}

Vec3 normal_of(const ContactSurface& surface, const PointPositions& x, const Simplex& simplex) {
  if (simplex.kind == 3) return triangle_normal(x, surface.triangles[at(simplex.index)]);
  return simplex.kind == 2 ? edge_normal(surface, x, simplex.index) : corner_normal(surface, x, simplex.index);
}

std::vector<Simplex> tops_of(const ContactSurface& surface) {
  std::vector<Simplex> tops;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) tops.push_back({3, static_cast<int>(t)});
  std::vector<char> covered(surface.corners.size(), 0);
  for (std::size_t e = 0; e < surface.edges.size(); ++e) {
    for (const int c : surface.edge_corners[e]) covered[at(c)] = 1;
    if (surface.edge_triangles[e].empty()) tops.push_back({2, static_cast<int>(e)});
  }
  for (std::size_t c = 0; c < surface.corners.size(); ++c)
    if (covered[c] == 0) tops.push_back({1, static_cast<int>(c)});
  return tops;
}

Box box_of(const ContactSurface& surface, const PointPositions& x, const Simplex& simplex) {
  Box box;
  const std::array<int, 3> nodes = nodes_of(surface, simplex);
  for (int k = 0; k < simplex.kind; ++k) box.extend(x[nodes[at(k)]]);
  return box;
}

Box box_of(const ContactSurface& surface, const PointPositions& x) {
  Box box;
  for (const int node : surface.corners) box.extend(x[node]);
  return box;
}

}  // namespace dashpot::contact
