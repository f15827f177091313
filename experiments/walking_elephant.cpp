#include "walking_elephant.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace dashpot::cli {
namespace {

constexpr double stride = 1.2;  // [s]
constexpr int num_keys = 12;    // a stride

using Cycle = std::array<double, num_keys>;  ///< angles about x at equal times from the strike of the foot on [degrees]
// The foot stays where it stands while the torso passes over it, then the knee bends and the leg swings forward.
constexpr Cycle hind_leg = {-18, -13.2, -8.32, -3.48, 1.35, 6.19, 11, 15.9, 16.7, 8.57, -3.45, -13.9};
constexpr Cycle hind_shin = {0, 0, 0, 0, 0, 0, 0, 0.02, 10.9, 27.4, 27, 10.2};
constexpr Cycle front_leg = {-20, -14.6, -9.25, -3.87, 1.51, 6.88, 12.3, 17.6, 18.5, 9.52, -3.83, -15.4};
constexpr Cycle front_shin = {0, 0, 0, 0, 0, 0, 0, 0.02, 13.9, 34.7, 34.1, 12.9};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string vectors(const std::vector<Vec3>& values) {
  std::vector<std::string> parts;
  for (const Vec3& x : values) parts.push_back(fmt::format("[{:.5g}, {:.5g}, {:.5g}]", x[0], x[1], x[2]));
  return joined(parts);
}

std::string track(const std::string& joint, const std::vector<double>& times, const std::vector<Vec3>& euler,
                  const std::vector<Vec3>& shift = {}) {
  std::vector<std::string> shown;
  for (const double t : times) shown.push_back(fmt::format("{:.4g}", t));
  return fmt::format("    {{\"joint\": \"{}\", \"times\": [{}],\n     \"euler\": [{}]{}}}", joint, joined(shown),
                     vectors(euler), shift.empty() ? "" : fmt::format(",\n     \"translate\": [{}]", vectors(shift)));
}

std::vector<double> stride_times() {
  std::vector<double> times;
  for (int i = 0; i <= num_keys; ++i) times.push_back(stride * i / num_keys);
  return times;
}

/// `strikes`: when the foot comes down, in keys.
std::string leg_track(const std::string& joint, const Cycle& cycle, int strikes) {
  std::vector<Vec3> euler;
  for (int i = 0; i <= num_keys; ++i)
    euler.emplace_back(cycle[static_cast<std::size_t>((i + num_keys - strikes) % num_keys)], 0, 0);
  return track(joint, stride_times(), euler);
}

std::string torso_tracks() {
  std::vector<Vec3> torso, shift, rump;
  for (const double t : stride_times()) {
    const double phase = 2 * M_PI * t / stride, sway = std::sin(phase);
    torso.emplace_back(0.8 * std::cos(2 * phase), 1.5 * sway, 2.2 * sway);
    shift.emplace_back(0.006 * sway, 0.004 + 0.0037 * std::cos(2 * phase + 0.5), 0.12 * t);
    rump.emplace_back(0, -3 * sway, -3 * sway);
  }
  return track("torso", stride_times(), torso, shift) + ",\n" + track("rump", stride_times(), rump);
}

/// Two strides: a quick turn of 8 degrees in each, to the left and back, followed by one of 10 degrees, down and up.
std::string head_track() {
  const double left = 4, right = -4, down = 5, up = -5;
  return track("head", {0, 0.3, 0.5, 0.6, 0.8, 1.2, 1.5, 1.7, 1.8, 2.0, 2.4},
               {{up, right, 0},
                {up, right, 0},
                {up, left, 0},
                {up, left, 0},
                {down, left, 0},
                {down, left, 0},
                {down, left, 0},
                {down, right, 0},
                {down, right, 0},
                {up, right, 0},
                {up, right, 0}});
}

const std::string rayleigh =
    R"({"model": "rayleigh", "zeta": [{"f": "2 Hz", "zeta": "6 %"}, {"f": "6 Hz", "zeta": "6 %"}]})";

/// A pull [N] at a region, in balance.
std::string pull(const char* name, const char* where, const char* force, double gain) {
  return fmt::format(R"({{"name": "{}", "shape": {{"from": "equilibrium", "gravity": false,
          "loads": [{{"model": "force", "where": {{"region": "{}"}}, "force": {}}}]}}, "gamma": {}}})",
                     name, where, force, gain);
}

std::string damping(const ElephantGains& gains) {
  return fmt::format(R"({{"model": "example_based", "over": {},
      "examples": [
        {},
        {},
        {},
        {}]}})",
                     rayleigh, pull("trunk_side", "trunk_tip", "[0.5, 0, 0]", gains.trunk_side),
                     pull("trunk_fore_aft", "trunk_tip", "[0, 0, 0.5]", gains.trunk_fore_aft),
                     pull("ear_left", "ear_left", "[0, 0, 2]", gains.ears),
                     pull("ear_right", "ear_right", "[0, 0, 2]", gains.ears));
}

