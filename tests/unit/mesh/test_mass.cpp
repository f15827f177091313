#include "dashpot/mesh/mass.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/topology.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::test_mass {
namespace {

constexpr double rho = 1070;

/// A 10-node tet whose middle nodes are pushed off their edges.
std::array<Vec3, 10> curved_tet() {
  std::array<Vec3, 10> X{Vec3(0, 0, 0), Vec3(1.2, .1, 0), Vec3(.1, .9, .2), Vec3(-.1, .05, 1.3)};
  for (std::size_t m = 0; m < 6; ++m) {
    const auto [a, b] = tet_edges[m];
    const int k = static_cast<int>(3 * m);
    X[4 + m] = 0.5 * (X[static_cast<std::size_t>(a)] + X[static_cast<std::size_t>(b)]) +
               0.05 * Vec3(testing::rnd(k), testing::rnd(k + 1), testing::rnd(k + 2));
  }
  return X;
}

std::vector<Mesh> bodies() {
  BoxOptions quadratic;
  quadratic.kind = ElementKind::tet10;
  return {make_bar(Vec3(2, 1, 0.5), {3, 2, 2}),        make_bar(Vec3(2, 1, 0.5), {3, 2, 2}, quadratic),
          make_sphere(1, 3, ElementKind::tet10),       make_cloth(1, 2, {3, 4}),
          make_chain(Vec3(0, 0, 0), Vec3(3, 0, 0), 7), make_points({Vec3(0, 0, 0), Vec3(1, 0, 0)})};
}

TEST(Mass, ConsistentAndLumpedMassSumToDensityTimesMeasureForEveryKind) {
  for (const Mesh& mesh : bodies()) {
    const ElementGroup& group = mesh.groups[0];
    for (int e = 0; e < group.size(); ++e) {
      const double mass = rho * element_measure(mesh, group, e);
      ASSERT_GT(mass, 0);
      EXPECT_NEAR(consistent_mass(mesh, group, e, rho).sum(), mass, 1e-12 * mass);
      EXPECT_NEAR(lumped_mass(mesh, group, e, rho).sum(), mass, 1e-12 * mass);
      EXPECT_GT(lumped_mass(mesh, group, e, rho).minCoeff(), 0);
    }
    EXPECT_NEAR(lumped_node_masses(mesh, group, {rho}).sum(), total_mass(mesh, group, {rho}), 1e-9);
    const std::vector<double> by_element = lumped_element_masses(mesh, group, rho);
    ASSERT_EQ(by_element.size(), group.nodes.size());
    Vector of_node = Vector::Zero(mesh.num_nodes());
    for (std::size_t k = 0; k < by_element.size(); ++k) of_node[group.nodes[k]] += by_element[k];
    EXPECT_EQ(of_node, lumped_node_masses(mesh, group, {rho}));
  }
}

TEST(Mass, ConsistentMassIsPositiveDefiniteForEveryKind) {
  for (const Mesh& mesh : bodies()) {
    const Matrix M = consistent_mass(mesh, mesh.groups[0], 0, rho);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(M);
    EXPECT_GT(eigen.eigenvalues().minCoeff(), 0) << to_string(mesh.groups[0].kind);
    EXPECT_LT((M - M.transpose()).norm(), 1e-14 * M.norm());
  }
}

TEST(Mass, ConsistentMassGivesTheExactKineticEnergyOfALinearVelocityField) {
  // For v = x on the unit tet, integral x^2 dV = 2! / 5! = 1/60.
  const Mesh linear = [] {
    Mesh mesh;
    mesh.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    mesh.group_or_new(ElementKind::tet4).nodes = {0, 1, 2, 3};
    return mesh;
  }();
  for (const Mesh& mesh : {linear, to_quadratic(linear)}) {
    Vector x(mesh.num_nodes());
    for (int i = 0; i < mesh.num_nodes(); ++i) x[i] = mesh.nodes[static_cast<std::size_t>(i)][0];
    const Matrix M = consistent_mass(mesh, mesh.groups[0], 0, 1);
    Vector local(M.rows());
    for (int a = 0; a < M.rows(); ++a) local[a] = x[mesh.groups[0].element(0)[a]];
    EXPECT_NEAR(local.dot(M * local), 1.0 / 60, 1e-16);
  }
}

TEST(Mass, QuadraticMassIsExactForAQuadraticField) {
  // integral x^4 over the unit tet = 4! / 7! = 1/210.
  Mesh mesh;
  mesh.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  mesh.group_or_new(ElementKind::tet4).nodes = {0, 1, 2, 3};
  mesh = to_quadratic(mesh);
  const Matrix M = consistent_mass(mesh, mesh.groups[0], 0, 1);
  Vector square(10);
  for (int a = 0; a < 10; ++a)
    square[a] = std::pow(mesh.nodes[static_cast<std::size_t>(mesh.groups[0].element(0)[a])][0], 2);
  EXPECT_NEAR(square.dot(M * square), 1.0 / 210, 1e-16);
}

TEST(Mass, CurvedTetMassAgreesWithItsStraightFormulaAsTheBendVanishes) {
  const std::array<Vec3, 10> curved = curved_tet();
  ASSERT_FALSE(tet10_is_straight(curved.data()));
  ASSERT_GT(tet10_min_jacobian(curved.data()), 0);
  EXPECT_NEAR(consistent_mass(ElementKind::tet10, curved.data(), rho).sum(), rho * tet10_volume(curved.data()), 1e-10);
  // A middle node moved by 1e-8 goes through the quadrature; the straight tet through the table.
  std::array<Vec3, 10> straight = curved;
  for (std::size_t m = 0; m < 6; ++m)
    straight[4 + m] =
        0.5 * (curved[static_cast<std::size_t>(tet_edges[m][0])] + curved[static_cast<std::size_t>(tet_edges[m][1])]);
  std::array<Vec3, 10> nearly = straight;
  nearly[4] += Vec3(0, 1e-8, 0);
  const Matrix table = consistent_mass(ElementKind::tet10, straight.data(), rho);
  const Matrix quadrature = consistent_mass(ElementKind::tet10, nearly.data(), rho);
  EXPECT_GT(table.norm(), 1);
  EXPECT_LT((table - quadrature).norm(), 1e-6 * table.norm());
  EXPECT_GT((table - quadrature).norm(), 0);
}

TEST(Mass, StraightQuadraticTetLumpsOneThirtySixthToCornersAndFourTwentySeventhsToMiddles) {
  Mesh mesh;
  mesh.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  mesh.group_or_new(ElementKind::tet4).nodes = {0, 1, 2, 3};
  mesh = to_quadratic(mesh);
  const Vector m = lumped_mass(mesh, mesh.groups[0], 0, 6);
  for (int a = 0; a < 10; ++a) EXPECT_NEAR(m[a], a < 4 ? 1.0 / 36 : 4.0 / 27, 1e-15);
}

TEST(Mass, DensityFollowsTheRegion) {
  Mesh bar = make_bar(Vec3(2, 1, 1), {2, 1, 1});
  bar.regions = {"heavy", "light"};
  bar.groups[0].region.assign(12, 1);
  for (std::size_t e = 0; e < 6; ++e) bar.groups[0].region[e] = 0;
  EXPECT_NEAR(lumped_node_masses(bar, bar.groups[0], {5, 1}).sum(), 6, 1e-14);
}

}  // namespace
}  // namespace dashpot::test_mass
