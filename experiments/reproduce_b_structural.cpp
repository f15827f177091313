// B-structural: one loss factor over two decades. A cantilever of tets, whose first six modes (five of bending, one
// along it) lie between about 1 and 88 Hz, rings in each of them; its loss factor is read off the ring-down. Beside it,
// where the recordings are at hand, a real beam under three loads: one loss factor against Rayleigh damping fitted to
// it.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/analysis/modal_damping.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "real_beam.hpp"

namespace dashpot::cli::b_structural {
namespace {

constexpr double pi = std::numbers::pi, eta = 0.06, from = 0.8, to = 120;  // loss factor asked for, band [Hz]

enum class Damping { structural, beta, alpha };

/// Thin along y; moves in its plane only, so that its modes are those of bending, one after the other, and of stretch.
std::string scene_text(Damping damping, double dt, double end) {
  std::string model = fmt::format(R"({{"model": "structural", "loss_factor": {}, "from": {}, "to": {}, "at": {}}})",
                                  eta, from, to, 1.0);
  if (damping == Damping::beta)
    model = fmt::format(R"({{"model": "rayleigh", "alpha": 0, "beta": {}}})", eta / (2 * pi));  // eta at 1 Hz
  if (damping == Damping::alpha)
    model = fmt::format(R"({{"model": "rayleigh", "alpha": {}, "beta": 0}})", eta * 2 * pi);
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "One loss factor over two decades",
  "gravity": [0, 0, 0],
  "time": {{"dt": {}, "end": {}, "stepper": "trapezoid"}},
  "solver": {{"newton": {{"tolerance": 1e-10}}}},
  "bodies": [{{
    "name": "beam",
    "mesh": {{"bar": {{"size": [0.5, 0.01, 0.03], "cells": [24, 1, 1]}}}},
    "elements": "tet10",
    "material": {{"model": "stvk", "young": "24 MPa", "poisson": 0.3, "density": 1000}},
    "damping": [{}],
    "pins": [{{"where": {{"box": [[-1, -1, -1], [0.0001, 1, 1]]}}}}, {{"where": "all", "axes": ["z"]}}],
    "start": {{"from": "rest"}}
  }}],
  "record": {{"every": {}, "probes": [{{"name": "tip", "where": {{"nearest": [0.5, 0, 0]}}}}]}}
}}
)",
                     dt, end, model, end);
}

/// zeta of a free decay exp(s t), and the loss factor of a material that has the same one at all frequencies: its
/// modulus goes with s^a, tan(pi a/2) = eta, and s^2 ~ -s^a has the angle theta = pi/(2 - a), zeta = -cos(theta).
double loss_factor_of(double zeta) {
  const double theta = pi / 2 + std::asin(zeta);
  return std::tan(pi / 2 * (2 - pi / theta));
}

struct Ring {
  int mode = 0;
  double told_frequency = not_measured, told_zeta = not_measured;  ///< [Hz]; by `modes`
  double frequency = not_measured, zeta = not_measured;            ///< read off the ring-down
  double loss_factor() const { return loss_factor_of(zeta); }
};

/// Pushes the body along one of its modes and lets it ring; memory starts empty, at the rest shape.
std::vector<Ring> ring_modes(const ReproductionRequest& request, Damping damping, int count) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const int per_cycle = quick ? 40 : 100, cycles = quick ? 6 : 12;
  const CompiledScene body = compile(parse_scene(scene_text(damping, 1e-3, 1)));
  const State rest = body.system->initial_state();
  const ModesResult modes = system_modes(*body.system, rest, {.num_modes = count});
  std::vector<Ring> rings;
  for (int k = 0; k < count && !interrupted(); ++k) {
    const Vector shape = modes.shapes.col(k);
    const double elastic = std::sqrt(modes.lambda[k]),
                 omega = analysis::omega_with_memory(*body.system, rest, shape, elastic);
    Ring ring{k + 1};
    ring.told_frequency = omega / (2 * pi);
    ring.told_zeta = analysis::modal_damping(*body.system, rest, shape, elastic, 1e-3).front().zeta;
    const double period = 2 * pi / omega, dt = period / per_cycle;
    const std::string text = scene_text(damping, dt, cycles * period);
    CompiledScene scene = compile(parse_scene(text));
    scene.run.record_every = 0;
    scene.start.v = 1e-5 * omega / shape.cwiseAbs().maxCoeff() * shape;
    RunHooks hooks;
    hooks.should_stop = [] { return interrupted(); };
    RunResult run = simulate(scene, hooks);
    const RecordedRun motion = recorded(fmt::format("mode {}", k + 1), std::move(scene), std::move(run));
    if (is_complete(motion)) {
      const analysis::RingDown ring_down = motion.ring();
      ring.frequency = ring_down.frequency;
      ring.zeta = ring_down.zeta;
    }
    rings.push_back(ring);
    request.console.message(
        fmt::format("mode {}: {:.4g} Hz, loss factor {:.5f}", k + 1, ring.frequency, ring.loss_factor()));
  }
  return rings;
}

