// Strain-rate damping of every kind of element, in every metric and density: slopes of both Jacobians, rigid motion,
// power, momenta, and the values of the reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <random>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/hinge_bending.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/energy/stvk_membrane.hpp"
#include "dashpot/energy/triangle_membrane.hpp"
#include "support/derivative_slope.hpp"
#include "support/rolled_cloth.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing::test_strain_rate_elements {
namespace {

enum class Element { triangles, woven_triangles, springs, strand_bends, hinges, solids, woody_solids };

StrainRateOptions with(StrainMetric metric, RateTangent tangent, int density) {
  StrainRateOptions options{metric, tangent};
  if (density == 1) options.power = {0.6, 2.0};
  if (density == 2)
    options.curve = std::make_shared<math::Curve>(
        math::Curve::monotone({{0, 1}, {2, 0.8}, {10, 0.6}, {60, 0.4}, {500, 0.3}}, math::Extrapolation::constant));
  return options;
}

/// An energy and the damping in proportion to it, on a moving body.
struct World {
  RolledCloth cloth;
  std::shared_ptr<const BlockPattern> pattern;
  std::shared_ptr<EnergyTerm> energy;
  std::unique_ptr<StrainRateDamping> damping;
  Vector q, v, X, none;
  int first = 3 * RolledCloth::first_block;

  World(Element element, const StrainRateOptions& options, double beta = 0.05) {
    q = cloth.q, v = cloth.v;
    energy = make(element);
    damping = make_strain_rate_like("body", *energy->capabilities().moduli, PartwiseValue(beta), options);
    PatternBuilder couplings;
    energy->couple(couplings);
    pattern = couplings.build(3, static_cast<int>(q.size()) / 3);
    energy->bind(*pattern);
    damping->bind(*pattern);
  }
  std::shared_ptr<EnergyTerm> make(Element element) {
    constexpr int block = RolledCloth::first_block;
    const auto batch = std::make_shared<TriangleBatch>(cloth.X(), cloth.triangles(), block);
    const std::vector<double> stiffness(cloth.num_triangles(), 0.02);
    switch (element) {
      case Element::triangles:
        return std::make_shared<StvkMembrane>(
            "body", batch, std::vector<SheetStiffness>(cloth.num_triangles(), isotropic_sheet(2000, 0.3, 0.01)),
            cloth.X(), block);
      case Element::woven_triangles: {
        std::vector<SheetStiffness> C;
        for (std::size_t e = 0; e < cloth.num_triangles(); ++e)
          C.push_back(turned(woven_sheet(3000, 800, 200, 0.2, 0.01), 0.3 * rnd(static_cast<int>(e))));
        return std::make_shared<StvkMembrane>("body", batch, C, cloth.X(), block);
      }
      case Element::springs:
        return std::make_shared<Springs>("body", Springs::along_edges(cloth.edges, cloth.X(), 40), cloth.X(), block);
      case Element::strand_bends:
        return std::make_shared<Bending>("body", 3, strand_bends(cloth.rows, cloth.X(), 0.02), cloth.X(), block);
      case Element::hinges:
        return std::make_shared<HingeBending>("body", hinges(cloth.triangles(), cloth.X(), stiffness), cloth.X(), block,
                                              RestBend::as_mesh);
      default:
        break;
    }
    const TinyMesh mesh = kuhn_bar(2, 1, 1, 0.3);
    const auto tets = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
    first = 0;
    q = mesh.rest(), v = Vector::Zero(q.size());
    for (int i = 0; i < q.size(); ++i) q[i] += 0.05 * rnd(i), v[i] = rnd(100 + i);
    if (element == Element::solids) return make_isotropic("body", tets, IsotropicLaw::stvk, {{2000, 0.3}});
    Orthotropic wood{4000, 900, 1500, 0.25, 0.2, 0.1, 500, 300, 700};
    wood.axes = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    return make_orthotropic("body", tets, {wood});
  }

