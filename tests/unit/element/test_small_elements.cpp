// Laws on springs, bends, hinges and triangles: from a tension or a density the pass makes forces and exact tangents,
// alone and in the pass of an energy on the same elements.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/core/parallel.hpp"
#include "dashpot/dissipation/point_law_damping.hpp"
#include "dashpot/element/green_sheet.hpp"
#include "dashpot/element/hinge_law.hpp"
#include "dashpot/element/line_law.hpp"
#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/hinge_bending.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/energy/stvk_membrane.hpp"
#include "dashpot/energy/triangle_membrane.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/topology.hpp"
#include "support/derivative_slope.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_small_elements {
namespace {

using math::Matrix32;
using math::Pack4;

/// T = c (1 + k s) sdot + d sdot^3: depends on size and rate, and is no linear function of either.
template <class Law, class Batch>
struct DashpotsOf final : Law {
  std::shared_ptr<Batch> elements;
  double c = 3, k = 0.7, d = 0.2;
  explicit DashpotsOf(std::shared_ptr<Batch> on) : elements(std::move(on)) {}
  const Batch& batch() const override { return *elements; }
  void respond(const DissipationRequest&, const MeasurePoint& at, MeasureResponse& out) const override {
    const Pack4 grip = Pack4(c) * (Pack4(1.0) + Pack4(k) * at.measure), square = at.rate * at.rate;
    out.tension = (grip + Pack4(d) * square) * at.rate;
    out.by_measure = Pack4(c * k) * at.rate;
    out.by_rate = grip + Pack4(3 * d) * square;
  }
};

using Dashpots = DashpotsOf<LineLaw, LineBatch>;

/// An orthotropic viscosity of sheets, S = C Edot with a stiffening part b |Edot_11| Edot_11 along the first axis.
struct Cloth final : SheetLaw {
  std::shared_ptr<TriangleBatch> sheet;
  double C[9] = {4, 1, 0, 1, 2, 0, 0, 0, 0.7}, b = 0;
  explicit Cloth(std::shared_ptr<TriangleBatch> on, double stiffening) : sheet(std::move(on)), b(stiffening) {}
  const TriangleBatch& batch() const override { return *sheet; }
  bool has_symmetric_tangent(const DissipationRequest& request) const override { return request.dq_scale == 0; }
  void respond(const DissipationRequest& request, const SheetPoint& at, Matrix32<Pack4>& P,
               StiffnessPacks blocks) const override {
    Pack4 rate[3], S[3], slope[9];
    green_sheet_rate(*at.F, *at.Fdot, rate);
    for (int i = 0; i < 9; ++i) slope[i] = Pack4(C[i]);
    for (int i = 0; i < 3; ++i) S[i] = slope[3 * i] * rate[0] + slope[3 * i + 1] * rate[1] + slope[3 * i + 2] * rate[2];
    S[0] += Pack4(b) * abs(rate[0]) * rate[0];
    slope[0] += Pack4(2 * b) * abs(rate[0]);
    green_sheet_stress(*at.F, S, P);
    if (request.tangent == nullptr) return;
    const Pack4 dv(request.dv_scale), dq(request.dq_scale);
    Matrix32<Pack4> G;
    for (int k = 0; k < 6; ++k) G.m[k] = dv * at.F->m[k] + dq * at.Fdot->m[k];
    add_green_sheet_blocks(*at.F, G, slope, at.area, at.g, blocks);
    add_sheet_stress_blocks(S, dq * at.area, at.g, blocks);
  }
};

class Damping final : public PointLawDamping {
 public:
  Damping(std::shared_ptr<ElementBatch> batch, std::shared_ptr<const PointLaw> law)
      : PointLawDamping("sheet", std::move(batch)) {
    set_law(std::move(law));
  }
  std::string model() const override { return "test"; }
  DissipationTraits traits() const override { return {}; }
};

struct Case {
  const char* name;
  std::unique_ptr<EnergyTerm> energy;
  std::unique_ptr<DissipationTerm> damping;
};

template <class Energy>
Case of_lines(const char* name, std::unique_ptr<Energy> energy) {
  const std::shared_ptr<LineBatch> batch = energy->batch();
  return {name, std::move(energy), std::make_unique<Damping>(batch, std::make_shared<Dashpots>(batch))};
}

/// A cloth of 7 x 7 cells, rolled up a little: 98 triangles, 133 hinges; no count is a multiple of four.
struct World {
  static constexpr int first_block = 2;
  Mesh mesh = make_cloth(0.7, 0.7, {7, 7});
  Case body;
  std::shared_ptr<const BlockPattern> pattern;
  Vector q, v;

