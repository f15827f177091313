// A beam cut in parts and glued again by ties must do what the whole beam does, to round-off: in statics and in time,
// with every stepper, mass and damping.

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "dashpot/constraint/driven_nodes.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/mesh/generate.hpp"
#include "stepper_cases.hpp"
#include "support/cut_mesh.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing::test_ties {
namespace {

const Vec3 gravity(0, -9.81, 0);

Mesh beam() { return make_bar(Vec3(0.6, 0.1, 0.1), {6, 1, 1}); }
CutMesh halves() {
  return cut(beam(), [](const Vec3& x) { return x.x() < 0.3 ? 0 : 1; });
}
/// Three parts that meet along an edge: some ties are chains.
CutMesh thirds() {
  return cut(beam(), [](const Vec3& x) { return x.x() < 0.3 ? 0 : x.y() < 0.05 ? 1 : 2; });
}

ElasticBodyOptions clamped() {
  ElasticBodyOptions options;
  options.is_pinned = [](const Vec3& x) { return x.x() == 0; };
  options.gravity = gravity;
  return options;
}

/// q of the whole beam against the first nodes of the glued one, relative to how far the beam has moved.
double difference(const System& whole, const Vector& q, const Vector& glued) {
  return (glued.head(q.size()) - q).norm() / (q - whole.rest()).norm();
}

TEST(GluedBeam, SagsAsTheWholeBeamDoes) {
  for (const CutMesh& parts : {halves(), thirds()}) {
    ElasticBodyOptions options = clamped();
    const auto whole = elastic_body(beam(), options);
    options.ties = parts.ties;
    const auto glued = elastic_body(parts.mesh, options);
    State a = whole->initial_state(), b = glued->initial_state();
    StaticOptions accurate;
    accurate.tolerance = 1e-12;
    ASSERT_TRUE(solve_static(*whole, a, {}, accurate).converged);
    ASSERT_TRUE(solve_static(*glued, b, {}, accurate).converged);
    EXPECT_GT((a.q - whole->rest()).lpNorm<Eigen::Infinity>(), 0.01);
    EXPECT_LT(difference(*whole, a.q, b.q), 1e-10);
  }
}

struct Swing {
  Vector q;
  double external = 0, solver = 0, gained = 0;
  std::vector<double> damping;
};

Swing swing(const System& system, const std::string& stepper_name, double h, int steps) {
  Vector v = Vector::Zero(system.num_dofs());
  for (int i = 0; i < v.size() / 3; ++i) v[3 * i + 2] = 0.5 * system.rest()[3 * i];  // swings sideways
  State state = start_at(system, system.rest(), v);
  const auto stepper = stepper_named(stepper_name);
  Workspace workspace = system.make_workspace();
  Swing result;
  result.damping.assign(system.dissipations().size() + system.filters().size(), 0);
  const double before = energies(system, state).total();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step(system, state, workspace, h);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    result.external += report.work.external;
    result.solver += report.work.solver;
    for (std::size_t j = 0; j < result.damping.size(); ++j) result.damping[j] += report.work.damping[j];
    result.gained = report.end.total() - before;
  }
  result.q = state.q;
  return result;
}

TEST(GluedBeam, SwingsAndLosesEnergyAsTheWholeBeamDoesWithEveryStepper) {
  const CutMesh parts = thirds();
  for (const bool lumped : {true, false})
    for (const auto& [name, stepper] : stepper_cases()) {
      if (stepper.is_explicit() && !lumped) continue;
      SCOPED_TRACE(name + (lumped ? " lumped" : " consistent"));
      ElasticBodyOptions options = clamped();
      options.lumped = lumped;
      options.alpha = 0.3;
      options.beta = 1e-4;
      options.ether_rate = 0.5;
      const auto whole = elastic_body(beam(), options);
      options.ties = parts.ties;
      const auto glued = elastic_body(parts.mesh, options);
      const double h = stepper.is_explicit() ? 2e-4 : 5e-3;
      const Swing a = swing(*whole, name, h, 30), b = swing(*glued, name, h, 30);
      EXPECT_GT((a.q - whole->rest()).norm(), 1e-3);
      EXPECT_LT(difference(*whole, a.q, b.q), 1e-9);
      for (std::size_t j = 0; j < a.damping.size(); ++j) {
        EXPECT_GT(a.damping[j], 1e-6);
        EXPECT_NEAR(b.damping[j], a.damping[j], 1e-8 * a.damping[j]);
      }
      EXPECT_NEAR(b.gained, a.gained, 1e-8 * a.damping[1]);
    }
}