// --- report

render::Series ring_series(const std::string& name, const std::vector<Ring>& rings) {
  render::Series series{name, {}, {}, {}, render::Mark::line_and_points};
  for (const Ring& ring : rings) series.x.push_back(ring.frequency), series.y.push_back(ring.loss_factor());
  return series;
}

render::Table ring_table(const std::vector<Ring>& rings) {
  render::Table table{"Six modes",
                      {"mode", "frequency [Hz]", "by modes [Hz]", "\u03b6", "by modes", "loss factor", "error [%]"},
                      {},
                      "Frequencies and \u03b6 are read off ring-downs; \"by modes\" is what the complex modulus says."};
  for (const Ring& r : rings)
    table.rows.push_back({fmt::format("{}", r.mode), fmt::format("{:.4g}", r.frequency),
                          fmt::format("{:.4g}", r.told_frequency), fmt::format("{:.5f}", r.zeta),
                          fmt::format("{:.5f}", r.told_zeta), fmt::format("{:.5f}", r.loss_factor()),
                          fmt::format("{:.2f}", 100 * (r.loss_factor() / eta - 1))});
  return table;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const std::vector<Ring> rings = ring_modes(request, Damping::structural, 6);
  if (interrupted()) return {};
  std::vector<double> errors, factors, told, doubled;
  for (const Ring& ring : rings) {
    errors.push_back(100 * std::abs(ring.loss_factor() / eta - 1));
    factors.push_back(ring.loss_factor());
    doubled.push_back(100 * std::abs(2 * ring.zeta / eta - 1));
    told.push_back(
        100 * larger(std::abs(ring.zeta / ring.told_zeta - 1), std::abs(ring.frequency / ring.told_frequency - 1)));
  }
  std::vector<Claim> claims = {
      claim_at_most("worst_loss_factor_error", "loss factor of six modes over two decades against the one asked for",
                    "ours", largest(errors), "%", 3),
      claim_at_most("frequency_independence", "largest over smallest measured loss factor in the band", "ours",
                    largest(factors) / least(factors), "1", 1.1),
      claim_at_least("band_covered", "highest over lowest of the six frequencies", "two decades nearly",
                     rings.back().frequency / rings.front().frequency, "1", 60),
      claim_at_most("modes_error", "what `modes` tells of frequency and \u03b6 against the ring-downs, worst", "ours",
                    largest(told), "%", 2),
      reported("twice_zeta_error",
               "the same loss factors taken as 2\u03b6, which is right for vanishing damping, worst", {},
               largest(doubled), "%")};
  render::Report report;
  report.title = "B-structural: one loss factor over two decades";
  report.subtitle = "ours: structural damping in the time domain, by a Prony series";
  report.summary = fmt::format(
      "A cantilever with a loss factor of {:g} asked for between {:g} and {:g} Hz rings in its first six modes, {:.3g} "
      "to "
      "{:.3g} Hz. Read off the ring-downs the loss factor is {:.4f} to {:.4f}: the worst is {:.2g} % off.",
      eta, from, to, rings.front().frequency, rings.back().frequency, least(factors), largest(factors),
      largest(errors));
  render::Panel panel;
  panel.x = {"frequency", "Hz", true};
  panel.y = {"loss factor", "", true};
  panel.series.push_back(ring_series("structural", rings));
  if (request.variant != ReproductionVariant::quick)
    for (const auto& [damping, name] :
         {std::pair{Damping::beta, "Rayleigh, \u03b2"}, std::pair{Damping::alpha, "Rayleigh, \u03b1"}})
      panel.series.push_back(ring_series(name, ring_modes(request, damping, damping == Damping::beta ? 4 : 6)));
  panel.guides.push_back({eta, "asked for"});
  render::Figure figure;
  figure.title = "Loss factor of a cantilever's modes";
  figure.description = "Read off ring-downs. Rayleigh damping has the loss factor at 1 Hz only.";
  figure.panels = {panel};
  report.sections.push_back({"Six modes", {write_figure(request, "loss_factor", figure), ring_table(rings)}});
  add_real_beam(request, report, claims);
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"B-structural", "ours: structural damping",
          "a loss factor that is the same over two decades, on a cantilever and a real beam", reproduce};
}

}  // namespace dashpot::cli::b_structural
