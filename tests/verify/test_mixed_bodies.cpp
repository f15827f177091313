// Bodies with different coordinates in one System, on one floor and against each other: a bar of tets, a bar in a
// subspace, a yarn with five coordinates a node. Momentum and energy must close as they do for one kind of body.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/integrate/stepper.hpp"
#include "dashpot/record/ledger.hpp"
#include "support/derivative_slope.hpp"
#include "support/mixed_world.hpp"
#include "support/noise_vector.hpp"

namespace dashpot::test_mixed_bodies {
namespace {

using testing::derivative_slope;
using testing::mixed_world;
using testing::MixedWorld;
using testing::MixedWorldOptions;
using testing::noise;

/// All energies of contact.
double contact_energy(const System& system, const Vector& q, Vector* gradient = nullptr, BlockMatrix* hessian = nullptr,
                      DynamicBlocks* couplings = nullptr) {
  EnergyRequest request{q};
  request.gradient = gradient;
  request.hessian = hessian;
  request.couplings = couplings;
  double energy = 0;
  for (const auto& term : system.energies())
    if (term->kind() == EnergyKind::contact) energy += term->evaluate(request);
  return energy;
}

TEST(MixedKinematics, VelocitiesForcesAndCurvaturesAreDerivativesOfPositions) {
  const MixedWorld world = mixed_world({});
  const System& system = *world.system;
  const Kinematics& kinematics = system.kinematics();
  const Vector q = system.rest() + 0.01 * noise(system.num_dofs(), 3), d = noise(system.num_dofs(), 400);
  ASSERT_EQ(kinematics.num_points(), 32 + 6 + 10);
  for (const int point : {0, 7, 16, 20, 31, 32, 37, 38, 43, 47}) {
    SCOPED_TRACE(point);
    const auto x = [&](const Vector& at) { return Vector(kinematics.position(at, point)); };
    const auto first = derivative_slope(x, q, d, kinematics.velocity(q, d, point), 1e-3);
    EXPECT_TRUE(first.ok()) << first.slope << " " << first.relative_remainder;
    Vector force = Vector::Zero(system.num_dofs());
    const Vec3 f(0.3, -1.1, 0.7);
    kinematics.add_force(q, point, f, force);
    EXPECT_NEAR(force.dot(d), f.dot(kinematics.velocity(q, d, point)), 1e-13 * force.norm() * d.norm());
    if (kinematics.is_node(point) || kinematics.is_linear(point)) continue;
    Matrix H;
    ASSERT_TRUE(kinematics.point_curvature(q.data(), point, f, H));
    const PointJacobian J = kinematics.jacobian(q, point);
    Vector own(H.rows()), out = Vector::Zero(system.num_dofs());
    for (std::size_t k = 0; k < J.parts.size(); ++k)
      own.segment(J.column(k), J.parts[k].size) = d.segment(J.parts[k].first_dof, J.parts[k].size);
    const Vector Hd = H * own;
    for (std::size_t k = 0; k < J.parts.size(); ++k)
      out.segment(J.parts[k].first_dof, J.parts[k].size) = Hd.segment(J.column(k), J.parts[k].size);
    const auto generalized = [&](const Vector& at) {
      Vector g = Vector::Zero(system.num_dofs());
      kinematics.add_force(at, point, f, g);
      return g;
    };
    const auto second = derivative_slope(generalized, q, d, out, 1e-3);
    EXPECT_TRUE(second.ok()) << second.slope << " " << second.relative_remainder;
  }
}

TEST(MixedContact, HasExactGradientsAndHessiansAcrossAllBodies) {
  MixedWorldOptions options;
  options.gap = -0.003;
  options.drop = -0.002;
  const MixedWorld world = mixed_world(options);
  const System& system = *world.system;
  const Vector q = system.rest() + 2e-5 * noise(system.num_dofs(), 3), d = noise(system.num_dofs(), 900);
  for (const auto& pair : world.pairs) ASSERT_GT(pair->touches(q).size(), 0u) << "each pair must touch";
  ASSERT_GT(contact_force(*world.floor, q, 0).linear.y(), 1);
  Vector gradient = Vector::Zero(q.size());
  BlockMatrix H(system.pattern());
  DynamicBlocks couplings;
  couplings.clear(*system.pattern());
  contact_energy(system, q, &gradient, &H, &couplings);
  couplings.finish();
  EXPECT_GT(couplings.num_pairs(), 0);
  EXPECT_LT(H.asymmetry(), 1e-14);
  const auto value = [&](const Vector& at) { return Vector::Constant(1, contact_energy(system, at)); };
  const auto first = derivative_slope(value, q, d, Vector::Constant(1, gradient.dot(d)), 1e-6);
  EXPECT_TRUE(first.ok()) << first.slope << " " << first.relative_remainder;
  Vector Hd = Vector::Zero(q.size());
  H.multiply(d, Hd);
  couplings.multiply_add(d, Hd);
  const auto slope = [&](const Vector& at) {
    Vector g = Vector::Zero(at.size());
    contact_energy(system, at, &g);
    return g;
  };
  const auto second = derivative_slope(slope, q, d, Hd, 1e-6);
  EXPECT_TRUE(second.ok()) << second.slope << " " << second.relative_remainder;
}

/// A run with its ledger.
struct Course {
  State end;
  std::vector<std::string> columns;
  std::vector<double> row;
  double most_contact = 0, worst_step = 0, most_force = 0;
  double at(const std::string& column) const {
    const auto found = std::find(columns.begin(), columns.end(), column);
    return found == columns.end() ? std::nan("") : row[static_cast<std::size_t>(found - columns.begin())];
  }
  /// Of all energies, losses and works together; constant.
  double sum() const {
    double total = at("kinetic") + at("gravity") + at("contact") + at("solver") + at("numerical") - at("external");
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].starts_with("elastic.") || columns[i].starts_with("damping.")) total += row[i];
    return total;
  }
};

