// What a gradient costs: 200 steps of a bar of a learned law with lagged Rayleigh damping, backward Euler, and the
// derivatives of one objective (a corner's path) by 20 parameters, against the run alone in the same run of the
// program. Forward sensitivities by the same parameters are measured over fewer steps.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/gradients/adjoint_run.hpp"
#include "dashpot/scene/compile.hpp"
#include "interrupt.hpp"
#include "stopwatch.hpp"

namespace dashpot::cli {
namespace {

constexpr int gradient_parameters = 20;
constexpr int gradient_steps = 200, forward_steps = 10;
constexpr double gradient_dt = 2.5e-3;  // [s]

CompiledScene learned_bar(int tets) {
  const int n = std::max(1, static_cast<int>(std::lround(std::cbrt(tets / 18.0))));
  const int length = std::max(1, static_cast<int>(std::lround(tets / (6.0 * n * n))));
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {{"dt": "2.5 ms", "end": "1 s", "stepper": "backward_euler"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [0.3, 0.1, 0.1], "cells": [{}, {}, {}]}}}},
      "material": {{"model": "learned", "nominal": "corotational", "young": "200 kPa", "poisson": 0.4, "density": 1000}},
      "damping": [{{"model": "rayleigh", "alpha": "0.1 /s", "beta": "1 ms"}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}]}})",
                                         length, n, n)));
}

/// Takes the steps that a stepper is given; less than all when interrupted.
State take_steps(const CompiledScene& scene, Stepper& stepper, int steps) {
  State state = scene.start;
  Workspace workspace = scene.system->make_workspace();
  for (int i = 0; i < steps && !interrupted(); ++i) stepper.step(*scene.system, state, workspace, gradient_dt);
  return state;
}

void measure_gradients(int wanted, const BenchRequest& request, std::vector<Measurement>& out) {
  const CompiledScene scene = learned_bar(wanted);
  const System& system = *scene.system;
  const int tets = scene.bodies[0].mesh.tets()->size(), corner = system.kinematics().num_points() - 1;
  const Integrator integrator("backward_euler");
  GradientOptions options;
  for (int i = 0; i < gradient_parameters; ++i) options.values.push_back(i);
  options.should_stop = interrupted;
  const auto slopes = [&](const State& state, StateAdjoint& adjoint) {
    add_point_slope(system, state, corner, Vec3(0, 1, 0), Vec3::Zero(), 0, adjoint);
  };
  const int repeats = std::max(1, std::min(request.repeats, 3));
  std::vector<double> run_ms, gradient_ms, forward_ms;
  RunGradient found;
  for (int i = 0; i < repeats && !interrupted(); ++i) {  // interleaved: a busy moment hits all
    run_ms.push_back(milliseconds([&] {
      const auto stepper = make_stepper(integrator, {}, {});
      take_steps(scene, *stepper, gradient_steps);
    }));
    gradient_ms.push_back(milliseconds([&] {
      RecordingStepper stepper(integrator, {}, {});
      const State end = take_steps(scene, stepper, gradient_steps);
      if (!interrupted()) found = gradient_of_run(system, integrator, stepper, end, slopes, options);
    }));
    forward_ms.push_back(milliseconds([&] {
      SensitivityStepper stepper(integrator, {}, {}, options.values);
      stepper.begin(system, scene.start, SensitivityStepper::Start::given);
      take_steps(scene, stepper, forward_steps);
    }));
  }
  if (interrupted()) return;
  const bool judged = tets > 5000 && tets < 20000;  // the bar is stated for 10k tets
  const double run = median(run_ms);
  out.push_back({fmt::format("run of {} steps", gradient_steps), tets, run, "ms", {}, {}});
  out.push_back({fmt::format("gradient by {} parameters / run", gradient_parameters),
                 tets,
                 median(gradient_ms) / run,
                 "1",
                 judged ? std::optional<double>(3) : std::nullopt,
                 {}});
  out.push_back({"steps taken again / steps",
                 tets,
                 static_cast<double>(found.num_steps_again) / static_cast<double>(gradient_steps),
                 "1",
                 {},
                 {}});
  out.push_back({"memory of checkpoints", tets, found.peak_bytes * 1e-6, "MB", {}, {}});
  out.push_back({fmt::format("forward sensitivities by {} parameters / run", gradient_parameters),
                 tets,
                 median(forward_ms) / run * gradient_steps / forward_steps,
                 "1",
                 {},
                 {}});
}

}  // namespace

std::vector<Measurement> bench_gradients(const BenchRequest& request) {
  return measure_sizes(request, "gradients", measure_gradients);
}

}  // namespace dashpot::cli
