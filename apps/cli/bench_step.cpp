// What a time step costs: a St. Venant-Kirchhoff bar with Rayleigh damping under the trapezoid rule, one Newton
// iteration a step, against a bare CHOLMOD factorization and solve of the very same matrix in the same run.
//
// Floors (2 cores, AVX2): a tet reads 12 positions, its gradients and 16 slots and updates 16 blocks of 72 bytes: about
// 2.5 kB, two thirds of it scatter into blocks that stay in L2; some 1.2 kflop. 15 M tets/s per core is what the
// arithmetic would allow. A CG iteration streams the matrix once (about 220 bytes a tet) at the speed of L3 or memory.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/integrate/balance.hpp"
#include "dashpot/scene/compile.hpp"
#include "interrupt.hpp"
#include "stopwatch.hpp"

namespace dashpot::cli {
namespace {

/// A bar of about `tets` tets, clamped, sagging under gravity.
CompiledScene bar_scene(int tets) {
  const int n = std::max(1, static_cast<int>(std::lround(std::cbrt(tets / 18.0))));
  const int length = std::max(1, static_cast<int>(std::lround(tets / (6.0 * n * n))));
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {{"dt": "5 ms", "end": "1 s", "stepper": "trapezoid"}},
    "bodies": [{{"name": "bar", "mesh": {{"bar": {{"size": [1, 0.3, 0.3], "cells": [{}, {}, {}]}}}},
      "material": {{"model": "stvk", "young": "1 MPa", "poisson": 0.4, "density": 1000}},
      "damping": [{{"model": "rayleigh", "alpha": "0.1 /s", "beta": "1 ms", "stiffness": "gauss_newton"}}],
      "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]}}]}})",
                                         length, n, n)));
}

/// One system with everything needed to take one-iteration steps by a given linear solver.
struct StepRunner {
  const System& system;
  State state;
  Workspace workspace;
  std::unique_ptr<Stepper> stepper;
  StepRunner(const CompiledScene& scene, LinearSolverKind kind)
      : system(*scene.system), state(scene.start), workspace(system.make_workspace()) {
    NewtonOptions newton;
    newton.fixed_iterations = 1;
    LinearSolverOptions linear;
    linear.kind = kind;
    linear.cg_tolerance = 1e-6;
    stepper = dashpot::make_stepper(Integrator("trapezoid"), newton, linear);
    step();  // symbolic analysis
  }
  void step() { stepper->step(system, state, workspace, 5e-3); }
};

/// The Newton matrix of such a step, and CHOLMOD alone on it.
struct BareSolve {
  BlockMatrix matrix;
  Vector right_side, solution;
  std::unique_ptr<LinearSolver> solver;
  explicit BareSolve(const CompiledScene& scene) : matrix(scene.system->pattern()) {
    const System& system = *scene.system;
    Workspace workspace = system.make_workspace();
    system.begin_step(scene.start, workspace);
    std::vector<LowRank> low_rank;
    const double h = 5e-3;
    const TangentRequest request{4 / (h * h), 2 / h, Projection::none, &matrix, &low_rank};
    evaluate_tangent(system, workspace, scene.start.internal_variables, {scene.start.q, scene.start.v, scene.start.a},
                     {0, 0}, request);
    right_side = Vector::Ones(system.num_dofs());
    system.reduce(right_side);
    solution = Vector::Zero(system.num_dofs());
    LinearSolverOptions options;
    options.kind = LinearSolverKind::cholmod;
    solver = make_linear_solver(options, system.num_dofs(), true, true);
    solver->analyze(system.pattern(), system.is_free());
    run();
  }
  void run() {
    solver->factorize(matrix);
    solver->solve(right_side, solution);
  }
};

/// Force and tangent of the elastic energy alone, one thread [million tets per second].
double assembly_rate(const CompiledScene& scene, int tets, int repeats) {
  const System& system = *scene.system;
  BlockMatrix hessian(system.pattern());
  Vector gradient = Vector::Zero(system.num_dofs());
  EnergyRequest request{scene.start.q};
  request.gradient = &gradient;
  request.hessian = &hessian;
  const int threads = num_threads();
  set_num_threads(1);
  std::vector<double> times;
  const int inner = std::max(1, 40000 / tets);
  for (int i = 0; i < std::max(5, repeats); ++i)
    times.push_back(milliseconds([&] {
      for (int k = 0; k < inner; ++k) system.energies()[0]->evaluate(request);
    }));
  set_num_threads(threads);
  return tets * inner / *std::min_element(times.begin(), times.end()) * 1e-3;
}

void measure_step(int wanted, const BenchRequest& request, std::vector<Measurement>& out) {
  const double heap_before = heap_bytes();
  const CompiledScene scene = bar_scene(wanted);
  const int tets = scene.bodies[0].mesh.tets()->size();
  const int repeats = tets > 100000 ? std::min(request.repeats, 3) : request.repeats;
  out.push_back(
      {"StVK force + tangent into slots, one thread", tets, assembly_rate(scene, tets, repeats), "M tets/s", {}, 4.0});

  StepRunner automatic(scene, LinearSolverKind::automatic);
  automatic.step();
  out.push_back({"memory beside the factor", tets, (heap_bytes() - heap_before) / tets, "B/tet", 3000.0, {}});
  StepRunner direct(scene, LinearSolverKind::cholmod);
  BareSolve bare(scene);
  std::vector<double> bare_ms, direct_ms, automatic_ms;
  for (int i = 0; i < repeats && !interrupted(); ++i) {  // interleaved: a busy moment hits all three
    bare_ms.push_back(milliseconds([&] { bare.run(); }));
    direct_ms.push_back(milliseconds([&] { direct.step(); }));
    automatic_ms.push_back(milliseconds([&] { automatic.step(); }));
  }
  if (interrupted()) return;
  const double bare_median = median(bare_ms);
  const bool judged = tets > 5000 && tets < 20000;  // the bars are stated for 10k tets
  const auto at_most = [&](double bar) { return judged ? std::optional<double>(bar) : std::nullopt; };
  out.push_back({"bare CHOLMOD factor + solve", tets, bare_median, "ms", {}, {}});
  out.push_back({"direct step / bare", tets, median(direct_ms) / bare_median, "1", at_most(1.2), {}});
  out.push_back({"automatic step", tets, median(automatic_ms), "ms", {}, {}});
  out.push_back({"automatic step / bare", tets, median(automatic_ms) / bare_median, "1", at_most(0.6), {}});
}

}  // namespace

std::vector<Measurement> bench_step(const BenchRequest& request) {
  std::vector<Measurement> out = measure_sizes(request, "step", measure_step);
  // How cost grows: exponent of the automatic step between the smallest and the largest mesh.
  std::vector<const Measurement*> steps;
  for (const Measurement& m : out)
    if (m.name == "automatic step") steps.push_back(&m);
  if (steps.size() > 1) {
    const double growth = std::log(steps.back()->value / steps.front()->value) /
                          std::log(static_cast<double>(steps.back()->tets) / steps.front()->tets);
    out.push_back({"growth exponent of the automatic step", 0, growth, "1", {}, {}});
  }
  return out;
}

}  // namespace dashpot::cli
