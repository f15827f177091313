// How the stiffness that a damping holds follows the shape it was made at, for every material.
#include <cmath>

#include <gtest/gtest.h>

#include "material_cases.hpp"

namespace dashpot::testing::test_stiffness_slope {
namespace {

class StiffnessSlope : public ::testing::TestWithParam<MaterialCase> {};

/// K(q) v.
Vector product(const ElasticBody& body, StiffnessPart part, const Vector& q, const Vector& v) {
  return body.stiffness(q, part) * v;
}

TEST_P(StiffnessSlope, IsTheDerivativeOfTheProductWithAVelocity) {
  const ElasticBody body(kuhn_bar(2, 1, 1, 0.5), GetParam());
  const Vector rest = body.mesh.rest(), zero = Vector::Zero(rest.size());
  const Vector v = shaken(zero, 0.5, 3), direction = shaken(zero, 1, 4);
  const Vec3 stretched(1.2, 1.05, 0.9), twice(1.15, 1.15, 0.95);  // two equal stretches: frames are not unique
  const Mat3 R = rotation({0.4, -0.7, 0.2});
  const std::vector<Vector> shapes = {
      shaken(body.affine(R), 0.05), shaken(body.affine(R * Mat3(stretched.asDiagonal())), 0.02, 7),
      body.affine(R * Mat3(twice.asDiagonal()) * rotation({0.3, 0.2, 0.5})), body.affine(R * 1.1)};
  for (const StiffnessPart part : {StiffnessPart::projected_tangent, StiffnessPart::gauss_newton})
    for (const Vector& q : shapes) {
      BlockMatrix G(body.pattern);
      const std::vector<double> scale(static_cast<std::size_t>(body.term->num_elements()), 1.0);
      body.term->add_stiffness_slope(q, part, v, scale, nullptr, G);
      const double h = 1e-5;
      const Vector expected =
          (product(body, part, q + h * direction, v) - product(body, part, q - h * direction, v)) / (2 * h);
      const double size = product(body, part, q, v).norm();
      ASSERT_GT(size, 0);
      EXPECT_LT((G.dense() * direction - expected).norm(), 1e-4 * (expected.norm() + size))
          << expected.norm() / size << ", part " << static_cast<int>(part) << ", shape " << (&q - shapes.data());
    }
}

TEST_P(StiffnessSlope, OfTheRestStiffnessIsZero) {
  const ElasticBody body(kuhn_bar(1, 1, 1, 0.5), GetParam());
  BlockMatrix G(body.pattern);
  const std::vector<double> scale(static_cast<std::size_t>(body.term->num_elements()), 1.0);
  const Vector q = shaken(body.mesh.rest(), 0.05);
  body.term->add_stiffness_slope(q, StiffnessPart::rest, shaken(q, 1), scale, nullptr, G);
  EXPECT_EQ(G.dense().norm(), 0);
}

/// Bent, stretched, with two equal stretches, and squeezed until clamps act.
std::vector<Vector> test_shapes(const ElasticBody& body) {
  const Mat3 R = rotation({0.4, -0.7, 0.2});
  const Vec3 stretched(1.2, 1.05, 0.9), twice(1.15, 1.15, 0.95), squeezed(0.8, 0.7, 0.75);
  return {shaken(body.affine(R), 0.05), shaken(body.affine(R * Mat3(stretched.asDiagonal())), 0.02, 7),
          body.affine(R * Mat3(twice.asDiagonal()) * rotation({0.3, 0.2, 0.5})),
          shaken(body.affine(R * Mat3(squeezed.asDiagonal())), 0.03, 8)};
}

TEST_P(StiffnessSlope, TimesAVectorIsTheProductThatIsMadeWithoutIt) {
  const ElasticBody body(kuhn_bar(2, 1, 1, 0.5), GetParam());
  const Vector zero = Vector::Zero(body.mesh.rest().size());
  const Vector v = shaken(zero, 0.5, 3), w = shaken(zero, 1, 4);
  std::vector<double> scale, by_stretches;
  for (int e = 0; e < body.term->num_elements(); ++e) {
    scale.push_back(1 + 0.1 * e);
    for (int i = 0; i < 3; ++i) by_stretches.push_back(0.3 * std::sin(1 + e + 2 * i));
  }
  for (const StiffnessPart part : {StiffnessPart::projected_tangent, StiffnessPart::gauss_newton})
    for (const double* slopes : {static_cast<const double*>(nullptr), static_cast<const double*>(by_stretches.data())})
      for (const Vector& q : test_shapes(body)) {
        BlockMatrix G(body.pattern);
        body.term->add_stiffness_slope(q, part, v, scale, slopes, G);
        Vector g = zero;
        ASSERT_TRUE(body.term->add_slope_product(q, part, v, w, scale, slopes, g));
        const Vector expected = G.dense().transpose() * w;
        const double size = product(body, part, q, v).norm();  // of differences, which of a linear law are round-off
        ASSERT_GT(size, 0);
        EXPECT_LT((g - expected).norm(), 1e-8 * (expected.norm() + size));
      }
}

TEST_P(StiffnessSlope, OfParametersIsTheSameByNumbersAndByVectors) {
  const ElasticBody body(kuhn_bar(2, 1, 1, 0.5), GetParam());
  const Vector zero = Vector::Zero(body.mesh.rest().size());
  const Vector v = shaken(zero, 0.5, 3), w = shaken(zero, 1, 4);
  const std::vector<double> values = values_of(body.term->parameters());
  const std::vector<double> scale(static_cast<std::size_t>(body.term->num_elements()), 0.7);
  std::vector<std::shared_ptr<EnergyTerm>> kept;
  // The stiffness itself in column 0, then its derivative by each parameter.
  std::vector<NearStiffness> neighbors = {{body.term.get(), &scale, 2, 0}};
  std::vector<double> weights = {2};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double h = 1e-5 * std::max(std::abs(values[k]), 1e-2);
    weights.push_back(1 / (2 * h));
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> others = values;
      others[k] += sign * h;
      kept.push_back(body.term->remade(others.data(), {}));
      neighbors.push_back(
          {dynamic_cast<const TetElasticity*>(kept.back().get()), &scale, sign / (2 * h), static_cast<int>(k) + 1});
    }
  }
  const auto num_columns = static_cast<Eigen::Index>(values.size()) + 1;
  for (const StiffnessPart part : {StiffnessPart::projected_tangent, StiffnessPart::gauss_newton})
    for (const Vector& q : test_shapes(body)) {
      Matrix columns = Matrix::Zero(zero.size(), num_columns);
      Vector products = Vector::Zero(num_columns);
      ASSERT_TRUE(body.term->add_near_forces(q, part, v, neighbors, columns));
      ASSERT_TRUE(
          body.term->add_near_products(q, part, v, w, neighbors, static_cast<int>(num_columns), products.data()));
      EXPECT_NEAR(columns.col(0).dot(w), 1.4 * w.dot(product(body, part, q, v)), 1e-10 * columns.col(0).norm());
      EXPECT_GT(columns.col(0).norm(), 0);
      for (Eigen::Index k = 0; k < num_columns; ++k) {
        const double round_off = 1e-14 * weights[static_cast<std::size_t>(k)] * columns.col(0).norm();
        EXPECT_NEAR(products[k], columns.col(k).dot(w), (1e-6 * columns.col(k).norm() + round_off) * w.norm())
            << "column " << k << ", part " << static_cast<int>(part);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(OfAllMaterials, StiffnessSlope, ::testing::ValuesIn(all_materials()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace dashpot::testing::test_stiffness_slope
