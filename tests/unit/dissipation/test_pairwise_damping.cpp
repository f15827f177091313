// Spring and point damping against the reference cube (ABCE, sections 0 and 3) and the laws of filters.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/point_damping.hpp"
#include "dashpot/dissipation/spring_damping.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/topology.hpp"
#include "support/bar16.hpp"
#include "support/damping_laws.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_pairwise_damping {
namespace {

constexpr double h = 0.01;

/// CUBE8: node 4i+2j+k at (i,j,k), edges between nodes p <= q componentwise.
struct Cube {
  EdgeGraph::Edges edges;
  std::vector<double> masses;
  Vector x = Vector(24), v = Vector(24);
  Cube() {
    for (int p = 0; p < 8; ++p) {
      for (int q = p + 1; q < 8; ++q)
        if ((p & q) == p) edges.push_back({p, q});
      masses.push_back(0.125 * (1 + 0.5 * rnd(p)));
      for (int c = 0; c < 3; ++c) {
        x[3 * p + c] = ((p >> (2 - c)) & 1) + 0.1 * rnd(100 + 3 * p + c);
        v[3 * p + c] = rnd(200 + 3 * p + c);
      }
      v[3 * p] -= 3 * x[3 * p + 1];
      v[3 * p + 1] += 3 * x[3 * p];
    }
  }
  EdgeGraph graph() const { return EdgeGraph(edges, masses); }
  double kinetic(const Vector& u) const {
    double sum = 0;
    for (int i = 0; i < 8; ++i) sum += 0.5 * masses[static_cast<std::size_t>(i)] * u.segment<3>(3 * i).squaredNorm();
    return sum;
  }
  Vec3 center_velocity(const Vector& u) const {
    Vec3 p = Vec3::Zero();
    double total = 0;
    for (int i = 0; i < 8; ++i) {
      p += masses[static_cast<std::size_t>(i)] * u.segment<3>(3 * i);
      total += masses[static_cast<std::size_t>(i)];
    }
    return p / total;
  }
};

TEST(EdgeGraph, BoundsOfTheReferenceCube) {
  const Cube cube;
  ASSERT_EQ(cube.edges.size(), 19u);
  EXPECT_NEAR(cube.kinetic(cube.v), 5.788490171175, 1e-8);
  EXPECT_NEAR(cube.graph().lambda_max(), 108.892779685, 1e-8);
  EXPECT_NEAR(cube.graph().node_bound(), 200.096309661, 1e-8);
  EXPECT_GT(cube.graph().edge_bound(), cube.graph().lambda_max());
  EXPECT_LT(cube.graph().edge_bound(), cube.graph().node_bound());
}

TEST(EdgeGraph, BoundsHoldForMassRatiosOfAMillionAndTheLanczosValueIsTheDenseOne) {
  const EdgeGraph::Edges edges = unique_edges(make_bar(Vec3(1, 1, 1), {3, 2, 2}));
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> masses;
    for (int i = 0; i < 36; ++i) masses.push_back(std::pow(10, 3 * rnd(40 * trial + i)));
    Matrix L = Matrix::Zero(36, 36);
    for (const auto& [i, j] : edges)
      for (const auto& [a, b, sign] : {std::tuple{i, i, 1}, {j, j, 1}, {i, j, -1}, {j, i, -1}})
        L(a, b) += sign / std::sqrt(masses[static_cast<std::size_t>(a)] * masses[static_cast<std::size_t>(b)]);
    const double exact = Eigen::SelfAdjointEigenSolver<Matrix>(L).eigenvalues()[35];
    const EdgeGraph graph(edges, masses);
    EXPECT_NEAR(graph.lambda_max(), exact, 1e-8 * exact);
    EXPECT_GE(graph.edge_bound(), exact * (1 - 1e-12));
    EXPECT_LE(graph.edge_bound(), graph.node_bound());
  }
}

TEST(SpringDamping, IteratedWithoutProjectionItReachesTheVelocityOfTheCenterOfMass) {
  const Cube cube;
  const double c = 1 / (h * cube.graph().lambda_max());
  const auto filter = SpringDamping::with_coefficient("cube", cube.graph(), 0, c, {false, 400});
  Vector v = cube.v;
  filter.apply(cube.x, h, v);
  ASSERT_GT((v - cube.v).norm(), 1);
  const Vec3 expected = cube.center_velocity(cube.v);
  for (int i = 0; i < 8; ++i) EXPECT_LT((v.segment<3>(3 * i) - expected).norm(), 5e-15);
}

TEST(SpringDamping, IterationsAreTheStepTakenSoOften) {
  const Cube cube;
  const auto once = SpringDamping::with_gamma_per_step("cube", cube.graph(), 0, 0.6);
  const auto thrice = SpringDamping::with_gamma_per_step("cube", cube.graph(), 0, 0.6, {true, 3});
  Vector a = cube.v, b = cube.v;
  for (int k = 0; k < 3; ++k) once.apply(cube.x, h, a);
  thrice.apply(cube.x, h, b);
  EXPECT_EQ((a - b).norm(), 0);
  EXPECT_LT(cube.kinetic(b), 0.99 * cube.kinetic(cube.v));
}

