#include "dashpot/reduce/strain_forms.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/model/stvk_source.hpp"
#include "reduced_bar.hpp"

namespace dashpot::test_strain_forms {
namespace {

/// A bar of two materials, a random basis of eight vectors, and both models of it.
struct TwoModels {
  Mesh mesh = testing::bar_mesh({3, 2, 1});
  std::shared_ptr<TetBatch> batch;
  std::unique_ptr<TetElasticity> full;
  std::shared_ptr<const BlockPattern> pattern;
  Vector rest;
  Matrix basis;
  StrainForms forms;

  explicit TwoModels(bool quadratic_tets = false) {
    if (quadratic_tets) mesh = to_quadratic(mesh);
    const ElementGroup& tets = *mesh.tets();
    batch = std::make_shared<TetBatch>(mesh.nodes, tets.nodes, nodes_per_element(tets.kind), 0);
    std::vector<int> of_element;
    for (int e = 0; e < tets.size(); ++e) of_element.push_back(e % 3 == 0);
    full = make_isotropic("body", batch, IsotropicLaw::stvk, {{1e5, 0.3}, {4e5, 0.45}}, of_element);
    PatternBuilder couplings;
    full->couple(couplings);
    pattern = couplings.build(3, mesh.num_nodes());
    full->bind(*pattern);
    rest.resize(3 * mesh.num_nodes());
    for (int i = 0; i < mesh.num_nodes(); ++i) rest.segment<3>(3 * i) = mesh.nodes[static_cast<std::size_t>(i)];
    std::srand(3);
    basis = 0.05 * Matrix::Random(rest.size(), 8);
    std::vector<double> lambda, mu;
    for (const StvkSource::Lame& lame : full->capabilities().stvk->stvk_parameters()) {
      lambda.push_back(lame.lambda);
      mu.push_back(lame.mu);
    }
    forms = *strain_forms({*batch, lambda, mu, rest, basis, true});
  }

  struct Answer {
    double energy;
    Vector gradient;
    Matrix hessian;
  };
  Answer projected(const Vector& z) const {
    const Vector q = rest + basis * z;
    Vector gradient = Vector::Zero(rest.size());
    BlockMatrix hessian(pattern);
    EnergyRequest request{q};
    request.gradient = &gradient;
    request.hessian = &hessian;
    const double energy = full->evaluate(request);
    return {energy, basis.transpose() * gradient, basis.transpose() * hessian.dense() * basis};
  }
  Answer polynomial(const Vector& z) const {
    Vector one_z(9), gradient;
    one_z << 1, z;
    Matrix hessian;
    QuarticForm::Scratch scratch;
    const double energy = forms.energy.evaluate(one_z, gradient, hessian, scratch);
    return {energy, gradient.tail(8), hessian.bottomRightCorner(8, 8)};
  }
};

class StrainFormsOf : public ::testing::TestWithParam<bool> {};

TEST_P(StrainFormsOf, AgreeWithTheFullBodyToRoundOff) {
  const TwoModels models(GetParam());
  for (const double size : {1e-3, 0.3, 2.0}) {
    const Vector z = size * Vector::LinSpaced(8, -1, 0.9);
    const TwoModels::Answer a = models.projected(z), b = models.polynomial(z);
    ASSERT_GT(a.energy, 0);
    ASSERT_GT(a.gradient.norm(), 0);
    EXPECT_NEAR(b.energy, a.energy, 1e-10 * a.energy);
    EXPECT_LT((b.gradient - a.gradient).norm(), 1e-10 * a.gradient.norm());
    EXPECT_LT((b.hessian - a.hessian).norm(), 1e-11 * a.hessian.norm());
  }
}

TEST_P(StrainFormsOf, SplitTheHessianIntoGaussNewtonAndGeometricParts) {
  const TwoModels models(GetParam());
  const Vector z = Vector::LinSpaced(8, -1, 0.9);
  Vector one_z(9);
  one_z << 1, z;
  Matrix geometric;
  models.forms.pairs.geometric(one_z, geometric);
  BlockMatrix K(models.pattern);
  const Vector q = models.rest + models.basis * z;
  models.full->add_stiffness(q, StiffnessPart::gauss_newton,
                             std::vector<double>(static_cast<std::size_t>(models.full->num_elements()), 1.0), K);
  const Matrix expected = models.basis.transpose() * K.dense() * models.basis;
  const Matrix found = models.polynomial(z).hessian - geometric.bottomRightCorner(8, 8);
  ASSERT_GT(geometric.bottomRightCorner(8, 8).norm(), 0.01 * expected.norm());
  EXPECT_LT((found - expected).norm(), 1e-11 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Tets, StrainFormsOf, ::testing::Bool());

TEST(StrainForms, RefuseABasisThatIsTooLarge) {
  const TwoModels models;
  const std::vector<double> one(static_cast<std::size_t>(models.batch->num_tets()), 1.0);
  const Matrix large = Matrix::Zero(models.rest.size(), max_subspace + 1);
  EXPECT_THROW(strain_forms({*models.batch, one, one, models.rest, large}), Error);
}

TEST(StrainForms, StopWhenTheyAreAsked) {
  const TwoModels models;
  const std::vector<double> one(static_cast<std::size_t>(models.batch->num_tets()), 1.0);
  PrecomputeHooks hooks;
  hooks.should_stop = [] { return true; };
  EXPECT_FALSE(strain_forms({*models.batch, one, one, models.rest, models.basis}, hooks).has_value());
}

}  // namespace
}  // namespace dashpot::test_strain_forms
