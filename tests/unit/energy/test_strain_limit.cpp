// Strain limits: free between the bounds, a spring beyond them, and the projection is F with clamped stretches.
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/strain_limit.hpp"
#include "dashpot/model/projective_form.hpp"
#include "material_cases.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::testing {
namespace {

MaterialCase limit(StrainLimit given) {
  MaterialCase material;
  material.name = "strain_limit";
  material.make = [given](std::shared_ptr<TetBatch> batch) {
    return make_strain_limit("body", std::move(batch), {given});
  };
  return material;
}

const StrainLimit ten_percent{1000, 0.9, 1.1};

TEST(StrainLimits, BodiesAreFreeBetweenTheBounds) {
  const ElasticBody body(kuhn_bar(2, 1, 1, 0.5), limit(ten_percent));
  const Mat3 R = rotation({0.4, -0.9, 0.3});
  for (const Vec3& s : {Vec3(1, 1, 1), Vec3(1.09, 0.91, 1.02)}) {
    const Vector q = body.affine(R * s.asDiagonal());
    EXPECT_NEAR(body.energy(q), 0, 1e-20);
    EXPECT_LT(body.gradient(q).norm(), 1e-12);
  }
  EXPECT_GT(body.gradient(body.affine(1.2 * R)).norm(), 1);
}

TEST(StrainLimits, EnergyIsThatOfTheExcessBeyondTheBounds) {
  const ElasticBody body(unit_tet(), limit(ten_percent));
  const Mat3 U = rotation({0.4, -0.9, 0.3}), V = rotation({-0.2, 0.5, 1.1});
  const auto energy = [&](double a, double b, double c) {
    return body.energy(body.affine(U * Vec3(a, b, c).asDiagonal() * V.transpose()));
  };
  const double half_w = 0.5 * 1000 / 6;
  EXPECT_NEAR(energy(1.5, 1.0, 0.5), half_w * (0.16 + 0.16), 1e-10);
  EXPECT_NEAR(energy(1.2, 1.0, -0.3), half_w * (0.01 + 1.44), 1e-10) << "an inverted tet is far from the lower bound";
  const ElasticBody stretchable(unit_tet(), limit({1000, 0.9, std::numeric_limits<double>::infinity()}));
  EXPECT_NEAR(stretchable.energy(stretchable.affine(3 * U)), 0, 1e-20);
}

TEST(StrainLimits, ForceAndStiffnessAreSlopes) {
  for (const bool quadratic : {false, true}) {
    const TinyMesh mesh = kuhn_bar(2, 1, 1, 0.5);
    const ElasticBody body(quadratic ? with_mid_nodes(mesh) : mesh, limit(ten_percent));
    const Vector q = shaken(body.affine(Vec3(1.4, 1.25, 0.6).asDiagonal().toDenseMatrix()), 0.005);
    const Vector d = shaken(Vector::Zero(q.size()), 1, 2).normalized();
    const auto energy = [&](const Vector& x) { return Vector::Constant(1, body.energy(x)).eval(); };
    EXPECT_TRUE(derivative_slope(energy, q, d, Vector::Constant(1, body.gradient(q).dot(d)), 1e-3).ok());
    const auto gradient = [&](const Vector& x) { return body.gradient(x); };
    EXPECT_TRUE(derivative_slope(gradient, q, d, body.hessian(q) * d, 1e-3).ok());
  }
}

TEST(StrainLimits, LaplacianMinusProjectionIsTheGradient) {
  for (const bool quadratic : {false, true}) {
    const TinyMesh mesh = kuhn_bar(3, 2, 2, 0.25);
    const ElasticBody body(quadratic ? with_mid_nodes(mesh) : mesh, limit(ten_percent));
    const auto* form = dynamic_cast<const ProjectiveForm*>(body.term.get());
    ASSERT_NE(form, nullptr);
    for (const double amplitude : {0.02, 0.3}) {
      const Vector q = shaken(body.mesh.rest(), amplitude, 1), gradient = body.gradient(q);
      std::vector<double> of_slot(static_cast<std::size_t>(body.pattern->num_slots()), 0.0);
      form->add_laplacian(std::vector<double>(static_cast<std::size_t>(form->num_elements()), 1.0), of_slot);
      Vector left = Vector::Zero(q.size()), projection = left;
      for (int row = 0; row < body.pattern->num_blocks(); ++row)
        for (int s = body.pattern->row_start()[static_cast<std::size_t>(row)];
             s < body.pattern->row_start()[static_cast<std::size_t>(row) + 1]; ++s)
          left.segment<3>(3 * row) += of_slot[static_cast<std::size_t>(s)] *
                                      q.segment<3>(3 * body.pattern->column()[static_cast<std::size_t>(s)]);
      const auto scratch = form->make_projection_scratch(ProjectionPrecision::double_precision);
      form->begin_projection(q, scratch.get());
      form->add_projection(q, scratch.get(), projection);
      ASSERT_GT(gradient.norm(), 1e-3 * left.norm());
      EXPECT_LT((left - projection - gradient).norm(), 1e-12 * left.norm());
    }
  }
}

TEST(StrainLimits, BoundsThatExcludeTheRestShapeAreRefusedAllAtOnce) {
  const TinyMesh mesh = unit_tet();
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  try {
    make_strain_limit("body", batch, {{-1, 1.2, 0.5}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
}

}  // namespace
}  // namespace dashpot::testing
