// B-jacobian: paper B, section 3.4. The derivative of strain-rate damping with respect to positions is not symmetric.
// It may be used as it is (exact), without what is not symmetric and with the negative stresses cut off (symmetric, the
// paper's choice), or left out (velocity). All end at the same motion; what differs are Newton iterations and the cost
// of each. And: how far one iteration a step is from Newton's solution. It starts where the step does, at rest as seen
// from there: without damping stress, so that one iteration is the same with all three tangents.
#include <cmath>

#include <fmt/format.h>

#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::b_jacobian {
namespace {

struct Variant {
  std::string tangent;
  double dt = 1.6e-3;  // [s], the paper's
  bool one_iteration = false;
};

std::string scene_text(const Variant& v, int cells, double end) {
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A damped cloth swings",
  "gravity": [0, -9.81, 0],
  "time": {{"dt": {}, "end": {}, "stepper": "backward_euler"}},
  "solver": {{"newton": {{{}}}}},
  "bodies": [{{
    "name": "cloth",
    "mesh": {{"cloth": {{"size": [1, 1], "cells": [{}, {}]}}}},
    "material": {{"model": "cloth", "young": "100 kPa", "thickness": "1 mm", "density": 200, "bending": "1e-6 J"}},
    "damping": [{{"model": "strain_rate", "viscosity": "2 kPa s", "second_viscosity": "3 kPa s", "tangent": "{}"}}],
    "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
    "start": "rest"
  }}],
  "record": {{"every": {}}}
}}
)",
                     v.dt, end,
                     v.one_iteration ? R"("fixed_iterations": 1)" : R"("tolerance": 1e-8, "max_iterations": 100)",
                     cells, cells, v.tangent, end);
}

struct Trial {
  Variant variant;
  RecordedRun run;
  double iterations = not_measured;  ///< a step
  double milliseconds = not_measured;
};

const Trial& find(const std::vector<Trial>& trials, const char* tangent, double dt, bool one) {
  for (const Trial& t : trials)
    if (t.variant.tangent == tangent && t.variant.dt == dt && t.variant.one_iteration == one) return t;
  return trials.front();
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const int cells = quick ? 8 : 24;
  const double end = quick ? 0.08 : 0.48;
  std::vector<Trial> trials;
  for (const double dt : {1.6e-3, 1e-2})
    for (const char* tangent : {"exact", "symmetric", "velocity"})
      for (const bool one : {false, true}) {
        Trial trial{{tangent, dt, one}, {}, not_measured, not_measured};
        trial.run = run_scene(request, fmt::format("{}, {:g} ms{}", tangent, 1e3 * dt, one ? ", one iteration" : ""),
                              scene_text(trial.variant, cells, end), trials.empty() ? "scene.json" : "");
        if (interrupted()) return {};
        const auto steps = static_cast<double>(trial.run.time.size() - 1);
        if (is_complete(trial.run)) {
          trial.iterations = static_cast<double>(trial.run.counters.newton_iterations) / steps;
          trial.milliseconds = 1e3 * trial.run.counters.wall_seconds / steps;
        }
        trials.push_back(std::move(trial));
      }
  const double dt = 1.6e-3;
  const std::vector<double> reference = kinetic_energy(find(trials, "exact", dt, false).run);
  const std::vector<double> one_symmetric = kinetic_energy(find(trials, "symmetric", dt, true).run);
  double same = 0;
  for (const char* tangent : {"symmetric", "velocity"})
    same = larger(same, largest_gap(kinetic_energy(find(trials, tangent, dt, false).run), reference));
  double fewer = 0;
  for (const double step : {1.6e-3, 1e-2})
    fewer = larger(fewer,
                   find(trials, "exact", step, false).iterations / find(trials, "symmetric", step, false).iterations);
  const std::vector<Claim> claims = {
      claim_at_most("one_iteration_difference",
                    "kinetic energy of one Newton iteration a step against Newton's solution, symmetric tangent, steps "
                    "of 1.6 ms, mean over the run",
                    {}, 100 * mean_gap(one_symmetric, reference), "%", 2),
      reported("one_iteration_largest", "the same, largest over the run", {},
               100 * largest_gap(one_symmetric, reference), "%"),
      claim_at_most(
          "tangent_difference",
          "kinetic energy with the symmetric tangent against the exact one, one iteration each, largest over the run",
          2.0, 100 * largest_gap(one_symmetric, kinetic_energy(find(trials, "exact", dt, true).run)), "%", 2),
      claim_at_most("same_solution", "kinetic energies of the three tangents, solved to 1e-8, apart at most",
                    "all converge to the same", 100 * same, "%", 1e-3),
      claim_at_most("exact_iterations",
                    "Newton iterations of the exact tangent over those of the symmetric one, the larger of two steps",
                    "faster convergence with the symmetric one", fewer, "1", 1),
      reported("symmetric_time",
               "time of a step with the symmetric tangent over that with the exact one, steps of 1.6 ms", {},
               find(trials, "symmetric", dt, false).milliseconds / find(trials, "exact", dt, false).milliseconds, "1")};
  render::Table table{
      "A damped cloth that swings, backward Euler",
      {"tangent", "step [ms]", "iterations a step", "ms a step", "kinetic energy against Newton's solution [%]"},
      {},
      "exact needs LU; symmetric and velocity are solved by Cholesky."};
  for (const Trial& t : trials)
    table.rows.push_back(
        {t.variant.tangent + (t.variant.one_iteration ? ", one iteration" : ""),
         fmt::format("{:g}", 1e3 * t.variant.dt), fmt::format("{:.2f}", t.iterations),
         fmt::format("{:.2f}", t.milliseconds),
         fmt::format("{:.2g}", 100 * largest_gap(kinetic_energy(t.run),
                                                 kinetic_energy(find(trials, "exact", t.variant.dt, false).run)))});
  render::Report report;
  report.title = "B-jacobian: what the derivative of damping is worth";
  report.subtitle = "S\u00e1nchez-Banderas & Otaduy 2018, section 3.4";
  report.summary = fmt::format(
      "A cloth of {} nodes swings, strongly damped. One Newton iteration a step of 1.6 ms is within {:.2g} % of the "
      "solution. "
      "The exact tangent takes {:.2f} iterations a step, the symmetric one {:.2f}.",
      (cells + 1) * (cells + 1), std::get<double>(claims[0].ours), find(trials, "exact", dt, false).iterations,
      find(trials, "symmetric", dt, false).iterations);
  report.sections.push_back({"Iterations and cost", {table}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"B-jacobian",
          "S\u00e1nchez-Banderas & Otaduy 2018, sec. 3.4",
          "exact, symmetric and no derivative with respect to positions; one iteration against Newton",
          reproduce,
          "",
          true};
}

}  // namespace dashpot::cli::b_jacobian
