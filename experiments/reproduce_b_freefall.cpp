// B-freefall: ours. Every damping model of Dashpot on a body that falls and spins: what it does to linear and angular
// momentum, beside what it claims to do. Models come from the registry with their own typical uses, so that a new one
// is in the table by itself.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/scene/format/registry.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::b_freefall {
namespace {

const Vec3 gravity(0, -9.81, 0);

const std::string bar = R"("mesh": {"bar": {"size": ["40 cm", "10 cm", "10 cm"], "cells": [6, 2, 2]}},
    "material": {"model": "stvk", "young": "60 kPa", "poisson": 0.3, "density": 500, "mass": "lumped"})";
/// For what acts on sheets alone.
const std::string cloth = R"("mesh": {"cloth": {"size": ["40 cm", "40 cm"], "cells": [8, 8]}},
    "material": {"model": "cloth", "young": "100 kPa", "thickness": "1 mm", "density": 300, "mass": "lumped",
      "bending": "1 mJ"})";

std::string scene_text(const std::string& body, const std::string& damping, double end) {
  return fmt::format(R"json({{
  "dashpot": 1,
  "title": "A body falls and spins",
  "gravity": [0, -9.81, 0],
  "time": {{"dt": "4 ms", "end": {}, "stepper": "midpoint"}},
  "solver": {{"newton": {{"tolerance": 1e-13, "max_iterations": 60}}}},
  "bodies": [{{
    "name": "body",
    {},
    "damping": [{}],
    "start": {{"from": "formula", "x": "0.02*sin(8*X)", "y": "0.03*sin(9*X)", "velocity": [1, 2, 0.5],
               "angular_velocity": [1, 2, 6]}}
  }}],
  "record": {{"every": {}}}
}}
)json",
                     end, body, damping, end);
}

struct Fall {
  std::string model;
  bool on_cloth = false;
  bool claims_linear = true, claims_angular = true;
  double linear = not_measured, angular = not_measured;  ///< largest relative changes
  double taken = not_measured,
         start = not_measured;  ///< energy [J]: taken by the damping, non-rigid and all at the start
  RecordedRun run;
};

/// Momenta less what gravity gives them: P - P_0 - M g t, and L about the center of mass. The center moves by the
/// midpoint rule as the body does, so that its path is exact.
void measure(Fall& fall) {
  const RecordedRun& run = fall.run;
  if (!is_complete(run)) return;
  const double M = fall.run.scene.bodies[0].mass;
  const System& system = *run.scene.system;
  Vec3 center = Vec3::Zero();
  {
    // About any point: the angular momentum of a uniform velocity u is M c x u.
    const State& start = run.scene.start;
    for (int axis = 0; axis < 3; ++axis) {
      Vector uniform = Vector::Zero(system.num_dofs());
      for (Eigen::Index i = axis; i < uniform.size(); i += 3) uniform[i] = 1;
      const Vec3 L = system.inertia().momentum(start.q, uniform).angular / M;  // c x e_axis
      center[(axis + 1) % 3] += 0.5 * -L[(axis + 2) % 3];
      center[(axis + 2) % 3] += 0.5 * L[(axis + 1) % 3];
    }
  }
  const auto about_center = [&](std::size_t i, const Vec3& c) -> Vec3 {
    return run.spin[i] - c.cross(run.momentum[i]);
  };
  const Vec3 L0 = about_center(0, center), P0 = run.momentum[0];
  fall.linear = fall.angular = 0;
  for (std::size_t i = 1; i < run.time.size(); ++i) {
    center += (run.time[i] - run.time[i - 1]) / (2 * M) * (run.momentum[i] + run.momentum[i - 1]);
    fall.linear = larger(fall.linear, (run.momentum[i] - P0 - M * run.time[i] * gravity).norm() / P0.norm());
    fall.angular = larger(fall.angular, (about_center(i, center) - L0).norm() / L0.norm());
  }
  fall.start = run.energy.front();
  fall.taken = run.damped.empty() ? 0 : run.damped.back();
}

