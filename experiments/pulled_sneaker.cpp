#include "pulled_sneaker.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/analysis/largest_step.hpp"
#include "dashpot/dissipation/edge_graph.hpp"
#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/mesh/mass.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "dashpot/scene/stability_trial.hpp"
#include "edge_dashpots.hpp"
#include "interrupt.hpp"

namespace dashpot::cli {
namespace {

constexpr double gravity = 9.81, pull = 20, density = 150;  // [m/s^2], [N], [kg/m^3]

Vec3 center_of_set(const Mesh& mesh, const std::string& name) {
  Vec3 sum = Vec3::Zero();
  for (const auto& [set, nodes] : mesh.node_sets)
    if (set == name)
      for (const int i : nodes) sum += mesh.nodes[static_cast<std::size_t>(i)] / static_cast<double>(nodes.size());
  return sum;
}

/// Pull along the line between toe and heel, and weight by the levers: only a slow roll about that line is left.
void balance(const Mesh& mesh, const Vector& masses, PulledSneaker& setup) {
  Vec3 center = Vec3::Zero();
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    center += masses[static_cast<Eigen::Index>(i)] / masses.sum() * mesh.nodes[i];
  const Vec3 toe = center_of_set(mesh, "toe"), heel = center_of_set(mesh, "heel");
  setup.along = (toe - heel).normalized();
  setup.at_toe = (center.z() - heel.z()) / (toe.z() - heel.z());
}

/// With spring damping of a share of its bound; 0: without damping.
double longest_step(PulledSneaker setup, double start, double share) {
  analysis::LargestStepOptions options;
  options.start = start;
  options.longest = 2 * start;
  options.shortest = 0.3 * start;
  options.ladder = 1.05;
  options.precision = 0.01;
  options.attempts_below = 1;
  const auto is_stable = [&](double dt) {
    setup.dt = dt;
    return try_sneaker(setup, share > 0 ? spring_entry(setup, share) : "").is_stable;
  };
  return analysis::largest_stable_step(is_stable, options, [] { return interrupted(); }).dt;
}

}  // namespace

PulledSneaker make_sneaker(const Console& console, PulledSneaker setup, const std::vector<double>& spring_shares) {
  setup.dt = 1e-4;
  const CompiledScene scene = compile(parse_scene(sneaker_scene(setup, ""), "sneaker", ""));
  const Mesh& mesh = scene.bodies.at(0).mesh;
  const Vector masses = lumped_node_masses(mesh, *mesh.tets(), {density});
  setup.mass = masses.sum();
  setup.lightest = masses.minCoeff();
  balance(mesh, masses, setup);
  const EdgeGraph edges(unique_edges(mesh), {masses.begin(), masses.end()});
  setup.lambda = edges.edge_bound();
  setup.mean_share = mean_share_of_bound(edges);
  const ModesResult modes = system_modes(*scene.system, scene.start, {.num_modes = 1});
  setup.slowest = 2 * M_PI * modes.frequencies[0];
  setup.slowest_ratio = edge_dashpot_ratio(edges, mesh.nodes, 1, modes.shapes.col(0), setup.slowest);
  setup.rest_limit = explicit_limit(*scene.system, scene.start, "symplectic_euler").dt;
  Progress progress(console, "longest steps", 1 + static_cast<double>(spring_shares.size()), "searches");
  setup.undamped_limit = longest_step(setup, 0.9 * setup.rest_limit, 0);
  double done = 1;
  for (const double share : spring_shares) {
    if (interrupted() || setup.undamped_limit == 0) return setup;
    progress.update(done++);
    if (const double dt = longest_step(setup, setup.undamped_limit, share); dt > setup.spring_limit)
      setup.spring_limit = dt, setup.spring_share = share;
  }
  setup.dt = setup.spring_limit;
  return setup;
}

std::string spring_entry(const PulledSneaker& setup, double share) {
  return fmt::format(R"({{"model": "spring", "coefficient": {:.6g}}})", share / (setup.dt * setup.lambda));
}

std::string sneaker_scene(const PulledSneaker& setup, const std::string& damping, double frames) {
  const auto force = [](const char* region, const Vec3& f, const std::string& window) {
    return fmt::format(R"({{"model": "force", "where": {{"region": "{}"}}, "force": [{:.9g}, {:.9g}, {:.9g}], {}}})",
                       region, f.x(), f.y(), f.z(), window);
  };
  const Vec3 pulling = pull * setup.along, weight(0, setup.mass * gravity, 0);
  const std::string carried = fmt::format(R"("until": {})", setup.release), pulled = R"("ramp": 0.05)",
                    let_go = fmt::format(R"("from": {})", setup.release);
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A sneaker is pulled, let go and falls",
  "gravity": [0, {gravity}, 0],
  "time": {{"dt": {dt:.9g}, "end": {end}, "stepper": "symplectic_euler"}},
  "bodies": [{{
    "name": "sneaker",
    "mesh": {{"shape": "sneaker", "tets": {tets}}},
    "material": {{"model": "stable_neo_hookean", "young": "20 kPa", "poisson": 0.3, "density": {density}, "mass": "lumped"}},
    "damping": [{damping}],
    // Two draggers pull it apart and carry its weight. They let go at once: what rose is canceled.
    "loads": [
      {toe_weight},
      {heel_weight},
      {toe},
      {heel},
      {toe_release},
      {heel_release}
    ]
  }}],
  "record": {{"every": {frames}, "probes": [{{"name": "body", "where": "all"}}]}}
}}
)",
                     fmt::arg("gravity", -gravity), fmt::arg("density", density), fmt::arg("dt", setup.dt),
                     fmt::arg("end", setup.end), fmt::arg("tets", setup.tets), fmt::arg("damping", damping),
                     fmt::arg("toe_weight", force("toe", setup.at_toe * weight, carried)),
                     fmt::arg("heel_weight", force("heel", (1 - setup.at_toe) * weight, carried)),
                     fmt::arg("toe", force("toe", pulling, pulled)), fmt::arg("heel", force("heel", -pulling, pulled)),
                     fmt::arg("toe_release", force("toe", -pulling, let_go)),
                     fmt::arg("heel_release", force("heel", pulling, let_go)), fmt::arg("frames", frames));
}

