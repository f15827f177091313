#include "support/mixed_world.hpp"

#include <Eigen/Geometry>
#include <numeric>

#include "dashpot/contact/collider_friction.hpp"
#include "dashpot/contact/collider_shapes.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/reduce/reduced_system.hpp"
#include "support/elastic_body.hpp"

namespace dashpot::testing {
namespace {

constexpr double skin = 0.004;        // thickness of each body's skin [m]
constexpr double yarn_radius = 0.01;  // [m]

Mesh bar_at(const Vec3& corner) {
  Mesh mesh = make_bar({0.3, 0.1, 0.1}, {3, 1, 1});
  Vec3 low = mesh.nodes.front();
  for (const Vec3& x : mesh.nodes) low = low.cwiseMin(x);
  for (Vec3& x : mesh.nodes) x += corner - low;
  return mesh;
}

ElasticBodyOptions bar_options(const MixedWorldOptions& options) {
  ElasticBodyOptions body;
  body.material = {2e5, 0.3};
  body.gravity = options.gravity;
  body.beta = options.body_damping;
  return body;
}

}  // namespace

Matrix smooth_displacements(const Vector& rest) {
  const Eigen::Index n = rest.size() / 3;
  Vec3 center = Vec3::Zero();
  for (Eigen::Index i = 0; i < n; ++i) center += rest.segment<3>(3 * i) / static_cast<double>(n);
  Matrix D = Matrix::Zero(rest.size(), 3 + 9 + 4);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec3 r = rest.segment<3>(3 * i) - center;
    for (int c = 0; c < 3; ++c) {
      D(3 * i + c, c) = 0.1;
      for (int d = 0; d < 3; ++d) D(3 * i + c, 3 + 3 * c + d) = r[d];
    }
    D(3 * i + 1, 12) = D(3 * i + 2, 13) = 5 * r.x() * r.x();
    D(3 * i, 12) = -10 * r.x() * r.y();
    D(3 * i, 13) = -10 * r.x() * r.z();
    D(3 * i + 1, 14) = 10 * r.x() * r.z();
    D(3 * i + 2, 14) = -10 * r.x() * r.y();
    D(3 * i, 15) = 5 * r.x() * r.x();
  }
  return D;
}

MixedWorld mixed_world(const MixedWorldOptions& options) {
  MixedWorld world;
  world.options = options;
  const double y = options.drop + 0.5 * skin, apart = skin + options.gap;
  const Mesh left = bar_at({0, y, 0}), right = bar_at({0.3 + apart, y, 0});
  const std::shared_ptr<const System> full = elastic_body(right, bar_options(options));
  const ReducedModel model = *reduce_system(full, pod_basis(*full, smooth_displacements(full->rest()), 16));
  world.num_modes = model.system->num_dofs();
  SlidingYarnOptions yarn;
  const double z = -0.5 * skin - yarn_radius - options.gap;
  yarn.from = Vec3(0.02, options.drop + yarn_radius, z);
  yarn.to = Vec3(0.58 + apart, options.drop + yarn_radius, z);
  yarn.num_beads = 6;
  yarn.gravity = options.gravity;
  yarn.slide_damping = options.body_damping;

  ElasticBodyOptions tets = bar_options(options);
  tets.extend = [&](SystemBuilder& builder) {
    world.reduced = place_system(model.system, builder);
    world.yarn = place_system(sliding_yarn(yarn), builder);
    const std::shared_ptr<const Kinematics> kinematics = builder.kinematics();
    Mesh chain = make_points({});
    std::vector<std::array<int, 2>> edges;
    const std::vector<int> labels = material_points(yarn);
    const std::shared_ptr<const System> alone = sliding_yarn(yarn);
    for (const int point : labels) chain.nodes.push_back(alone->kinematics().position(alone->rest(), point));
    for (int k = 0; k + 1 < static_cast<int>(labels.size()); ++k) edges.push_back({k, k + 1});
    const int first_label = world.yarn.first_point + labels.front();
    const std::vector<contact::ContactSurface> surfaces = {
        contact::make_contact_surface("tets", left, {}, 0, skin),
        contact::make_contact_surface("reduced", right, {}, world.reduced.first_point, skin),
        contact::make_contact_surface("yarn", chain, edges, first_label, 2 * yarn_radius)};
    for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>(0, 1), {0, 2}, {1, 2}}) {
      world.pairs.push_back(std::make_shared<const contact::BodyPair>(kinematics, surfaces[a], surfaces[b],
                                                                      contact::PairLaw{2e7, 0.004}));
      builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<contact::BodyContact>(world.pairs.back())));
      if (options.friction > 0)
        builder.add(std::unique_ptr<DissipationTerm>(
            std::make_unique<contact::BodyFriction>(world.pairs.back(), options.friction, 0.02)));
    }
    auto floor = std::make_shared<ColliderPair>();
    floor->name = "floor";
    floor->collider = std::make_shared<RigidCollider>(std::make_shared<PlaneShape>(Vec3::Zero(), Vec3::UnitY()));
    floor->kinematics = kinematics;
    floor->thickness = 0.5 * skin;
    floor->points.resize(static_cast<std::size_t>(kinematics->num_points()));
    std::iota(floor->points.begin(), floor->points.end(), 0);
    floor->stiffness.assign(floor->points.size(), 2e3);
    floor->onset.assign(floor->points.size(), 1e-3);
    world.floor = floor;
    if (!options.floor) return;
    builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<ColliderContact>(floor)));
    if (options.friction > 0)
      builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<ColliderFriction>(floor, options.friction, 0.02)));
    if (options.impact_damping > 0)
      builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<ColliderDamping>(floor, options.impact_damping)));
  };
  world.system = elastic_body(left, tets);
  world.start = world.system->initial_state();

  // Uniform velocities: 0.5 m/s towards each other, the yarn 1 m/s towards both.
  for (int i = 0; i < left.num_nodes(); ++i) world.start.v.segment<3>(3 * i) = Vec3(0.5, 0, 0);
  const Matrix& heavy = model.subspace->basis().weighted;
  world.start.v.segment(world.reduced.place.first_dof, world.num_modes) =
      heavy.transpose() * Vec3(-0.5, 0, 0).replicate(right.num_nodes(), 1);
  for (int b = 0; b < yarn.num_beads; ++b) world.start.v.segment<3>(world.yarn.place.first_dof + 5 * b) = Vec3(0, 0, 1);
  const LinearAngular falling = world.system->inertia().momentum(world.start.q, [&] {
    Vector v = Vector::Zero(world.system->num_dofs());
    for (int i = 0; i < left.num_nodes(); ++i) v[3 * i] = 1;
    v.segment(world.reduced.place.first_dof, world.num_modes) =
        heavy.transpose() * Vec3(Vec3::UnitX()).replicate(right.num_nodes(), 1);
    for (int b = 0; b < yarn.num_beads; ++b) v[world.yarn.place.first_dof + 5 * b] = 1;
    return v;
  }());
  world.mass = falling.linear.x();
  return world;
}

}  // namespace dashpot::testing
