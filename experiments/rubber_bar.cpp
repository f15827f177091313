#include "rubber_bar.hpp"

#include <vector>

#include <fmt/format.h>

namespace dashpot::cli {
namespace {

constexpr double rubber_young = 2e4, believed_young = 3.5e4, rubber_poisson = 0.43;  // [Pa], [Pa], [1]
/// By how much a stress is raised at s = 0.7; in proportion to 1 - s.
constexpr double compression_gain = 1.0;

}  // namespace

std::string RubberBar::scene(const std::string& material) const {
  return fmt::format(R"({{
  "dashpot": 1,
  "gravity": {},
  "time": {{"dt": 0.0025, "end": {:.6g}, "stepper": "backward_euler"}},
  "solver": {{"newton": {{"tolerance": 1e-8}}}},
  "bodies": [{{
    "name": "bar",
    "mesh": {{"bar": {{"size": [0.09, 0.03, 0.03], "cells": [6, 2, 2]}}}},
    "material": {{{}, "density": 1000}},
    "damping": {},
    "pins": {}
  }}]
}}
)",
                     gravity.empty() ? "[0, 0, -9.81]" : gravity, end, material, damping,
                     is_held ? R"([{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}])" : "[]");
}

std::string rubber(const std::string& model, double modulus, double ratio) {
  return fmt::format(R"("model": "{}", "young": {:.9g}, "poisson": {:.9g})", model, modulus, ratio);
}

std::string neo_hookean_rubber() { return rubber("neo_hookean", rubber_young, rubber_poisson); }

std::string believed_rubber() { return rubber("corotational", believed_young, rubber_poisson); }

std::string learnable_rubber() {
  return fmt::format(R"("model": "learned", "nominal": "corotational", "young": {:.9g}, "poisson": {:.9g},
      "scale": {:.9g}, "stretch": [{}], "stretch_range": [0.6, 1.6])",
                     believed_young, rubber_poisson, believed_young, fmt::join(std::vector<int>(16, 0), ", "));
}

std::string edited_rubber() {
  const double mu = rubber_young / (2 * (1 + rubber_poisson));
  const auto point = [&](double s, double factor) {
    return fmt::format(R"({{"stretch": {:.6g}, "stress": {:.9g}}})", s, factor * mu * (s - 1 / s));
  };
  std::vector<std::string> tension, compression;
  for (const double s : {1.05, 1.1, 1.2, 1.3, 1.4, 1.6}) tension.push_back(point(s, 1));
  for (const double s : {0.6, 0.7, 0.8, 0.9, 0.95})
    compression.push_back(point(s, 1 + compression_gain * (1 - s) / 0.3));
  return fmt::format(R"({}, "tension": [{}], "compression": [{}])", rubber("spline", rubber_young, rubber_poisson),
                     fmt::join(tension, ", "), fmt::join(compression, ", "));
}

}  // namespace dashpot::cli
