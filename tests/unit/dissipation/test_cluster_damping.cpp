#include "dashpot/dissipation/cluster_damping.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "support/cube8.hpp"
#include "support/point_states.hpp"

namespace dashpot::testing {
namespace {

constexpr double dt = 0.01;

Vector flat(const std::vector<Vec3>& points) {
  Vector all(3 * static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) all.segment<3>(3 * static_cast<Eigen::Index>(i)) = points[i];
  return all;
}

/// The state after one application.
PointState damped(const PointState& state, const Clusters& clusters, TorqueElimination elimination, double gamma,
                  const std::vector<Edge>& edges = {}, int iterations = 1) {
  const ClusterDamping filter("body", 0, state.mass, clusters, elimination, FilterGain::per_step(gamma), edges,
                              iterations);
  Vector v = flat(state.v);
  filter.apply(flat(state.x), dt, v);
  PointState after = state;
  for (std::size_t i = 0; i < after.v.size(); ++i) after.v[i] = v.segment<3>(3 * static_cast<Eigen::Index>(i));
  return after;
}

double difference(const PointState& a, const PointState& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.v.size(); ++i) largest = std::max(largest, (a.v[i] - b.v[i]).norm());
  return largest;
}

PointState cube_state() {
  const Cube8 cube;
  return {cube.mass, cube.x, cube.v};
}

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
  EXPECT_NEAR(damped(state, all, TorqueElimination::centre, 0.5).kinetic_energy(), 5.540949648532, 1e-8);
  EXPECT_NEAR(damped(state, all, TorqueElimination::edges, 0.5, Cube8().edges).kinetic_energy(), 5.596375204144, 1e-8);
}

TEST(LocalDamping, GivesTheReferenceCubeItsEnergies) {
  const PointState state = cube_state();
  const Clusters tets = element_clusters(8, Cube8().tets, 4);
  const PointState none = damped(state, tets, TorqueElimination::none, 0.5);
  EXPECT_NEAR(none.kinetic_energy(), 3.822825484194, 1e-8);
  EXPECT_LT((none.v[0] - Vec3(-.108044057372, .170179537461, -.639099526455)).norm(), 1e-8);
  EXPECT_NEAR((none.angular() - state.angular()).lpNorm<Eigen::Infinity>(), .5615, 5e-5);
  const PointState centre = damped(state, tets, TorqueElimination::centre, 0.5);
  EXPECT_NEAR(centre.kinetic_energy(), 5.674256137623, 1e-8);
  EXPECT_LT((centre.v[0] - Vec3(1.073248519033, -.79247910287, -.720819488908)).norm(), 1e-8);
  const PointState whole = damped(state, tets, TorqueElimination::centre, 1);
  EXPECT_NEAR(whole.kinetic_energy(), 5.597650776613, 1e-8);
  EXPECT_LT((whole.v[0] - Vec3(1.139976025291, -.640590648175, -.478713603062)).norm(), 1e-8);
}

std::vector<Vec3> lattice(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) points.emplace_back(i, j, k);
  return points;
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
         {TorqueElimination::none, TorqueElimination::rigid, TorqueElimination::centre}) {
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
         {TorqueElimination::none, TorqueElimination::rigid, TorqueElimination::centre}) {
      SCOPED_TRACE(to_string(elimination) + " of " + std::to_string(n));
      const PointState fast = damped(state, one_cluster(n), elimination, 0.3);
      ASSERT_GT(difference(fast, state), 1e-8);
      EXPECT_LT(difference(fast, by_definition(state, one_cluster(n), elimination, 0.3)), 1e-11);
    }
  }
}

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
    for (const TorqueElimination elimination : {TorqueElimination::rigid, TorqueElimination::centre,
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

TEST(LocalDamping, OfAChainTakesGammaTimesSineSquaredOfHalfThePhaseBetweenNeighbours) {
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
    // The ends are in one cluster each, so that their neighbours share it unequally.
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
}  // namespace dashpot::testing
