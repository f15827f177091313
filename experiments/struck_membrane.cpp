#include "struck_membrane.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/dissipation/edge_graph.hpp"
#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/mesh/mass.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/scene/stability_trial.hpp"
#include "interrupt.hpp"
#include "scene_file.hpp"

namespace dashpot::cli {
namespace {

constexpr double density = 200, gravity = 9.81;  // [kg/m^3], [m/s^2]
constexpr double fall = ball_drop - membrane_thickness / 2;

double edge_bound(const Mesh& mesh) {
  const Vector mass = lumped_node_masses(mesh, *mesh.tets(), {density});
  return EdgeGraph(unique_edges(mesh), {mass.begin(), mass.end()}).edge_bound();
}

}  // namespace

StruckMembrane make_membrane(StruckMembrane setup) {
  const CompiledScene scene = compile(parse_scene(membrane_scene(setup, 1e-4, {}, 0.01), "membrane", ""));
  setup.limit = explicit_limit(*scene.system, scene.start, "symplectic_euler").dt;
  for (std::size_t i = 0; i < 2; ++i) setup.lambda[i] = edge_bound(scene.bodies.at(i).mesh);
  return setup;
}

std::string membrane_scene(const StruckMembrane& setup, double dt, const MembraneDamping& damping, double frames) {
  return scene_file("struck_membrane", {{"/gravity/1", -gravity},
                                        {"/time/dt", fmt::format("{:.9g}", dt)},
                                        {"/time/end", setup.end},
                                        {"/bodies/0/mesh/tets", setup.tets},
                                        {"/bodies/1/mesh/sphere/layers", setup.layers},
                                        {"/bodies/1/mesh/sphere/radius", ball_radius},
                                        {"/bodies/1/place/translate/1", ball_radius + ball_drop},
                                        {"/bodies/0/material/density", density},
                                        {"/bodies/1/material/density", density},
                                        {"/bodies/0/damping", list_of(damping.membrane)},
                                        {"/bodies/1/damping", list_of(damping.ball)},
                                        {"/record/every", frames}});
}

MembraneDamping spring_damping(const StruckMembrane& setup, double dt, double share) {
  const auto entry = [&](double lambda) {
    return fmt::format(R"({{"model": "spring", "coefficient": {:.6g}}})", share / (dt * lambda));
  };
  return {fmt::format("spring damping {:.0f} %", 100 * share), entry(setup.lambda[0]), entry(setup.lambda[1])};
}

MembraneDamping iterated_spring_damping(int iterations) {
  const std::string entry = fmt::format(R"({{"model": "spring", "gamma_per_step": 1, "iterations": {}}})", iterations);
  return {fmt::format("spring damping 100 %, {} times a step", iterations), entry, entry};
}

MembraneDamping relative_damping(double global, double local) {
  const std::string entry = fmt::format(R"({{"model": "relative", "gamma_per_step": {}, "torque": "edges"}}, )"
                                        R"({{"model": "relative", "gamma_per_step": {}, "clusters": "elements"}})",
                                        global, local);
  return {fmt::format("ours, global {:g} %, local {:g} %", 100 * global, 100 * local), entry, entry};
}

double allowed_gain() {
  const double volume = 4.0 / 3 * std::numbers::pi * ball_radius * ball_radius * ball_radius;
  return 0.1 * density * volume * gravity * fall;
}

MembraneOutcome try_membrane(const StruckMembrane& setup, double dt, const MembraneDamping& damping) {
  TrialOptions options;
  options.end = setup.end;
  options.allowed_gain = allowed_gain();
  options.allowed_inverted = 0.01;
  const CompiledScene scene = compile(parse_scene(membrane_scene(setup, dt, damping, 0.01), "membrane", ""));
  const TrialResult result = try_step(scene, dt, options, [] { return interrupted(); });
  return {result.is_stable, result.reason, result.time};
}

double lowest_time(const RecordedRun& motion) {
  const std::vector<double> y = motion.coordinate(0, 1);
  return motion.time[static_cast<std::size_t>(std::min_element(y.begin(), y.end()) - y.begin())];
}

double bounce(const RecordedRun& motion) {
  const std::vector<double> y = motion.coordinate(0, 1);
  const auto low = std::min_element(y.begin(), y.end());
  if (low == y.end() || *low > -fall) return 0;
  return (*std::max_element(low, y.end()) + fall) / fall;
}

}  // namespace dashpot::cli