  explicit World(int kind) : body(make(kind)) {
    PatternBuilder couplings;
    body.energy->couple(couplings);
    pattern = couplings.build(3, first_block + mesh.num_nodes());
    body.energy->bind(*pattern);
    body.damping->bind(*pattern);
    q = v = Vector::Zero(pattern->num_dofs());
    for (int i = 0; i < mesh.num_nodes(); ++i)
      for (int c = 0; c < 3; ++c) {
        const int k = 3 * (first_block + i) + c;
        q[k] = mesh.nodes[static_cast<std::size_t>(i)][c] + 0.02 * rnd(k);
        v[k] = rnd(1000 + k);
      }
  }
  Case make(int kind) {
    for (Vec3& x : mesh.nodes) x = {0.5 * std::sin(2 * x.x()), 0.5 * (1 - std::cos(2 * x.x())), x.z()};
    const std::vector<Vec3>& X = mesh.nodes;
    const std::vector<int>& triangles = mesh.group(ElementKind::triangle)->nodes;
    std::vector<int> edges, rows;
    for (const auto& edge : unique_edges(mesh)) edges.insert(edges.end(), edge.begin(), edge.end());
    for (int i = 0; i + 8 < mesh.num_nodes(); ++i) rows.insert(rows.end(), {i, i + 8});
    if (kind == 0)
      return of_lines("springs", std::make_unique<Springs>("s", Springs::along_edges(edges, X, 40), X, first_block));
    if (kind == 1)
      return of_lines(
          "strands", std::make_unique<Bending>("s", 3, strand_bends(rows, X, 0.02, RestBend::as_mesh), X, first_block));
    if (kind == 2)
      return of_lines(
          "hinges", std::make_unique<Bending>(
                        "s", 4, hinges(triangles, X, std::vector<double>(triangles.size(), 0.02), RestBend::as_mesh), X,
                        first_block));
    const std::vector<double> stiffness(triangles.size(), 0.02);
    if (kind == 4) {
      auto bending =
          std::make_unique<HingeBending>("s", hinges(triangles, X, stiffness), X, first_block, RestBend::as_mesh);
      const std::shared_ptr<HingeBatch> batch = bending->batch();
      const auto law = std::make_shared<DashpotsOf<HingeLaw, HingeBatch>>(batch);
      return {"angles", std::move(bending), std::make_unique<Damping>(batch, law)};
    }
    if (kind == 5) {
      const auto batch = std::make_shared<TriangleBatch>(X, triangles, first_block);
      auto membrane = std::make_unique<StvkMembrane>(
          "s", batch, std::vector<SheetStiffness>(triangles.size() / 3, isotropic_sheet(2000, 0.3, 0.01)), X,
          first_block);
      return {"cloth", std::move(membrane), std::make_unique<Damping>(batch, std::make_shared<Cloth>(batch, 0.3))};
    }
    auto membrane =
        std::make_unique<TriangleMembrane>("s", triangles, X, first_block, std::vector<MembraneMaterial>{{2000, 0.01}},
                                           std::vector<int>(triangles.size() / 3, 0));
    const std::shared_ptr<TriangleBatch> batch = membrane->batch();
    return {"triangles", std::move(membrane), std::make_unique<Damping>(batch, std::make_shared<Cloth>(batch, 0.3))};
  }

