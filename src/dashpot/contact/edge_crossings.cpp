#include "dashpot/contact/edge_crossings.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "dashpot/contact/triangle_bvh.hpp"

namespace dashpot::contact {
namespace {

/// Six times the signed volume of a tet.
double volume6(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return (b - a).cross(c - a).dot(d - a); }

bool goes_through(const Vec3& p, const Vec3& q, const Vec3* t) {
  const double side_p = volume6(t[0], t[1], t[2], p), side_q = volume6(t[0], t[1], t[2], q);
  if (!(side_p * side_q < 0)) return false;
  const double a = volume6(p, q, t[0], t[1]), b = volume6(p, q, t[1], t[2]), c = volume6(p, q, t[2], t[0]);
  return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

}  // namespace

std::vector<EdgeCrossing> find_crossings(const ClothSurface& surface, const std::vector<Vec3>& x, std::size_t limit) {
  std::vector<EdgeCrossing> crossings;
  const TriangleBvh tree(surface.triangles, x);
  for (std::size_t e = 0; e < surface.edges.size() && crossings.size() < limit; ++e) {
    const std::array<int, 2>& ends = surface.edges[e];
    const Vec3 &p = x[at(ends[0])], &q = x[at(ends[1])];
    Box3 box;
    box.cover(p);
    box.cover(q);
    tree.overlapping(box, [&](int triangle) {
      const std::array<int, 3>& t = surface.triangles[at(triangle)];
      const bool share = std::any_of(t.begin(), t.end(), [&](int node) { return node == ends[0] || node == ends[1]; });
      if (share || !surface.may_touch(ends[0], t[0])) return;
      const Vec3 corners[3] = {x[at(t[0])], x[at(t[1])], x[at(t[2])]};
      if (crossings.size() < limit && goes_through(p, q, corners)) crossings.push_back({static_cast<int>(e), triangle});
    });
  }
  return crossings;
}

}  // namespace dashpot::contact
