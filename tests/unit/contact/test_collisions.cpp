// Deformable bodies that collide: momentum, energy, friction, solvers, bits.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dashpot/core/parallel.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/record/ledger.hpp"
#include "unit/contact/touching_bodies.hpp"

namespace dashpot::test_collisions {
namespace {

using contact::PairLaw;
using testing::moved;
using testing::Touching;
using testing::touching;

struct Course {
  State end;
  std::vector<double> row;  ///< of the ledger
  std::vector<std::string> columns;
  int analyses = 0, linear_iterations = 0, substepped = 0;
  double most_contact_energy = 0;
  std::string explanation;
  double at(const std::string& column) const {
    const auto found = std::find(columns.begin(), columns.end(), column);
    return found == columns.end() ? std::nan("") : row[static_cast<std::size_t>(found - columns.begin())];
  }
};

Course run_for(const Touching& bodies, const std::string& kind, double dt, int steps,
               const LinearSolverOptions& linear = {}, double tolerance = 1e-9) {
  NewtonOptions newton;
  newton.tolerance = tolerance;
  const auto stepper = make_stepper(kind, newton, linear);
  Course course;
  course.end = bodies.start;
  Workspace workspace = bodies.system->make_workspace();
  EXPECT_TRUE(make_consistent(*bodies.system, course.end, workspace));
  EnergyLedger ledger(*bodies.system, course.end);
  course.columns = ledger.columns();
  for (int n = 0; n < steps; ++n) {
    const StepReport report = advance(*stepper, *bodies.system, course.end, workspace, dt, 8);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    if (report.status == StepStatus::failed) break;
    if (report.status == StepStatus::substepped) course.explanation = report.explanation;
    course.substepped += report.status == StepStatus::substepped;
    course.analyses += report.analyses;
    course.linear_iterations += report.linear_iterations;
    ledger.book(*bodies.system, course.end, report);
    course.row = ledger.row();
    course.most_contact_energy = std::max(course.most_contact_energy, course.at("elastic.contact"));
  }
  return course;
}

Vec3 mean_velocity(const Touching& bodies, std::size_t body, const State& state) {
  const int first = bodies.first[body];
  const int last = body + 1 < bodies.first.size() ? bodies.first[body + 1] : static_cast<int>(state.v.size() / 3);
  Vec3 momentum = Vec3::Zero();
  double mass = 0;
  for (int i = first; i < last; ++i) {
    Vector unit = Vector::Zero(state.v.size()), f = Vector::Zero(state.v.size());
    unit[3 * i] = 1;
    bodies.system->inertia().add_force(state.q, state.v, unit, f);
    momentum += f[3 * i] * state.v.segment<3>(3 * i);
    mass += f[3 * i];
  }
  return momentum / mass;
}

TEST(Collision, OfEqualPointsExchangesTheirVelocitiesAndOfUnequalOnesObeysNewton) {
  for (const double other_mass : {1.0, 3.0}) {
    Touching bodies = touching({{"a", make_points({{0, 0, 0}}), {}, 1, 0.05, {}, {2, 0, 0}},
                                {"b", make_points({{0.1, 0, 0}}), {}, other_mass, 0.05, {}, {0, 0, 0}}},
                               {1e7, 0.01});
    const Course course = run_for(bodies, "leapfrog", 2e-5, 5000);
    ASSERT_GT(course.most_contact_energy, 0.1);
    EXPECT_EQ(course.at("elastic.contact"), 0);
    const double va = 2 * (1 - other_mass) / (1 + other_mass), vb = 4 / (1 + other_mass);
    EXPECT_NEAR(course.end.v[0], va, 1e-4) << other_mass;
    EXPECT_NEAR(course.end.v[3], vb, 1e-4) << other_mass;
  }
}

/// Two soft balls, off center by `offset`.
Touching balls(double offset, double mu, int layers = 3, double speed = 1) {
  const Mesh ball = make_sphere(0.1, layers);
  return touching({{"a", moved(ball, {-0.11, 0, 0}), {2e5, 0.3}, 1000, 0.004, {}, {speed, 0, 0}},
                   {"b", moved(ball, {0.11, offset, 0.3 * offset}), {2e5, 0.3}, 1000, 0.004, {}, {-speed, 0, 0}}},
                  {2e7, 0.004}, mu);
}

TEST(Collision, OfSoftBallsKeepsMomentumToRoundOffAndTheLedgerCloses) {
  for (const std::string kind : {"bathe", "trapezoid", "backward_euler"}) {
    Touching bodies = balls(0.06, 0);
    const LinearAngular before = bodies.system->inertia().momentum(bodies.start.q, bodies.start.v);
    const Course course = run_for(bodies, kind, 2e-3, 60);
    ASSERT_GT(course.most_contact_energy, 1e-3) << kind;
    EXPECT_LT(mean_velocity(bodies, 0, course.end).x(), 0.9) << "they did not meet";
    const LinearAngular after = bodies.system->inertia().momentum(course.end.q, course.end.v);
    const double scale = 4.0;  // kg m/s of each ball
    EXPECT_LT((after.linear - before.linear).norm(), 1e-7 * scale) << kind;
    if (kind == "trapezoid") continue;  // keeps angular momentum of its own kind only
    EXPECT_GT(before.angular.norm(), 0.05);
    // kinetic + stored + numerical + solver = what was there
    double total = course.at("kinetic") + course.at("numerical") + course.at("solver");
    for (const char* column : {"elastic.a", "elastic.b", "elastic.contact"}) total += course.at(column);
    const double first = bodies.system->inertia().kinetic_energy(bodies.start.q, bodies.start.v);
    EXPECT_NEAR(total, first, 1e-9 * first);
    EXPECT_GT(course.at("numerical"), -1e-3 * first);
  }
}

TEST(Collision, OfBallsHeadOnSendsThemBackWithWhatDoesNotVibrate) {
  Touching bodies = balls(0, 0);
  const Course course = run_for(bodies, "bathe", 1e-3, 160);
  EXPECT_EQ(course.at("elastic.contact"), 0) << "they are apart again";
  const Vec3 va = mean_velocity(bodies, 0, course.end), vb = mean_velocity(bodies, 1, course.end);
  EXPECT_LT(va.x(), -0.6);
  EXPECT_GT(va.x(), -1.0);
  EXPECT_NEAR(va.x(), -vb.x(), 1e-6);
}

TEST(Collision, WithFrictionTurnsBothBallsTheSameWayAndKeepsAngularMomentum) {
  Touching smooth = balls(0.1, 0), rough = balls(0.1, 0.5);
  const auto spin = [&](const Touching& bodies, const State& state, std::size_t body) {
    const int first = bodies.first[body], n = static_cast<int>(state.q.size()) / 6;
    Vec3 center = Vec3::Zero(), L = Vec3::Zero();
    for (int i = first; i < first + n; ++i) center += state.q.segment<3>(3 * i) / n;
    const Vec3 v = mean_velocity(bodies, body, state);
    for (int i = first; i < first + n; ++i)
      L += Vec3(state.q.segment<3>(3 * i) - center).cross(Vec3(state.v.segment<3>(3 * i) - v));
    return L;
  };
  const Course slips = run_for(smooth, "bathe", 1e-3, 120), rubs = run_for(rough, "bathe", 1e-3, 120);
  EXPECT_GT(rubs.at("friction"), 1e-3);
  EXPECT_DOUBLE_EQ(rubs.at("contact"), rubs.at("friction"));
  const Vec3 a = spin(rough, rubs.end, 0), b = spin(rough, rubs.end, 1);
  EXPECT_GT(a.norm(), 3 * spin(smooth, slips.end, 0).norm()) << "friction must turn them";
  EXPECT_GT(a.dot(b), 0.5 * a.norm() * b.norm());
  const LinearAngular before = rough.system->inertia().momentum(rough.start.q, rough.start.v);
  const LinearAngular after = rough.system->inertia().momentum(rubs.end.q, rubs.end.v);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-7);
  ASSERT_GT(before.angular.norm(), 0.1);
  EXPECT_LT((after.angular - before.angular).norm(), 5e-3 * before.angular.norm());
}

TEST(Collision, HasTheSameSolutionWithEveryLinearSolver) {
  Touching bodies = balls(0.05, 0.3);
  std::vector<Course> courses;
  const auto solve = [&](LinearSolverKind kind, CouplingStrategy couplings) {
    LinearSolverOptions options;
    options.kind = kind;
    options.couplings = couplings;
    options.cg_tolerance = 1e-12;
    courses.push_back(run_for(bodies, "backward_euler", 2e-3, 30, options, 1e-11));
  };
  solve(LinearSolverKind::eigen_cholesky, CouplingStrategy::reanalyze);
  solve(LinearSolverKind::conjugate_gradient, CouplingStrategy::automatic);
  solve(LinearSolverKind::eigen_cholesky, CouplingStrategy::precondition);
  solve(LinearSolverKind::automatic, CouplingStrategy::automatic);
  solve(LinearSolverKind::lu, CouplingStrategy::automatic);
  ASSERT_GT(courses[0].most_contact_energy, 1e-3);
  EXPECT_GT(courses[0].analyses, 0);
  EXPECT_EQ(courses[2].analyses, 0);
  EXPECT_GT(courses[2].linear_iterations, 0);
  for (std::size_t k = 1; k < courses.size(); ++k)
    EXPECT_LT((courses[k].end.q - courses[0].end.q).norm(), 1e-8 * courses[0].end.q.norm()) << k;
}

TEST(Collision, HasTheSameBitsOnOneAndTwoThreadsAndAfterAResume) {
  Touching bodies = balls(0.05, 0.3, 4);
  const int before = num_threads();
  set_num_threads(1);
  const Course one = run_for(bodies, "backward_euler", 2e-3, 24);
  set_num_threads(2);
  const Course two = run_for(bodies, "backward_euler", 2e-3, 24);
  set_num_threads(before);
  ASSERT_GT(one.most_contact_energy, 1e-3);
  EXPECT_EQ(one.end.hash(), two.end.hash());
  // A new stepper that starts from a copied State has learned nothing but what the State tells.
  Touching resumed = bodies;
  const Course first = run_for(bodies, "backward_euler", 2e-3, 15);
  State state = first.end;
  const auto stepper = make_stepper("backward_euler", NewtonOptions{.tolerance = 1e-9}, {});
  Workspace workspace = bodies.system->make_workspace();
  for (int n = 15; n < 24; ++n) advance(*stepper, *bodies.system, state, workspace, 2e-3, 8);
  EXPECT_EQ(state.hash(), one.end.hash());
}

TEST(Collision, TooFastForTheStepIsFollowedInShorterOnesAndSaysWhy) {
  Touching bodies = balls(0, 0, 2, 5);  // 10 m/s times 5 ms is 50 mm: more than skin and depth limit
  const Course course = run_for(bodies, "backward_euler", 5e-3, 8);
  EXPECT_GT(course.substepped, 0);
  EXPECT_NE(course.explanation.find("pass through"), std::string::npos) << course.explanation;
  EXPECT_LT(mean_velocity(bodies, 0, course.end).x(), 0) << "they must not pass through each other";
}

TEST(Collision, OfChainsThatCrossHoldsThemApart) {
  Touching bodies =
      touching({{"held", make_chain({-0.5, 0, 0}, {0.5, 0, 0}, 4), {}, 0.05, 0.04, {0, 1, 2, 3, 4}},
                {"falling", make_chain({0.03, 0.06, -0.5}, {0.03, 0.06, 0.5}, 4), {}, 0.05, 0.04, {}, {0, -1, 0}}},
               {1e7, 0.01});
  const Course course = run_for(bodies, "leapfrog", 2e-4, 500);
  ASSERT_GT(course.most_contact_energy, 1e-4);
  // Only the middle nodes of the falling chain feel the other one: they turn back, the rest falls on.
  EXPECT_GT(course.end.v[3 * (bodies.first[1] + 2) + 1], 0.5);
  EXPECT_NEAR(course.end.v[3 * bodies.first[1] + 1], -1, 1e-12);
}

}  // namespace
}  // namespace dashpot::test_collisions
