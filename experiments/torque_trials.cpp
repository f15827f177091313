#include "torque_trials.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "dashpot/dissipation/cluster_damping.hpp"
#include "dashpot/math/best_spin.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/topology.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

struct Body {
  std::vector<double> mass;
  std::vector<Vec3> x, v;
  std::vector<Edge> edges;
  Clusters whole{0}, tets{0};

  explicit Body(const Mesh& mesh)
      : mass(mesh.nodes.size(), 1.0),
        x(mesh.nodes),
        v(mesh.nodes.size(), Vec3::Zero()),
        edges(unique_edges(mesh)),
        whole(one_cluster(mesh.num_nodes())),
        tets(element_clusters(mesh.num_nodes(), mesh.tets()->nodes, 4)) {}

  double kinetic_energy(const std::vector<Vec3>& velocity) const {
    double sum = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) sum += 0.5 * mass[i] * velocity[i].squaredNorm();
    return sum;
  }
};

Vector flat(const std::vector<Vec3>& points) {
  return Eigen::Map<const Vector>(points.front().data(), 3 * static_cast<Eigen::Index>(points.size()));
}

/// Velocities after one application of a form.
std::vector<Vec3> damped(const TorqueForm& form, const Body& body, double gamma) {
  std::vector<Vec3> v = body.v;
  if (form.scope == TorqueForm::Scope::point_forces) {
    std::vector<Vec3> change;
    for (std::size_t i = 0; i < v.size(); ++i) change.push_back(-gamma * body.mass[i] * v[i]);
    const StruckVelocities motion{body.v, 1};
    make_torque_free(form.elimination, {body.mass, body.x, body.edges}, &motion, change);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += change[i] / body.mass[i];
    return v;
  }
  const ClusterDamping filter("body", 0, body.mass, form.scope == TorqueForm::Scope::body ? body.whole : body.tets,
                              form.elimination, FilterGain::per_step(gamma), body.edges);
  Vector flat_v = flat(v);
  filter.apply(flat(body.x), 1, flat_v);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = flat_v.segment<3>(3 * static_cast<Eigen::Index>(i));
  return v;
}

/// Kinetic energy of what is not rigid motion.
double deformation_energy(const Body& body) {
  std::vector<Vec3> momentum;
  for (std::size_t i = 0; i < body.v.size(); ++i) momentum.push_back(body.mass[i] * body.v[i]);
  make_torque_free(TorqueElimination::rigid, {body.mass, body.x, {}}, nullptr, momentum);
  double sum = 0;
  for (std::size_t i = 0; i < momentum.size(); ++i) sum += 0.5 * momentum[i].squaredNorm() / body.mass[i];
  return sum;
}

void randomize(Body& body, const std::vector<Vec3>& rest, int trial, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  const double decades = std::array{0.0, 2.0, 6.0}[static_cast<std::size_t>(trial % 3)];
  const double jitter = std::pow(10, -2 * uniform(random));
  const Vec3 flight = vec(), spin = std::array{0.0, 1.0, 10.0}[random() % 3] * vec();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    body.mass[i] = std::pow(10, -decades * uniform(random));
    body.x[i] = rest[i] + 0.15 * vec();
    body.v[i] = flight + spin.cross(body.x[i]) + jitter * vec();
  }
}

void record(const Body& body, const std::vector<Vec3>& after, TorqueTrial& trial) {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double linear_scale = 0, angular_scale = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Vec3 impulse = body.mass[i] * (after[i] - body.v[i]);
    linear += impulse;
    angular += body.x[i].cross(impulse);
    linear_scale += body.mass[i] * body.v[i].norm();
    angular_scale += body.mass[i] * body.x[i].norm() * body.v[i].norm();
  }
  const double before = body.kinetic_energy(body.v), left = body.kinetic_energy(after);
  const double growth = (left - before) / before;
  trial.worst_growth = trial.states == 0 ? growth : larger(trial.worst_growth, growth);
  const auto [least, most] = std::minmax_element(body.mass.begin(), body.mass.end());
  if (*least == *most) trial.worst_growth_equal = larger(trial.worst_growth_equal, growth);
  trial.grew += growth > 1e-12 ? 1 : 0;
  trial.momentum_change = larger(trial.momentum_change, linear.norm() / linear_scale);
  trial.angular_change = larger(trial.angular_change, angular.norm() / angular_scale);
  trial.energy_taken += (before - left) / deformation_energy(body);
  ++trial.states;
}

/// Only the first quarter of a bar moves: which share of the impulses acts beyond its middle?
double far_share(const TorqueForm& form) {
  Body body(make_bar(Vec3(8, 1, 1), {8, 1, 1}));
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Vec3& x : body.x) low = std::min(low, x.x()), high = std::max(high, x.x());
  const double length = high - low;
  for (std::size_t i = 0; i < body.x.size(); ++i)
    if (body.x[i].x() < low + 0.26 * length) body.v[i] = Vec3(normal(random), normal(random), normal(random));
  const std::vector<Vec3> after = damped(form, body, 0.5);
  double all = 0, far = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const double impulse = body.mass[i] * (after[i] - body.v[i]).norm();
    all += impulse;
    if (body.x[i].x() > low + 0.51 * length) far += impulse;
  }
  return far / all;
}

}  // namespace

std::string TorqueForm::name() const {
  const char* scopes[] = {"global", "local", "point forces"};
  return fmt::format("{}, {}", scopes[static_cast<int>(scope)], to_string(elimination));
}

std::vector<TorqueForm> all_torque_forms() {
  using enum TorqueForm::Scope;
  std::vector<TorqueForm> forms;
  for (const TorqueElimination elimination : all_torque_eliminations) forms.push_back({body, elimination});
  for (const TorqueElimination elimination :
       {TorqueElimination::none, TorqueElimination::rigid, TorqueElimination::center, TorqueElimination::reduced_mass,
        TorqueElimination::unsafe_linear_program})
    forms.push_back({tets, elimination});
  for (const TorqueElimination elimination :
       {TorqueElimination::rigid, TorqueElimination::edges, TorqueElimination::unsafe_edges_printed})
    forms.push_back({point_forces, elimination});
  return forms;
}

std::vector<TorqueTrial> try_torque_forms(const std::vector<TorqueForm>& forms, int count) {
  std::vector<TorqueTrial> trials;
  for (const TorqueForm& form : forms) {
    trials.emplace_back().form = form;
    trials.back().far_share = far_share(form);
  }
  Body body(make_bar(Vec3(1, 1, 1), {1, 1, 1}));
  const std::vector<Vec3> rest = body.x;
  std::mt19937 random(1);
  for (int k = 0; k < count; ++k) {
    randomize(body, rest, k, random);
    const double gamma = std::array{0.1, 0.5, 1.0}[random() % 3];
    for (TorqueTrial& trial : trials) record(body, damped(trial.form, body, gamma), trial);
  }
  for (TorqueTrial& trial : trials) trial.energy_taken /= std::max(1, trial.states);
  return trials;
}

}  // namespace dashpot::cli
