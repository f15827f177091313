#pragma once
#include <string>

namespace dashpot {

/// The scene of the format's reference page; tests change one thing at a time with `with`.
inline std::string ringing_beam() {
  return R"({
  "dashpot": 1,
  "title": "A beam that rings",
  "gravity": [0, -9.81, 0],
  "time": {"dt": "5 ms", "end": "2 s", "stepper": "bathe"},
  "solver": {"linear": "auto", "newton": {"max_iterations": 20, "tolerance": 1e-8}},
  "bodies": [{
    "name": "beam",
    "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [8, 1, 1]}},
    "material": {"model": "stvk", "young": "1 MPa", "poisson": 0.4, "density": 1000, "mass": "consistent"},
    "damping": [{"model": "rayleigh", "zeta": [{"f": "2 Hz", "zeta": 0.02}, {"f": "20 Hz", "zeta": 0.02}], "stiffness": "projected_tangent"}],
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
    "start": {"from": "rest"}
  }],
  "record": {"every": "10 ms", "checkpoint": "1 s", "probes": [{"name": "tip", "body": "beam", "where": {"nearest": [1, 0, 0]}}]}
})";
}

/// `text` with its first `old` replaced by `now`.
inline std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  return at == std::string::npos ? "no such text: " + old : text.replace(at, old.size(), now);
}

}  // namespace dashpot