  Vector force(const Vector& at, const Vector& rate, double* power = nullptr) const {
    Vector f = Vector::Zero(q.size());
    DissipationRequest request{at, rate, none, 0.01, nullptr};
    request.force = &f;
    const double found = body.damping->evaluate(request);
    if (power != nullptr) *power = found;
    return f;
  }
  Matrix tangent(double dv, double dq) const {
    BlockMatrix C(pattern);
    DissipationRequest request{q, v, none, 0.01, nullptr};
    request.tangent = &C;
    request.dv_scale = dv;
    request.dq_scale = dq;
    body.damping->evaluate(request);
    return C.dense();
  }
  Vector none;
};

class EverySmallElement : public ::testing::TestWithParam<int> {};

TEST_P(EverySmallElement, TangentsAreDerivativesOfTheForceInPositionsAndVelocities) {
  const World world(GetParam());
  Vector direction = Vector::Zero(world.q.size());
  for (Eigen::Index i = 0; i < direction.size(); ++i) direction[i] = 0.1 * rnd(5000 + static_cast<int>(i));
  direction.head(3 * World::first_block).setZero();
  EXPECT_TRUE(derivative_slope([&](const Vector& v) { return world.force(world.q, v); }, world.v, direction,
                               world.tangent(1, 0) * direction)
                  .ok());
  EXPECT_TRUE(derivative_slope([&](const Vector& q) { return world.force(q, world.v); }, world.q, direction,
                               world.tangent(0, 1) * direction, 1e-3)
                  .ok());
  const Matrix both = world.tangent(30, 2), sum = 30 * world.tangent(1, 0) + 2 * world.tangent(0, 1);
  EXPECT_LT((both - sum).norm(), 1e-13 * sum.norm());
  EXPECT_LT((world.tangent(1, 0) - world.tangent(1, 0).transpose()).norm(), 1e-13 * sum.norm());
  EXPECT_GT((world.tangent(0, 1) - world.tangent(0, 1).transpose()).norm(), 1e-3 * world.tangent(0, 1).norm());
}

TEST_P(EverySmallElement, PowerIsForceTimesVelocityAndPositiveAndRigidMotionIsFree) {
  const World world(GetParam());
  double power = 0;
  const Vector f = world.force(world.q, world.v, &power);
  ASSERT_GT(f.norm(), 1e-3);
  EXPECT_NEAR(power, f.dot(world.v), 1e-12 * power);
  EXPECT_GT(power, 0);
  Vector turning = Vector::Zero(world.q.size());
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  const Vec3 omega(0.4, -1.1, 0.8), drift(2, 1, -3);
  for (Eigen::Index i = 3 * World::first_block; i < world.q.size(); i += 3) {
    turning.segment<3>(i) = drift + omega.cross(Vec3(world.q.segment<3>(i)));
    sum += f.segment<3>(i);
    torque += Vec3(world.q.segment<3>(i)).cross(Vec3(f.segment<3>(i)));
  }
  EXPECT_LT(sum.norm(), 1e-12 * f.norm());
  EXPECT_LT(torque.norm(), 1e-12 * f.norm());
  EXPECT_LT(world.force(world.q, turning).norm(), 1e-12 * f.norm());
}

TEST_P(EverySmallElement, InThePassOfAnEnergyADampingIsWhatItIsAlone) {
  const World world(GetParam());
  const auto evaluate = [&](bool together, Vector& elastic, Vector& damping, BlockMatrix& K) {
    EnergyRequest energy{world.q};
    DissipationRequest request{world.q, world.v, world.none, 0.01, nullptr};
    energy.gradient = &elastic;
    energy.hessian = request.tangent = &K;
    request.force = &damping;
    request.dv_scale = 20;
    request.dq_scale = 1;
    const LawCall call{world.body.damping->capabilities().point_law, &request};
    if (together) energy.companions = {&call, 1};
    const double psi = world.body.energy->evaluate(energy);
    if (!together) world.body.damping->evaluate(request);
    return psi;
  };
  ASSERT_EQ(world.body.energy->capabilities().batch, world.body.damping->capabilities().batch);
  Vector g = Vector::Zero(world.q.size()), f = g, g1 = g, f1 = g;
  BlockMatrix K(world.pattern), K1(world.pattern);
  const double alone = evaluate(false, g, f, K), together = evaluate(true, g1, f1, K1);
  ASSERT_GT(f.norm(), 1e-3);
  EXPECT_EQ(alone, together);
  EXPECT_EQ((g - g1).norm(), 0);
  EXPECT_EQ((f - f1).norm(), 0);
  EXPECT_LT((K.dense() - K1.dense()).norm(), 1e-14 * K.dense().norm());
}

TEST_P(EverySmallElement, BitsDoNotDependOnTheNumberOfThreads) {
  const World world(GetParam());
  set_num_threads(1);
  const Vector one = world.force(world.q, world.v);
  set_num_threads(2);
  EXPECT_EQ((one - world.force(world.q, world.v)).norm(), 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EverySmallElement, ::testing::Values(0, 1, 2, 3, 4, 5));

TEST(SmallElements, ADashpotPullsWithItsTensionAlongItsLine) {
  const auto batch = std::make_shared<LineBatch>(2, std::vector<int>{0, 1}, std::vector<double>{-1, 1},
                                                 std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}, 0);
  const auto law = std::make_shared<Dashpots>(batch);
  const Damping damping(batch, law);
  Vector q(6), v(6), f = Vector::Zero(6), none;
  q << 0, 0, 0, 0, 2, 0;
  v << 0, 0, 0, 5, 0.5, 0;  // across the line nothing resists
  DissipationRequest request{q, v, none, 0.01, nullptr};
  request.force = &f;
  const double tension = 3 * (1 + 0.7 * 2) * 0.5 + 0.2 * 0.125;
  EXPECT_NEAR(damping.evaluate(request), 0.5 * tension, 1e-14);
  EXPECT_NEAR(f[4], tension, 1e-14);
  EXPECT_NEAR(f[1], -tension, 1e-14);
  EXPECT_EQ(f[3], 0);
  q[4] = 0;  // ends in one place: no direction, no force, no NaN
  f.setZero();
  EXPECT_EQ(damping.evaluate(request), 0);
  EXPECT_EQ(f.norm(), 0);
}

TEST(SmallElements, AStretchingTriangleLosesItsAreaTimesItsDensity) {
  const auto batch =
      std::make_shared<TriangleBatch>(std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {0, 3, 0}}, std::vector<int>{0, 1, 2}, 0);
  const Damping damping(batch, std::make_shared<Cloth>(batch, 0));
  Vector q(9), v(9), f = Vector::Zero(9), none;
  q << 0, 0, 0, 2.2, 0, 0, 0, 3, 0;    // F = diag(1.1, 1)
  v << 0, 0, 0, 0.4, 0, 0, 0, 0.3, 0;  // Fdot = diag(0.2, 0.1): Edot = (0.22, 0.1, 0)
  DissipationRequest request{q, v, none, 0.01, nullptr};
  request.force = &f;
  const double S11 = 4 * 0.22 + 0.1, S22 = 0.22 + 2 * 0.1;
  EXPECT_NEAR(damping.evaluate(request), 3 * (S11 * 0.22 + S22 * 0.1), 1e-14);
  EXPECT_NEAR(f[3], 3 * 1.1 * S11 / 2, 1e-14);
  EXPECT_NEAR(f[7], 3 * S22 / 3, 1e-14);
}

}  // namespace
}  // namespace dashpot::testing::test_small_elements
