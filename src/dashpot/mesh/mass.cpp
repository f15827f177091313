#include "dashpot/mesh/mass.hpp"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>

#include "dashpot/mesh/geometry.hpp"

namespace dashpot {
namespace {

/// Linear elements: rho * measure * (1 + delta_ab) / (n (n + 1)).
ElementMassMatrix simplex_mass(int n, double mass) {
  ElementMassMatrix M = ElementMassMatrix::Constant(n, n, mass / (n * (n + 1)));
  M.diagonal() *= 2;
  return M;
}

using ShapeValues = Eigen::Matrix<double, 10, 1>;
using ShapeGradients = Eigen::Matrix<double, 10, 3>;

void quadratic_shapes(const std::array<double, 4>& L, ShapeValues& N, ShapeGradients& dN) {
  constexpr double dL[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 4; ++i) {
    const double l = L[static_cast<std::size_t>(i)];
    N[i] = l * (2 * l - 1);
    for (int c = 0; c < 3; ++c) dN(i, c) = (4 * l - 1) * dL[i][c];
  }
  for (int m = 0; m < 6; ++m) {
    const auto [a, b] = tet_edges[static_cast<std::size_t>(m)];
    const double la = L[static_cast<std::size_t>(a)], lb = L[static_cast<std::size_t>(b)];
    N[4 + m] = 4 * la * lb;
    for (int c = 0; c < 3; ++c) dN(4 + m, c) = 4 * (la * dL[b][c] + lb * dL[a][c]);
  }
}

/// Straight 10-node tet, rho V / 420 times small integers [ZienkiewiczTaylor2005].
ElementMassMatrix straight_tet10_mass(double mass) {
  ElementMassMatrix M(10, 10);
  const auto on_edge = [](int corner, int m) {
    const auto& edge = tet_edges[static_cast<std::size_t>(m)];
    return edge[0] == corner || edge[1] == corner;
  };
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) M(a, b) = a == b ? 6 : 1;
    for (int m = 0; m < 6; ++m) M(a, 4 + m) = M(4 + m, a) = on_edge(a, m) ? -4 : -6;
  }
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 6; ++n) {
      const auto& edge = tet_edges[static_cast<std::size_t>(n)];
      const bool touching = on_edge(edge[0], m) || on_edge(edge[1], m);
      M(4 + m, 4 + n) = m == n ? 32 : touching ? 16 : 8;
    }
  return M * (mass / 420);
}

/// Curved 10-node tet: N_a N_b det J has degree 7; Gauss-Legendre with 5 points in each collapsed coordinate is exact
/// to degree 9, the two of the collapse included.
ElementMassMatrix curved_tet10_mass(const Vec3* X, double density) {
  constexpr double x1 = 0.53846931010568309104, x2 = 0.90617984593866399280;
  constexpr double w0 = 0.56888888888888888889, w1 = 0.47862867049936646804, w2 = 0.23692688505618908751;
  constexpr std::array<double, 5> t{0.5 * (1 - x2), 0.5 * (1 - x1), 0.5, 0.5 * (1 + x1), 0.5 * (1 + x2)};
  constexpr std::array<double, 5> w{0.5 * w2, 0.5 * w1, 0.5 * w0, 0.5 * w1, 0.5 * w2};
  Eigen::Matrix<double, 3, 10> nodes;
  for (int a = 0; a < 10; ++a) nodes.col(a) = X[a];
  ElementMassMatrix M = ElementMassMatrix::Zero(10, 10);
  ShapeValues N;
  ShapeGradients dN;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t k = 0; k < 5; ++k) {
        const double r = t[i], s = t[j] * (1 - r), u = t[k] * (1 - r) * (1 - t[j]);
        quadratic_shapes({1 - r - s - u, r, s, u}, N, dN);
        const Mat3 J = nodes * dN;
        const double det = J.col(0).cross(J.col(1)).dot(J.col(2));
        const double weight = w[i] * w[j] * w[k] * (1 - r) * (1 - r) * (1 - t[j]);
        M.noalias() += (density * det * weight) * N * N.transpose();
      }
  return M;
}

double density_at(const std::vector<double>& density_of_region, int region) {
  assert(!density_of_region.empty());
  return density_of_region.size() == 1 ? density_of_region[0] : density_of_region[static_cast<std::size_t>(region)];
}

struct ElementNodes {
  std::array<Vec3, 10> X;
  ElementNodes(const Mesh& mesh, const ElementGroup& group, int e) {
    for (int a = 0; a < nodes_per_element(group.kind); ++a)
      X[static_cast<std::size_t>(a)] = mesh.nodes[static_cast<std::size_t>(group.element(e)[a])];
  }
};

}  // namespace

ElementMassMatrix consistent_mass(ElementKind kind, const Vec3* X, double density) {
  if (kind != ElementKind::tet10) {
    const double mass = density * element_measure(kind, X);
    return kind == ElementKind::point ? ElementMassMatrix::Constant(1, 1, mass)
                                      : simplex_mass(nodes_per_element(kind), mass);
  }
  if (tet10_is_straight(X)) return straight_tet10_mass(density * tet_volume(X[0], X[1], X[2], X[3]));
  return curved_tet10_mass(X, density);
}

ElementMassVector lumped_mass(ElementKind kind, const Vec3* X, double density) {
  const int n = nodes_per_element(kind);
  if (kind != ElementKind::tet10) return ElementMassVector::Constant(n, density * element_measure(kind, X) / n);
  const ElementMassMatrix M = consistent_mass(kind, X, density);
  return M.diagonal() * (M.sum() / M.trace());
}

ElementMassMatrix consistent_mass(const Mesh& mesh, const ElementGroup& group, int e, double density) {
  return consistent_mass(group.kind, ElementNodes(mesh, group, e).X.data(), density);
}

ElementMassVector lumped_mass(const Mesh& mesh, const ElementGroup& group, int e, double density) {
  return lumped_mass(group.kind, ElementNodes(mesh, group, e).X.data(), density);
}

std::vector<double> lumped_element_masses(const Mesh& mesh, const ElementGroup& group, double density) {
  std::vector<double> masses;
  masses.reserve(group.nodes.size());
  for (int e = 0; e < group.size(); ++e) {
    const ElementMassVector m = lumped_mass(mesh, group, e, density);
    masses.insert(masses.end(), m.data(), m.data() + m.size());
  }
  return masses;
}

Vector lumped_node_masses(const Mesh& mesh, const ElementGroup& group, const std::vector<double>& density_of_region) {
  Vector masses = Vector::Zero(mesh.num_nodes());
  for (int e = 0; e < group.size(); ++e) {
    const ElementMassVector m = lumped_mass(mesh, group, e, density_at(density_of_region, group.region_of(e)));
    for (int a = 0; a < m.size(); ++a) masses[group.element(e)[a]] += m[a];
  }
  return masses;
}

double total_mass(const Mesh& mesh, const ElementGroup& group, const std::vector<double>& density_of_region) {
  double mass = 0;
  for (int e = 0; e < group.size(); ++e)
    mass += density_at(density_of_region, group.region_of(e)) * element_measure(mesh, group, e);
  return mass;
}

}  // namespace dashpot
