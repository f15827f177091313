// Cloth that touches itself or another sheet: derivatives, laws, and that nothing passes through anything.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "dashpot/contact/cloth_contact.hpp"
#include "dashpot/contact/edge_crossings.hpp"
#include "dashpot/contact/travel_check.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "dashpot/model/system.hpp"
#include "support/derivative_slope.hpp"

namespace dashpot {
namespace {

using contact::BarrierLaw;
using contact::ClothMeeting;
using contact::ClothSheet;
using contact::FourPoints;

constexpr double thickness = 0.05;

/// Two sheets of 1 m, or one, of free nodes.
struct Sheets {
  std::vector<Mesh> meshes;
  std::shared_ptr<const ClothMeeting> meeting;
  std::shared_ptr<const System> system;

  Sheets(std::vector<Mesh> sheets, const BarrierLaw& law = {thickness, 1e4}) : meshes(std::move(sheets)) {
    int nodes = 0;
    std::vector<ClothSheet> parts;
    for (const Mesh& mesh : meshes) {
      parts.push_back({"sheet" + std::to_string(parts.size()), &mesh, nodes});
      nodes += mesh.num_nodes();
    }
    Vector rest(3 * nodes);
    for (std::size_t k = 0; k < meshes.size(); ++k)
      for (int i = 0; i < meshes[k].num_nodes(); ++i)
        rest.segment<3>(3 * (parts[k].first_point + i)) = meshes[k].nodes[at(i)];
    SystemBuilder builder(3, rest);
    builder.set_kinematics(std::make_unique<NodalKinematics>(nodes));
    auto made = std::make_shared<ClothMeeting>();
    made->kinematics = builder.kinematics();
    made->surface = contact::make_cloth_surface(parts);
    made->law = law;
    meeting = made;
    builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<contact::ClothContact>(meeting)));
    std::vector<int> all(at(nodes));
    for (int i = 0; i < nodes; ++i) all[at(i)] = i;
    builder.set_inertia(std::make_unique<NodalInertia>(
        std::vector{std::make_shared<ElementMass>(1, all, std::vector<double>(at(nodes), 0.01), true)}));
    system = builder.build();
  }
  double energy(const Vector& q) const { return system->energies()[0]->evaluate({.q = q}); }
  Vector gradient(const Vector& q) const {
    Vector g = Vector::Zero(q.size());
    system->energies()[0]->evaluate({.q = q, .gradient = &g});
    return g;
  }
};

Mesh placed(Mesh mesh, const Mat3& turn, const Vec3& by) {
  for (Vec3& x : mesh.nodes) x = turn * x + by;
  return mesh;
}

/// A tent: the sheet [0, 1]^2 folded down along its middle line z = 1/2.
Mesh tent(double slope) {
  Mesh mesh = make_cloth(1, 1, {4, 4});
  for (Vec3& x : mesh.nodes) x.y() = -slope * std::abs(x.z() - 0.5);
  return mesh;
}

/// The ridges of two tents, one upside down and turned, cross between their nodes.
Sheets crossing_ridges(double gap) {
  Mat3 flipped;
  flipped << 0, 0, 1, 0, -1, 0, 1, 0, 0;
  return Sheets({tent(2), placed(tent(2), flipped, Vec3(0.125, gap, 0.125))});
}

Sheets layers(double gap) {
  const Mat3 turn = Eigen::AngleAxisd(0.3, Vec3::UnitY()).toRotationMatrix();
  return Sheets({make_cloth(1, 1, {7, 7}), placed(make_cloth(0.8, 0.8, {5, 5}), turn, Vec3(0.05, gap, 0.2))});
}

/// A sheet that has been rolled up: two turns, layers `gap` apart.
Sheets roll(double gap) {
  Mesh mesh = make_cloth(2, 0.5, {40, 5});
  for (Vec3& x : mesh.nodes) {
    const double radius = 0.15 + gap * x.x() / (2 * std::numbers::pi * 0.16), angle = x.x() / 0.16;
    x = Vec3(radius * std::cos(angle), radius * std::sin(angle), x.z());
  }
  return Sheets({mesh});
}

Vector shaken(const Sheets& sheets, double by, unsigned seed = 1) {
  std::mt19937 random(seed);
  Vector q = sheets.system->rest();
  for (double& x : q) x += by * (static_cast<double>(random()) / 4294967295.0 - 0.5);
  return q;
}

