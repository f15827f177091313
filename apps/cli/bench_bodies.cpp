// Whether cost is linear in bodies: 1, 10, 100 and 1000 bars of 192 tets with Rayleigh damping, clamped and swinging,
// then lying on one floor with friction, then with modal damping of low rank. Time and memory of a body must not depend
// on how many others there are.
//
// Floor: a bar of 192 tets (81 nodes) moves about 0.5 MB a Newton iteration (2.5 kB a tet, see bench_step.cpp), all of
// which stays in L2 where it is alone and comes from L3 or memory where there are a thousand; two cores share the
// latter.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/scene/compile.hpp"
#include "interrupt.hpp"
#include "stopwatch.hpp"

namespace dashpot::cli {
namespace {

constexpr int tets_of_bar = 192;
constexpr int num_steps = 10;

enum class Bars { clamped, on_floor, modal };

std::string to_string(Bars bars) {
  return bars == Bars::clamped ? "clamped" : bars == Bars::on_floor ? "on a floor" : "clamped, modal damping";
}

/// Bars side by side, a meter apart, clamped at one end or lying on the floor.
std::string bars_scene(int count, Bars bars) {
  const bool on_floor = bars == Bars::on_floor;
  std::string damping = R"({"model": "rayleigh", "alpha": "0.1 /s", "beta": "1 ms", "stiffness": "gauss_newton"})";
  if (bars == Bars::modal)
    damping = R"({"model": "modal", "band": {"low": "0.1 Hz", "high": "1 kHz", "zeta": 0.05}, "modes": 6})";
  std::string bodies;
  for (int i = 0; i < count; ++i)
    bodies += fmt::format(R"({}{{"name": "bar{}", "mesh": {{"bar": {{"size": [1, 0.2, 0.2], "cells": [8, 2, 2]}}}},
      "place": {{"translate": [{}, {}, {}]}},
      "material": {{"model": "stvk", "young": "1 MPa", "poisson": 0.4, "density": 1000}},
      "damping": [{}]{}}})",
                          i == 0 ? "" : ",\n", i, 2 * (i % 32), on_floor ? 0.005 : 0.0, i / 32, damping,
                          on_floor ? ""
                                   : fmt::format(R"(,
      "pins": [{{"where": {{"box": [[{}, -1, -1], [{}, 1, 1000]]}}}}])",
                                                 2 * (i % 32) - 0.5, 2 * (i % 32) + 1e-6));
  return fmt::format(R"({{"dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {{"dt": "5 ms", "end": "1 s", "stepper": "trapezoid"}},
    "bodies": [{}]{}}})",
                     bodies, on_floor ? R"(, "colliders": [{"plane": {"name": "floor", "friction": 0.5}}])" : "");
}

struct BarsRun {
  double ms_per_step = 0, bytes = 0;
};

BarsRun run_bars(int count, Bars bars, int repeats) {
  const double before = heap_bytes();
  const CompiledScene scene = compile(parse_scene(bars_scene(count, bars)));
  const System& system = *scene.system;
  Workspace workspace = system.make_workspace();
  State state = scene.start;
  const std::unique_ptr<Stepper> stepper = make_stepper("trapezoid", {}, {});
  const auto step = [&] { advance(*stepper, system, state, workspace, 5e-3); };
  for (int i = 0; i < 3; ++i) step();  // symbolic analysis, and the solver's choice
  BarsRun run;
  run.bytes = heap_bytes() - before;
  std::vector<double> times;
  // A single bar is quick: more steps, so that a clock can tell.
  const int steps = num_steps * (count < 100 ? 20 : 1);
  for (int i = 0; i < repeats && !interrupted(); ++i)
    times.push_back(milliseconds([&] {
                      for (int k = 0; k < steps; ++k) step();
                    }) /
                    steps);
  if (!times.empty()) run.ms_per_step = median(times);
  return run;
}

}  // namespace

std::vector<Measurement> bench_bodies(const BenchRequest& request) {
  constexpr std::array<int, 4> counts = {1, 10, 100, 1000};
  std::vector<Measurement> out;
  Progress progress(request.console, "bodies", 3.0 * counts.size(), "scenes");
  int done = 0;
  for (const Bars bars : {Bars::clamped, Bars::on_floor, Bars::modal}) {
    double alone = 0;
    for (const int count : counts) {
      const int repeats = count >= 1000 ? std::min(request.repeats, 3) : request.repeats;
      const BarsRun run = run_bars(count, bars, repeats);
      if (interrupted()) return out;
      const double per_body = run.ms_per_step / count;
      if (count == 1) alone = per_body;
      const std::string which = fmt::format("{} bar{} {}", count, count == 1 ? "" : "s", to_string(bars));
      out.push_back({which + ": time of a step", count * tets_of_bar, run.ms_per_step, "ms", {}, {}});
      if (count > 1) {
        out.push_back({which + ": time of a body over a single body's",
                       count * tets_of_bar,
                       per_body / alone,
                       "1",
                       bars == Bars::clamped ? std::optional<double>(1.3) : std::nullopt,
                       {}});
        out.push_back({which + ": memory of a body", count * tets_of_bar, run.bytes / count * 1e-6, "MB", 1.5, {}});
      }
      progress.update(++done);
    }
  }
  return out;
}

}  // namespace dashpot::cli