TEST(SpringDamping, TwoPointsAgainstTheFormula) {
  const EdgeGraph graph({{0, 1}}, {1, 3});
  EXPECT_NEAR(graph.lambda_max(), 4.0 / 3, 1e-12);
  EXPECT_NEAR(graph.edge_bound(), 4.0 / 3, 1e-12);
  Vector q(6), v(6), along(6), whole(6);
  q << 1, 2, 0, 3, 2, 0;
  v << 1, 2, 0, 4, -1, 5;
  // c h = 0.3 kg: the relative velocity (-3, 3, -5) changes the first by 0.3 of it, the second by 0.1.
  along << 1.9, 2, 0, 3.7, -1, 5;
  whole << 1.9, 1.1, 1.5, 3.7, -0.7, 4.5;
  Vector u = v;
  SpringDamping::with_coefficient("pair", graph, 0, 30).apply(q, h, u);
  EXPECT_LT((u - along).norm(), 1e-14);
  u = v;
  SpringDamping::with_coefficient("pair", graph, 0, 30, {false, 1}).apply(q, h, u);
  EXPECT_LT((u - whole).norm(), 1e-14);
}

TEST(SpringDamping, StepsThatWouldAddEnergyAreRefusedExactlyAtTheBound) {
  const Cube cube;
  const double bound = 2 / (h * 108.892779685);
  for (const bool project : {true, false}) {
    const auto below = SpringDamping::with_coefficient("cube", cube.graph(), 0, bound * (1 - 1e-6), {project, 1});
    const auto above = SpringDamping::with_coefficient("cube", cube.graph(), 0, bound * (1 + 1e-6), {project, 1});
    EXPECT_EQ(below.refusal_reason(h), "");
    const std::string problem = above.refusal_reason(h);
    for (const char* part : {"'cube'", "1.837 kg/s", "lambda_max = 108.893 /kg", "dt < 0.01 s", "gamma_per_step"})
      EXPECT_NE(problem.find(part), std::string::npos) << problem;
    EXPECT_EQ(above.refusal_reason(0.5 * h), "");
  }
  // The bound is sharp: the fastest motion grows just above it.
  Vector v = cube.v;
  SpringDamping::with_coefficient("cube", cube.graph(), 0, 1.01 * bound, {false, 2000}).apply(cube.x, h, v);
  EXPECT_GT(cube.kinetic(v), 10 * cube.kinetic(cube.v));
  v = cube.v;
  SpringDamping::with_coefficient("cube", cube.graph(), 0, 0.99 * bound, {false, 2000}).apply(cube.x, h, v);
  EXPECT_LT(cube.kinetic(v), cube.kinetic(cube.v));
  EXPECT_EQ(SpringDamping::with_gamma_per_step("cube", cube.graph(), 0, 1).refusal_reason(1e9), "");
}

TEST(SpringDamping, GammaOfOneReversesNoMotionWhateverTheMasses) {
  Cube cube;
  double smallest = 1;
  for (int trial = 0; trial < 100; ++trial) {
    for (std::size_t i = 0; i < 8; ++i) cube.masses[i] = std::pow(10, 3 * rnd(8 * trial + static_cast<int>(i)));
    for (const bool project : {true, false}) {
      const auto filter = SpringDamping::with_gamma_per_step("cube", cube.graph(), 0, 1, {project, 1});
      Matrix B(24, 24);  // M^1/2 B M^-1/2: its eigenvalues are what motions are multiplied by
      const auto root = [&](Eigen::Index i) { return std::sqrt(cube.masses[static_cast<std::size_t>(i / 3)]); };
      for (Eigen::Index j = 0; j < 24; ++j) {
        Vector v = Vector::Unit(24, j);
        filter.apply(cube.x, h, v);
        for (Eigen::Index i = 0; i < 24; ++i) B(i, j) = root(i) * v[i] / root(j);
      }
      ASSERT_LT((B - B.transpose()).norm(), 1e-12);
      const Vector factors = Eigen::SelfAdjointEigenSolver<Matrix>(B).eigenvalues();
      ASSERT_GE(factors[0], -1e-12);
      ASSERT_LE(factors[23], 1 + 1e-12);
      smallest = std::min(smallest, factors[0]);
    }
  }
  EXPECT_LT(smallest, 0.3) << "the bound is not far from the truth";
}

