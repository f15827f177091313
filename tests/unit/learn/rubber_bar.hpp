#pragma once
// The bar of reference D, section 8, for tests of estimators: neo-Hookean rubber of 20 kPa, learned by a corotational
// law of 35 kPa.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dashpot/learn/fit.hpp"
#include "unit/learn/paths.hpp"

namespace dashpot::test_support {

struct RubberBar {
  static constexpr double size = 0.0994987437106620;  ///< diagonal [m]
  double end = 0.4;
  std::string damping = "[]", stepper = "backward_euler";
  double dt = 0.0025;

  std::shared_ptr<const CompiledScene> made_of(const std::string& material) const {
    return std::make_shared<CompiledScene>(compile(parse_scene(fmt::format(
        R"({{"dashpot": 1, "gravity": [0, 0, -9.81], "time": {{"dt": {}, "end": {}, "stepper": "{}"}},
      "solver": {{"newton": {{"tolerance": 1e-8}}}},
      "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.09, 0.03, 0.03], "cells": [6, 2, 2]}}}},
        "material": {{{}, "poisson": 0.43, "density": 1000}}, "damping": {},
        "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}]}})",
        dt, end, stepper, material, damping))));
  }
  std::shared_ptr<const CompiledScene> truth() const { return made_of(R"("model": "neo_hookean", "young": 2e4)"); }
  std::shared_ptr<const CompiledScene> believed() const {
    return made_of(R"("model": "learned", "nominal": "corotational", "young": 3.5e4)");
  }

  /// Points on the surface that can move.
  static std::vector<int> surface_points(const CompiledScene& scene) {
    std::vector<Vec3> x;
    scene.system->kinematics().positions(scene.system->rest(), x);
    std::vector<int> points;
    const auto outside = [](double at, double length) { return at < 1e-6 || at > length - 1e-6; };
    for (std::size_t p = 0; p < x.size(); ++p)
      if (x[p].x() > 1e-6 && (outside(x[p].x(), 0.09) || outside(x[p].y(), 0.03) || outside(x[p].z(), 0.03)))
        points.push_back(static_cast<int>(p));
    return points;
  }

  /// Largest error of a node in a forward simulation [percent of the diagonal].
  double error_of(const learn::FitProblem& problem, const Vector& x) const {
    const auto all = instants(0.0025, 0.0025, static_cast<int>(end / 0.0025 + 0.5));
    const auto a = positions_at(truth(), all);
    const auto b = positions_at(problem.runs[0].scene, all, problem.values(problem.runs[0], x));
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t p = 0; p < a[i].size(); ++p) worst = std::max(worst, (a[i][p] - b[i][p]).norm());
    return 100 * worst / size;
  }

 private:
  static std::vector<double> instants(double from, double step, int count) {
    return test_support::instants(from, step, count);
  }
};

}  // namespace dashpot::test_support
