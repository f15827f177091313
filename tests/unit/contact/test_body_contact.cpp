// Deformable bodies that press on each other: derivatives, smoothness, momenta, balance.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/surface.hpp"
#include "support/derivative_slope.hpp"
#include "unit/contact/touching_bodies.hpp"

namespace dashpot::test_body_contact {
namespace {

using contact::BodyPair;
using contact::make_contact_surface;
using contact::PairLaw;
using testing::moved;
using testing::Touching;
using testing::touching;
using testing::TouchingBody;

const EnergyTerm& contact_of(const System& system) {
  for (const auto& term : system.energies())
    if (term->kind() == EnergyKind::contact) return *term;
  throw std::logic_error("no contact");
}

Vector contact_gradient(const System& system, const Vector& q) {
  Vector g = Vector::Zero(q.size());
  EnergyRequest request{q};
  request.gradient = &g;
  contact_of(system).evaluate(request);
  return g;
}

double contact_energy(const System& system, const Vector& q) {
  const EnergyRequest request{q};
  return contact_of(system).evaluate(request);
}

/// A small shake that breaks all symmetry.
Vector shaken(Vector q, double by) {
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] += by * std::sin(1.0 + 12.9898 * static_cast<double>(i));
  return q;
}

/// Two of each kind that touch: solids overlapping, solids within their skins, cloth on a ball, chains crossing.
Touching example(const std::string& name) {
  const PairLaw law{1e7, 0.004};
  const Mesh ball = make_sphere(0.1, 3);
  if (name == "SolidsInside")
    return touching({{"a", ball, {}, 1000, 0.0}, {"b", moved(ball, {0.19, 0.01, 0.02}), {}, 1000, 0.0}}, law);
  if (name == "SolidsInTheirSkins")
    return touching({{"a", ball, {}, 1000, 0.02}, {"b", moved(ball, {0.21, 0.01, 0.02}), {}, 1000, 0.02}}, law);
  if (name == "ClothOnABall")
    return touching({{"cloth", make_cloth(0.3, 0.3, {9, 9}), {}, 0.01, 0.01},
                     {"ball", moved(ball, {0.16, 0.1, 0.14}), {}, 1000, 0.005}},
                    law);
  if (name == "ChainOverChain")
    return touching({{"one", make_chain({0, 0, 0}, {1, 0, 0}, 5), {}, 0.01, 0.05},
                     {"two", make_chain({0.43, 0.04, -0.5}, {0.48, 0.03, 0.5}, 5), {}, 0.01, 0.05}},
                    law);
  return touching({{"point", make_points({{0.01, 0.13, 0.02}}), {}, 0.1, 0.08}, {"ball", ball, {}, 1000, 0.01}}, law);
}

class BodyContacts : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Kinds, BodyContacts,
                         ::testing::Values("SolidsInside", "SolidsInTheirSkins", "ClothOnABall", "ChainOverChain",
                                           "PointOnABall"),
                         [](const auto& test) { return test.param; });

TEST_P(BodyContacts, HaveExactGradientsAndHessiansAcrossTheBodies) {
  const Touching bodies = example(GetParam());
  const System& system = *bodies.system;
  const Vector q = shaken(system.rest(), 1e-4);
  ASSERT_GT(contact_energy(system, q), 0);
  Vector direction(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) direction[i] = std::cos(3.0 + 78.233 * static_cast<double>(i));
  const Vector g = contact_gradient(system, q);
  const auto value = [&](const Vector& at) { return Vector::Constant(1, contact_energy(system, at)); };
  const auto first = testing::derivative_slope(value, q, direction, Vector::Constant(1, g.dot(direction)), 1e-5);
  EXPECT_TRUE(first.ok()) << first.slope << " " << first.relative_remainder;

  BlockMatrix H(system.pattern());
  DynamicBlocks couplings;
  couplings.clear(3);
  EnergyRequest request{q};
  request.hessian = &H;
  request.couplings = &couplings;
  contact_of(system).evaluate(request);
  couplings.finish();
  ASSERT_GT(couplings.num_pairs(), 0);
  Vector Hd = Vector::Zero(q.size());
  H.multiply(direction, Hd);
  couplings.multiply_add(direction, Hd);
  const auto second =
      testing::derivative_slope([&](const Vector& at) { return contact_gradient(system, at); }, q, direction, Hd, 1e-6);
  EXPECT_TRUE(second.ok()) << second.slope << " " << second.relative_remainder;
}

TEST_P(BodyContacts, KeepBothMomentaToRoundOff) {
  const Touching bodies = example(GetParam());
  const Vector q = shaken(bodies.system->rest(), 1e-3);
  const Vector g = contact_gradient(*bodies.system, q);
  ASSERT_GT(g.norm(), 1e-3);
  double scale = 0;
  for (Eigen::Index i = 0; i < g.size() / 3; ++i) scale += g.segment<3>(3 * i).norm();
  const LinearAngular wrench = bodies.system->kinematics().wrench(q, g);
  EXPECT_LT(wrench.linear.norm(), 1e-14 * scale);
  EXPECT_LT(wrench.angular.norm(), 1e-14 * scale);
}

