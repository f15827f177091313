// Cluster damping against reference values and against its definition, point by point.
#include <gtest/gtest.h>

#include <random>

#include "unit/dissipation/cluster_states.hpp"

namespace dashpot::testing::test_cluster_reference {
namespace {

/// The definition, point by point: what kernels of four clusters must agree with.
PointState by_definition(const PointState& state, const Clusters& clusters, TorqueElimination elimination,
                         double gamma) {
  PointState after = state;
  const std::vector<int> copies = clusters.copies();
  for (int c = 0; c < clusters.size(); ++c) {
    PointState part;
    for (const int point : clusters[c]) {
      const auto i = static_cast<std::size_t>(point);
      part.mass.push_back(state.mass[i] / copies[i]);
      part.x.push_back(state.x[i]);
      part.v.push_back(state.v[i]);
    }
    double total = 0;
    for (const double m : part.mass) total += m;
    const Vec3 v_cm = part.linear() / total;
    std::vector<Vec3> force;
    for (std::size_t a = 0; a < part.v.size(); ++a) force.push_back(-gamma * part.mass[a] * (part.v[a] - v_cm));
    make_torque_free(elimination, {part.mass, part.x, {}}, nullptr, force);
    for (std::size_t a = 0; a < part.v.size(); ++a) {
      const auto i = static_cast<std::size_t>(clusters[c][a]);
      after.v[i] += force[a] / state.mass[i];
    }
  }
  return after;
}

TEST(GlobalDamping, GivesTheReferenceCubeItsEnergies) {
  const PointState state = cube_state();
  const Clusters all = one_cluster(8);
  EXPECT_NEAR(damped(state, all, TorqueElimination::none, 0.5).kinetic_energy(), 2.795751769537, 1e-8);
  EXPECT_NEAR(damped(state, all, TorqueElimination::rigid, 0.5).kinetic_energy(), 5.337593044806, 1e-8);
  EXPECT_NEAR(damped(state, all, TorqueElimination::center, 0.5).kinetic_energy(), 5.540949648532, 1e-8);
  EXPECT_NEAR(damped(state, all, TorqueElimination::edges, 0.5, Cube8().edges).kinetic_energy(), 5.596375204144, 1e-8);
}

TEST(LocalDamping, GivesTheReferenceCubeItsEnergies) {
  const PointState state = cube_state();
  const Clusters tets = element_clusters(8, Cube8().tets, 4);
  const PointState none = damped(state, tets, TorqueElimination::none, 0.5);
  EXPECT_NEAR(none.kinetic_energy(), 3.822825484194, 1e-8);
  EXPECT_LT((none.v[0] - Vec3(-.108044057372, .170179537461, -.639099526455)).norm(), 1e-8);
  EXPECT_NEAR((none.angular() - state.angular()).lpNorm<Eigen::Infinity>(), .5615, 5e-5);
  const PointState center = damped(state, tets, TorqueElimination::center, 0.5);
  EXPECT_NEAR(center.kinetic_energy(), 5.674256137623, 1e-8);
  EXPECT_LT((center.v[0] - Vec3(1.073248519033, -.79247910287, -.720819488908)).norm(), 1e-8);
  const PointState whole = damped(state, tets, TorqueElimination::center, 1);
  EXPECT_NEAR(whole.kinetic_energy(), 5.597650776613, 1e-8);
  EXPECT_LT((whole.v[0] - Vec3(1.139976025291, -.640590648175, -.478713603062)).norm(), 1e-8);
}

TEST(ClusterDamping, KernelsOfFourDoWhatTheDefinitionSays) {
  std::mt19937 random(5);
  const std::vector<Vec3> rest = lattice(5);
  const int n = static_cast<int>(rest.size());
  for (const int per_cluster : {2, 3, 4, 7, 40}) {
    std::vector<int> members;
    for (int c = 0; c < 203; ++c)  // no multiple of four, more than one chunk
      for (int a = 0; a < per_cluster; ++a) members.push_back((c * 11 + a * (c % 5 + 1)) % n);
    const Clusters clusters = element_clusters(n, members, per_cluster);
    const PointState state = random_state(rest, 3, random);
    for (const TorqueElimination elimination :
         {TorqueElimination::none, TorqueElimination::rigid, TorqueElimination::center}) {
      SCOPED_TRACE(to_string(elimination) + " of " + std::to_string(per_cluster));
      const PointState fast = damped(state, clusters, elimination, 0.7);
      ASSERT_GT(difference(fast, state), 1e-6);
      EXPECT_LT(difference(fast, by_definition(state, clusters, elimination, 0.7)), 1e-11);
    }
  }
}

TEST(ClusterDamping, OfTheWholeBodyDoesWhatTheDefinitionSaysInEveryRange) {
  std::mt19937 random(6);
  for (const int n : {2, 3, 5, 8, 9, 1000, 40000}) {
    std::vector<Vec3> rest;
    for (int i = 0; i < n; ++i) rest.emplace_back(std::sin(i), std::cos(2.1 * i), i % 7);
    const PointState state = random_state(rest, 2, random);
    for (const TorqueElimination elimination :
         {TorqueElimination::none, TorqueElimination::rigid, TorqueElimination::center}) {
      SCOPED_TRACE(to_string(elimination) + " of " + std::to_string(n));
      const PointState fast = damped(state, one_cluster(n), elimination, 0.3);
      ASSERT_GT(difference(fast, state), 1e-8);
      EXPECT_LT(difference(fast, by_definition(state, one_cluster(n), elimination, 0.3)), 1e-11);
    }
  }
}

}  // namespace
}  // namespace dashpot::testing::test_cluster_reference
