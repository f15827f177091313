// B-overhead: paper B, section 6. What a step of a large cloth costs with strain-rate damping, beside Rayleigh damping:
// backward Euler, one Newton iteration, steps of 1.6 ms, without contact. The bodies step in turn, so that a busy
// moment of the machine hits all of them; the ratio is the median over pairs of steps.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "dashpot/scene/compile.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "step_timing.hpp"

namespace dashpot::cli::b_overhead {
namespace {

constexpr double dt = 1.6e-3;  // [s], the paper's

std::string scene_text(const std::string& damping, int cells) {
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A large cloth",
  "gravity": [0, -9.81, 0],
  "time": {{"dt": {}, "end": 1, "stepper": "backward_euler"}},
  "solver": {{"newton": {{"fixed_iterations": 1}}}},
  "bodies": [{{
    "name": "cloth",
    "mesh": {{"cloth": {{"size": [1, 1], "cells": [{}, {}]}}}},
    "material": {{"model": "cloth", "young": "500 kPa", "thickness": "1 mm", "density": 200, "bending": "1e-6 J"}},
    "damping": [{}],
    "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}]
  }}]
}}
)",
                     dt, cells, cells, damping);
}

double median(std::vector<double> values) {
  if (values.empty()) return not_measured;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Median of the ratios of the same step of two bodies.
double median_ratio(const TimedBody& a, const TimedBody& b) {
  std::vector<double> ratios;
  const std::vector<double> of_a = a.each_milliseconds(), of_b = b.each_milliseconds();
  for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()); ++i) ratios.push_back(of_a[i] / of_b[i]);
  return a.failed() || b.failed() ? not_measured : median(std::move(ratios));
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const int cells = quick ? 30 : 101;  // 101: 10404 nodes; the paper's cloth has 10437
  const std::vector<std::pair<std::string, std::string>> variants = {
      {"no damping", ""},
      {"strain rate, symmetric", R"({"model": "strain_rate", "beta": "2 ms", "tangent": "symmetric"})"},
      {"strain rate, corotational",
       R"({"model": "strain_rate", "beta": "2 ms", "tangent": "symmetric", "metric": "corotational"})"},
      {"strain rate, exact", R"({"model": "strain_rate", "beta": "2 ms"})"},
      {"Rayleigh", R"({"model": "rayleigh", "beta": "2 ms", "stiffness": "projected_tangent"})"}};
  std::vector<TimedBody> bodies;
  for (const auto& [name, damping] : variants) {
    const CompiledScene scene = compile(parse_scene(scene_text(damping, cells)));
    bodies.emplace_back(scene.system, scene.start, make_stepper(scene.spec));
  }
  time_in_turn(bodies, dt, quick ? 4 : 15, quick ? 2 : 3);
  if (interrupted()) return {};
  const TimedBody &ours = bodies[1], &rayleigh = bodies[4];
  const auto judged = [&](Claim claim) { return quick ? not_judged(std::move(claim), "the cloth is small") : claim; };
  const std::vector<Claim> claims = {
      judged(claim_at_most("step_ratio",
                           "step with strain-rate damping over step with Rayleigh damping, median of pairs", 1.02,
                           median_ratio(ours, rayleigh), "1", 1.06)),
      judged(claim_at_most("step_ms", "a step of the cloth with strain-rate damping", 1450.0, ours.milliseconds(), "ms",
                           150)),
      claim_true("same_iterations", "both take one Newton iteration a step",
                 ours.newton_iterations() == 1 && rayleigh.newton_iterations() == 1),
      reported("undamped_ratio", "step with strain-rate damping over step without damping", {},
               median_ratio(ours, bodies[0]), "1"),
      reported("exact_ratio", "the same with the exact tangent, which needs LU", {}, median_ratio(bodies[3], bodies[0]),
               "1")};
  render::Table table{
      fmt::format("A step of a cloth of {} nodes", (cells + 1) * (cells + 1)),
      {"damping", "best of repeats [ms]", "median of repeats [ms]", "over Rayleigh"},
      {},
      "Backward Euler, one Newton iteration, steps of 1.6 ms, no contact. The paper: 1450 ms with ARCSim."};
  for (std::size_t i = 0; i < bodies.size(); ++i)
    table.rows.push_back({variants[i].first, fmt::format("{:.1f}", bodies[i].milliseconds()),
                          fmt::format("{:.1f}", bodies[i].median_milliseconds()),
                          fmt::format("{:.3f}", median_ratio(bodies[i], rayleigh))});
  render::Report report;
  report.title = "B-overhead: what strain-rate damping costs";
  report.subtitle = "S\u00e1nchez-Banderas & Otaduy 2018, section 6";
  report.summary = fmt::format(
      "A step of a cloth of {} nodes takes {:.0f} ms with strain-rate damping, {:.3f} times as long as with Rayleigh "
      "damping.",
      (cells + 1) * (cells + 1), ours.milliseconds(), median_ratio(ours, rayleigh));
  report.sections.push_back({"Times", {table}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"B-overhead",
          "S\u00e1nchez-Banderas & Otaduy 2018, sec. 6",
          "cost of a step of a large cloth, beside Rayleigh damping",
          reproduce,
          "",
          true};
}

}  // namespace dashpot::cli::b_overhead
