// B-cloth: paper B, fig. 3 left. A square of cloth held along one edge, damped in its plane only. Let down it stretches
// and both dampings, of the same beta, do the same; swinging it keeps its shape, which strain-rate damping leaves alone
// and Rayleigh damping brakes. The paper does not say how stiff its cloth is; this is the cloth of B-overhead.
// Judged by Bathe's rule with converged steps, which takes little itself, so that what is seen is the damping. Reported
// beside it: the paper's backward Euler with one Newton iteration a step, and with converged steps; and a cloth ten
// times softer, which its own weight stretches as it swings, so that a damping of the stretch does take energy. That
// one swings chaotically without damping: its loss is a mean over starts a nanometer apart, told with their spread.
#include <cmath>
#include <numeric>

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

/// How a cloth is integrated.
struct Scheme {
  std::string stepper = "bathe";
  double dt = 5e-3;  ///< [s]
  bool one_iteration = false;
};

/// What swings or is let down.
struct Trial {
  std::string damping;
  bool swings = true;
  int cells = 32;
  double end = 2;  ///< [s]
  Scheme scheme;
  const char* young = "500 kPa";
  double drop = 0;  ///< how far the free edge starts below the held one [m]
};

/// 1 m x 1 m, 0.2 kg/m^2, 500 N/m; bending so soft that damping it, as Rayleigh damping must, does next to nothing.
std::string scene_text(const Trial& trial) {
  return fmt::format(
      R"({{
  "dashpot": 1,
  "title": "{}",
  "gravity": [0, -9.81, 0],
  "time": {{"dt": {}, "end": {}, "stepper": "{}"}},
  "solver": {{"newton": {{{}}}}},
  "bodies": [{{
    "name": "cloth",
    "mesh": {{"cloth": {{"size": [1, 1], "cells": [{}, {}]}}}},
    "material": {{"model": "cloth", "young": "{}", "thickness": "1 mm", "density": 200, "bending": "1e-6 J"}},
    "damping": [{}],
    "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
    "start": {{"from": "formula", "x": "{}", "y": "{}"}}
  }}],
  "record": {{"every": {}}}
}}
)",
      trial.swings ? "A cloth swings" : "A cloth is let down", trial.scheme.dt, trial.end, trial.scheme.stepper,
      trial.scheme.one_iteration ? R"("fixed_iterations": 1)" : R"("tolerance": 1e-7, "max_iterations": 60)",
      trial.cells, trial.cells, trial.young, trial.damping, trial.swings ? "0" : "-X",
      trial.swings ? fmt::format("-{}*X", trial.drop) : "-X", trial.end / 20);
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

/// A motion with each damping: none, strain rate, Rayleigh; the last only if asked for.
std::vector<RecordedRun> run_variants(const ReproductionRequest& request, Trial trial, bool with_rayleigh,
                                      const std::string& file = {}) {
  std::vector<RecordedRun> runs;
  for (const Variant& variant : variants()) {
    if (interrupted() || (variant.name == "Rayleigh" && !with_rayleigh)) break;
    trial.damping = variant.damping;
    runs.push_back(
        run_scene(request, variant.name, scene_text(trial), variant.name == "strain rate" ? file : std::string()));
  }
  return runs;
}

/// Energy of the cloth at rest: where it ends when it is let down with strong damping [J].
double energy_at_rest(const RecordedRun& let_down) { return of_complete(let_down, let_down.energy.back()); }

/// What strain-rate damping takes of a swing [%].
double loss_of(const ReproductionRequest& request, const Trial& trial, double at_rest) {
  const std::vector<RecordedRun> runs = run_variants(request, trial, false);
  return interrupted() ? not_measured : 100 * extra_loss(runs[1], runs[0], at_rest);
}