/// A small bar whose end face sits inside a coarser one: nodes follow barycentric points of a tet that do not match.
struct Overlap {
  Mesh mesh;
  std::vector<Tie> ties;
  int num_first = 0;
};
Overlap overlapping_bars() {
  Overlap result;
  result.mesh = make_bar(Vec3(0.4, 0.1, 0.1), {3, 1, 1});
  const Mesh second = make_bar(Vec3(0.3, 0.06, 0.06), {4, 2, 2}, {.origin = Vec3(0.37, 0.02, 0.02)});
  result.num_first = result.mesh.num_nodes();
  ElementGroup* tets = result.mesh.group(ElementKind::tet4);
  const ElementGroup host = *tets;
  for (const int node : second.tets()->nodes) tets->nodes.push_back(result.num_first + node);
  result.mesh.nodes.insert(result.mesh.nodes.end(), second.nodes.begin(), second.nodes.end());
  for (int i = 0; i < second.num_nodes(); ++i) {
    const Vec3& x = second.nodes[static_cast<std::size_t>(i)];
    if (x.x() > 0.38) continue;
    Eigen::Vector4d best = Eigen::Vector4d::Constant(-1e9);
    int chosen = -1;
    for (int e = 0; e < host.size(); ++e) {
      Eigen::Matrix4d A;
      for (int a = 0; a < 4; ++a) A.col(a) << result.mesh.nodes[static_cast<std::size_t>(host.element(e)[a])], 1;
      const Eigen::Vector4d w = A.inverse() * Eigen::Vector4d(x.x(), x.y(), x.z(), 1);
      if (w.minCoeff() > best.minCoeff()) best = w, chosen = e;
    }
    const int* corners = host.element(chosen);
    result.ties.push_back({result.num_first + i,
                           std::vector<int>(corners, corners + 4),
                           std::vector<double>(best.data(), best.data() + 4),
                           {}});
  }
  return result;
}

TEST(TiedBodies, KeepMomentumAndEnergyWhenTheyFlyAndTurn) {
  const Overlap bodies = overlapping_bars();
  ASSERT_GT(bodies.ties.size(), 3u);
  for (const bool lumped : {true, false}) {
    ElasticBodyOptions options;
    options.ties = bodies.ties;
    options.lumped = lumped;
    const auto system = elastic_body(bodies.mesh, options);
    Vector v(system->num_dofs());
    const Vec3 omega(3, -2, 5), drift(0.3, 0.1, -0.2);
    for (int i = 0; i < bodies.mesh.num_nodes(); ++i) {
      const Vec3& x = bodies.mesh.nodes[static_cast<std::size_t>(i)];
      v.segment<3>(3 * i) = drift + omega.cross(x) + Vec3(0, 0, 0.3 * std::sin(9 * x.x()));
    }
    system->ties().follow(v);
    State state = start_at(*system, system->rest(), v);
    const LinearAngular before = system->inertia().momentum(state.q, state.v);
    const double energy_before = energies(*system, state).total();
    double solver = 0, work = 0;
    const auto stepper = stepper_named("IM");
    Workspace workspace = system->make_workspace();
    for (int i = 0; i < 60; ++i) {
      const StepReport report = stepper->step(*system, state, workspace, 2e-3);
      ASSERT_NE(report.status, StepStatus::failed);
      solver += report.work.solver;
      work += std::abs(report.work.external);
    }
    const LinearAngular after = system->inertia().momentum(state.q, state.v);
    EXPECT_GT(before.angular.norm(), 0.01);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * before.linear.norm());
    EXPECT_LT((after.angular - before.angular).norm(), 1e-9 * before.angular.norm());
    EXPECT_EQ(work, 0);
    EXPECT_LT(std::abs(solver), 1e-9 * energy_before);
    EXPECT_NEAR(energies(*system, state).total(), energy_before, 0.02 * energy_before);
    // The tie holds: q_s = sum w q_m.
    Vector placed = state.q;
    system->ties().place(placed);
    EXPECT_LT((placed - state.q).norm(), 1e-13);
    EXPECT_GT((state.q - system->rest()).norm(), 0.1);
  }
}