TEST(SpringDamping, DegenerateNodesAndEdgesKeepTheirVelocity) {
  // 0 and 1 in one place, 2 without mass, 3 without edges, 4 joined to itself; only 4-5 is a dashpot along x.
  const EdgeGraph graph({{0, 1}, {1, 2}, {4, 4}, {4, 5}}, {1, 1, 0, 1, 1, 1});
  EXPECT_EQ(graph.edges().size(), 2u);
  Vector q = Vector::Zero(18), v(18);
  q[6] = 1, q[9] = 2, q[12] = 3, q[15] = 4;
  for (int i = 0; i < 18; ++i) v[i] = rnd(i);
  Vector u = v;
  SpringDamping::with_gamma_per_step("points", graph, 0, 1).apply(q, h, u);
  EXPECT_EQ((u.head(12) - v.head(12)).norm(), 0);
  EXPECT_NEAR(u[12], u[15], 1e-15);
  EXPECT_NE(u[12], v[12]);
  const EdgeGraph nothing({}, {1, 0});
  EXPECT_EQ(nothing.lambda_max() + nothing.edge_bound() + nothing.node_bound(), 0);
  u = v;
  SpringDamping::with_coefficient("points", nothing, 0, 5).apply(q, h, u);
  EXPECT_EQ((u - v).norm(), 0);
  EXPECT_EQ(SpringDamping::with_coefficient("points", nothing, 0, 5).refusal_reason(1e9), "");
}

TEST(SpringDamping, RefusesWhatIsNoDamping) {
  const EdgeGraph graph({{0, 1}}, {1, 1});
  EXPECT_THROW(SpringDamping::with_coefficient("b", graph, 0, -1), Error);
  EXPECT_THROW(SpringDamping::with_coefficient("b", graph, 0, NAN), Error);
  EXPECT_THROW(SpringDamping::with_gamma_per_step("b", graph, 0, 1.1), Error);
  EXPECT_THROW(SpringDamping::with_gamma_per_step("b", graph, 0, -0.1), Error);
  EXPECT_THROW(SpringDamping::with_gamma_per_step("b", graph, 0, 0.5, {true, 0}), Error);
  EXPECT_THROW(EdgeGraph({{0, 2}}, {1, 1}), Error);
  EXPECT_THROW(EdgeGraph({{0, 1}}, {1, -1}), Error);
  EXPECT_THROW(PointDamping("b", {1, 1}, 0, -1), Error);
  EXPECT_THROW(PointDamping("b", {1, NAN}, 0, 1), Error);
}

TEST(SpringDampingLaws, AlongEdgesBothMomentaAreKeptOtherwiseOne) {
  const auto masses = [](const Bar16::Parts& parts) {
    Vector m = Vector::Zero(16);
    parts.mass->add_nodal_mass(m);
    return std::vector<double>(m.begin(), m.end());
  };
  const EdgeGraph::Edges edges = unique_edges(make_bar(Vec3(3, 1, 1), {3, 1, 1}));
  for (const bool project : {true, false}) {
    Bar16::Options options;
    options.filter = [&](const Bar16::Parts& parts) {
      return std::make_unique<SpringDamping>(
          SpringDamping::with_coefficient("bar", EdgeGraph(edges, masses(parts)), 0, 0.3, {project, 1}));
    };
    const Bar16 bar(options);
    expect_filter_laws(*bar.system, 0, false);
  }
  Bar16::Options options;
  options.filter = [&](const Bar16::Parts& parts) {
    return std::make_unique<PointDamping>("bar", masses(parts), 0, 0.3);
  };
  expect_filter_laws(*Bar16(options).system, 0, false);
}

TEST(PointDamping, BrakesLightNodesMoreAndRefusesStepsThatWouldAddEnergy) {
  const PointDamping damping("points", {2, 0.5, 0}, 1, 10);
  Vector v(15);
  for (int i = 0; i < 15; ++i) v[i] = rnd(i);
  Vector u = v;
  damping.apply(v, h, u);
  EXPECT_EQ((u.head(3) - v.head(3)).norm() + (u.tail(6) - v.tail(6)).norm(), 0) << "other bodies, nodes without mass";
  EXPECT_LT((u.segment<3>(3) - 0.95 * v.segment<3>(3)).norm(), 1e-15);
  EXPECT_LT((u.segment<3>(6) - 0.8 * v.segment<3>(6)).norm(), 1e-15);
  EXPECT_NEAR(damping.longest_step(), 0.1, 1e-15);
  EXPECT_EQ(damping.refusal_reason(0.0999), "");
  const std::string problem = damping.refusal_reason(0.2);
  for (const char* part : {"'points'", "10 kg/s", "5 kg/s", "m_min = 0.5 kg", "dt < 0.1 s", "ether_drag"})
    EXPECT_NE(problem.find(part), std::string::npos) << problem;
  EXPECT_EQ(PointDamping("points", {1, 1}, 0, 0).refusal_reason(1e9), "");
}

}  // namespace
}  // namespace dashpot::testing::test_pairwise_damping