  Vector force(const Vector& at, const Vector& rate, double* power = nullptr) const {
    Vector f = Vector::Zero(q.size());
    DissipationRequest request{at, rate, none, 0.01, nullptr};
    request.force = &f;
    const double found = damping->evaluate(request);
    if (power != nullptr) *power = found;
    return f;
  }
  Matrix tangent(const Vector& at, const Vector& rate, double dv, double dq) const {
    BlockMatrix C(pattern);
    DissipationRequest request{at, rate, none, 0.01, nullptr};
    request.tangent = &C;
    request.dv_scale = dv;
    request.dq_scale = dq;
    damping->evaluate(request);
    return C.dense();
  }
};

constexpr Element all_elements[] = {Element::triangles,    Element::woven_triangles, Element::springs,
                                    Element::strand_bends, Element::hinges,          Element::solids,
                                    Element::woody_solids};

template <class Check>
void for_each_law(RateTangent tangent, const Check& check) {
  for (const Element element : all_elements)
    for (const StrainMetric metric : {StrainMetric::green, StrainMetric::corotational})
      for (int density = 0; density < 3; ++density) {
        SCOPED_TRACE(fmt::format("element {}, metric {}, density {}", static_cast<int>(element),
                                 static_cast<int>(metric), density));
        check(World(element, with(metric, tangent, density)));
      }
}

TEST(StrainRateElements, TangentsAreTheDerivativesOfTheForce) {
  for_each_law(RateTangent::exact, [](const World& world) {
    Vector d = Vector::Zero(world.q.size());
    for (Eigen::Index i = world.first; i < d.size(); ++i) d[i] = 0.1 * rnd(5000 + static_cast<int>(i));
    const SlopeResult by_rate = derivative_slope([&](const Vector&v) { return world.force(world.q, v); }, world.v, d,
                                                 world.tangent(world.q, world.v, 1, 0) * d, 1e-3),
                      by_place = derivative_slope([&](const Vector&q) { return world.force(q, world.v); }, world.q, d,
                                                  world.tangent(world.q, world.v, 0, 1) * d, 1e-3);
    EXPECT_TRUE(by_rate.ok()) << by_rate.slope << " " << by_rate.relative_remainder;
    EXPECT_TRUE(by_place.ok()) << by_place.slope << " " << by_place.relative_remainder;
    const Matrix C = world.tangent(world.q, world.v, 1, 0);
    EXPECT_LT((C - C.transpose()).norm(), 1e-12 * C.norm());
  });
}

TEST(StrainRateElements, SymmetricTangentsAreSymmetricAndSemidefinite) {
  for_each_law(RateTangent::velocity, [](const World& world) {
    const Matrix C = world.tangent(world.q, world.v, 1, 0.02);
    EXPECT_LT((C - world.tangent(world.q, world.v, 1, 0)).norm(), 1e-15 * C.norm());
  });
  for (const Element element : all_elements)  // what differs is df/dq alone
    for (const StrainMetric metric : {StrainMetric::green, StrainMetric::corotational}) {
      const World exact(element, with(metric, RateTangent::exact, 1)),
          symmetric(element, with(metric, RateTangent::symmetric, 1));
      const Matrix C = exact.tangent(exact.q, exact.v, 1, 0);
      EXPECT_LT((C - symmetric.tangent(exact.q, exact.v, 1, 0)).norm(), 1e-12 * C.norm());
      EXPECT_LT((exact.force(exact.q, exact.v) - symmetric.force(exact.q, exact.v)).norm(),
                1e-13 * exact.force(exact.q, exact.v).norm());
    }
  for_each_law(RateTangent::symmetric, [](const World& world) {
    const Matrix C = world.tangent(world.q, world.v, 1, 0.02);
    ASSERT_GT(C.norm(), 1e-6);
    EXPECT_LT((C - C.transpose()).norm(), 1e-12 * C.norm());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(C, Eigen::EigenvaluesOnly).eigenvalues()[0], -1e-10 * C.norm());
  });
}

TEST(StrainRateElements, RigidMotionIsFreeInTenThousandStatesAndPowerIsNeverNegative) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for_each_law(RateTangent::exact, [&](const World& world) {
    const int states = 240;  // of 42 laws: ten thousand
    for (int k = 0; k < states; ++k) {
      Vector q = world.q, v = world.v;
      for (Eigen::Index i = world.first; i < q.size(); ++i) q[i] += 0.01 * normal(random), v[i] = normal(random);
      double power = 0;
      const Vector f = world.force(q, v, &power);
      ASSERT_GE(power, 0);
      ASSERT_NEAR(power, f.dot(v), 1e-10 * std::abs(power));
      Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
      Vector rigid = Vector::Zero(q.size());
      const Vec3 omega(normal(random), normal(random), normal(random)), drift(normal(random), normal(random), 3);
      for (Eigen::Index i = world.first; i < q.size(); i += 3) {
        rigid.segment<3>(i) = drift + omega.cross(Vec3(q.segment<3>(i)));
        sum += f.segment<3>(i);
        torque += Vec3(q.segment<3>(i)).cross(Vec3(f.segment<3>(i)));
      }
      ASSERT_LT(sum.norm() + torque.norm(), 1e-12 * f.norm());
      ASSERT_LT(world.force(q, rigid).norm(), 1e-12 * f.norm());
    }
  });
}