void expect_exact_derivatives(const Sheets& sheets, const Vector& q) {
  ASSERT_GT(sheets.energy(q), 0);
  Vector direction(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) direction[i] = std::cos(3.0 + 78.233 * static_cast<double>(i));
  const Vector g = sheets.gradient(q);
  const auto value = [&](const Vector& at) { return Vector::Constant(1, sheets.energy(at)); };
  const auto first = testing::derivative_slope(value, q, direction, Vector::Constant(1, g.dot(direction)), 1e-5);
  EXPECT_TRUE(first.ok()) << first.slope << " " << first.relative_remainder;
  BlockMatrix H(sheets.system->pattern());
  DynamicBlocks couplings;
  couplings.clear(3);
  sheets.system->energies()[0]->evaluate({.q = q, .hessian = &H, .couplings = &couplings});
  couplings.finish();
  ASSERT_GT(couplings.num_pairs(), 0);
  Vector Hd = Vector::Zero(q.size());
  H.multiply(direction, Hd);
  couplings.multiply_add(direction, Hd);
  const auto second =
      testing::derivative_slope([&](const Vector& at) { return sheets.gradient(at); }, q, direction, Hd, 1e-6);
  EXPECT_TRUE(second.ok()) << second.slope << " " << second.relative_remainder;
}

TEST(BarrierLaw, HasExactDerivativesAndSetsInSmoothly) {
  const BarrierLaw law{0.003, 5e4};
  for (const double d : {0.0001, 0.0007, 0.0015, 0.0025, 0.00299}) {
    const double e = 1e-9;
    const auto here = contact::barrier(d, law), before = contact::barrier(d - e, law),
               after = contact::barrier(d + e, law);
    EXPECT_NEAR(here.slope, (after.value - before.value) / (2 * e), 1e-5 * std::abs(here.slope) + 1e-7);
    EXPECT_NEAR(here.curvature, (after.slope - before.slope) / (2 * e), 1e-5 * here.curvature + 1e-1);
    EXPECT_LT(here.slope, 0);
    EXPECT_GT(here.curvature, 0);
  }
  EXPECT_NEAR(contact::barrier(0.0015, law).slope, -5e4 * 0.003, 1e-9);
  EXPECT_EQ(contact::barrier(0.003, law).curvature, 0);
  EXPECT_LT(contact::barrier(0.003 * (1 - 1e-9), law).curvature, 1e-3);
  EXPECT_TRUE(std::isinf(contact::barrier(0, law).value));
}

TEST(ClothContact, HasExactDerivativesBetweenLayers) {
  const Sheets sheets = layers(0.03);
  expect_exact_derivatives(sheets, shaken(sheets, 0.01));
}

TEST(ClothContact, HasExactDerivativesInARoll) {
  const Sheets sheets = roll(0.03);
  expect_exact_derivatives(sheets, shaken(sheets, 0.006));
}

TEST(ClothContact, HasExactDerivativesOfNearlyParallelEdges) {
  // The same mesh twice, all but above itself: every edge has one that is parallel to 1 degree.
  const Mat3 turn = Eigen::AngleAxisd(0.01, Vec3::UnitY()).toRotationMatrix();
  const Sheets sheets({make_cloth(1, 1, {4, 4}), placed(make_cloth(1, 1, {4, 4}), turn, Vec3(0.013, 0.03, 0.021))});
  expect_exact_derivatives(sheets, shaken(sheets, 0.004));
}

TEST(ClothContact, RidgesThatCrossBetweenNodesAreHeldApartByTheirEdges) {
  const Sheets sheets = crossing_ridges(0.02);
  std::vector<Vec3> x;
  sheets.meeting->positions(sheets.system->rest(), x);
  contact::ClothNeighbors neighbors;
  neighbors.update(sheets.meeting->surface, x, thickness);
  std::vector<contact::ClothTouch> touches;
  contact::find_touches(sheets.meeting->surface, neighbors, x, thickness, touches);
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_TRUE(touches[0].is_edge_pair);
  EXPECT_NEAR(touches[0].gap.gap, 0.02, 1e-15);
  EXPECT_GT(sheets.energy(sheets.system->rest()), 0);
  expect_exact_derivatives(sheets, shaken(sheets, 0.002));
  // And the force pushes the upper tent up.
  double up = 0;
  const Vector g = sheets.gradient(sheets.system->rest());
  for (int i = sheets.meshes[0].num_nodes(); i < g.size() / 3; ++i) up -= g[3 * i + 1];
  EXPECT_GT(up, 0);
}

