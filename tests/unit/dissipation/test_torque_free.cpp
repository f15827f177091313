#include "dashpot/dissipation/torque_free.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/cube8.hpp"
#include "support/point_states.hpp"

namespace dashpot::testing::test_torque_free {
namespace {

constexpr double h = 0.01;

/// Eq. (7), (8) with the unit mended: f = -gamma (m/h) (v - v_cm).
std::vector<Vec3> global_forces(const PointState& state, double gamma) {
  double total = 0;
  for (const double m : state.mass) total += m;
  const Vec3 v_cm = state.linear() / total;
  std::vector<Vec3> force;
  for (std::size_t i = 0; i < state.v.size(); ++i) force.push_back(-gamma * state.mass[i] / h * (state.v[i] - v_cm));
  return force;
}

struct Damped {
  PointState state;
  double factor = 1;
};

Damped damped(TorqueElimination elimination, const PointState& state, const std::vector<Edge>& edges, double gamma) {
  std::vector<Vec3> force = global_forces(state, gamma);
  const StruckVelocities motion{state.v, h};
  Damped result{state, 1};
  result.factor = make_torque_free(elimination, {state.mass, state.x, edges}, &motion, force);
  for (std::size_t i = 0; i < force.size(); ++i)
    if (state.mass[i] > 0) result.state.v[i] += h / state.mass[i] * force[i];
  return result;
}

const std::vector<Vec3> tetrahedron{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
const std::vector<Edge> tetrahedron_edges{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

TEST(TorqueFree, ABreathingSpinningTetrahedronGainsEnergyFromTheInvertedFactor) {  // CE1
  PointState state{std::vector<double>(4, 1.0), tetrahedron, {}};
  for (const Vec3& x : tetrahedron) state.v.push_back(Vec3(0, 0, 10).cross(x) + 0.1 * x);
  EXPECT_NEAR(state.kinetic_energy(), 400.06, 1e-9);
  EXPECT_NEAR(damped(TorqueElimination::unsafe_edges_printed, state, tetrahedron_edges, 1).factor, .048986121034,
              1e-10);
  const Damped inverted = damped(TorqueElimination::unsafe_edges_inverted, state, tetrahedron_edges, 1);
  EXPECT_NEAR(inverted.factor, 1, 1e-12);
  EXPECT_NEAR(inverted.state.kinetic_energy(), 400.54, 1e-9);
  const Damped safe = damped(TorqueElimination::edges, state, tetrahedron_edges, 1);
  EXPECT_NEAR(safe.factor, 0.25, 1e-12);
  EXPECT_NEAR(safe.state.kinetic_energy(), 400, 1e-9);
}

TEST(TorqueFree, OneMovingCornerGainsThirtyfoldEnergyFromThePrintedFactor) {  // CE2
  PointState state{std::vector<double>(4, 1.0), tetrahedron, std::vector<Vec3>(4, Vec3::Zero())};
  state.v[0] = Vec3(1, 1, 1);
  EXPECT_NEAR(state.kinetic_energy(), 1.5, 1e-12);
  const Damped printed = damped(TorqueElimination::unsafe_edges_printed, state, tetrahedron_edges, 1);
  EXPECT_NEAR(printed.factor, 8.0 / 3, 1e-10);
  EXPECT_NEAR(printed.state.kinetic_energy(), 49.5, 1e-8);
  const Damped inverted = damped(TorqueElimination::unsafe_edges_inverted, state, tetrahedron_edges, 1);
  EXPECT_NEAR(inverted.factor, .306186217848, 1e-10);
  EXPECT_NEAR(inverted.state.kinetic_energy(), .506632692913, 1e-10);
}

TEST(TorqueFree, ARigidSpinOfUnequalMassesFeelsForcesOnEdgesButNotReducedMasses) {  // CE3
  PointState state{{10, 1, 1}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}};
  const Vec3 center(1.0 / 12, 1.0 / 12, 0);
  for (const Vec3& x : state.x) state.v.push_back(Vec3(0, 0, 1).cross(x - center));
  const std::vector<Edge> edges{{0, 1}, {0, 2}, {1, 2}};
  EXPECT_NEAR(state.kinetic_energy(), .916666666667, 1e-10);
  const Damped printed = damped(TorqueElimination::unsafe_edges_printed, state, edges, 1);
  EXPECT_NEAR(printed.factor, .814821714383, 1e-10);
  EXPECT_NEAR(printed.state.kinetic_energy(), 1.327476092896, 1e-9);
  const Damped inverted = damped(TorqueElimination::unsafe_edges_inverted, state, edges, 1);
  EXPECT_NEAR(inverted.factor, 1, 1e-12);
  EXPECT_NEAR(inverted.state.kinetic_energy(), 1.535416666667, 1e-9);
  for (const TorqueElimination safe : {TorqueElimination::reduced_mass, TorqueElimination::rigid}) {
    const Damped unchanged = damped(safe, state, edges, 1);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT((unchanged.state.v[i] - state.v[i]).norm(), 1e-14) << to_string(safe);
  }
}

PointState cube_state() {
  const Cube8 cube;
  return {cube.mass, cube.x, cube.v};
}

TEST(TorqueFree, TheReferenceCubeHasItsMomentaAndEnergy) {
  const PointState state = cube_state();
  EXPECT_NEAR(state.kinetic_energy(), 5.788490171175, 1e-8);
  EXPECT_LT((state.linear() - Vec3(-1.340664752844, 1.370617456619, -.346343378536)).norm(), 1e-8);
  EXPECT_LT((state.angular() - Vec3(-.814379313866, -.100998232461, 3.155608605261)).norm(), 1e-8);
}

TEST(TorqueFree, TheReferenceCubeAfterEachForm) {
  struct Row {
    TorqueElimination elimination;
    double energy;
    Vec3 v0;
  };
  const std::vector<Row> rows{
      {TorqueElimination::none, 2.795751769537, {-.131826953423, .177092602245, -.645529308827}},
      {TorqueElimination::center, 5.540949648532, {1.065995879496, -.805031418906, -.755687312663}},
      {TorqueElimination::unsafe_edges_inverted, 5.596953490833, {.973055202863, -.417646971987, -.197495012531}},
      {TorqueElimination::edges, 5.596375204144, {.974795789652, -.445042182054, -.237305732178}},
      {TorqueElimination::rigid, 5.337593044806, {.796676073381, -.68878334232, -.576771372943}}};
  const PointState state = cube_state();
  for (const Row& row : rows) {
    SCOPED_TRACE(to_string(row.elimination));
    const Damped after = damped(row.elimination, state, Cube8().edges, 0.5);
    EXPECT_NEAR(after.state.kinetic_energy(), row.energy, 1e-8);
    EXPECT_LT((after.state.v[0] - row.v0).norm(), 1e-8);
    EXPECT_LT((after.state.linear() - state.linear()).norm(), 1e-13);
    const double torque = (after.state.angular() - state.angular()).lpNorm<Eigen::Infinity>();
    if (row.elimination == TorqueElimination::none)
      EXPECT_NEAR(torque, .9226, 5e-5);
    else
      EXPECT_LT(torque, 1e-13);
  }
  EXPECT_NEAR(damped(TorqueElimination::edges, state, Cube8().edges, 0.5).factor, .339407693251, 1e-8);
  EXPECT_NEAR(damped(TorqueElimination::unsafe_edges_inverted, state, Cube8().edges, 0.5).factor, .358029108286, 1e-8);
  EXPECT_NEAR(damped(TorqueElimination::unsafe_edges_printed, state, Cube8().edges, 0.5).factor, .327495461780, 1e-8);
}

TEST(TorqueFree, TheLinearProgramOfTheReferenceCube) {
  const PointState state = cube_state();
  std::vector<Vec3> force = global_forces(state, 0.5);
  EXPECT_NEAR(solve_torque_program({state.mass, state.x, {}}, force), 160.2502659581, 1e-6);
  Vec3 total = Vec3::Zero(), torque = Vec3::Zero();
  for (std::size_t i = 0; i < force.size(); ++i) {
    total += force[i];
    torque += state.x[i].cross(force[i]);
  }
  EXPECT_LT(total.norm(), 1e-10);
  EXPECT_LT(torque.norm(), 1e-10);
}

TEST(TorqueFree, SafeFormsKeepMomentaAndNeverAddEnergyWhateverTheMasses) {
  std::mt19937 random(3);
  const Cube8 cube;
  std::map<TorqueElimination, int> grew;
  for (int trial = 0; trial < 3000; ++trial) {
    const PointState state =
        random_state(cube.x, std::array{0.0, 2.0, 6.0}[static_cast<std::size_t>(trial % 3)], random);
    const double gamma = std::array{0.1, 0.5, 1.0}[random() % 3], energy = state.kinetic_energy();
    for (const TorqueElimination elimination : all_torque_eliminations) {
      if (elimination == TorqueElimination::unsafe_linear_program) continue;  // slow; C-torque does it
      const auto [after, factor] = damped(elimination, state, cube.edges, gamma);
      ASSERT_GE(factor, 0) << "a damping never pushes";
      const double scale = state.angular_scale() + after.angular_scale();
      if (after.kinetic_energy() > energy * (1 + 1e-12)) ++grew[elimination];
      ASSERT_LT((after.linear() - state.linear()).norm(), 1e-12 * scale) << to_string(elimination);
      if (elimination != TorqueElimination::none)
        ASSERT_LT((after.angular() - state.angular()).norm(), 1e-12 * scale) << to_string(elimination);
    }
  }
  for (const TorqueElimination elimination : all_torque_eliminations) {
    if (elimination == TorqueElimination::unsafe_linear_program) continue;
    if (is_safe(elimination))
      EXPECT_EQ(grew[elimination], 0) << to_string(elimination);
    else
      EXPECT_GT(grew[elimination], 50) << to_string(elimination) << " is called unsafe";
  }
}

TEST(TorqueFree, ForcesOfAUserLoseTheirNetForceAndTorqueAndComeNoNearer) {
  const Cube8 cube;
  for (const TorqueElimination elimination : all_torque_eliminations) {
    if (elimination == TorqueElimination::none) continue;
    SCOPED_TRACE(to_string(elimination));
    std::vector<Vec3> force, given;
    for (int i = 0; i < 8; ++i) given.push_back(Vec3(rnd(3 * i), 2 + rnd(3 * i + 1), rnd(3 * i + 2)));
    force = given;
    make_torque_free(elimination, {cube.mass, cube.x, cube.edges}, nullptr, force);
    Vec3 total = Vec3::Zero(), torque = Vec3::Zero();
    double size = 0, square = 0, given_square = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      total += force[i];
      torque += cube.x[i].cross(force[i]);
      size += force[i].norm();
      square += force[i].squaredNorm() / cube.mass[i];
      given_square += given[i].squaredNorm() / cube.mass[i];
    }
    EXPECT_GT(size, 0.1);
    EXPECT_LT(total.norm(), 1e-10 * size);
    EXPECT_LT(torque.norm(), 1e-10 * size);
    if (is_safe(elimination)) EXPECT_LE(square, given_square);
  }
}

TEST(TorqueFree, DegenerateSetsOfPointsAreDefined) {
  for (const TorqueElimination elimination : all_torque_eliminations) {
    SCOPED_TRACE(to_string(elimination));
    const std::vector<Edge> edges{{0, 1}, {1, 2}, {0, 2}};
    // On a line, two of them at one place, one without mass.
    PointState state{{1, 2, 0, 3}, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}}, {}};
    state.v = {{1, 2, 3}, {-1, 0, 2}, {5, 5, 5}, {0, -1, 0}};
    const PointState after = damped(elimination, state, edges, 1).state;
    for (const Vec3& v : after.v) ASSERT_TRUE(v.allFinite());
    EXPECT_EQ((after.v[2] - state.v[2]).norm(), 0) << "no mass, no force";
    EXPECT_LT((after.linear() - state.linear()).norm(), 1e-13);
    if (is_safe(elimination)) EXPECT_LE(after.kinetic_energy(), state.kinetic_energy());
    std::vector<Vec3> nothing;
    EXPECT_EQ(make_torque_free(elimination, {}, nullptr, nothing), 1);
  }
}

}  // namespace
}  // namespace dashpot::testing::test_torque_free