/// Of a cloth ten times softer: mean over starts a nanometer apart, and largest less least of them [%].
struct SoftCloth {
  double mean = not_measured, spread = not_measured;
};
SoftCloth measure_soft_cloth(const ReproductionRequest& request, Trial trial, double down) {
  trial.young = "50 kPa";
  Trial let_down = trial;
  let_down.swings = false;
  let_down.end = down;
  let_down.damping = variants()[1].damping;
  const double at_rest = energy_at_rest(run_scene(request, "soft, let down", scene_text(let_down)));
  std::vector<double> losses;
  for (int k = 0; k < 3 && !interrupted(); ++k) {
    trial.drop = 1e-9 * k;
    losses.push_back(loss_of(request, trial, at_rest));
  }
  if (interrupted()) return {};
  return {std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size()),
          largest(losses) - least(losses)};
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const double down = 1.0;
  Trial swing;
  if (quick) {
    swing.cells = 8;
    swing.end = 1;
    swing.scheme.dt = 0.01;
  }
  Trial let_down = swing;
  let_down.swings = false;
  let_down.end = down;
  const std::vector<RecordedRun> hanging = run_variants(request, let_down, true),
                                 swinging = run_variants(request, swing, true, "scene.json");
  if (interrupted()) return {};
  const double at_rest = energy_at_rest(hanging[1]);
  Trial euler = swing;
  euler.scheme.stepper = "backward_euler";
  const double converged = loss_of(request, euler, at_rest);
  euler.scheme.one_iteration = true;
  euler.scheme.dt = quick ? swing.scheme.dt : 1.6e-3;  // the step of the paper's shirt
  const double one_iteration = loss_of(request, euler, at_rest);
  const SoftCloth soft = measure_soft_cloth(request, swing, down);
  if (interrupted()) return {};
  const auto judged = [&](Claim claim) { return quick ? not_judged(std::move(claim), "the cloth is coarse") : claim; };
  const std::vector<Claim> claims = {
      judged(claim_at_most("hanging_difference", "difference of the kinetic energies of the two models, let down",
                           "almost equivalent", 100 * mean_gap(kinetic_energy(hanging[1]), kinetic_energy(hanging[2])),
                           "%", 10)),
      judged(claim_at_most("swinging_loss_ours",
                           "energy lost while swinging beyond what is lost without damping, strain rate",
                           "close to none", 100 * extra_loss(swinging[1], swinging[0], at_rest), "%", 10)),
      judged(claim_at_least("swinging_loss_rayleigh", "the same with Rayleigh damping", "high",
                            100 * extra_loss(swinging[2], swinging[0], at_rest), "%", 40)),
      reported("swinging_loss_backward_euler", "strain rate, by backward Euler, converged steps", {}, converged, "%"),
      reported("swinging_loss_one_iteration",
               "strain rate, by backward Euler with one Newton iteration a step of 1.6 ms, as the paper integrates", {},
               one_iteration, "%"),
      reported("swinging_loss_soft",
               "strain rate, a cloth ten times softer, which swinging stretches: mean over starts a nanometer apart",
               {}, soft.mean, "%"),
      reported("swinging_loss_soft_spread", "largest less least of these", {}, soft.spread, "%")};
  render::Report report;
  report.title = "B-cloth: damping the stretch of cloth, not its swing";
  report.subtitle = "S\u00e1nchez-Banderas & Otaduy 2018, fig. 3 left";
  report.summary = fmt::format(
      "A square of cloth of {} nodes, held along one edge. Let down, strain-rate and Rayleigh damping of \u03b2 150 ms "
      "differ by "
      "{:.1f} %. Released level and swinging for {:g} s, strain-rate damping takes {:.1f} % of the energy, Rayleigh "
      "damping {:.0f} %.",
      (swing.cells + 1) * (swing.cells + 1), std::get<double>(claims[0].ours), swing.end,
      std::get<double>(claims[1].ours), std::get<double>(claims[2].ours));
  report.sections.push_back({"Energy", {write_figure(request, "energy", make_figure(hanging, swinging))}});
  render::Look look;
  look.azimuth = 30;
  look.elevation = 16;
  report.sections.push_back({"Pictures",
                             {picture_side_by_side(request, {&swinging[0], &swinging[1], &swinging[2]},
                                                   {0.15 * swing.end, 0.35 * swing.end, 0.9 * swing.end},
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
