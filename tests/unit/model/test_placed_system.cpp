// A body placed as a System of its own must move as it does where its nodes are the System's own, whatever its
// coordinates are: nodes again, or a subspace that holds every motion.
#include <gtest/gtest.h>

#include "dashpot/contact/body_contact.hpp"
#include "dashpot/contact/collider_friction.hpp"
#include "dashpot/contact/collider_shapes.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/integrate/stepper.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/model/placed_system.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "support/elastic_body.hpp"
#include "support/noise_vector.hpp"
#include "support/sliding_yarn.hpp"
#include "unit/contact/touching_bodies.hpp"

namespace dashpot::test_placed_system {
namespace {

using testing::elastic_body;
using testing::ElasticBodyOptions;
using testing::moved;

enum class Second { own_nodes, placed_nodes, whole_subspace };

struct Pair {
  std::shared_ptr<const System> system;
  State start;
  int first_point = 0;  ///< of the second body
  int num_points = 0;
};

Mesh small_bar() { return make_bar({0.2, 0.1, 0.1}, {2, 1, 1}); }

/// Both meshes as one.
Mesh joined(const Mesh& a, const Mesh& b) {
  Mesh mesh = a;
  mesh.nodes.insert(mesh.nodes.end(), b.nodes.begin(), b.nodes.end());
  ElementGroup& tets = mesh.group_or_new(a.tets()->kind);
  for (const int node : b.tets()->nodes) tets.nodes.push_back(node + a.num_nodes());
  if (!tets.region.empty()) tets.region.resize(static_cast<std::size_t>(tets.size()), 0);
  return mesh;
}

/// Two bars that fly at each other over a rough floor; tied: the end of the first one follows the second.
Pair two_bars(Second kind, bool tied) {
  const Mesh a = moved(small_bar(), {0, 0.004, 0}), b = moved(small_bar(), {0.205, 0.004, 0.01});
  ElasticBodyOptions options;
  options.material = {1e5, 0.3};
  options.gravity = Vec3(0, -9.81, 0);
  options.beta = 1e-3;
  Pair pair;
  pair.first_point = a.num_nodes();
  pair.num_points = 2 * a.num_nodes();
  const auto add_contacts = [&](SystemBuilder& builder) {
    const std::shared_ptr<const Kinematics> kinematics = builder.kinematics();
    auto floor = std::make_shared<ColliderPair>();
    floor->name = "floor";
    floor->collider = std::make_shared<RigidCollider>(std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY()));
    floor->kinematics = kinematics;
    for (int p = 0; p < pair.num_points; ++p) floor->points.push_back(p);
    floor->stiffness.assign(floor->points.size(), 1e3);
    floor->onset.assign(floor->points.size(), 1e-3);
    builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<ColliderContact>(floor)));
    builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<ColliderFriction>(floor, 0.3, 0.02)));
    builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<ColliderDamping>(floor, 0.3)));
    if (tied) {
      // nodes of the first bar at x = 0.2 follow points of the second.
      for (int i = 0; i < a.num_nodes(); ++i)
        if (a.nodes[static_cast<std::size_t>(i)].x() > 0.2 - 1e-9) {
          Tie tie{i, {pair.first_point, pair.first_point + 1, pair.first_point + 5}, {0.5, 0.2, 0.3}, Vector(3)};
          tie.offset = a.nodes[static_cast<std::size_t>(i)] - 0.5 * b.nodes[0] - 0.2 * b.nodes[1] - 0.3 * b.nodes[5];
          builder.add(tie);
        }
      return;
    }
    auto bodies = std::make_shared<const contact::BodyPair>(
        kinematics, contact::make_contact_surface("a", a, {}, 0, 0.002),
        contact::make_contact_surface("b", b, {}, pair.first_point, 0.002), contact::PairLaw{1e7, 0.002});
    builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<contact::BodyContact>(bodies)));
    builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<contact::BodyFriction>(bodies, 0.3, 0.02)));
  };
  std::shared_ptr<const System> other = elastic_body(b, options);
  ElasticBodyOptions first = options;
  if (kind == Second::own_nodes) {
    first.extend = add_contacts;
    pair.system = elastic_body(joined(a, b), first);
  } else {
    std::shared_ptr<const Subspace> subspace;
    if (kind == Second::whole_subspace) {
      const int n = other->num_dofs();
      const ReducedModel model = *reduce_system(other, pod_basis(*other, Matrix::Identity(n, n), n));
      subspace = model.subspace;
      other = model.system;
      EXPECT_EQ(other->num_dofs(), n);
    }
    first.extend = [&](SystemBuilder& builder) {
      EXPECT_EQ(place_system(other, builder).first_point, pair.first_point);
      add_contacts(builder);
    };
    pair.system = elastic_body(a, first);
    pair.start = pair.system->initial_state();
    const int n = 3 * a.num_nodes();
    const Vector velocity = Vec3(-0.8, -0.3, 0).replicate(b.num_nodes(), 1);
    pair.start.v.tail(other->num_dofs()) =
        subspace ? Vector(subspace->basis().weighted.transpose() * velocity) : velocity;
    pair.start.v.head(n) = Vec3(0.4, -0.3, 0).replicate(a.num_nodes(), 1);
    pair.system->prescribe(0, &pair.start.q, &pair.start.v, nullptr);
    return pair;
  }
  pair.start = pair.system->initial_state();
  pair.start.v << Vec3(0.4, -0.3, 0).replicate(a.num_nodes(), 1), Vec3(-0.8, -0.3, 0).replicate(b.num_nodes(), 1);
  pair.system->prescribe(0, &pair.start.q, &pair.start.v, nullptr);
  return pair;
}