double allowed_gain(const PulledSneaker& setup) { return setup.mass * gravity * 0.05; }

Attempt try_sneaker(const PulledSneaker& setup, const std::string& damping) {
  TrialOptions options;
  options.end = setup.end;
  options.allowed_gain = allowed_gain(setup);
  options.allowed_inverted = 0.01;
  const CompiledScene scene = compile(parse_scene(sneaker_scene(setup, damping), "sneaker", ""));
  Attempt attempt;
  attempt.is_stable = true;
  for (const double jitter : {0.0, 1e-6}) {  // [m/s]
    options.jitter = jitter;
    const TrialResult result = try_step(scene, scene.run.dt, options, [] { return interrupted(); });
    attempt.is_stable = attempt.is_stable && result.is_stable;
    attempt.outcome = result.is_stable ? "comes to the end" : result.reason;
    if (!attempt.is_stable) break;
  }
  return attempt;
}

std::vector<double> center_heights(const PulledSneaker& setup, const RecordedRun& motion) {
  std::vector<double> y{0};  // positions advance with the velocities at the end of each step
  for (std::size_t i = 1; i < motion.time.size(); ++i)
    y.push_back(y.back() + (motion.time[i] - motion.time[i - 1]) * motion.momentum[i].y() / setup.mass);
  return y;
}

double fall_over_free(const PulledSneaker& setup, const RecordedRun& motion) {
  const std::vector<double> y = center_heights(setup, motion);
  std::size_t i = 0;
  while (i + 1 < y.size() && motion.time[i] < setup.release - 1e-9) ++i;
  const double T = motion.time.back() - motion.time[i];
  const double v = motion.momentum[i].y() / setup.mass;
  return (y[i] - y.back()) / (0.5 * gravity * T * T - v * T);
}

}  // namespace dashpot::cli