TEST(TiedBodies, AFilterOnOneOfThemTakesOnlyTheMomentumItWouldTakeAlone) {
  // The ether slows the first body; the tied nodes of the second are pulled along. What is booked is what is missing.
  const Overlap bodies = overlapping_bars();
  for (const std::string name : {"BE", "IM", "Bathe", "SymplEuler", "Leapfrog"}) {
    SCOPED_TRACE(name);
    ElasticBodyOptions options;
    options.ties = bodies.ties;
    options.ether_rate = 4;
    options.ether_nodes = bodies.num_first;
    const auto system = elastic_body(bodies.mesh, options);
    Vector v = Vector::Zero(system->num_dofs());
    for (int i = 0; i < v.size() / 3; ++i) v[3 * i] = 1;
    State state = start_at(*system, system->rest(), v);
    const double h = 1e-4, keep = std::exp(-4 * h);
    double first = 0, second = 0;  // momentum of either body by itself
    Vector v_first = v;
    v_first.tail(v.size() - 3 * bodies.num_first).setZero();
    first = system->inertia().momentum(state.q, v_first).linear.x();
    second = system->inertia().momentum(state.q, v).linear.x() - first;
    const double energy = energies(*system, state).total();
    Workspace workspace = system->make_workspace();
    const StepReport report = stepper_named(name)->step(*system, state, workspace, h);
    ASSERT_NE(report.status, StepStatus::failed);
    const double expected = keep * first + second;
    EXPECT_GT(first + second - expected, 1e-5);
    EXPECT_NEAR(system->inertia().momentum(state.q, state.v).linear.x(), expected, 1e-10 * expected);
    EXPECT_NEAR(report.work.impulse[0].linear.x(), expected - first - second, 1e-10 * expected);
    EXPECT_GT(report.work.damping[0], 0);
    EXPECT_NEAR(energy - report.end.total(), report.work.damping[0], 0.02 * report.work.damping[0]);
  }
}

TEST(TiedBodies, WorkOfASupportReachesABodyTiedToIt) {
  // The shaken nodes belong to one half, the other half follows: reactions of both do the support's work.
  const CutMesh parts = cut(beam(), [](const Vec3& x) { return x.x() < 0.1 ? 0 : 1; });
  ElasticBodyOptions options;
  const int num_whole = beam().num_nodes();  // doubles come after
  const auto shake = [&](const Mesh& mesh) {
    std::vector<int> dofs, points, axes;
    for (int i = 0; i < num_whole; ++i)
      for (int c = 0; c < 3 && mesh.nodes[static_cast<std::size_t>(i)].x() < 0.101; ++c) {
        dofs.push_back(3 * i + c);
        points.push_back(i);
        axes.push_back(c);
      }
    HarmonicMotion motion;
    motion.amplitude = Vec3(0, 0.01, 0);
    motion.frequency = 2;
    motion.ramp = 0.1;
    auto table = std::make_shared<CarriedPoints>(std::make_shared<ShakenTable>(motion), mesh.nodes);
    return std::make_unique<DrivenNodes>(std::move(table), dofs, points, axes);
  };
  options.support = [&] { return shake(parts.mesh); };
  options.beta = 2e-3;
  const auto whole = elastic_body(beam(), options);
  options.ties = parts.ties;
  const auto glued = elastic_body(parts.mesh, options);
  for (const std::string name : {"BE", "TR", "GA(.5)", "BDF2", "Bathe"}) {
    SCOPED_TRACE(name);
    const auto account = [&](const System& system) {
      State state = start_at(system, system.initial_state().q, system.initial_state().v);
      const auto stepper = stepper_named(name);
      Workspace workspace = system.make_workspace();
      double external = 0;
      for (int i = 0; i < 40; ++i) external += stepper->step(system, state, workspace, 5e-3).work.external;
      return external;
    };
    const double expected = account(*whole);
    EXPECT_GT(std::abs(expected), 1e-3);
    EXPECT_NEAR(account(*glued), expected, 1e-8 * std::abs(expected));
  }
}

TEST(TiedBodies, ATiedNodeCannotBePinned) {
  const CutMesh parts = halves();
  ElasticBodyOptions options = clamped();
  options.ties = parts.ties;
  options.is_pinned = [](const Vec3& x) { return x.x() > 0.29 && x.x() < 0.31; };
  EXPECT_THROW(elastic_body(parts.mesh, options), Error);
}

}  // namespace
}  // namespace dashpot::testing::test_ties
