#include "dashpot/mesh/geometry.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace dashpot {
namespace {

constexpr double degrees = 57.295779513082320876;

/// det J of the quadratic map at barycentric coordinates (L0..L3); J is d x / d (L1, L2, L3) with L0 = 1 - L1 - L2 -
/// L3.
double tet10_jacobian(const Vec3* X, const std::array<double, 4>& L) {
  std::array<Vec3, 4> dx_dL;
  for (std::size_t i = 0; i < 4; ++i) dx_dL[i] = (4 * L[i] - 1) * X[i];
  for (std::size_t m = 0; m < 6; ++m) {
    const auto a = static_cast<std::size_t>(tet_edges[m][0]), b = static_cast<std::size_t>(tet_edges[m][1]);
    dx_dL[a] += 4 * L[b] * X[4 + m];
    dx_dL[b] += 4 * L[a] * X[4 + m];
  }
  return (dx_dL[1] - dx_dL[0]).cross(dx_dL[2] - dx_dL[0]).dot(dx_dL[3] - dx_dL[0]);
}

double angle(double sine, double cosine) { return std::atan2(sine, cosine) * degrees; }

}  // namespace

double edge_length(const Vec3& a, const Vec3& b) { return (b - a).norm(); }

double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * (b - a).cross(c - a).norm(); }

double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a) / 6;
}

double tet10_volume(const Vec3* X) {
  // Keast's 5-point rule of degree 3: det J of the quadratic map is a cubic.
  double sum = -0.8 * tet10_jacobian(X, {0.25, 0.25, 0.25, 0.25});
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<double, 4> L{1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6};
    L[i] = 0.5;
    sum += 0.45 * tet10_jacobian(X, L);
  }
  return sum / 6;
}

double tet10_min_jacobian(const Vec3* X) {
  constexpr double inner = 0.58541019662496845446, outer = 0.13819660112501051518;  // degree-2 rule
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<double, 4> point{outer, outer, outer, outer}, corner{0, 0, 0, 0};
    point[i] = inner;
    corner[i] = 1;
    smallest = std::min({smallest, tet10_jacobian(X, point), tet10_jacobian(X, corner)});
  }
  return smallest;
}

bool tet10_is_straight(const Vec3* X) {
  for (std::size_t m = 0; m < 6; ++m) {
    const Vec3 &a = X[tet_edges[m][0]], &b = X[tet_edges[m][1]];
    if ((X[4 + m] - 0.5 * (a + b)).norm() > 1e-10 * (b - a).norm()) return false;
  }
  return true;
}

double element_measure(ElementKind kind, const Vec3* X) {
  switch (kind) {
    case ElementKind::point:
      return 1;
    case ElementKind::edge:
      return edge_length(X[0], X[1]);
    case ElementKind::triangle:
      return triangle_area(X[0], X[1], X[2]);
    case ElementKind::tet4:
      return tet_volume(X[0], X[1], X[2], X[3]);
    case ElementKind::tet10:
      return tet10_volume(X);
  }
  return 0;
}

double element_measure(const Mesh& mesh, const ElementGroup& group, int e) {
  std::array<Vec3, 10> X;
  const int* nodes = group.element(e);
  for (int a = 0; a < nodes_per_element(group.kind); ++a)
    X[static_cast<std::size_t>(a)] = mesh.nodes[static_cast<std::size_t>(nodes[a])];
  return element_measure(group.kind, X.data());
}

TetShape tet_shape(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const std::array<Vec3, 4> X{a, b, c, d};
  TetShape shape{180, 0, 0};
  double longest = 0, largest_face = 0;
  for (const auto& [i, j] : tet_edges) {
    // The dihedral angle at edge ij lies between the components of the other two corners normal to the edge.
    std::array<std::size_t, 2> other{};
    for (std::size_t n = 0, found = 0; n < 4; ++n)
      if (n != static_cast<std::size_t>(i) && n != static_cast<std::size_t>(j)) other[found++] = n;
    const Vec3 &from = X[static_cast<std::size_t>(i)], &to = X[static_cast<std::size_t>(j)];
    const Vec3 edge = to - from;
    const Vec3 n1 = edge.cross(X[other[0]] - from), n2 = edge.cross(X[other[1]] - from);
    const double theta = angle(n1.cross(n2).norm(), n1.dot(n2));
    shape.min_dihedral = std::min(shape.min_dihedral, theta);
    shape.max_dihedral = std::max(shape.max_dihedral, theta);
    longest = std::max(longest, edge.norm());
    largest_face = std::max({largest_face, 0.5 * n1.norm(), 0.5 * n2.norm()});
  }
  const double shortest_height = 3 * std::abs(tet_volume(a, b, c, d)) / largest_face;
  constexpr double regular_height = 0.81649658092772603273;  // sqrt(2/3), edge length 1
  shape.aspect = longest / shortest_height * regular_height;
  return shape;
}

double triangle_min_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const std::array<Vec3, 3> X{a, b, c};
  double smallest = 180;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 u = X[(i + 1) % 3] - X[i], v = X[(i + 2) % 3] - X[i];
    smallest = std::min(smallest, angle(u.cross(v).norm(), u.dot(v)));
  }
  return smallest;
}

BoundingBox bounding_box(const std::vector<Vec3>& points) {
  BoundingBox box;
  if (points.empty()) return box;
  box.min = box.max = points.front();
  for (const Vec3& point : points) {
    box.min = box.min.cwiseMin(point);
    box.max = box.max.cwiseMax(point);
  }
  return box;
}

}  // namespace dashpot
