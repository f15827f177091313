// How the stiffness that a damping holds follows the shape it was made at, for every material.
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

INSTANTIATE_TEST_SUITE_P(OfAllMaterials, StiffnessSlope, ::testing::ValuesIn(all_materials()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace dashpot::testing::test_stiffness_slope
