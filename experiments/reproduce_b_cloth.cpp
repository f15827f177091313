// B-cloth: paper B, fig. 3 left. A square of cloth held along one edge, damped in its plane only. Let down it stretches
// and both dampings, of the same beta, do the same; swinging it keeps its shape, which strain-rate damping leaves alone
// and Rayleigh damping brakes. The paper simulates with backward Euler, one Newton iteration a step; here the
// integrator takes as little as it can, so that what is seen is the damping.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::b_cloth {
namespace {

constexpr double beta = 0.15;  // [s], the paper's

struct Variant {
  std::string name, damping;
};
std::vector<Variant> variants() {
  return {{"no damping", ""},
          {"strain rate",
           fmt::format(R"({{"model": "strain_rate", "beta": {}, "bend_beta": 0, "tangent": "symmetric"}})", beta)},
          {"Rayleigh", fmt::format(R"({{"model": "rayleigh", "beta": {}, "stiffness": "projected_tangent"}})", beta)}};
}

/// 1 m x 1 m, 0.2 kg/m^2, 50 N/m; bending so soft that damping it, as Rayleigh damping must, does nothing.
std::string scene_text(const std::string& damping, bool swings, int cells, double dt, double end) {
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "{}",
  "gravity": [0, -9.81, 0],
  "time": {{"dt": {}, "end": {}, "stepper": "bathe"}},
  "solver": {{"newton": {{"tolerance": 1e-7, "max_iterations": 60}}}},
  "bodies": [{{
    "name": "cloth",
    "mesh": {{"cloth": {{"size": [1, 1], "cells": [{}, {}]}}}},
    "material": {{"model": "cloth", "young": "50 kPa", "thickness": "1 mm", "density": 200, "bending": "1e-7 J"}},
    "damping": [{}],
    "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
    "start": {{"from": "formula", "x": "{}", "y": "{}"}}
  }}],
  "record": {{"every": {}}}
}}
)",
                     swings ? "A cloth swings" : "A cloth is let down", dt, end, cells, cells, damping,
                     swings ? "0" : "-X", swings ? "0" : "-X", end / 6);
}

/// Share of the energy of the undamped motion at the end that a damping took more than that loses itself, counted from
/// hanging at rest.
double extra_loss(const RecordedRun& damped, const RecordedRun& plain, double at_rest) {
  if (!is_complete(damped) || !is_complete(plain)) return not_measured;
  return (plain.energy.back() - damped.energy.back()) / (plain.energy.back() - at_rest);
}

render::Figure make_figure(const std::vector<RecordedRun>& hanging, const std::vector<RecordedRun>& swinging) {
  render::Figure figure;
  figure.title = "Kinetic energy of a square of cloth";
  figure.description = fmt::format(
      "Above: let down without stretch. Below: released level, swinging. \u03b2 = {:g} ms in both dampings.",
      1e3 * beta);
  render::Panel above, below;
  above.x = below.x = {"time", "s"};
  above.y = {"kinetic energy, let down", "J", false, 0.0};
  below.y = {"kinetic energy, swinging", "J", false, 0.0};
  for (const RecordedRun& run : hanging) above.series.push_back({run.name, run.time, kinetic_energy(run)});
  for (const RecordedRun& run : swinging) below.series.push_back({run.name, run.time, kinetic_energy(run)});
  figure.panels = {above, below};
  return figure;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const int cells = quick ? 8 : 32;
  const double dt = quick ? 0.01 : 0.005, down = 1.0, swing = quick ? 1.0 : 2.0;
  std::vector<RecordedRun> hanging, swinging;
  for (const Variant& variant : variants()) {
    hanging.push_back(run_scene(request, variant.name, scene_text(variant.damping, false, cells, dt, down)));
    swinging.push_back(run_scene(request, variant.name, scene_text(variant.damping, true, cells, dt, swing),
                                 variant.name == "strain rate" ? "scene.json" : ""));
    if (interrupted()) return {};
  }
  // The strongly damped cloth that was let down comes to rest: the zero of energy.
  const double at_rest = of_complete(hanging[1], hanging[1].energy.back());
  const auto judged = [&](Claim claim) { return quick ? not_judged(std::move(claim), "the cloth is coarse") : claim; };
  const std::vector<Claim> claims = {
      judged(claim_at_most("hanging_difference", "difference of the kinetic energies of the two models, let down",
                           "almost equivalent", 100 * mean_gap(kinetic_energy(hanging[1]), kinetic_energy(hanging[2])),
                           "%", 10)),
      judged(claim_at_most("swinging_loss_ours",
                           "energy lost while swinging beyond what is lost without damping, strain rate",
                           "close to none", 100 * extra_loss(swinging[1], swinging[0], at_rest), "%", 10)),
      judged(claim_at_least("swinging_loss_rayleigh", "the same with Rayleigh damping", "high",
                            100 * extra_loss(swinging[2], swinging[0], at_rest), "%", 40))};
  render::Report report;
  report.title = "B-cloth: damping the stretch of cloth, not its swing";
  report.subtitle = "S\u00e1nchez-Banderas & Otaduy 2018, fig. 3 left";
  report.summary = fmt::format(
      "A square of cloth of {} nodes, held along one edge. Let down, strain-rate and Rayleigh damping of \u03b2 150 ms "
      "differ by "
      "{:.1f} %. Released level and swinging for {:g} s, strain-rate damping takes {:.1f} % of the energy, Rayleigh "
      "damping {:.0f} %.",
      (cells + 1) * (cells + 1), std::get<double>(claims[0].ours), swing, std::get<double>(claims[1].ours),
      std::get<double>(claims[2].ours));
  report.sections.push_back({"Energy", {write_figure(request, "energy", make_figure(hanging, swinging))}});
  render::Look look;
  report.sections.push_back(
      {"Pictures",
       {picture_side_by_side(request, {&swinging[0], &swinging[1], &swinging[2]}, {0, swing / 6, swing / 3, swing / 2},
                             "A cloth swings", look, "swings.png")}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"B-cloth", "S\u00e1nchez-Banderas & Otaduy 2018, fig. 3",
          "cloth let down and swinging: strain-rate damping takes the stretch and leaves the swing", reproduce};
}

}  // namespace dashpot::cli::b_cloth
