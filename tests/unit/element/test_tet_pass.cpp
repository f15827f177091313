// Dampings in the pass of an energy are the dampings alone: same forces, and one tangent that is the sum.
#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/dissipation/variational.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/integrate/balance.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing::test_tet_pass {
namespace {

std::vector<double> of_tets(const TetBatch& batch, double mean) {
  std::vector<double> values;
  for (int e = 0; e < batch.num_tets(); ++e) values.push_back(mean * (1 + 0.3 * std::sin(e)));
  return values;
}

struct Case {
  int nodes_per_tet;
  IsotropicLaw law;
  Projection projection;
};

/// Five cubes, 30 tets: the last pack is not full.
struct CompanyBody {
  TinyMesh mesh;
  std::shared_ptr<TetBatch> batch;
  std::shared_ptr<const System> system;

  explicit CompanyBody(const Case& c) : mesh(kuhn_bar(5, 1, 1, 0.5)) {
    if (c.nodes_per_tet == 10) mesh = with_mid_nodes(mesh);
    batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, c.nodes_per_tet, 0);
    SystemBuilder builder(3, mesh.rest());
    const auto mass = std::make_shared<ElementMass>(mesh.nodes_per_tet, mesh.nodes,
                                                    std::vector<double>(mesh.nodes.size(), 0.1), true);
    builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{mass}));
    builder.set_kinematics(std::make_unique<NodalKinematics>(static_cast<int>(mesh.X.size())));
    builder.add(make_isotropic("bar", batch, c.law, {{1e4, 0.3}}));
    builder.add(std::make_unique<VariationalDamping>("bar", batch, of_tets(*batch, 30)));
    builder.add(make_strain_rate("bar", batch, of_tets(*batch, 40), of_tets(*batch, 20)));
    system = builder.build();
  }
};

class CompanyOf : public ::testing::TestWithParam<Case> {};

TEST_P(CompanyOf, AnEnergyAndItsDampingsAreTheirSumInOnePass) {
  const CompanyBody body(GetParam());
  const System& system = *body.system;
  ASSERT_EQ(body.batch->num_tets() % 4, 2);
  ASSERT_EQ(system.companions(0), (std::vector<int>{0, 1}));
  ASSERT_TRUE(system.is_companion(0) && system.is_companion(1));

  State start = system.initial_state();
  StageState motion{start.q, start.v, start.a};
  for (Eigen::Index i = 0; i < motion.q.size(); ++i) {
    motion.q[i] += 0.03 * std::sin(1.0 + 37.0 * static_cast<double>(i));
    motion.v[i] = std::cos(2.0 + 23.0 * static_cast<double>(i));
  }
  Workspace workspace = system.make_workspace();
  system.begin_step(start, workspace);
  BlockMatrix together(system.pattern()), apart(system.pattern());
  std::vector<LowRank> low_rank;
  TangentRequest tangent;
  tangent.v1 = 70;
  tangent.projection = GetParam().projection;
  tangent.matrix = &together;
  tangent.low_rank = &low_rank;
  Balance balance;
  const Instant instant{0, 0.01};
  evaluate_balance(system, workspace, start.internal_variables, motion, instant, &tangent, balance);

  EnergyRequest energy{motion.q};
  Vector gradient = Vector::Zero(motion.q.size());
  energy.gradient = &gradient;
  energy.hessian = &apart;
  energy.projection = tangent.projection;
  EXPECT_NEAR(system.energies()[0]->evaluate(energy) / balance.potential[0], 1, 1e-14);
  EXPECT_LE((gradient - balance.internal).norm(), 1e-14 * gradient.norm());
  const double elastic = apart.dense().norm();
  for (std::size_t j = 0; j < 2; ++j) {
    Vector force = Vector::Zero(motion.q.size());
    DissipationRequest request{motion.q, motion.v, start.internal_variables[j], instant.elapsed,
                               workspace.dissipation[j].get()};
    request.force = &force;
    request.tangent = &apart;
    request.dv_scale = tangent.v1;
    request.dq_scale = 1;
    const double power = system.dissipations()[j]->evaluate(request);
    EXPECT_NEAR(power, force.dot(motion.v), 1e-12 * std::abs(power));
    ASSERT_GT(force.norm(), 1);
    EXPECT_LE((force - damping_layer(system, balance, j)).norm(), 1e-14 * force.norm()) << j;
  }
  ASSERT_GT((apart.dense() - apart.dense().transpose()).norm(), 1e-4 * elastic) << "no law here is without symmetry";
  ASSERT_GT(apart.dense().norm(), 1.1 * elastic);
  EXPECT_LT((together.dense() - apart.dense()).norm(), 1e-14 * apart.dense().norm());

  BlockMatrix alone(system.pattern());  // the tangent without forces
  tangent.matrix = &alone;
  evaluate_tangent(system, workspace, start.internal_variables, motion, instant, tangent);
  EXPECT_EQ((alone.dense() - together.dense()).norm(), 0);
}

INSTANTIATE_TEST_SUITE_P(Tets, CompanyOf,
                         ::testing::Values(Case{4, IsotropicLaw::stvk, Projection::none},
                                           Case{4, IsotropicLaw::stvk, Projection::positive_semidefinite},
                                           Case{4, IsotropicLaw::stable_neo_hookean, Projection::none},
                                           Case{10, IsotropicLaw::stvk, Projection::none},
                                           Case{10, IsotropicLaw::corotational, Projection::positive_semidefinite}));

TEST(Companies, ElementsOfAnotherBatchAreNotJoined) {
  const TinyMesh mesh = kuhn_bar(2, 1, 1, 0.5);
  const auto batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0),
             other = std::make_shared<TetBatch>(mesh.X, mesh.nodes, 4, 0);
  SystemBuilder builder(3, mesh.rest());
  const auto mass =
      std::make_shared<ElementMass>(mesh.nodes_per_tet, mesh.nodes, std::vector<double>(mesh.nodes.size(), 0.1), true);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{mass}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(static_cast<int>(mesh.X.size())));
  builder.add(make_isotropic("bar", batch, IsotropicLaw::stvk, {{1e4, 0.3}}));
  builder.add(std::make_unique<VariationalDamping>("bar", other, of_tets(*other, 30)));
  const auto system = builder.build();
  EXPECT_TRUE(system->companions(0).empty());
  EXPECT_FALSE(system->is_companion(0));
}

}  // namespace
}  // namespace dashpot::testing::test_tet_pass
