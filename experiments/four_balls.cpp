#include "four_balls.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "dashpot/dissipation/example_based.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

std::string ball(const FourBalls& setup, const std::string& name, const Vec3& x, const Vec3& direction) {
  const Vec3 v = ball_speed * direction;
  return fmt::format(R"({{
      "name": "{}",
      "mesh": {{"sphere": {{"radius": "4 cm", "layers": {}}}}},
      "place": {{"translate": [{}, {}, {}]}},
      "material": {{"model": "stable_neo_hookean", "young": "60 kPa", "poisson": 0.4, "density": 600}},
      "damping": [{{"model": "rayleigh", "beta": "2 ms"}}],
      "start": {{"from": "rest", "velocity": [{}, {}, {}]}}
    }})",
                     name, setup.layers, x[0], x[1], x[2], v[0], v[1], v[2]);
}

/// Mean over the points of a body.
Vec3 mean_of(const std::vector<Vec3>& values, const RecordedBody& body) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < body.mesh.num_nodes(); ++i) sum += values[static_cast<std::size_t>(body.first_point + i)];
  return sum / body.mesh.num_nodes();
}

const ExampleBased& example_damping(const RecordedRun& motion) {
  for (const auto& term : motion.scene.system->dissipations())
    if (const auto* found = dynamic_cast<const ExampleBased*>(term.get())) return *found;
  throw Error(Problem{motion.name, "no example_based damping", "one"});
}

}  // namespace

std::string four_balls_scene(const FourBalls& setup, const std::string& damping) {
  // They arrive one after the other: the second of each pair while the bunny swings away from it.
  const std::vector<std::string> balls = {ball(setup, "front", {0.01, 0.22, 0.24}, -Vec3::UnitZ()),
                                          ball(setup, "left", {0.26, 0.22, 0.045}, -Vec3::UnitX()),
                                          ball(setup, "back", {-0.02, 0.22, -0.4}, Vec3::UnitZ()),
                                          ball(setup, "right", {-0.52, 0.215, 0.04}, Vec3::UnitX())};
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "Four balls hit a bunny",
  "time": {{"dt": {dt}, "end": {end}, "stepper": "bathe"}},
  "bodies": [
    {{
      "name": "bunny",
      "mesh": {{"shape": "bunny", "tets": {tets}}},
      "material": {{"model": "stable_neo_hookean", "young": "60 kPa", "poisson": 0.4, "density": 300}},
      "damping": [{damping}],
      "pins": [{{"where": {{"region": "feet"}}}}]
    }},
    {balls}
  ],
  "contacts": [{{"friction": 0.2}}],
  "record": {{"every": "10 ms", "probes": [{{"name": "head", "body": "bunny", "where": {{"region": "head"}}}}]}}
}}
)",
                     fmt::arg("dt", setup.dt), fmt::arg("end", setup.end), fmt::arg("tets", setup.tets),
                     fmt::arg("damping", damping), fmt::arg("balls", fmt::join(balls, ",\n    ")));
}

std::string pulled_damping(const PulledGains& gains) {
  const auto pull = [](double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return fmt::format(
        R"({{"from": "equilibrium", "loads": [{{"model": "force", "where": {{"region": "head"}}, "force": [{:.6g}, 0, {:.6g}]}}]}})",
        0.1 * std::sin(angle), degrees == 90 ? 0 : 0.1 * std::cos(angle));
  };
  return fmt::format(R"({{"model": "example_based", "over": {}, "coupling": "{}",
      "examples": [{{"name": "forward", "shape": {}, "gamma": {}}}, {{"name": "{}", "shape": {}, "gamma": {}}}]}})",
                     bunny_rayleigh, to_string(gains.coupling), pull(0), gains.forward,
                     gains.degrees == 90 ? "sideways" : "oblique", pull(gains.degrees), gains.other);
}

double late_motion(const RecordedRun& motion, int axis) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < motion.time.size(); ++i)
    if (motion.time[i] > after_impacts) sum += std::pow(motion.probes[0][i][axis], 2), ++count;
  return of_complete(motion, std::sqrt(sum / std::max(1, count)));
}

double late_zeta(const RecordedRun& motion, int axis) {
  if (!is_complete(motion)) return not_measured;
  return analysis::measure_ring_down(motion.time, motion.coordinate(0, axis), {.start = after_impacts}).zeta;
}

std::vector<double> impulses(const RecordedRun& motion) {
  constexpr double near = 0.07;  // of a ball's center to a node of the bunny; balls that touch are 8 cm apart [m]
  const RecordedBody& bunny = motion.recording.bodies.at(0);
  std::vector<double> found;
  for (std::size_t b = 1; b < motion.scene.bodies.size(); ++b) {
    const RecordedBody& body = motion.recording.bodies.at(b);
    Vec3 before = Vec3::Zero(), sum = Vec3::Zero();
    for (const Frame& frame : motion.recording.frames) {
      const Vec3 x = mean_of(frame.points, body), v = mean_of(frame.velocities, body);
      double distance = 1e300;
      for (int i = 0; i < bunny.mesh.num_nodes(); ++i)
        distance = std::min(distance, (frame.points[static_cast<std::size_t>(bunny.first_point + i)] - x).norm());
      if (frame.time > 0 && distance < near) sum += v - before;
      before = v;
    }
    found.push_back(motion.scene.bodies[b].mass * sum.norm());
  }
  return found;
}

double raw_eigenvalue(const RecordedRun& motion) {
  const ExampleBased& term = example_damping(motion);
  const auto scratch = term.make_scratch();
  term.begin_step(motion.scene.system->initial_state(), scratch.get());
  const Matrix Pi = coupling_matrix(Coupling::symmetrized, term.basis(scratch.get()), term.gains(Vector::Zero(2)));
  return Eigen::SelfAdjointEigenSolver<Matrix>(Pi).eigenvalues()[0];
}

double example_angle(const RecordedRun& motion) {
  return example_damping(motion).diagnose(motion.scene.system->initial_state()).angles(0, 1);
}

double least_work(const RecordedRun& motion) {
  return of_complete(motion, least_gain(motion.ledger.column("damping.bunny.example_based")));
}

RecordedRun bunny_alone(const RecordedRun& motion, double times) {
  RecordedRun shown;
  shown.name = motion.name;
  shown.recording = motion.recording;
  shown.recording.bodies.resize(1);
  const RecordedBody& bunny = shown.recording.bodies[0];
  for (Frame& frame : shown.recording.frames) {
    frame.points.resize(bunny.mesh.nodes.size());
    frame.velocities.resize(frame.points.size());
    frame.power.resize(frame.points.size());
    for (std::size_t i = 0; i < frame.points.size(); ++i)
      frame.points[i] = bunny.mesh.nodes[i] + times * (frame.points[i] - bunny.mesh.nodes[i]);
  }
  return shown;
}

}  // namespace dashpot::cli