std::vector<Vec3> played(const Pair& pair, const std::string& kind, double dt, int steps) {
  const auto stepper = make_stepper(kind, {.tolerance = 1e-11}, {});
  State state = pair.start;
  Workspace workspace = pair.system->make_workspace();
  EXPECT_TRUE(make_consistent(*pair.system, state, workspace));
  for (int n = 0; n < steps; ++n) {
    const StepReport report = advance(*stepper, *pair.system, state, workspace, dt, 4);
    EXPECT_NE(report.status, StepStatus::failed) << report.explanation;
    if (report.status == StepStatus::failed) break;
  }
  std::vector<Vec3> x;
  pair.system->kinematics().positions(state.q, x);
  return x;
}

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

TEST(PlacedSystem, MovesAndTouchesAsNodesOfTheSystemDo) {
  for (const bool tied : {false, true})
    for (const std::string kind : {"bathe", "bdf2", "leapfrog"}) {
      const bool is_explicit = kind == "leapfrog";
      const double dt = is_explicit ? 1e-4 : 1e-3;
      const int steps = is_explicit ? 300 : 30;
      const Pair own = two_bars(Second::own_nodes, tied);
      const std::vector<Vec3> expected = played(own, kind, dt, steps);
      std::vector<Vec3> start;
      own.system->kinematics().positions(own.start.q, start);
      ASSERT_GT(largest_distance(expected, start), 5e-3);
      for (const Second second : {Second::placed_nodes, Second::whole_subspace}) {
        SCOPED_TRACE(kind + (tied ? ", tied, " : ", ") + std::to_string(static_cast<int>(second)));
        const std::vector<Vec3> x = played(two_bars(second, tied), kind, dt, steps);
        ASSERT_EQ(x.size(), expected.size());
        EXPECT_LT(largest_distance(x, expected), 2e-8) << "meters";
      }
    }
}

TEST(PlacedSystem, DampingsOfThePartFollowTheParametersOfTheWhole) {
  for (const Second kind : {Second::placed_nodes, Second::whole_subspace}) {
    const Pair pair = two_bars(kind, false);
    std::vector<double> values;
    for (const ParameterLayout::Entry& entry : pair.system->parameters().entries())
      if (entry.info.name.ends_with("beta")) pair.system->parameters().set(entry.info.name, 2e-3, values);
    ASSERT_FALSE(values.empty());
    const std::shared_ptr<const System> other = pair.system->with(values);
    State state = pair.start;
    state.v = testing::noise(pair.system->num_dofs(), 5);
    const auto force_of = [&](const System& system, std::size_t j) {
      Workspace workspace = system.make_workspace();
      system.begin_step(state, workspace);
      Vector force = Vector::Zero(system.num_dofs());
      DissipationRequest request{state.q, state.v, state.internal_variables[j], 0, workspace.dissipation[j].get()};
      request.force = &force;
      system.dissipations()[j]->evaluate(request);
      return force;
    };
    int count = 0;
    for (std::size_t j = 0; j < pair.system->dissipations().size(); ++j) {
      if (pair.system->dissipations()[j]->model() != "rayleigh") continue;
      const Vector before = force_of(*pair.system, j), after = force_of(*other, j);
      ASSERT_GT(before.norm(), 0);
      EXPECT_LT((after - 2 * before).norm(), 1e-10 * after.norm());
      ++count;
    }
    EXPECT_EQ(count, 2);
  }
}

TEST(PlacedSystem, TiesToPointsOfChangingJacobiansAreRefusedByName) {
  ElasticBodyOptions options;
  options.extend = [](SystemBuilder& builder) {
    const testing::SlidingYarnOptions yarn;
    const PlacedSystem placed = place_system(testing::sliding_yarn(yarn), builder);
    builder.add(Tie{0, {placed.first_point + yarn.num_beads}, {1.0}, {}, {}});
  };
  EXPECT_THROW(elastic_body(small_bar(), options), Error);
  options.extend = [](SystemBuilder& builder) {
    const PlacedSystem placed = place_system(testing::sliding_yarn({}), builder);
    builder.add(Tie{placed.first_point, {0}, {1.0}, {}, {}});
  };
  EXPECT_THROW(elastic_body(small_bar(), options), Error);
  options.extend = [](SystemBuilder& builder) {  // a bead is as good as a node
    const PlacedSystem placed = place_system(testing::sliding_yarn({}), builder);
    builder.add(Tie{0, {placed.first_point}, {1.0}, {}, {}});
  };
  EXPECT_EQ(elastic_body(small_bar(), options)->ties().size(), 1);
}

}  // namespace
}  // namespace dashpot::test_placed_system
