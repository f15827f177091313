#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/gravity.hpp"
#include "dashpot/energy/springs.hpp"
#include "support/derivative_slope.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_springs_and_gravity {
namespace {

/// A triangle of springs and a loose node, bound to its pattern with an offset of one block.
struct Net {
  std::vector<Vec3> X{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.2}, {5, 5, 5}};
  Springs springs{"net", {{0, 1, 100, 1.6}, {1, 2, 50, 1.2}, {2, 0, 80, 0.5}}, X, 1};
  std::shared_ptr<const BlockPattern> pattern;
  Net() {
    PatternBuilder builder;
    springs.couple(builder);
    pattern = builder.build(3, 5);
    springs.bind(*pattern);
  }
  Vector shaken() const {
    Vector q(15);
    for (int i = 0; i < 15; ++i) q[i] = 0.2 * rnd(i) + (i >= 3 ? X[static_cast<std::size_t>(i / 3 - 1)][i % 3] : 0);
    return q;
  }
  Vector gradient(const Vector& q) const {
    Vector g = Vector::Zero(15);
    EnergyRequest request{q};
    request.gradient = &g;
    springs.evaluate(request);
    return g;
  }
  Matrix hessian(const Vector& q, Projection projection = Projection::none) const {
    BlockMatrix K(pattern);
    EnergyRequest request{q};
    request.hessian = &K;
    request.projection = projection;
    springs.evaluate(request);
    return K.dense();
  }
};

TEST(Springs, ForceAndStiffnessAreDerivativesOfTheEnergy) {
  const Net net;
  const Vector q = net.shaken();
  Vector d(15);
  for (int i = 0; i < 15; ++i) d[i] = rnd(50 + i);
  const auto energy = [&](const Vector& x) { return Vector::Constant(1, net.springs.evaluate({x})).eval(); };
  EXPECT_TRUE(derivative_slope(energy, q, d, Vector::Constant(1, net.gradient(q).dot(d))).ok());
  EXPECT_TRUE(derivative_slope([&](const Vector& x) { return net.gradient(x); }, q, d, net.hessian(q) * d).ok());
}

TEST(Springs, AStretchedSpringPullsWithStiffnessTimesElongation) {
  const Springs one("s", {{0, 1, 100, 2}}, {{0, 0, 0}, {2, 0, 0}}, 0);
  Vector q(6), g = Vector::Zero(6);
  q << 0, 0, 0, 0, 2.5, 0;
  EnergyRequest request{q};
  request.gradient = &g;
  EXPECT_NEAR(one.evaluate(request), 0.5 * 100 * 0.25, 1e-12);
  EXPECT_NEAR(g[4], 50, 1e-12);
  EXPECT_NEAR(g[1], -50, 1e-12);
}

TEST(Springs, ProjectionRemovesTheNegativeLateralStiffnessOfCompressedSprings) {
  const Net net;
  const Vector q = net.shaken();
  const auto least = [](const Matrix& K) { return Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues()[0]; };
  EXPECT_LT(least(net.hessian(q)), -1) << "spring 0 is compressed";
  EXPECT_GT(least(net.hessian(q, Projection::positive_semidefinite)), -1e-12);
}

TEST(Springs, GaussNewtonStiffnessIsBlindToRotation) {
  const Net net;
  const Vector q = net.shaken();
  BlockMatrix K(net.pattern);
  net.springs.add_stiffness(q, StiffnessPart::gauss_newton, {1, 1, 1}, K);
  Vector spin(15);
  for (int i = 0; i < 15; i += 3) spin.segment<3>(i) = Vec3(0.3, -0.7, 0.2).cross(Vec3(q.segment<3>(i)));
  ASSERT_GT(K.dense().norm(), 1);
  EXPECT_LT((K.dense() * spin).norm(), 1e-12 * K.dense().norm());
  EXPECT_GT((net.hessian(q) * spin).norm(), 1);
}

TEST(Springs, RestStiffnessIgnoresThePose) {
  const Net net;
  BlockMatrix K(net.pattern), other(net.pattern);
  net.springs.add_stiffness(net.shaken(), StiffnessPart::rest, {2, 2, 2}, K);
  net.springs.add_stiffness(Vector::Zero(15), StiffnessPart::rest, {2, 2, 2}, other);
  EXPECT_GT(K.dense().norm(), 1);
  EXPECT_EQ((K.dense() - other.dense()).norm(), 0);
}

TEST(Springs, ACollapsedSpringGivesFiniteNumbers) {
  const Springs one("s", {{0, 1, 100, 2}}, {{0, 0, 0}, {2, 0, 0}}, 0);
  Vector q = Vector::Zero(6), g = Vector::Zero(6);
  EnergyRequest request{q};
  request.gradient = &g;
  EXPECT_NEAR(one.evaluate(request), 200, 1e-12);
  EXPECT_TRUE(g.allFinite());
}

TEST(Springs, BadSpringsAreRefusedAllAtOnce) {
  try {
    Springs("s", {{0, 0, 1, 1}, {0, 9, 1, 1}, {0, 1, -1, std::nan("")}}, {{0, 0, 0}, {1, 0, 0}}, 0);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 4u);
  }
}

TEST(Gravity, LiftingABodyCostsMassTimesGravityTimesHeight) {
  const Gravity gravity("b", {2, 3}, {{0, 0, 0}, {1, 0, 0}}, 1, {0, -9.81, 0});
  Vector q(9), g = Vector::Zero(9);
  q << 7, 7, 7, 0, 0, 0, 1, 0, 0;
  EXPECT_EQ(gravity.evaluate({q}), 0) << "zero at rest";
  q[4] += 0.5, q[7] += 0.5;
  EnergyRequest request{q};
  request.gradient = &g;
  EXPECT_NEAR(gravity.evaluate(request), 5 * 9.81 * 0.5, 1e-12);
  EXPECT_NEAR(g[4], 2 * 9.81, 1e-12);
  EXPECT_NEAR(g[7], 3 * 9.81, 1e-12);
  EXPECT_EQ(g.head<3>().norm(), 0);
  EXPECT_EQ(gravity.kind(), EnergyKind::gravity);
}

}  // namespace
}  // namespace dashpot::testing::test_springs_and_gravity