/// Force on all bodies together that the losses exert in a step from `before` to `after`.
Vec3 losses(const System& system, Workspace& workspace, const State& before, const State& after, double dt) {
  system.begin_step(before, workspace);
  Vec3 total = Vec3::Zero();
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    Vector force = Vector::Zero(system.num_dofs());
    DissipationRequest request{after.q, after.v, before.internal_variables[j], dt, workspace.dissipation[j].get()};
    request.time = after.time;
    request.force = &force;
    system.dissipations()[j]->evaluate(request);
    total -= system.kinematics().wrench(after.q, force).linear;
  }
  return total;
}

Course run_for(const MixedWorld& world, const std::string& kind, double dt, int steps) {
  const System& system = *world.system;
  NewtonOptions newton;
  newton.tolerance = 1e-10;
  const auto stepper = make_stepper(kind, newton, {});
  Course course;
  course.end = world.start;
  Workspace workspace = system.make_workspace(), other = system.make_workspace();
  EXPECT_TRUE(make_consistent(system, course.end, workspace));
  EnergyLedger ledger(system, course.end);
  course.columns = ledger.columns();
  for (int n = 0; n < steps; ++n) {
    const State before = course.end;
    const StepReport report = advance(*stepper, system, course.end, workspace, dt, 6);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    if (report.status == StepStatus::failed) break;
    ledger.book(system, course.end, report);
    course.row = ledger.row();
    course.most_contact = std::max(course.most_contact, course.at("elastic.contact"));
    if (kind != "backward_euler" || report.status != StepStatus::ok) continue;
    Vec3 force = world.mass * world.options.gravity + losses(system, other, before, course.end, dt);
    if (world.options.floor) force += contact_force(*world.floor, course.end.q, course.end.time).linear;
    const Vec3 change = system.inertia().momentum(course.end.q, course.end.v).linear -
                        system.inertia().momentum(before.q, before.v).linear;
    course.most_force = std::max(course.most_force, force.norm());
    course.worst_step = std::max(course.worst_step, (change - dt * force).norm());
  }
  return course;
}

