#include "dashpot/dissipation/cluster_damping.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "unit/dissipation/cluster_states.hpp"

namespace dashpot::testing::test_cluster_damping {
namespace {

constexpr double dt = cluster_dt;

TEST(ClusterDamping, KeepsMomentaAndNeverAddsEnergyWithMassesOverSixDecades) {
  std::mt19937 random(7);
  const Cube8 cube;
  const std::vector<Vec3> rest = cube.x;
  const std::vector<Clusters> kinds{one_cluster(8), element_clusters(8, cube.tets, 4), nearest_clusters(rest, 4), [&] {
                                      Clusters edges(8);
                                      for (const Edge& edge : cube.edges) edges.add(edge);
                                      return edges;
                                    }()};
  for (int trial = 0; trial < 600; ++trial) {
    const PointState state = random_state(rest, 6, random);
    const double gamma = std::array{0.05, 0.5, 1.0}[random() % 3];
    for (const Clusters& clusters : kinds)
      for (const TorqueElimination elimination : all_torque_eliminations) {
        if (!is_safe(elimination)) continue;
        SCOPED_TRACE(to_string(elimination));
        const PointState after = damped(state, clusters, elimination, gamma, cube.edges);
        const double scale = state.angular_scale();
        ASSERT_LE(after.kinetic_energy(), state.kinetic_energy() * (1 + 1e-13));
        ASSERT_LT((after.linear() - state.linear()).norm(), 1e-12 * scale);
        if (elimination != TorqueElimination::none)
          ASSERT_LT((after.angular() - state.angular()).norm(), 1e-12 * scale);
      }
  }
}

TEST(ClusterDamping, LeavesRigidMotionAloneWhereItSaysSo) {
  std::mt19937 random(8);
  const Cube8 cube;
  PointState state = random_state(cube.x, 6, random);
  for (std::size_t i = 0; i < 8; ++i) state.v[i] = Vec3(1, 2, 3) + Vec3(4, -5, 6).cross(state.x[i]);
  for (const Clusters& clusters : {one_cluster(8), element_clusters(8, cube.tets, 4)})
    for (const TorqueElimination elimination : {TorqueElimination::rigid, TorqueElimination::center,
                                                TorqueElimination::edges, TorqueElimination::reduced_mass})
      EXPECT_LT(difference(damped(state, clusters, elimination, 1, cube.edges), state), 1e-12)
          << to_string(elimination);
  EXPECT_GT(difference(damped(state, one_cluster(8), TorqueElimination::none, 1), state), 1);
}

TEST(ClusterDamping, SlenderTetsAndLinesKeepTheirMomentum) {
  std::mt19937 random(10);
  std::normal_distribution<double> normal;
  const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  for (const double width : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9, 0.0})
    for (int trial = 0; trial < 300; ++trial) {
      SCOPED_TRACE(width);
      const Vec3 along = vec().normalized();
      PointState state;
      for (int i = 0; i < 5; ++i) {  // the last one is alone: a body of one tet would be damped as a whole
        state.mass.push_back(1 + 0.5 * std::sin(trial + i));
        state.x.push_back(i * along + width * vec());
        state.v.push_back(vec());
      }
      const PointState after =
          damped(state, element_clusters(5, std::vector{0, 1, 2, 3}, 4), TorqueElimination::rigid, 1);
      // A slender body spins at 1/width about itself, which round-off grows with; below about 1e-6 of its length it has
      // no such spin, and that little momentum is lost rather than blown up.
      const double round_off = 2e-14 + (width < 2e-6 ? 10 * width : 1e-15 / width);
      ASSERT_LT((after.linear() - state.linear()).norm(), 1e-14 / std::max(width, 1e-6) * state.angular_scale());
      ASSERT_LT((after.angular() - state.angular()).norm(), round_off * state.angular_scale());
      ASSERT_LT(after.kinetic_energy(), state.kinetic_energy());
    }
}

TEST(ClusterDamping, FarFromHomeAndInFastFlightDeformationIsDampedAllTheSame) {
  const Cube8 cube;
  PointState near = cube_state(), far = near;
  for (std::size_t i = 0; i < 8; ++i) {
    far.x[i] += Vec3(1e5, -2e5, 3e5);
    far.v[i] += Vec3(1e4, 1e4, -1e4);
  }
  for (const Clusters& clusters : {one_cluster(8), element_clusters(8, cube.tets, 4)}) {
    PointState away = damped(far, clusters, TorqueElimination::rigid, 0.5);
    for (Vec3& v : away.v) v -= Vec3(1e4, 1e4, -1e4);
    EXPECT_LT(difference(away, damped(near, clusters, TorqueElimination::rigid, 0.5)), 1e-9);
  }
}

TEST(LocalDamping, OfAChainTakesGammaTimesSineSquaredOfHalfThePhaseBetweenNeighbors) {
  // Edges as clusters, equal masses, motion along the chain: a Laplacian of second differences.
  const int n = 96;
  for (const int waves : {48, 24, 12, 6, 3}) {
    PointState state;
    const double phase = 2 * M_PI * waves / n;
    Clusters edges(n);
    for (int i = 0; i < n; ++i) {
      state.mass.push_back(2);
      state.x.emplace_back(0.1 * i, 0, 0);
      state.v.emplace_back(std::cos(phase * i), 0, 0);
      if (i > 0) edges.add(std::vector{i - 1, i});
    }
    const PointState after = damped(state, edges, TorqueElimination::rigid, 0.3);
    const double left = 1 - 0.3 * std::pow(std::sin(phase / 2), 2);
    // The ends are in one cluster each, so that their neighbors share it unequally.
    for (std::size_t i = 2; i + 2 < static_cast<std::size_t>(n); ++i)
      ASSERT_NEAR(after.v[i].x(), left * state.v[i].x(), 1e-13) << waves << " waves";
  }
}

TEST(LocalDamping, IteratedTakesJaggedMotionAndLeavesSmoothMotion) {
  const Cube8 cube;
  const Clusters tets = element_clusters(8, cube.tets, 4);
  PointState thrice = cube_state();
  for (int k = 0; k < 3; ++k) thrice = damped(thrice, tets, TorqueElimination::rigid, 0.4);
  EXPECT_EQ(difference(damped(cube_state(), tets, TorqueElimination::rigid, 0.4, {}, 3), thrice), 0);

  // By a rate: with many iterations a step is the exponential of the rate, so that two half steps are one step.
  const auto by_rate = [&](int iterations, int steps) {
    const ClusterDamping filter("body", 0, cube.mass, tets, TorqueElimination::rigid, FilterGain::rate(300), {},
                                iterations);
    Vector v = flat(cube.v);
    for (int k = 0; k < steps; ++k) filter.apply(flat(cube.x), dt / steps, v);
    return v;
  };
  const double one = (by_rate(1, 2) - by_rate(1, 1)).norm(), many = (by_rate(64, 2) - by_rate(64, 1)).norm();
  EXPECT_GT(one, 0.05);
  EXPECT_LT(many, one / 40);
  EXPECT_THROW(damped(cube_state(), tets, TorqueElimination::rigid, 0.4, {}, 0), Error);
}

TEST(ClusterDamping, PartsOfABodyDoNotFeelEachOther) {
  const Cube8 cube;
  PointState state = cube_state(), two = state;
  std::vector<Edge> edges = cube.edges;
  for (std::size_t i = 0; i < 8; ++i) {  // a second cube that flies away
    two.mass.push_back(2 * state.mass[i]);
    two.x.push_back(state.x[i] + Vec3(3, 0, 0));
    two.v.push_back(Vec3(100, 0, 0));
  }
  for (const Edge& edge : cube.edges) edges.push_back({edge[0] + 8, edge[1] + 8});
  const PointState apart = damped(two, connected_parts(16, edges), TorqueElimination::rigid, 0.5);
  const PointState alone = damped(state, one_cluster(8), TorqueElimination::rigid, 0.5);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_LT((apart.v[i] - alone.v[i]).norm(), 1e-13);
    EXPECT_LT((apart.v[i + 8] - two.v[i + 8]).norm(), 1e-12);
  }
  EXPECT_GT(difference(damped(two, one_cluster(16), TorqueElimination::rigid, 0.5), apart), 1) << "together they do";
}

