// Derivatives of the spin forces of every element: what Newton steps with rotation-free Laplacian damping need.
#include <gtest/gtest.h>

#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/limits.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/energy/triangle_membrane.hpp"
#include "dashpot/mesh/generate.hpp"
#include "support/derivative_slope.hpp"
#include "support/noise_vector.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing::test_spin_tangent {
namespace {

/// The energy is bound to a pattern of its own over the nodes X.
void expect_spin_derivatives(EnergyTerm& energy, const std::vector<Vec3>& X, double size) {
  PatternBuilder couplings;
  energy.couple(couplings);
  const auto pattern = couplings.build(3, static_cast<int>(X.size()));
  energy.bind(*pattern);
  const LaplacianSource& source = *energy.capabilities().laplacian;
  std::vector<double> scale(static_cast<std::size_t>(source.num_elements()));
  for (std::size_t e = 0; e < scale.size(); ++e) scale[e] = 1 + 0.3 * rnd(static_cast<int>(e));
  Vector q(3 * static_cast<Eigen::Index>(X.size()));
  for (std::size_t i = 0; i < X.size(); ++i) q.segment<3>(3 * static_cast<Eigen::Index>(i)) = X[i];
  q += 0.1 * size * noise(q.size(), 0);
  const Vector v = noise(q.size(), 50), d = noise(q.size(), 500);
  const auto force = [&](const Vector& x, const Vector& xdot) {
    Vector f = Vector::Zero(x.size());
    source.add_spin_force(x, xdot, scale, f);
    return f;
  };
  const auto derivative = [&](double dv, double dq) -> Vector {
    BlockMatrix tangent(pattern);
    source.add_spin_tangent(q, v, scale, dv, dq, tangent);
    Vector product(d.size());
    tangent.multiply(d, product);
    return product;
  };
  const auto in_v = derivative_slope([&](const Vector& x) { return force(q, x); }, v, d, derivative(1, 0));
  EXPECT_TRUE(in_v.ok()) << in_v.slope << ' ' << in_v.relative_remainder;
  const double step = 0.01 * size;
  const auto in_q =
      derivative_slope([&](const Vector& x) { return force(x, v); }, q, step * d, step * derivative(0, 1));
  EXPECT_TRUE(in_q.ok()) << in_q.slope << ' ' << in_q.relative_remainder;
  EXPECT_LT((derivative(2, 3) - 2 * derivative(1, 0) - 3 * derivative(0, 1)).norm(), 1e-12 * derivative(2, 3).norm());
}

TEST(SpinTangent, TetsOfFourAndTenNodes) {
  for (const bool ten : {false, true})
    for (const IsotropicLaw law : {IsotropicLaw::arap, IsotropicLaw::corotational, IsotropicLaw::stvk}) {
      SCOPED_TRACE(law.name);
      const TinyMesh mesh = ten ? with_mid_nodes(kuhn_bar(2, 1, 1, 1)) : kuhn_bar(2, 1, 1, 1);
      const auto energy = make_isotropic("body", std::make_shared<TetBatch>(mesh.X, mesh.nodes, mesh.nodes_per_tet, 0),
                                         law, {Isotropic{100, 0.3}});
      expect_spin_derivatives(*energy, mesh.X, 0.5);
    }
}

TEST(SpinTangent, LimitsOfStretchAndVolume) {
  for (const auto make : {&make_strain_limit, &make_volume_limit})
    for (const bool ten : {false, true}) {
      const TinyMesh mesh = ten ? with_mid_nodes(kuhn_bar(2, 1, 1, 1)) : kuhn_bar(2, 1, 1, 1);
      const auto energy =
          make("body", std::make_shared<TetBatch>(mesh.X, mesh.nodes, mesh.nodes_per_tet, 0), {{100, 0.9, 1.1}}, {});
      expect_spin_derivatives(*energy, mesh.X, 0.5);
    }
}

TEST(SpinTangent, SpringsMembranesAndBends) {
  const Mesh mesh = make_cloth(0.4, 0.3, {4, 3});
  const std::vector<int>& triangles = mesh.group(ElementKind::triangle)->nodes;
  Springs springs("s", Springs::along_edges({0, 1, 1, 5, 5, 9, 0, 5}, mesh.nodes, 40), mesh.nodes, 0);
  expect_spin_derivatives(springs, mesh.nodes, 0.1);
  MembraneMaterial material;
  material.shear_modulus = 100;
  material.thickness = 0.1;
  TriangleMembrane membrane("s", triangles, mesh.nodes, 0, {material}, std::vector<int>(triangles.size() / 3, 0));
  expect_spin_derivatives(membrane, mesh.nodes, 0.1);
  Bending bending("s", 4, hinges(triangles, mesh.nodes, std::vector<double>(triangles.size() / 3, 0.02)), mesh.nodes,
                  0);
  expect_spin_derivatives(bending, mesh.nodes, 0.1);
}

}  // namespace
}  // namespace dashpot::testing::test_spin_tangent