TEST(ClothContact, KeepsBothMomentaToRoundOff) {
  for (const Sheets& sheets : {layers(0.03), roll(0.03), crossing_ridges(0.02)}) {
    const Vector q = shaken(sheets, 0.004), g = sheets.gradient(q);
    double scale = 0;
    for (Eigen::Index i = 0; i < g.size() / 3; ++i) scale += g.segment<3>(3 * i).norm();
    ASSERT_GT(scale, 1e-3);
    const LinearAngular total = sheets.system->kinematics().wrench(q, g);
    EXPECT_LT(total.linear.norm(), 1e-14 * scale);
    EXPECT_LT(total.angular.norm(), 1e-13 * scale);
  }
}

TEST(ClothContact, ASheetPressesOnANodeExactlyOnceWhereverItIs) {
  Mesh tip = make_cloth(0.02, 0.02, {1, 1});
  const Sheets sheets({placed(tip, Mat3::Identity(), Vec3(0, 5, 0)), make_cloth(1, 1, {6, 6})});
  std::vector<Vec3> x;
  sheets.meeting->positions(sheets.system->rest(), x);
  std::vector<contact::ClothTouch> touches;
  for (int k = 0; k < 500; ++k) {
    x[0] = k % 3 == 0   ? Vec3(0.2 + 0.6 * std::abs(std::sin(k)), 0.03, 0.2 + 0.6 * std::abs(std::cos(3 * k)))
           : k % 3 == 1 ? Vec3(0.5, 0.03, 0.2 + 0.6 * std::abs(std::sin(k)))
                        : Vec3((1 + k % 5) / 6.0, 0.03, (1 + k % 4) / 6.0);
    contact::ClothNeighbors neighbors;
    neighbors.update(sheets.meeting->surface, x, thickness);
    contact::find_touches(sheets.meeting->surface, neighbors, x, thickness, touches);
    double count = 0;
    for (const contact::ClothTouch& touch : touches)
      if (!touch.is_edge_pair && touch.nodes[0] == 0) {
        EXPECT_NEAR(touch.gap.gap, 0.03, 1e-12);
        count += touch.scale / (0.5 * sheets.meeting->surface.node_area[0]);
      }
    ASSERT_NEAR(count, 1, 1e-12) << k;
  }
}

TEST(ClothContact, DoesNotDependOnWhenItsListWasMade) {
  const Sheets sheets = roll(0.04);
  const EnergyTerm& term = *sheets.system->energies()[0];
  const std::unique_ptr<TermScratch> kept = term.make_scratch();
  for (int k = 0; k < 20; ++k) {
    const Vector q = shaken(sheets, 0.002 * k, static_cast<unsigned>(k));
    EXPECT_EQ(term.evaluate({.q = q, .scratch = kept.get()}), term.evaluate({.q = q})) << k;
  }
}

TEST(ClothNeighbors, HoldEveryPairWithinReachOfPositionsThatTheyCover) {
  const Sheets sheets = roll(0.03);
  const contact::ClothSurface& surface = sheets.meeting->surface;
  contact::ClothNeighbors neighbors;
  std::vector<Vec3> x;
  sheets.meeting->positions(sheets.system->rest(), x);
  neighbors.update(surface, x, thickness);
  sheets.meeting->positions(shaken(sheets, 0.01), x);
  for (Vec3& p : x) p += Vec3(3, -2, 1);  // a motion of all together costs no margin
  ASSERT_TRUE(neighbors.covers(x));
  std::size_t near = 0;
  for (int node = 0; node < surface.num_nodes(); ++node)
    for (int t = 0; t < static_cast<int>(surface.triangles.size()); ++t) {
      const std::array<int, 3>& c = surface.triangles[at(t)];
      if (c[0] == node || c[1] == node || c[2] == node) continue;
      const Vec3 spot = nearest_on_triangle(x[at(node)], x[at(c[0])], x[at(c[1])], x[at(c[2])]).point;
      if ((x[at(node)] - spot).norm() >= thickness) continue;
      ++near;
      const auto& list = neighbors.node_triangles();
      ASSERT_TRUE(
          std::any_of(list.begin(), list.end(), [&](const auto& p) { return p.node == node && p.triangle == t; }));
    }
  EXPECT_GT(near, 100u);
  std::size_t near_edges = 0;
  for (int e = 0; e < static_cast<int>(surface.edges.size()); ++e)
    for (int f = e + 1; f < static_cast<int>(surface.edges.size()); ++f) {
      const auto &a = surface.edges[at(e)], &b = surface.edges[at(f)];
      if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) continue;
      const Vec3 xa[2] = {x[at(a[0])], x[at(a[1])]}, xb[2] = {x[at(b[0])], x[at(b[1])]};
      if (contact::closest_of_segments(xa, xb).distance2 >= thickness * thickness) continue;
      ++near_edges;
      const auto& list = neighbors.edge_pairs();
      ASSERT_TRUE(std::any_of(list.begin(), list.end(), [&](const auto& p) { return p.first == e && p.second == f; }));
    }
  EXPECT_GT(near_edges, 100u);
  for (Vec3& p : x) p.x() *= 1.5;
  EXPECT_FALSE(neighbors.covers(x));
}

