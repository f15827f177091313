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
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A ball falls on a membrane",
  "gravity": [0, {gravity}, 0],
  "time": {{"dt": {dt:.9g}, "end": {end}, "stepper": "symplectic_euler"}},
  "bodies": [
    {{
      "name": "membrane",
      "mesh": {{"shape": "membrane", "tets": {tets}}},
      "material": {{"model": "stable_neo_hookean", "young": "100 kPa", "poisson": 0.3, "density": {density}, "mass": "lumped"}},
      "damping": [{membrane}],
      "pins": [{{"where": {{"region": "rim"}}}}]
    }},
    {{
      "name": "ball",
      "mesh": {{"sphere": {{"radius": {radius}, "layers": {layers}}}}},
      "place": {{"translate": [0, {height}, 0]}},
      "material": {{"model": "stable_neo_hookean", "young": "100 kPa", "poisson": 0.3, "density": {density}, "mass": "lumped"}},
      "damping": [{ball}]
    }}
  ],
  "contacts": [{{"between": ["ball", "membrane"], "stiffness": "5 MPa/m"}}],
  "record": {{
    "every": {frames},
    "probes": [
      {{"name": "ball", "body": "ball", "where": "all"}},
      {{"name": "middle", "body": "membrane", "where": {{"nearest": [0, 0, 0]}}}}
    ]
  }}
}}
)",
                     fmt::arg("gravity", -gravity), fmt::arg("dt", dt), fmt::arg("end", setup.end),
                     fmt::arg("tets", setup.tets), fmt::arg("layers", setup.layers), fmt::arg("radius", ball_radius),
                     fmt::arg("height", ball_radius + ball_drop), fmt::arg("density", density),
                     fmt::arg("membrane", damping.membrane), fmt::arg("ball", damping.ball),
                     fmt::arg("frames", frames));
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
