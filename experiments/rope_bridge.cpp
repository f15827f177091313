#include "rope_bridge.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace dashpot::cli {
namespace {

std::string material(const char* young, double density) {
  return fmt::format(
      R"({{"model": "stable_neo_hookean", "young": "{}", "poisson": 0.3, "density": {:g}, "mass": "lumped"}})", young,
      density);
}

std::string start(const RopeBridge& setup) {
  return setup.starts_in_equilibrium ? R"(, "start": {"from": "equilibrium"})" : "";
}

std::string rope(const RopeBridge& setup, const std::string& name, double z, const std::string& damping) {
  return fmt::format(R"(    {{
      "name": "{}",
      "mesh": {{"shape": {{"name": "bridge_rope", "spacing": {:g}}}}},
      "place": {{"translate": [0, 0, {:g}]}},
      "material": {},
      "damping": [{}],
      "pins": [{{"where": {{"any": [{{"region": "end_left"}}, {{"region": "end_right"}}]}}}}]{}
    }})",
                     name, setup.rope_spacing, z, material("4 MPa", 800), damping, start(setup));
}

std::string plank(const RopeBridge& setup, const std::string& name, double x, const std::string& damping) {
  return fmt::format(R"(    {{
      "name": "{}",
      "mesh": {{"shape": {{"name": "bridge_plank", "spacing": {:g}}}}},
      "place": {{"rotate": [0, "90 deg", 0], "translate": [{:g}, 0.043, 0]}},
      "material": {},
      "damping": [{}]{}
    }})",
                     name, setup.plank_spacing, x, material("5 MPa", 600), damping, start(setup));
}

std::string bar(const RopeBridge& setup, const std::string& name, double x, double z, const std::string& damping) {
  return fmt::format(R"(    {{
      "name": "{}",
      "mesh": {{"bar": {{"size": [0.5, 0.08, 0.08], "cells": [8, 1, 1]}}}},
      "place": {{"translate": [{:g}, {:g}, {:g}]}},
      "material": {},
      "damping": [{}],
      "start": {{"from": "rest", "velocity": [0, {:g}, 0]}}
    }})",
                     name, x - 0.25, 0.101 + setup.height, z - 0.04, material("1 MPa", 500), damping, -setup.speed);
}

/// The plank's nodes that lie on a rope follow it.
std::string knot(const std::string& plank, double x, bool left) {
  return fmt::format(
      R"(    {{"body": "{}", "where": {{"box": [[{:.2f}, 0.03, {}], [{:.2f}, 0.05, {}]]}}, "to": "{}", "within": "3 cm"}})",
      plank, x - 0.1, left ? 0.32 : -0.42, x + 0.1, left ? 0.42 : -0.32, left ? "rope_left" : "rope_right");
}

}  // namespace

std::string bridge_scene(const RopeBridge& setup, const DampingOf& damping, double dt) {
  std::vector<std::string> bodies{rope(setup, "rope_left", 0.37, damping("rope_left")),
                                  rope(setup, "rope_right", -0.37, damping("rope_right"))};
  std::vector<std::string> knots, contacts;
  for (int i = 1; i <= setup.planks; ++i) {
    const std::string name = fmt::format("plank_{}", i);
    const double x = 0.28 * (i - (setup.planks + 1) / 2);
    bodies.push_back(plank(setup, name, x, damping(name)));
    knots.push_back(knot(name, x, true));
    knots.push_back(knot(name, x, false));
    if (setup.has_bars && std::abs(x) < 0.6)
      for (const char* bar_name : {"bar_1", "bar_2"})
        contacts.push_back(fmt::format(R"(    {{"between": ["{}", "{}"], "stiffness": "20 MPa/m"}})", bar_name, name));
  }
  if (setup.has_bars) {
    bodies.push_back(bar(setup, "bar_1", -0.1, 0.12, damping("bar_1")));
    bodies.push_back(bar(setup, "bar_2", 0.12, -0.12, damping("bar_2")));
  }
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A rope bridge",
  "gravity": [0, -9.81, 0],
  "time": {{"dt": {:.9g}, "end": {:g}, "stepper": "symplectic_euler"}},
  "bodies": [
{}
  ],
  "attachments": [
{}
  ],
  "contacts": [
{}
  ],
  "record": {{"every": 0.02, "probes": [{{"name": "middle", "body": "plank_{}", "where": "all"}}]}}
}}
)",
                     dt, setup.end, fmt::join(bodies, ",\n"), fmt::join(knots, ",\n"), fmt::join(contacts, ",\n"),
                     (setup.planks + 1) / 2);
}

}  // namespace dashpot::cli