TEST(ClosestOfSegments, AreTheClosestOfManyPoints) {
  std::mt19937 random(3);
  const auto some = [&]() -> Vec3 { return Vec3(random() % 1000, random() % 1000, random() % 1000) / 1000.0; };
  for (int k = 0; k < 300; ++k) {
    const Vec3 a[2] = {some(), some()}, b[2] = {some(), some()};
    double best = 1e9;
    for (int i = 0; i <= 100; ++i)
      for (int j = 0; j <= 100; ++j) {
        const double s = i / 100.0, t = j / 100.0;
        best = std::min(best, (a[0] + s * (a[1] - a[0]) - b[0] - t * (b[1] - b[0])).norm());
      }
    const double d = std::sqrt(contact::closest_of_segments(a, b).distance2);
    EXPECT_LE(d, best + 1e-12);
    EXPECT_GT(d, best - 0.02);
  }
  const Vec3 a[2] = {{0, 0, 0}, {1, 0, 0}}, b[2] = {{0.5, 0.1, 0}, {2, 0.1, 0}};  // parallel
  EXPECT_NEAR(contact::closest_of_segments(a, b).distance2, 0.01, 1e-15);
}

/// Smallest distance on the way, by looking often; and whether the signed volume changes while the things meet.
TEST(TravelCheck, NeverMissesAMeeting) {
  std::mt19937 random(7);
  const auto some = [&]() -> Vec3 {
    return Vec3(random() % 1000, random() % 1000, random() % 1000) / 500.0 - Vec3::Ones();
  };
  int met = 0, admitted = 0;
  for (int k = 0; k < 4000; ++k) {
    FourPoints from, to;
    for (int i = 0; i < 4; ++i) {
      from[at(i)] = some();
      to[at(i)] = from[at(i)] + 0.7 * some();
    }
    const bool edges = k % 2 == 1;
    double least = 1e9;
    for (int i = 0; i <= 400; ++i) {
      FourPoints x;
      for (std::size_t p = 0; p < 4; ++p) x[p] = from[p] + (i / 400.0) * (to[p] - from[p]);
      const double d = edges ? std::sqrt(contact::closest_of_segments(&x[0], &x[2]).distance2)
                             : (x[0] - nearest_on_triangle(x[0], x[1], x[2], x[3]).point).norm();
      least = std::min(least, d);
    }
    const bool admits = edges ? contact::edges_miss_each_other(from, to) : contact::node_misses_triangle(from, to);
    const double start = edges ? std::sqrt(contact::closest_of_segments(&from[0], &from[2]).distance2)
                               : (from[0] - nearest_on_triangle(from[0], from[1], from[2], from[3]).point).norm();
    if (least < 0.005 * start) {
      ++met;
      EXPECT_FALSE(admits) << k;
    }
    admitted += admits ? 1 : 0;
    if (least > 0.2 * start) EXPECT_TRUE(admits) << k;  // what stays well apart is let go
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(admitted, 1000);
}

TEST(ClothStepGuard, RefusesWhatPassesThroughHoweverFarItGoes) {
  const Sheets sheets = layers(0.1);
  const contact::ClothStepGuard guard(sheets.meeting);
  const Vector start = sheets.system->rest();
  const auto moved = [&](const Vec3& by) {
    Vector q = start;
    for (int i = sheets.meshes[0].num_nodes(); i < q.size() / 3; ++i) q.segment<3>(3 * i) += by;
    return q;
  };
  const std::unique_ptr<TermScratch> scratch = guard.make_scratch();
  for (const Vec3& by : {Vec3(0, -0.05, 0), Vec3(0.3, 0, 0), Vec3(0, 3, 0), Vec3(50, 50, 0)}) {
    const Vector q = moved(by);
    EXPECT_TRUE(guard.admits({start, 0, q, 0.01, scratch.get()})) << by.transpose();
  }
  for (const Vec3& by : {Vec3(0, -0.11, 0), Vec3(0.1, -0.2, 0), Vec3(0, -30, 0)}) {
    const Vector q = moved(by);
    EXPECT_FALSE(guard.admits({start, 0, q, 0.01, scratch.get()})) << by.transpose();
  }
  // Edges alone: ridges that cross, with no node near.
  const Sheets ridges = crossing_ridges(0.02);
  Vector q = ridges.system->rest();
  for (int i = ridges.meshes[0].num_nodes(); i < q.size() / 3; ++i) q[3 * i + 1] -= 0.04;
  EXPECT_FALSE(contact::ClothStepGuard(ridges.meeting).admits({ridges.system->rest(), 0, q, 0.01}));
}

TEST(EdgeCrossings, AreFoundWhereSheetsCross) {
  const Sheets sheets = layers(0.1);
  std::vector<Vec3> x;
  sheets.meeting->positions(sheets.system->rest(), x);
  EXPECT_TRUE(contact::find_crossings(sheets.meeting->surface, x, 10).empty());
  x.back().y() = -0.1;  // one corner of the upper sheet dips through the lower one
  const auto found = contact::find_crossings(sheets.meeting->surface, x, 10);
  EXPECT_FALSE(found.empty());
  for (const contact::EdgeCrossing& crossing : found) {
    const std::array<int, 2>& edge = sheets.meeting->surface.edges[at(crossing.edge)];
    const std::array<int, 3>& triangle = sheets.meeting->surface.triangles[at(crossing.triangle)];
    const int corner = static_cast<int>(x.size()) - 1;
    EXPECT_TRUE(std::count(edge.begin(), edge.end(), corner) + std::count(triangle.begin(), triangle.end(), corner) ==
                1)
        << "only what has that corner goes through";
  }
}

TEST(ClothFriction, NeverFeedsAndLeavesRigidMotionAlone) {
  const Sheets sheets = layers(0.03);
  const contact::ClothFriction friction(sheets.meeting, 0.4, 0.02);
  const std::unique_ptr<TermScratch> scratch = friction.make_scratch();
  State state = sheets.system->initial_state();
  friction.begin_step(state, scratch.get());
  const Vector none;
  const auto evaluate = [&](const Vector& v, Vector* force) {
    DissipationRequest request{state.q, v, none, 0, scratch.get()};
    request.force = force;
    return friction.evaluate(request);
  };
  Vector rigid(state.q.size()), sliding = Vector::Zero(state.q.size());
  const Vec3 omega(0.3, -0.7, 0.5), speed(0.2, 0.1, -0.4);
  for (Eigen::Index i = 0; i < rigid.size() / 3; ++i)
    rigid.segment<3>(3 * i) = speed + omega.cross(state.q.segment<3>(3 * i));
  for (Eigen::Index i = sheets.meshes[0].num_nodes(); i < rigid.size() / 3; ++i) sliding[3 * i] = 1;
  Vector f = Vector::Zero(rigid.size()), slipping = f;
  evaluate(rigid, &f);
  const double power = evaluate(sliding, &slipping);
  EXPECT_GT(power, 0);
  EXPECT_LT(f.norm(), 1e-10 * slipping.norm());
  // Coulomb: mu times the pressing forces of nodes and edges, all of which slip at 1 m/s. A few of them, at the rim and
  // at ends of edges, press at a slant, so that their sum is more than what presses upwards.
  double pressing = 0;
  const Vector g = sheets.gradient(state.q);
  for (Eigen::Index i = sheets.meshes[0].num_nodes(); i < rigid.size() / 3; ++i) pressing -= g[3 * i + 1];
  EXPECT_GT(power, 0.4 * pressing);
  EXPECT_LT(power, 0.41 * pressing);
}

}  // namespace
}  // namespace dashpot
