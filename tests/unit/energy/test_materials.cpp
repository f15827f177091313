// Laws that hold for every elastic material, on 4- and 10-node tets.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "dashpot/core/parallel.hpp"
#include "dashpot/dissipation/strain_rate.hpp"
#include "material_cases.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot::testing::test_materials {
namespace {

class EveryMaterial : public ::testing::TestWithParam<std::tuple<MaterialCase, int>> {
 protected:
  const MaterialCase& material() const { return std::get<0>(GetParam()); }
  TinyMesh order(const TinyMesh& mesh) const { return std::get<1>(GetParam()) == 4 ? mesh : with_mid_nodes(mesh); }
  ElasticBody bar() const { return {order(kuhn_bar(2, 1, 1, 0.5)), material()}; }
  ElasticBody tet() const { return {order(unit_tet()), material()}; }
};

struct Pose {
  std::string name;
  Vector q;
  bool stressed = true;
};

std::vector<Pose> poses(const ElasticBody& body, const MaterialCase& material) {
  const Mat3 U = rotation({0.4, -0.9, 0.3}), V = rotation({-0.2, 0.5, 1.1});
  const auto stretched = [&](double a, double b, double c) {
    return body.affine(U * Vec3(a, b, c).asDiagonal() * V.transpose());
  };
  std::vector<Pose> result = {{"shaken", shaken(body.mesh.rest(), 0.04)},
                              {"rest", body.mesh.rest(), false},
                              {"rotated rest", body.affine(U), !material.objective},
                              {"stretched", stretched(1.4, 1.1, 0.8)},
                              {"blown up", stretched(1.3, 1.3, 1.3)},
                              {"compressed", stretched(0.9, 0.85, 0.7)}};
  for (const double gap : {1e-3, 1e-6, 1e-9, 0.0}) {
    result.push_back({"near-equal large, gap " + std::to_string(gap), stretched(1.2 + gap, 1.2, 0.9)});
    result.push_back({"near-equal small, gap " + std::to_string(gap), stretched(1.2, 0.8 + gap, 0.8)});
  }
  if (material.defined_inverted) {
    result.push_back({"inverted", stretched(1.2, 0.9, -0.5)});
    result.push_back({"flat", stretched(1.2, 0.9, 1e-7)});
    result.push_back({"inverted, near-equal", stretched(1.1, 1.1 + 1e-7, -0.4)});
  }
  return result;
}

TEST_P(EveryMaterial, ForceIsTheSlopeOfTheEnergy) {
  const ElasticBody body = tet();
  for (const Pose& pose : poses(body, material())) {
    if (!pose.stressed) continue;
    const Vector d = shaken(Vector::Zero(pose.q.size()), 1, 3).normalized();
    const auto energy = [&](const Vector& q) { return Vector::Constant(1, body.energy(q)).eval(); };
    const SlopeResult slope = derivative_slope(energy, pose.q, d, Vector::Constant(1, body.gradient(pose.q).dot(d)));
    EXPECT_TRUE(slope.ok()) << pose.name << ": slope " << slope.slope << ", remainder " << slope.relative_remainder;
  }
}

TEST_P(EveryMaterial, StiffnessIsTheSlopeOfTheForce) {
  const ElasticBody body = tet();
  for (const Pose& pose : poses(body, material())) {
    const Vector d = shaken(Vector::Zero(pose.q.size()), 1, 5).normalized();
    const auto gradient = [&](const Vector& q) { return body.gradient(q); };
    const SlopeResult slope = derivative_slope(gradient, pose.q, d, body.hessian(pose.q) * d, 1e-3);
    EXPECT_TRUE(slope.ok()) << pose.name << ": slope " << slope.slope << ", remainder " << slope.relative_remainder;
  }
}

TEST_P(EveryMaterial, DerivativesHoldOnAMeshOfManyTets) {
  const ElasticBody body = bar();
  const Vector q = shaken(body.mesh.rest(), 0.03);
  const Vector d = shaken(Vector::Zero(q.size()), 1, 2).normalized();
  const auto energy = [&](const Vector& x) { return Vector::Constant(1, body.energy(x)).eval(); };
  EXPECT_TRUE(derivative_slope(energy, q, d, Vector::Constant(1, body.gradient(q).dot(d))).ok());
  const auto gradient = [&](const Vector& x) { return body.gradient(x); };
  EXPECT_TRUE(derivative_slope(gradient, q, d, body.hessian(q) * d).ok());
}

TEST_P(EveryMaterial, EnergyGradientAndHessianInOnePassAreThoseOfSeparatePasses) {
  const ElasticBody body = bar();
  const Vector q = shaken(body.mesh.rest(), 0.03);
  Vector g = Vector::Zero(q.size());
  BlockMatrix K(body.pattern);
  EnergyRequest request{q};
  request.gradient = &g;
  request.hessian = &K;
  request.hessian_scale = 0.5;
  EXPECT_GT(body.energy(q), 0);
  EXPECT_NEAR(body.term->evaluate(request), body.energy(q), 1e-13 * body.energy(q));
  EXPECT_LT((g - body.gradient(q)).norm(), 1e-13 * g.norm());
  EXPECT_LT((2 * K.dense() - body.hessian(q)).norm(), 1e-13 * K.dense().norm());
  EXPECT_LT(K.asymmetry(), 1e-14);
}

TEST_P(EveryMaterial, RestShapeIsFreeOfForceAndEnergy) {
  const ElasticBody body = bar();
  const Vector rest = body.mesh.rest();
  const double scale = body.gradient(shaken(rest, 0.05)).norm();
  ASSERT_GT(scale, 1);
  EXPECT_LT(body.gradient(rest).norm(), 1e-13 * scale);
  EXPECT_NEAR(body.energy(rest), 0, 1e-12);
}

TEST_P(EveryMaterial, EnergyIsPositiveAwayFromRest) {
  const ElasticBody body = bar();
  for (int seed = 0; seed < 20; ++seed) EXPECT_GT(body.energy(shaken(body.mesh.rest(), 0.02, seed)), 0);
}

TEST_P(EveryMaterial, RigidMotionChangesNothingButTheDirectionOfForces) {
  if (!material().objective) GTEST_SKIP() << "linear elasticity is not objective";
  const ElasticBody body = bar();
  const Vector q = shaken(body.mesh.rest(), 0.03);
  const Mat3 R = rotation({0.7, 0.2, -1.3});
  Vector moved = q;
  for (Eigen::Index i = 0; i < q.size(); i += 3) moved.segment<3>(i) = R * q.segment<3>(i).eval() + Vec3(1, 2, 3);
  Vector expected = body.gradient(q);
  for (Eigen::Index i = 0; i < q.size(); i += 3) expected.segment<3>(i) = R * expected.segment<3>(i).eval();
  EXPECT_NEAR(body.energy(moved), body.energy(q), 1e-11 * body.energy(q));
  EXPECT_LT((body.gradient(moved) - expected).norm(), 1e-11 * expected.norm());
}

TEST_P(EveryMaterial, ForcesAndTorquesSumToZero) {
  const ElasticBody body = bar();
  const Vector q = shaken(body.mesh.rest(), 0.03), g = body.gradient(q);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (Eigen::Index i = 0; i < q.size(); i += 3) {
    force += g.segment<3>(i);
    torque += Vec3(q.segment<3>(i)).cross(Vec3(g.segment<3>(i)));
  }
  ASSERT_GT(g.norm(), 1);
  EXPECT_LT(force.norm(), 1e-12 * g.norm());
  if (material().objective) {
    EXPECT_LT(torque.norm(), 1e-12 * g.norm());
  }
}

double least_eigenvalue(const Matrix& K) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(K, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

TEST_P(EveryMaterial, ProjectedAndGaussNewtonStiffnessHaveNoNegativeEigenvalue) {
  const ElasticBody body = tet();
  int indefinite = 0;
  for (const Pose& pose : poses(body, material())) {
    indefinite += least_eigenvalue(body.hessian(pose.q)) < -1e-9;
    for (const Matrix& K : {body.hessian(pose.q, Projection::positive_semidefinite),
                            body.stiffness(pose.q, StiffnessPart::projected_tangent),
                            body.stiffness(pose.q, StiffnessPart::gauss_newton)}) {
      ASSERT_GT(K.norm(), 1);
      EXPECT_GT(least_eigenvalue(K), -1e-13 * K.norm()) << pose.name;
    }
  }
  if (material().objective) {
    EXPECT_GT(indefinite, 0) << "no pose needed the projection";
  }
}

TEST_P(EveryMaterial, ProjectionChangesNothingWhereTheStiffnessIsAlreadyPositive) {
  const ElasticBody body = bar();
  const Vector q = body.affine(1.05 * Mat3::Identity());
  const Matrix exact = body.hessian(q);
  EXPECT_LT((body.hessian(q, Projection::positive_semidefinite) - exact).norm(), 1e-12 * exact.norm());
}

TEST_P(EveryMaterial, RestStiffnessIsThatOfLinearElasticity) {
  if (!material().isotropic) GTEST_SKIP() << "two constants do not describe it";
  const ElasticBody body = bar();
  MaterialCase linear = material();
  linear.make = [&](std::shared_ptr<TetBatch> batch) {
    return make_isotropic("body", std::move(batch), IsotropicLaw::linear,
                          {Isotropic::from_lame(material().lambda, material().mu)});
  };
  const Matrix K = ElasticBody(body.mesh, linear).hessian(body.mesh.rest());
  ASSERT_GT(K.norm(), 1);
  EXPECT_LT((body.hessian(body.mesh.rest()) - K).norm(), 1e-12 * K.norm());
}

TEST_P(EveryMaterial, ModuliAreThoseOfTheStiffnessAtRest) {
  // Strain-rate damping of beta = 1 s has at rest the matrix that the moduli say.
  const ElasticBody body = bar();
  ASSERT_NE(body.term->capabilities().moduli, nullptr) << "no set_moduli";
  const auto damping = make_strain_rate_like("body", *body.term->capabilities().moduli, PartwiseValue(1.0));
  damping->bind(*body.pattern);
  const Vector X = body.mesh.rest(), still = Vector::Zero(X.size()), none;
  BlockMatrix C(body.pattern);
  DissipationRequest request{X, still, none, 0.01, nullptr};
  request.tangent = &C;
  request.dv_scale = 1;
  damping->evaluate(request);
  const Matrix K = body.hessian(X);
  EXPECT_LT((C.dense() - K).norm(), 1e-6 * K.norm());
}

TEST_P(EveryMaterial, AtRestAllPartsOfTheStiffnessAreTheTangent) {
  const ElasticBody body = bar();
  const Vector q = body.mesh.rest();
  const Matrix rest = body.hessian(q);
  ASSERT_GT(rest.norm(), 1);
  for (const StiffnessPart part : {StiffnessPart::rest, StiffnessPart::projected_tangent, StiffnessPart::gauss_newton})
    EXPECT_LT((body.stiffness(q, part, 0.25) - 0.25 * rest).norm(), 1e-12 * rest.norm());
  EXPECT_LT((body.stiffness(shaken(q, 0.1), StiffnessPart::rest) - rest).norm(), 1e-12 * rest.norm());
}

TEST_P(EveryMaterial, GaussNewtonStiffnessDoesNotResistRotationOfTheDeformedBody) {
  if (!material().objective) GTEST_SKIP() << "linear elasticity resists rotation";
  const ElasticBody body = bar();
  const Vector q = shaken(body.mesh.rest(), 0.05);
  const Matrix K = body.stiffness(q, StiffnessPart::gauss_newton), full = body.hessian(q);
  for (int axis = 0; axis < 3; ++axis) {
    Vector spin(q.size());
    for (Eigen::Index i = 0; i < q.size(); i += 3) spin.segment<3>(i) = Vec3::Unit(axis).cross(Vec3(q.segment<3>(i)));
    EXPECT_LT((K * spin).norm(), 1e-12 * K.norm() * spin.norm());
    EXPECT_GT((full * spin).norm(), 1e-6 * full.norm() * spin.norm()) << "the tangent does resist it";
  }
}

TEST_P(EveryMaterial, BitsDoNotDependOnTheNumberOfThreads) {
  const ElasticBody body(order(kuhn_bar(6, 4, 4, 0.25)), material());
  ASSERT_GT(body.batch->num_colors(), 1);
  const Vector q = shaken(body.mesh.rest(), 0.01);
  const int threads = num_threads();
  std::vector<double> energies;
  std::vector<Vector> gradients;
  std::vector<std::vector<double>> values;
  for (const int n : {1, 2}) {
    set_num_threads(n);
    BlockMatrix K(body.pattern);
    Vector g = Vector::Zero(q.size());
    EnergyRequest request{q};
    request.gradient = &g;
    request.hessian = &K;
    energies.push_back(body.term->evaluate(request));
    gradients.push_back(g);
    values.emplace_back(K.values(), K.values() + K.num_values());
  }
  set_num_threads(threads);
  EXPECT_EQ(energies[0], energies[1]);
  EXPECT_EQ(gradients[0], gradients[1]);
  EXPECT_EQ(values[0], values[1]);
}

INSTANTIATE_TEST_SUITE_P(Tets, EveryMaterial,
                         ::testing::Combine(::testing::ValuesIn(all_materials()), ::testing::Values(4, 10)),
                         [](const auto& which) {
                           return std::get<0>(which.param).name + "_tet" + std::to_string(std::get<1>(which.param));
                         });

}  // namespace
}  // namespace dashpot::testing::test_materials
