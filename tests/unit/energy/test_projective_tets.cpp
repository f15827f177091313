// Elastic energies of tets as projective forms: L x - sum w G^T p is their gradient, and L is a Laplacian.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "dashpot/core/parallel.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/model/projective_form.hpp"
#include "material_cases.hpp"

namespace dashpot::testing::test_projective_tets {
namespace {

using Precision = ProjectionPrecision;

MaterialCase isotropic(IsotropicLaw law, Isotropic material = {1000, 0.3}) {
  MaterialCase result;
  result.name = law.name;
  result.make = [law, material](std::shared_ptr<TetBatch> batch) {
    return make_isotropic("body", std::move(batch), law, {material});
  };
  result.lambda = material.lambda();
  result.mu = material.mu();
  return result;
}

struct ProjectiveBody : ElasticBody {
  ProjectiveBody(TinyMesh tiny, const MaterialCase& material) : ElasticBody(std::move(tiny), material) {
    form = term->capabilities().projective;
    source = term->capabilities().laplacian;
  }
  Matrix laplacian(double scale = 1) const {
    std::vector<double> of_slot(static_cast<std::size_t>(pattern->num_slots()), 0.0);
    source->add_laplacian(std::vector<double>(static_cast<std::size_t>(source->num_elements()), scale), of_slot);
    Matrix L = Matrix::Zero(pattern->num_blocks(), pattern->num_blocks());
    for (int row = 0; row < pattern->num_blocks(); ++row)
      for (int s = pattern->row_start()[static_cast<std::size_t>(row)];
           s < pattern->row_start()[static_cast<std::size_t>(row) + 1]; ++s)
        L(row, pattern->column()[static_cast<std::size_t>(s)]) = of_slot[static_cast<std::size_t>(s)];
    return L;
  }
  Vector laplacian_times(const Vector& x) const {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
    const Rows product = laplacian() * Eigen::Map<const Rows>(x.data(), x.size() / 3, 3);
    return Eigen::Map<const Vector>(product.data(), x.size());
  }
  Vector projection(const Vector& q, TermScratch* scratch) const {
    Vector f = Vector::Zero(q.size());
    form->add_projection(q, scratch, f);
    return f;
  }
  /// From a cold start.
  Vector projection(const Vector& q, Precision precision = Precision::double_precision) const {
    const auto scratch = form->make_projection_scratch(precision);
    form->begin_projection(q, scratch.get());
    return projection(q, scratch.get());
  }
  Vector spin_force(const Vector& q, const Vector& v) const {
    Vector f = Vector::Zero(q.size());
    source->add_spin_force(q, v, std::vector<double>(static_cast<std::size_t>(source->num_elements()), 1.0), f);
    return f;
  }
  const ProjectiveForm* form = nullptr;
  const LaplacianSource* source = nullptr;
};

/// Gently to wildly deformed: the last ones turn many tets inside out.
std::vector<Vector> states(const ElasticBody& body) {
  const Vector rest = body.mesh.rest();
  return {shaken(body.affine(rotation({0.5, -0.2, 0.4})), 0.02, 1),
          shaken(body.affine(rotation({3.0, 0.3, 0.2})), 0.08, 2), shaken(rest, 0.3, 3),
          shaken(Vector::Zero(rest.size()), 1, 4)};
}

const IsotropicLaw projective_laws[] = {IsotropicLaw::arap, IsotropicLaw::corotational};

TEST(ProjectiveTets, LaplacianMinusProjectionIsTheGradientOfTheEnergy) {
  for (const IsotropicLaw law : projective_laws)
    for (const TinyMesh& mesh : {unit_tet(), kuhn_bar(3, 2, 2, 0.25), kuhn_bar(9, 7, 6, 0.1)}) {
      const ProjectiveBody body(mesh, isotropic(law));
      ASSERT_NE(body.form, nullptr);
      for (const Vector& q : states(body)) {
        const Vector Lx = body.laplacian_times(q), gradient = body.gradient(q);
        ASSERT_GT(gradient.norm(), 1e-3 * Lx.norm());
        EXPECT_LT((Lx - body.projection(q) - gradient).norm(), 1e-10 * gradient.norm()) << law.name;
      }
    }
}

TEST(ProjectiveTets, ElementsOfDifferentStiffnessAreToldApart) {
  const TinyMesh mesh = kuhn_bar(3, 2, 2, 0.25);
  const Isotropic soft{500, 0.4}, hard{20000, 0.1};
  std::vector<int> of_element;
  for (std::size_t e = 0; e < mesh.nodes.size() / 4; ++e) of_element.push_back(e % 3 == 0);
  MaterialCase material;
  material.make = [&](std::shared_ptr<TetBatch> batch) {
    return make_isotropic("body", std::move(batch), IsotropicLaw::corotational, {soft, hard}, of_element);
  };
  const ProjectiveBody body(mesh, material);
  const Vector q = shaken(mesh.rest(), 0.05, 1), Lx = body.laplacian_times(q), gradient = body.gradient(q);
  ASSERT_GT(gradient.norm(), 1e-3 * Lx.norm());
  EXPECT_LT((Lx - body.projection(q) - gradient).norm(), 1e-10 * gradient.norm());
}

TEST(ProjectiveTets, AmountsOfTheLaplacianBelongToTheElementsOfTheMesh) {
  const ProjectiveBody body(kuhn_bar(3, 2, 2, 0.25), isotropic(IsotropicLaw::arap));
  const auto n = static_cast<std::size_t>(body.source->num_elements());
  for (const std::size_t e : {std::size_t{0}, n / 3, n - 1}) {
    std::vector<double> amount(n, 0.0), of_slot(static_cast<std::size_t>(body.pattern->num_slots()), 0.0);
    amount[e] = 1;
    body.source->add_laplacian(amount, of_slot);
    for (int i = 0; i < body.pattern->num_blocks(); ++i) {
      const auto first = body.mesh.nodes.begin() + static_cast<std::ptrdiff_t>(4 * e);
      const bool touches = std::find(first, first + 4, i) != first + 4;
      EXPECT_EQ(of_slot[static_cast<std::size_t>(body.pattern->diagonal_slot(i))] > 0, touches) << e << " " << i;
    }
  }
}

TEST(ProjectiveTets, WarmAndColdStartsFindTheSameForces) {
  for (const IsotropicLaw law : projective_laws) {
    const ProjectiveBody body(kuhn_bar(6, 5, 5, 0.2), isotropic(law));
    const auto scratch = body.form->make_projection_scratch(Precision::double_precision);
    Vector q = body.affine(rotation({0.2, 0.1, 0}));
    body.form->begin_projection(q, scratch.get());
    for (int k = 0; k < 8; ++k) {  // turns and deforms a little further each time
      q = shaken(body.affine(rotation({0.3 * k, 0.1, 0})), 0.02, k);
      const Vector warm = body.projection(q, scratch.get()), cold = body.projection(q);
      ASSERT_GT(cold.norm(), 0);
      EXPECT_LT((warm - cold).norm(), 1e-11 * cold.norm());
    }
    // What happened before begin_projection() leaves no trace.
    body.form->begin_projection(q, scratch.get());
    EXPECT_EQ(body.projection(q, scratch.get()), body.projection(q));
  }
}

TEST(ProjectiveTets, SinglePrecisionAgreesAndLosesNothingFarFromTheOrigin) {
  for (const IsotropicLaw law : projective_laws) {
    const ProjectiveBody body(kuhn_bar(7, 5, 3, 0.2), isotropic(law));
    for (const Vector& q : states(body)) {
      const Vector exact = body.projection(q), rough = body.projection(q, Precision::single_precision);
      EXPECT_LT((rough - exact).norm(), 1e-5 * exact.norm());
      EXPECT_GT((rough - exact).norm(), 0) << "was it computed in single precision?";
      Vec3 total = Vec3::Zero();
      for (Eigen::Index i = 0; i < q.size(); i += 3) total += rough.segment<3>(i);
      EXPECT_LT(total.norm(), 1e-13 * rough.norm());
    }
    Vector far = shaken(body.mesh.rest(), 0.03, 1);
    const Vector near_force = body.projection(far, Precision::single_precision);
    for (Eigen::Index i = 0; i < far.size(); ++i) far[i] += 1e5;
    EXPECT_LT((body.projection(far, Precision::single_precision) - near_force).norm(), 1e-6 * near_force.norm());
  }
}

TEST(ProjectiveTets, BitsDoNotDependOnTheNumberOfThreads) {
  const ProjectiveBody body(kuhn_bar(9, 8, 7, 0.1), isotropic(IsotropicLaw::corotational));
  const Vector q = shaken(body.mesh.rest(), 0.02, 1), v = shaken(Vector::Zero(q.size()), 1, 2);
  const int threads = num_threads();
  const Vector several = body.projection(q), spin = body.spin_force(q, v),
               single = body.projection(q, Precision::single_precision);
  set_num_threads(1);
  EXPECT_EQ(body.projection(q), several);
  EXPECT_EQ(body.projection(q, Precision::single_precision), single);
  EXPECT_EQ(body.spin_force(q, v), spin);
  set_num_threads(threads);
  ASSERT_GT(several.norm(), 0);
}

TEST(ProjectiveTets, EveryLawWithAShearModulusIsASourceOfLaplacians) {
  for (const IsotropicLaw law : {IsotropicLaw::linear, IsotropicLaw::corotational, IsotropicLaw::arap,
                                 IsotropicLaw::stvk, IsotropicLaw::neo_hookean, IsotropicLaw::stable_neo_hookean})
    for (const bool quadratic : {false, true}) {
      const TinyMesh mesh = kuhn_bar(2, 2, 1, 0.5);
      const MaterialCase material = isotropic(law);
      const ProjectiveBody body(quadratic ? with_mid_nodes(mesh) : mesh, material);
      ASSERT_NE(body.source, nullptr) << material.name;
      const bool projective = law == IsotropicLaw::arap || law == IsotropicLaw::corotational;
      EXPECT_EQ(body.form != nullptr, projective && !quadratic) << material.name;
      // Affine motion: x L x = sum_e w |F|^2 with w = 2 mu V, for corotational (2 mu + 3 lambda) V.
      const double modulus = 2 * material.mu + (law == IsotropicLaw::corotational ? 3 * material.lambda : 0);
      const Mat3 F = Mat3::Random();
      const Vector q = body.affine(F);
      const double volume = 2 * 2 * 1 * 0.125;
      EXPECT_NEAR(q.dot(body.laplacian_times(q)), modulus * volume * F.squaredNorm(), 1e-10 * modulus);
      const Matrix L = body.laplacian();
      EXPECT_LT((L - L.transpose()).norm(), 1e-13 * L.norm());
      EXPECT_LT(L.rowwise().sum().norm(), 1e-12 * L.norm());
      EXPECT_LT((body.laplacian(2.5) - 2.5 * L).norm(), 1e-13 * L.norm());
    }
  int num_others = 0;
  for (const MaterialCase& material : all_materials()) {
    if (material.name.find("spline") == std::string::npos && material.name.find("ortho") == std::string::npos) continue;
    EXPECT_EQ(ProjectiveBody(unit_tet(), material).source, nullptr) << material.name;
    ++num_others;
  }
  EXPECT_GT(num_others, 1);
}

/// omega x x at every node.
Vector turning(const Vector& q, const Vec3& omega) {
  Vector v(q.size());
  for (Eigen::Index i = 0; i < q.size(); i += 3) v.segment<3>(i) = omega.cross(Vec3(q.segment<3>(i)));
  return v;
}

Vec3 torque(const Vector& q, const Vector& f) {
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index i = 0; i < q.size(); i += 3) sum += Vec3(q.segment<3>(i)).cross(Vec3(f.segment<3>(i)));
  return sum;
}

TEST(ProjectiveTets, InRigidRotationTheSpinForceIsAllOfTheLaplacianForce) {
  for (const bool quadratic : {false, true}) {
    const TinyMesh mesh = kuhn_bar(3, 2, 2, 0.5);
    const ProjectiveBody body(quadratic ? with_mid_nodes(mesh) : mesh, isotropic(IsotropicLaw::stvk));
    const Vector q = shaken(body.mesh.rest(), 0.05, 1), v = turning(q, {0.3, -0.2, 0.9});
    const Vector Lv = body.laplacian_times(v);
    ASSERT_GT(Lv.norm(), 1);
    EXPECT_LT((body.spin_force(q, v) - Lv).norm(), 1e-12 * Lv.norm());
  }
}

TEST(ProjectiveTets, WhatTheSpinForceLeavesHasNoTorqueAndDissipates) {
  const ProjectiveBody body(kuhn_bar(3, 2, 2, 0.5), isotropic(IsotropicLaw::arap));
  for (const double amplitude : {0.05, 0.4}) {
    const Vector q = shaken(body.mesh.rest(), amplitude, 1), v = shaken(turning(q, {1, 2, -1}), 1, 3);
    const Vector Lv = body.laplacian_times(v), rest = Lv - body.spin_force(q, v);
    ASSERT_GT(torque(q, Lv).norm(), 0.01 * Lv.norm());
    EXPECT_LT(torque(q, rest).norm(), 1e-11 * Lv.norm());
    EXPECT_GT(v.dot(rest), 0);
    EXPECT_LT(v.dot(rest), v.dot(Lv));
  }
}

TEST(ProjectiveTets, SpinForceIsDefinedForTetsThatAreLinesOrPoints) {
  const ProjectiveBody body(unit_tet(), isotropic(IsotropicLaw::arap));
  const Vector v = shaken(Vector::Zero(12), 1, 3);
  const Vector point = Vector::Constant(12, 0.3), line = body.affine(Vec3(1, 2, 2) * Vec3(0.3, 1, 0.2).transpose());
  EXPECT_EQ(body.spin_force(point, v).norm(), 0);
  const Vector f = body.spin_force(line, v);
  ASSERT_GT(f.norm(), 0);
  EXPECT_TRUE(f.allFinite());
  EXPECT_LT(torque(line, body.laplacian_times(v) - f).norm(), 1e-10 * f.norm());
  EXPECT_TRUE(body.projection(point).allFinite());
  EXPECT_TRUE(body.projection(line).allFinite());
}

TEST(ProjectiveTets, TorqueOfTheLaplacianOnASpinningBodyIsTwiceTheSumOfWeights) {
  // Reference E, 4.2: undeformed, torque = 2 W omega with W = sum of w_j.
  const Isotropic material{1000, 0.3};
  const ProjectiveBody body(kuhn_bar(3, 2, 1, 0.5), isotropic(IsotropicLaw::arap, material));
  const Vector q = body.mesh.rest();
  const Vec3 omega(0.3, -0.2, 0.9);
  const double W = 2 * material.mu() * (3 * 2 * 1 * 0.125);
  EXPECT_LT((torque(q, body.laplacian_times(turning(q, omega))) - 2 * W * omega).norm(), 1e-11 * W);
}

}  // namespace
}  // namespace dashpot::testing::test_projective_tets