TEST(StrainRateElements, AtRestTheyAreRayleighDampingOfTheirEnergy) {
  for (const Element element : all_elements) {
    if (element == Element::strand_bends) continue;  // straight bends have no direction: nothing to compare
    for (const StrainMetric metric : {StrainMetric::green, StrainMetric::corotational}) {
      SCOPED_TRACE(fmt::format("element {}", static_cast<int>(element)));
      World world(element, with(metric, RateTangent::exact, 0));
      Vector X = world.q;
      if (world.first > 0)
        for (int i = 0; i < world.cloth.mesh.num_nodes(); ++i)
          X.segment<3>(world.first + 3 * i) = world.cloth.X()[static_cast<std::size_t>(i)];
      else
        X = kuhn_bar(2, 1, 1, 0.3).rest();
      BlockMatrix K(world.pattern);
      EnergyRequest request{X};
      request.hessian = &K;
      world.energy->evaluate(request);
      const Matrix C = world.tangent(X, Vector::Zero(X.size()), 1, 0), wanted = 0.05 * K.dense();
      EXPECT_LT((C - wanted).norm(), 1e-10 * wanted.norm());
    }
  }
}

/// Fixture TRI1 of the reference (table B1): lambda_d = 30, mu_d = 20, in the plane.
struct ReferenceTriangle {
  Vector force = Vector::Zero(9);
  double power = 0;
  Matrix by_rate, by_place;
  explicit ReferenceTriangle(StrainMetric metric, RateTangent tangent) {
    const std::vector<Vec3> X{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const auto batch = std::make_shared<TriangleBatch>(X, std::vector<int>{0, 1, 2}, 0);
    StrainRateDamping term("strain_rate", "tri", batch, Moduli::Kind::sheet, {},
                           [](int, const double*, const double*, double* D) {
                             const double plane[6] = {70, 30, 0, 70, 0, 20};
                             std::copy(plane, plane + 6, D);
                           },
                           {metric, tangent});
    PatternBuilder couplings;
    term.couple(couplings);
    const auto pattern = couplings.build(3, 3);
    term.bind(*pattern);
    Vector q(9), v(9), xi;
    q << 0, 0, 0, 1.2, 0.1, 0, 0.1, 0.9, 0.2;
    v << 0.5, -0.2, 0.1, 0.3, 0.4, -0.6, -0.7, 0.2, 0.9;
    BlockMatrix C(pattern), K(pattern);
    DissipationRequest request{q, v, xi, 0.01, nullptr};
    request.force = &force;
    request.tangent = &C;
    request.dv_scale = 1;
    power = term.evaluate(request);
    request.force = nullptr;
    request.tangent = &K;
    request.dv_scale = 0;
    request.dq_scale = 1;
    term.evaluate(request);
    by_rate = C.dense();
    by_place = K.dense();
  }
};

TEST(StrainRateElements, ATriangleHasTheValuesOfTheReference) {
  const ReferenceTriangle green(StrainMetric::green, RateTangent::exact),
      clamped(StrainMetric::green, RateTangent::symmetric), turned(StrainMetric::corotational, RateTangent::exact);
  Vector expected(9);
  expected << -12.49, -0.06, 0.22, 1.38, 9.21, 2.04, 11.11, -9.15, -2.26;
  EXPECT_LT((green.force + expected).norm(), 1e-10);
  EXPECT_NEAR(green.power, 2 * 7.489, 1e-10);
  EXPECT_NEAR(green.by_rate.trace(), 218.4, 1e-10);
  EXPECT_NEAR(green.by_place.trace(), -0.9, 1e-10);
  EXPECT_NEAR(clamped.by_place.trace(), 58.458985728, 1e-8);
  expected << -7.209303079551, 6.034134071268, 1.488203961398, -3.486520591849, 8.98272968382, 2.0799864822,
      10.6958236714, -15.016863755088, -3.568190443597;
  EXPECT_LT((turned.force + expected).norm(), 1e-10);
  EXPECT_NEAR(turned.power, 2 * 8.532667435736, 1e-10);
  EXPECT_NEAR(turned.by_rate.trace(), 177.304021008958, 1e-9);
}

TEST(StrainRateElements, ASpringHasTheValuesOfTheReference) {
  // p = (2.1, 0.7), v = (-1, 2), L = 2, k_e = 100, beta = 0.05: stiffness k_e/L in force per length.
  const std::vector<Vec3> X{{0, 0, 0}, {2, 0, 0}};
  Springs springs("s", {{0, 1, 50, 2}}, X, 0);
  const auto term = make_strain_rate_like("s", springs, PartwiseValue(0.05));
  PatternBuilder couplings;
  term->couple(couplings);
  const auto pattern = couplings.build(3, 2);
  term->bind(*pattern);
  Vector q(6), v(6), f = Vector::Zero(6), xi;
  q << 0, 0, 0, 2.1, 0.7, 0;
  v << 0, 0, 0, -1, 2, 0;
  BlockMatrix K(pattern);
  DissipationRequest request{q, v, xi, 0.01, nullptr};
  request.force = &f;
  request.tangent = &K;
  request.dq_scale = 1;
  term->evaluate(request);
  EXPECT_NEAR(f[3], -0.75, 1e-12);  // damping stands on the left-hand side
  EXPECT_NEAR(f[4], -0.25, 1e-12);
  const Matrix J = K.dense().block(3, 3, 2, 2);
  Matrix expected(2, 2);
  expected << .785714285714, -2.357142857143, .142857142857, -.428571428571;
  EXPECT_LT((J + expected).norm(), 1e-11);
}

TEST(StrainRateElements, BlendedBendsAreDampedAsVectorsBelowTheirThresholdAndContinuously) {
  // Edges of unit length, bent by theta about z; the last node moves out of the plane and in it.
  const std::vector<Vec3> X{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  Bending bends("s", 3, strand_bends({0, 1, 1, 2}, X, 1.0), X, 0);  // w = 2 EI / (l1 + l2) = 1
  StrainRateOptions options;
  options.blend = 0.1;
  const auto term = make_strain_rate_like("s", bends, PartwiseValue(1.0), options),
             plain = make_strain_rate_like("s", bends, PartwiseValue(1.0));
  EXPECT_FALSE(term->traits().objective);
  EXPECT_TRUE(plain->traits().objective);
  const auto force = [&](const StrainRateDamping& of, double theta) {
    Vector q(9), v = Vector::Zero(9), f = Vector::Zero(9), xi;
    q << 0, 0, 0, 1, 0, 0, 1 + std::cos(theta), std::sin(theta), 0;
    v.tail<3>() << 0, 0.3, 1;
    DissipationRequest request{q, v, xi, 0.01, nullptr};
    request.force = &f;
    of.evaluate(request);
    return f;
  };
  EXPECT_NEAR(force(*term, 0.02)[8], 1, 1e-12) << "below the threshold, what leaves the plane is damped in full";
  EXPECT_NEAR(force(*term, 0.2)[8], 0, 1e-12) << "above it, not at all";
  EXPECT_NEAR(force(*plain, 0.02)[8], 0, 1e-12);
  EXPECT_NEAR(force(*term, 0)[7], 0.3, 1e-12) << "straight";
  double jump = 0;
  for (double theta = 0; theta < 0.15; theta += 1e-4)
    jump = std::max(jump, (force(*term, theta + 1e-4) - force(*term, theta)).norm());
  EXPECT_LT(jump, 0.02);
}

TEST(StrainRateElements, BlendedBendsHaveExactTangents) {
  StrainRateOptions options;
  options.blend = 0.1;
  World world(Element::strand_bends, options);
  // Nearly straight strands, of angles on both sides of the threshold.
  for (Eigen::Index i = world.first; i < world.q.size(); i += 3)
    world.q.segment<3>(i) << 0.01 * rnd(static_cast<int>(i)), 0.005 * rnd(static_cast<int>(i) + 1),
        0.1 * static_cast<double>((i - world.first) / 3 / 8);
  Vector d = Vector::Zero(world.q.size());
  for (Eigen::Index i = world.first; i < d.size(); ++i) d[i] = 0.01 * rnd(5000 + static_cast<int>(i));
  EXPECT_TRUE(derivative_slope([&](const Vector& v) { return world.force(world.q, v); }, world.v, d,
                               world.tangent(world.q, world.v, 1, 0) * d)
                  .ok());
  EXPECT_TRUE(derivative_slope([&](const Vector& q) { return world.force(q, world.v); }, world.q, d,
                               world.tangent(world.q, world.v, 0, 1) * d, 1e-3)
                  .ok());
}

TEST(StrainRateElements, WhatCouldCreateEnergyIsRefused) {
  EXPECT_THROW(World(Element::triangles, {}, -0.01), Error);
  EXPECT_THROW(World(Element::springs, {}, std::nan("")), Error);
  StrainRateOptions falling;
  falling.curve =
      std::make_shared<math::Curve>(math::Curve::monotone({{0, 1}, {1, 1}, {1.2, 0.1}}, math::Extrapolation::constant));
  EXPECT_THROW(World(Element::solids, falling), Error) << "a stress that falls with the rate";
  StrainRateOptions wide;
  wide.blend = 0.3;
  EXPECT_THROW(World(Element::strand_bends, wide), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_strain_rate_elements