TEST(ClusterDamping, PointsWithoutMassOrClusterAndMasslessClustersAreLeftFinite) {
  PointState state{{1, 1, 0, 0, 0}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {}};
  state.v = {{1, 0, 0}, {-1, 0, 0}, {7, 7, 7}, {8, 8, 8}, {9, 9, 9}};
  Clusters clusters(5);
  clusters.add(std::vector{0, 1, 2});
  clusters.add(std::vector{2, 3});
  const PointState after = damped(state, clusters, TorqueElimination::rigid, 1);
  EXPECT_LT(after.v[0].norm() + after.v[1].norm(), 1e-14);
  EXPECT_TRUE(after.v[2].allFinite());
  EXPECT_EQ((after.v[3] - state.v[3]).norm(), 0) << "a cluster without mass does nothing";
  EXPECT_EQ((after.v[4] - state.v[4]).norm(), 0) << "in no cluster";
}

TEST(ClusterDamping, IsTheSameForEveryNumberOfThreads) {
  std::mt19937 random(9);
  const std::vector<Vec3> rest = lattice(33);
  const PointState state = random_state(rest, 2, random);
  const int n = static_cast<int>(rest.size()), before = num_threads();
  const std::vector<Clusters> kinds{one_cluster(n), nearest_clusters(rest, 3)};
  for (const Clusters& clusters : kinds) {
    set_num_threads(1);
    const PointState one = damped(state, clusters, TorqueElimination::rigid, 0.5);
    set_num_threads(before);
    EXPECT_EQ(difference(one, damped(state, clusters, TorqueElimination::rigid, 0.5)), 0);
  }
}

TEST(ClusterDamping, RefusesNegativeMassesAndEdgesThatAreNotThere) {
  EXPECT_THROW(
      damped({{1, -1}, {{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}, one_cluster(2), TorqueElimination::rigid, 0.5),
      Error);
  EXPECT_THROW(damped(cube_state(), one_cluster(8), TorqueElimination::edges, 0.5), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_cluster_damping