std::string scene_with(const ElephantSize& size, const std::string& damping, const std::string& skeleton) {
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A walking elephant",
  "gravity": [0, "-9.81 m/s2", 0],
  "time": {{"dt": {dt}, "end": {end}, "stepper": "bathe"}},
  "bodies": [{{
    "name": "elephant",
    "mesh": {{"shape": "elephant", "tets": {tets}}},
    "material": {{"model": "stvk", "young": "100 kPa", "poisson": 0.4, "density": 1000,
      "regions": {{"trunk": {{"young": "40 kPa"}}, "tail": {{"young": "40 kPa"}}, "ear_left": {{"young": "12 kPa"}}, "ear_right": {{"young": "12 kPa"}}}}}},
    "damping": [{damping}],
    "pins": [{{
      "where": {{"any": [{{"region": "torso"}}, {{"region": "head"}}, {{"region": "leg_front_left"}},
        {{"region": "leg_front_right"}}, {{"region": "leg_back_left"}}, {{"region": "leg_back_right"}}]}},
      "motion": {{"skeleton": {{"file": "{skeleton}", "blend": "4 cm", "ramp": "0.3 s"}}}}
    }}],
    "start": "equilibrium"
  }}],
  "record": {{"every": "20 ms", "probes": [
    {{"name": "trunk_tip", "where": {{"nearest": [0, 0.082, 0.336]}}}},
    {{"name": "ear_left", "where": {{"nearest": [0.225, 0.30, 0.03]}}}},
    {{"name": "head_top", "where": {{"nearest": [0, 0.39, 0.11]}}}},
    {{"name": "head_left", "where": {{"nearest": [0.08, 0.31, 0.10]}}}},
    {{"name": "head_right", "where": {{"nearest": [-0.08, 0.31, 0.10]}}}}]}}
}}
)",
                     fmt::arg("dt", size.dt), fmt::arg("end", size.end), fmt::arg("tets", size.tets),
                     fmt::arg("damping", damping), fmt::arg("skeleton", skeleton));
}

}  // namespace

std::string elephant_skeleton() {
  std::vector<std::string> tracks = {torso_tracks(), head_track()};
  int strikes = 0;  // each foot a quarter of a stride after the last: left hind, left front, right hind, right front
  for (const std::string side : {"left", "right"}) {
    tracks.push_back(leg_track("leg_back_" + side, hind_leg, strikes));
    tracks.push_back(leg_track("shin_back_" + side, hind_shin, strikes));
    strikes += num_keys / 4;
    tracks.push_back(leg_track("leg_front_" + side, front_leg, strikes));
    tracks.push_back(leg_track("shin_front_" + side, front_shin, strikes));
    strikes += num_keys / 4;
  }
  std::string text;
  for (const std::string& one : tracks) text += (text.empty() ? "" : ",\n") + one;
  return fmt::format(R"({{
  "dashpot_skeleton": 1,
  "joints": [
    {{"name": "torso", "at": [0, 0.210, -0.020], "tail": [0, 0.220, 0.060]}},
    {{"name": "rump", "parent": "torso", "at": [0, 0.205, -0.060], "tail": [0, 0.215, -0.150]}},
    {{"name": "head", "parent": "torso", "at": [0, 0.270, 0.075], "tail": [0, 0.280, 0.185]}},
    {{"name": "leg_front_left", "parent": "torso", "at": [0.060, 0.150, 0.050]}},
    {{"name": "shin_front_left", "parent": "leg_front_left", "at": [0.060, 0.082, 0.050], "tail": [0.060, 0.010, 0.050]}},
    {{"name": "leg_front_right", "parent": "torso", "at": [-0.060, 0.150, 0.050]}},
    {{"name": "shin_front_right", "parent": "leg_front_right", "at": [-0.060, 0.082, 0.050], "tail": [-0.060, 0.010, 0.050]}},
    {{"name": "leg_back_left", "parent": "rump", "at": [0.062, 0.150, -0.105]}},
    {{"name": "shin_back_left", "parent": "leg_back_left", "at": [0.062, 0.082, -0.105], "tail": [0.062, 0.010, -0.105]}},
    {{"name": "leg_back_right", "parent": "rump", "at": [-0.062, 0.150, -0.105]}},
    {{"name": "shin_back_right", "parent": "leg_back_right", "at": [-0.062, 0.082, -0.105], "tail": [-0.062, 0.010, -0.105]}}
  ],
  "ends": "cyclic",
  "tracks": [
{}
  ]
}}
)",
                     text);
}

std::string walking_elephant(const ElephantSize& size, const std::optional<ElephantGains>& gains,
                             const std::string& skeleton) {
  return scene_with(size, gains ? damping(*gains) : rayleigh, skeleton);
}

const ExampleBased& elephant_examples(const CompiledScene& scene) {
  for (const auto& term : scene.system->dissipations())
    if (const ExampleBased* examples = term->capabilities().examples) return *examples;
  throw Error(Problem{"elephant", "no examples", "four"});
}

}  // namespace dashpot::cli