TEST(BodyPair, APlanePressesExactlyOnceWhereverAPointIs) {
  const double thickness = 0.05;
  const PairLaw law{1e6, 0.02};
  Touching bodies = touching({{"point", make_points({{0, 0.06, 0}}), {}, 1, thickness},
                              {"cloth", make_cloth(1, 1, {6, 6}), {}, 0.01, thickness}},
                             law);
  Vector q = bodies.system->rest();
  q.head<3>() = Vec3(0.4321, 0.045, 0.5678);
  const double expected = contact_energy(*bodies.system, q);
  ASSERT_GT(expected, 0);
  for (int k = 0; k < 500; ++k) {
    // The third kind of place is a node of the cloth, the second lies on an edge.
    q.head<3>() = k % 3 == 0   ? Vec3(0.2 + 0.6 * std::abs(std::sin(k)), 0.045, 0.2 + 0.6 * std::abs(std::cos(3 * k)))
                  : k % 3 == 1 ? Vec3(0.5, 0.045, 0.2 + 0.6 * std::abs(std::sin(k)))
                               : Vec3((1 + k % 5) / 6.0, 0.045, (1 + k % 4) / 6.0);
    // Nodes of the cloth within reach feel the point as well: the energy varies with place, but the point's own share,
    // the force along y that the cloth as a whole gives, is counted by touches.
    double count = 0;
    for (const contact::Touch& touch : bodies.pairs[0]->touches(q))
      if (touch.sample == &bodies.pairs[0]->first().samples[0]) {
        const contact::FeatureGap gap = bodies.pairs[0]->gap(q, touch);
        EXPECT_NEAR(gap.gap, 0.045, 1e-12);
        count += touch.scale / (0.5 * bodies.pairs[0]->first().samples[0].area);
      }
    ASSERT_NEAR(count, 1, 1e-12) << k;
  }
}

TEST(BodyPair, ForcesAreContinuousWhereTheClosestFeatureChanges) {
  // A point drawn along over a folded sheet: over the ridge, and down into the valley between two slopes.
  Mesh sheet = make_cloth(1, 0.5, {8, 4});
  for (Vec3& x : sheet.nodes) x.y() = 0.3 * std::abs(std::fmod(x.x() + 1e-12, 0.5) - 0.25);
  const PairLaw law{1e6, 0.03};
  Touching bodies = touching({{"point", make_points({{0, 0, 0}}), {}, 1, 0.04}, {"cloth", sheet, {}, 0.01, 0.04}}, law);
  Vector q = bodies.system->rest();
  double largest = 0, steepest = 0;
  Vector previous;
  const double ds = 1e-6;
  for (int place = 0; place < 400; ++place)
    for (int k = 0; k < 2; ++k) {
      const double x = 0.1 + 0.8 * place / 400.0 + k * ds;
      q.head<3>() = Vec3(x, 0.3 * std::abs(std::fmod(x, 0.5) - 0.25) + 0.025, 0.2512);
      const Vector g = contact_gradient(*bodies.system, q);
      largest = std::max(largest, g.norm());
      if (k == 1) steepest = std::max(steepest, (g - previous).norm() / ds);
      previous = g;
    }
  ASSERT_GT(largest, 1);
  EXPECT_LT(steepest, 1e3 * largest) << "a jump would show as " << largest / ds;
}

TEST(BodyPair, PointsInsideASolidArePushedOutUpToItsDepthLimit) {
  const Mesh bar = make_bar({0.4, 0.1, 0.4}, {4, 1, 4});
  const PairLaw law{1e6, 0.002};
  Touching bodies = touching({{"point", make_points({{0, 0, 0}}), {}, 1, 0.02}, {"bar", bar, {}, 1000, 0}}, law);
  Vector q = bodies.system->rest();
  const double limit = bodies.pairs[0]->second().depth_limit;
  EXPECT_NEAR(limit, 0.4 * 0.4 * 0.1 / (2 * 0.4 * 0.4 + 4 * 0.4 * 0.1), 1e-12);
  for (const double depth : {0.001, 0.01, 0.9 * limit}) {
    q.head<3>() = Vec3(0.23, 0.1 - depth, 0.17);
    const Vec3 force = -contact_gradient(*bodies.system, q).head<3>();
    // The bar's own nodes are too far away to feel the point: half of its energy, and force k (depth + skin) A / 2.
    EXPECT_NEAR(force.y(), 0.5 * 1e6 * (depth + 0.01) * bodies.pairs[0]->first().samples[0].area, 1e-9) << depth;
    EXPECT_NEAR(force.x(), 0, 1e-12);
  }
  q.head<3>() = Vec3(0.23, 0.05, 0.17);  // beyond the limit: not felt
  EXPECT_EQ(contact_gradient(*bodies.system, q).norm(), 0);
}

TEST(BodyContact, ABlockAtRestOnAnotherPressesWithItsWeight) {
  const Mesh below = make_bar({0.2, 0.1, 0.2}, {4, 2, 4});
  const Mesh above = moved(make_bar({0.12, 0.12, 0.12}, {3, 3, 3}), {0.037, 0.1015, 0.041});
  std::vector<int> floor;
  for (int i = 0; i < below.num_nodes(); ++i)
    if (below.nodes[static_cast<std::size_t>(i)].y() < 1e-9) floor.push_back(i);
  std::vector<int> guided;  // otherwise it could slide away: there is no friction at rest
  for (int i = 0; i < above.num_nodes(); ++i) guided.push_back(i);
  Touching bodies =
      touching({{"below", below, {}, 1000, 0.002, floor}, {"above", above, {}, 1000, 0.002, {}, Vec3::Zero(), guided}},
               {2e7, 0.002}, 0, {0, -9.81, 0});
  State state = bodies.start;
  StaticOptions options;
  const StaticReport report = solve_static(*bodies.system, state, Vector(), options);
  ASSERT_TRUE(report.converged) << report.explanation;
  const Vector g = contact_gradient(*bodies.system, state.q);
  double pressed = 0;
  for (int i = bodies.first[1]; i < bodies.first[1] + above.num_nodes(); ++i) pressed -= g[3 * i + 1];
  const double weight = 1000 * 0.12 * 0.12 * 0.12 * 9.81;
  EXPECT_NEAR(pressed, weight, 1e-6 * weight);
}

}  // namespace
}  // namespace dashpot::test_body_contact
