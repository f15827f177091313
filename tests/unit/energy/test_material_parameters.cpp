// What the parameters of materials mean, and which are refused.
#include <gtest/gtest.h>

#include <limits>

#include "dashpot/core/error.hpp"
#include "material_cases.hpp"

namespace dashpot::testing::test_material_parameters {
namespace {

TEST(Materials, BadParametersAreReportedAllAtOnce) {
  const TinyMesh mesh = unit_tet();
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  try {
    make_isotropic("body", batch, IsotropicLaw::stvk, {{-1, 0.7}, {1e5, 0.5}});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
  EXPECT_THROW(make_isotropic("body", batch, IsotropicLaw::stvk, {}), Error);
  EXPECT_THROW(make_isotropic("body", batch, IsotropicLaw::stvk, {{1e5, 0.3}}, {1}), Error);
  EXPECT_THROW(make_isotropic("body", batch, IsotropicLaw::stvk, {{1e5, 0.3}}, {0, 0}), Error);
}

TEST(Materials, AnOrthotropicSolidThatWouldCreateEnergyIsRefused) {
  const TinyMesh mesh = unit_tet();
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  Orthotropic wood{1e4, 1e3, 1e3, 0.4, 0.3, 0.04, 500, 100, 500};
  EXPECT_NO_THROW(make_orthotropic("body", batch, {wood}));
  wood.nu31 = 0.4;  // |nu31| < sqrt(E3/E1) = 0.316
  EXPECT_THROW(make_orthotropic("body", batch, {wood}), Error);
  wood = {1e3, 1e3, 1e3, 0.6, 0.6, 0.6, 500, 100, 500};  // each alone is allowed, all together are not
  EXPECT_THROW(make_orthotropic("body", batch, {wood}), Error);
  wood = {};
  wood.axes(0, 0) = 2;
  wood.G12 = -1;
  try {
    make_orthotropic("body", batch, {wood});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 2u);
  }
}

TEST(Materials, AnOrthotropicBarIsAsStiffAlongAnAxisAsItsModulusSays) {
  // Uniaxial stress along axis 2 at small strain: the other strains are -nu times the axial one, and stress = E2
  // strain.
  MaterialCase ortho;
  ortho.make = [](std::shared_ptr<TetBatch> batch) {
    return make_orthotropic("body", std::move(batch), {{1000, 3000, 500, 0.2, 0.35, 0.15, 400, 300, 250}});
  };
  const ElasticBody body(unit_tet(), ortho);
  const double strain = 1e-7, nu21 = 0.2 * 3000 / 1000, nu23 = 0.35;
  const Vector g = body.gradient(body.affine(Mat3::Identity() + Mat3(strain * Vec3(-nu21, 1, -nu23).asDiagonal())));
  EXPECT_NEAR(g[3 * 2 + 1] / (strain / 6), 3000, 1e-2);  // node 2: V P g_2, V = 1/6
  EXPECT_NEAR(g[3 * 1 + 0] / (strain / 6), 0, 1e-2);
  EXPECT_NEAR(g[3 * 3 + 2] / (strain / 6), 0, 1e-2);
}

TEST(Materials, TensionAndCompressionOfASplineAreEditedSeparately) {
  const Isotropic rubber{1000, 0.0};  // lambda = 0: pure stretch curves
  const auto one = [](const SplineMaterial& material) {
    MaterialCase c;
    c.make = [=](std::shared_ptr<TetBatch> batch) { return make_spline("body", std::move(batch), {material}); };
    return ElasticBody(unit_tet(), c);
  };
  const ElasticBody straight = one(SplineMaterial::from(rubber)),
                    stiff = one(SplineMaterial::edited(rubber, {{1.5, 5000}}, {}));
  const Vector pushed = straight.affine(Vec3(1, 0.7, 0.9).asDiagonal()),
               pulled = straight.affine(Vec3(1, 1.5, 1.2).asDiagonal());
  EXPECT_GT(straight.energy(pushed), 1);
  EXPECT_NEAR(stiff.energy(pushed), straight.energy(pushed), 1e-12);
  EXPECT_GT(stiff.energy(pulled), 2 * straight.energy(pulled));
  EXPECT_NEAR(stiff.gradient(pulled)[7], 5000.0 / 6, 1e-9) << "stress at the edited point";
  EXPECT_THROW(SplineMaterial::edited(rubber, {{0.9, 1}}, {{1.1, -1}}), Error);
}

TEST(Materials, RegionsHaveTheirOwnStiffness) {
  const TinyMesh mesh = kuhn_bar(2, 1, 1, 1);
  MaterialCase two;
  std::vector<int> of_element(12, 0);
  for (std::size_t e = 6; e < 12; ++e) of_element[e] = 1;
  two.make = [&](std::shared_ptr<TetBatch> batch) {
    return make_isotropic("body", std::move(batch), IsotropicLaw::stvk, {{1000, 0.3}, {5000, 0.3}}, of_element);
  };
  const ElasticBody body(mesh, two);
  Vector left = mesh.rest(), right = mesh.rest();
  for (Eigen::Index i = 0; i < left.size(); i += 3) {
    if (left[i] < 0.5) left[i] -= 0.1;    // stretches the first cube only
    if (right[i] > 1.5) right[i] += 0.1;  // the second only
  }
  EXPECT_GT(body.energy(left), 0);
  EXPECT_NEAR(body.energy(right), 5 * body.energy(left), 1e-12 * body.energy(right));
}

TEST(Materials, StiffnessScalesAreByMeshElement) {
  const ElasticBody body(kuhn_bar(2, 1, 1, 1), all_materials()[3]);
  Matrix sum = Matrix::Zero(36, 36);
  for (std::size_t e = 0; e < 12; ++e) {
    std::vector<double> scale(12, 0.0);
    scale[e] = 1;
    BlockMatrix K(body.pattern);
    body.term->add_stiffness(body.mesh.rest(), StiffnessPart::rest, scale, K);
    const Matrix one = K.dense();
    std::vector<bool> in_tet(12, false);
    for (std::size_t a = 0; a < 4; ++a) in_tet[static_cast<std::size_t>(body.mesh.nodes[4 * e + a])] = true;
    for (int i = 0; i < 12; ++i)
      EXPECT_EQ(one.middleRows(3 * i, 3).norm() > 0, in_tet[static_cast<std::size_t>(i)])
          << "tet " << e << " node " << i;
    sum += one;
  }
  EXPECT_LT((sum - body.hessian(body.mesh.rest())).norm(), 1e-13 * sum.norm());
}

TEST(Materials, AnInvertedNeoHookeanTetHasInfiniteEnergy) {
  for (const MaterialCase& material : all_materials()) {
    if (material.defined_inverted) continue;
    const ElasticBody body(unit_tet(), material);
    EXPECT_EQ(body.energy(body.affine(Vec3(1, 1, -0.5).asDiagonal())), std::numeric_limits<double>::infinity());
  }
}

}  // namespace
}  // namespace dashpot::testing::test_material_parameters