TEST(MixedCollision, KeepsMomentumToRoundOffAndTheLedgerCloses) {
  MixedWorldOptions options;
  options.floor = false;
  options.gravity.setZero();
  for (const double friction : {0.0, 0.4})
    for (const std::string kind : {"bathe", "backward_euler", "trapezoid", "leapfrog"}) {
      SCOPED_TRACE(kind + ", friction " + std::to_string(friction));
      options.friction = friction;
      const MixedWorld world = mixed_world(options);
      const LinearAngular before = world.system->inertia().momentum(world.start.q, world.start.v);
      const double first = world.system->inertia().kinetic_energy(world.start.q, world.start.v);
      ASSERT_GT(before.linear.norm(), 0.1);
      const bool is_explicit = kind == "leapfrog";
      const Course course = run_for(world, kind, is_explicit ? 1e-4 : 1e-3, is_explicit ? 400 : 40);
      ASSERT_GT(course.most_contact, 1e-2) << "they must meet";
      const LinearAngular after = world.system->inertia().momentum(course.end.q, course.end.v);
      EXPECT_LT((after.linear - before.linear).norm(), 1e-7);
      EXPECT_NEAR(course.sum(), first, 1e-9 * first);
      EXPECT_GT(course.at("numerical"), -1e-3 * first);
      if (friction > 0) EXPECT_GT(course.at("friction"), 1e-4 * first);
    }
}

TEST(MixedFloor, MomentumChangesByWeightFloorAndFrictionAloneAndTheLedgerCloses) {
  for (const double friction : {0.0, 0.3}) {
    MixedWorldOptions options;
    options.friction = friction;
    options.impact_damping = friction > 0 ? 0.2 : 0;
    options.body_damping = friction > 0 ? 1e-3 : 0;
    const MixedWorld world = mixed_world(options);
    const Course course = run_for(world, "backward_euler", 1e-3, 60);
    ASSERT_GT(course.most_contact, 1e-2);
    ASSERT_GT(course.most_force, 1);
    EXPECT_LT(course.worst_step, 1e-9 * course.most_force) << "in each step";
    const double first = world.system->inertia().kinetic_energy(world.start.q, world.start.v);
    EXPECT_NEAR(course.sum(), first, 1e-9 * first);
    if (friction > 0) {
      EXPECT_GT(course.at("friction"), 1e-3 * first);
      EXPECT_GT(course.at("contact") - course.at("friction"), 0) << "impacts cost";
      EXPECT_GT(course.at("damping.yarn.sliding"), 0);
    }
  }
}

TEST(MixedFloor, AllThreeComeToRestOnItAndPressWithTheirWeight) {
  MixedWorldOptions options;
  options.friction = 0.5;
  options.impact_damping = 5;
  options.body_damping = 0.02;
  const MixedWorld world = mixed_world(options);
  const Course course = run_for(world, "backward_euler", 5e-3, 400);
  const Vec3 floor = contact_force(*world.floor, course.end.q, course.end.time).linear;
  EXPECT_NEAR(floor.y(), 9.81 * world.mass, 2e-3 * 9.81 * world.mass);
  EXPECT_NEAR(course.sum(), world.system->inertia().kinetic_energy(world.start.q, world.start.v), 1e-9);
}

TEST(MixedFloor, TheIntegratorsOwnLossFallsWithTheSquareOfTheStep) {
  MixedWorldOptions options;
  options.friction = 0.3;
  const MixedWorld world = mixed_world(options);
  const double first = world.system->inertia().kinetic_energy(world.start.q, world.start.v);
  const double coarse = run_for(world, "bathe", 1e-3, 30).at("numerical");
  const double fine = run_for(world, "bathe", 2.5e-4, 120).at("numerical");
  EXPECT_GT(coarse, 1e-6 * first);
  EXPECT_LT(std::abs(coarse), 2e-2 * first);
  EXPECT_LT(std::abs(fine), coarse / 8) << "at least second order, up to when contacts begin and end";
}

}  // namespace
}  // namespace dashpot::test_mixed_bodies