Fall let_fall(const ReproductionRequest& request, const std::string& name, const std::string& damping, bool on_cloth,
              double end) {
  Fall fall;
  fall.model = name;
  fall.on_cloth = on_cloth;
  fall.run = run_scene(request, name, scene_text(on_cloth ? cloth : bar, damping, end),
                       name == "strain_rate" ? "scene.json" : "");
  const System& system = *fall.run.scene.system;
  for (const auto& term : system.dissipations()) {
    fall.claims_linear = fall.claims_linear && term->traits().keeps_linear_momentum;
    fall.claims_angular = fall.claims_angular && term->traits().keeps_angular_momentum;
  }
  for (const auto& filter : system.filters()) {
    fall.claims_linear = fall.claims_linear && filter->traits().keeps_linear_momentum;
    fall.claims_angular = fall.claims_angular && filter->traits().keeps_angular_momentum;
  }
  measure(fall);
  return fall;
}

render::Table make_table(const std::vector<Fall>& falls) {
  render::Table table{
      "What each damping does to a falling, spinning body",
      {"damping", "body", "change of P", "claims to keep P", "change of L", "claims to keep L", "taken [J]"},
      {},
      "Largest change over the run, relative to the start, of momentum less what gravity gives and of angular "
      "momentum about the center of mass."};
  for (const Fall& fall : falls)
    table.rows.push_back({fall.model, fall.on_cloth ? "cloth" : "bar", fmt::format("{:.1e}", fall.linear),
                          fall.claims_linear ? "yes" : "no", fmt::format("{:.1e}", fall.angular),
                          fall.claims_angular ? "yes" : "no", fmt::format("{:.3g}", fall.taken)});
  return table;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const double end = request.variant == ReproductionVariant::quick ? 0.08 : 0.6;
  std::vector<Fall> falls = {let_fall(request, "none", "", false, end)};
  for (const ModelEntry& entry : registry().entries()) {
    if (entry.category != Category::damping) continue;
    falls.push_back(let_fall(request, entry.name, entry.examples.front(), entry.is_for_sheets, end));
    if (interrupted()) return {};
  }
  double kept = 0;
  int keepers = 0, brakes = 0;
  bool all_take = true;
  for (const Fall& fall : falls) {
    if (fall.claims_linear) kept = larger(kept, fall.linear);
    if (fall.claims_angular) kept = larger(kept, fall.angular);
    keepers += fall.claims_linear && fall.claims_angular ? 1 : 0;
    brakes += !(fall.angular < 1e-3) ? 1 : 0;
    if (fall.model != "none") all_take = all_take && fall.taken > 1e-4 * fall.start;
  }
  const std::vector<Claim> claims = {
      claim_at_most("objective_momentum_change",
                    "worst relative change of P and L over the models that claim to keep them", {}, kept, "1", 1e-9),
      claim_true("takes_energy", "every damping takes energy over the run", all_take),
      reported("keepers", "models that claim to keep both momenta", {}, keepers, "1"),
      reported("brakes", "models that change the spin by more than 0.1 % in this fall", {}, brakes, "1")};
  render::Report report;
  report.title = "B-freefall: what dampings do to a body in flight";
  report.subtitle = "Ours, after S\u00e1nchez-Banderas & Otaduy 2018, section 3.1";
  report.summary = fmt::format(
      "A bent bar (or cloth, for what only acts on sheets) is thrown spinning and falls for {:g} s. Of {} damping "
      "models, each "
      "with its typical values, {} claim to leave both momenta alone; they do, to {:.1e}.",
      end, falls.size() - 1, keepers - 1, kept);
  report.sections.push_back({"Every model", {make_table(falls)}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"B-freefall", "ours, after S\u00e1nchez-Banderas & Otaduy 2018",
          "what every damping model does to the momenta of a falling, spinning body", reproduce};
}

}  // namespace dashpot::cli::b_freefall
