// A-not-elasticity: paper A, figs. 5 and 7. As Rayleigh damping grows with stiffness, one may try to get anisotropic
// damping by anisotropic elasticity, and damping that depends on amplitude by elasticity that does. A beam with damping
// designed by examples keeps its frequencies; beams of an orthotropic and of a spline material that decay alike do not.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/modes/system_modes.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"

namespace dashpot::cli {
namespace {

constexpr double young = 1e5, poisson = 0.3, shear = young / (2 * (1 + poisson));  // [Pa], [1], [Pa]
constexpr double zeta = 0.02, gain_up = 5, gain_side = 0.1;

struct Setup {
  std::string cells = "[16, 3, 3]";
  double steps_per_period = 60, periods = 8;
};

std::string scene_text(const Setup& setup, const std::string& material, const std::string& damping,
                       const std::string& start, double dt, double end) {
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A beam bent up or sideways and let go",
  "time": {{"dt": {dt}, "end": {end}, "stepper": "bathe"}},
  "bodies": [{{
    "name": "beam",
    "mesh": {{"bar": {{"size": [0.6, 0.1, 0.1], "cells": {cells}}}}},
    "material": {{{material}, "density": 1000}},
    "damping": [{damping}],
    "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
    "start": {start}
  }}],
  "record": {{"every": {every}, "probes": [{{"name": "tip", "where": {{"nearest": [0.6, 0.05, 0.05]}}}}]}}
}}
)",
                     fmt::arg("dt", dt), fmt::arg("end", end), fmt::arg("cells", setup.cells),
                     fmt::arg("material", material), fmt::arg("damping", damping), fmt::arg("start", start),
                     fmt::arg("every", end / 60));
}

const std::string isotropic = fmt::format(R"("model": "stvk", "young": {}, "poisson": {})", young, poisson);
/// All moduli `scale` times, but the shear modulus of the sideways plane `shear_31`.
std::string orthotropic(double scale, double shear_31) {
  return fmt::format(
      R"("model": "orthotropic_stvk", "young": [{0}, {0}, {0}], "poisson": [{1}, {1}, {1}], "shear": [{2}, {2}, {3}])",
      scale * young, poisson, scale * shear, shear_31);
}
/// Stiff to a strain of 0.3 %, soft beyond.
std::string spline(double stiff, double soft) {
  const double knee = 0.003, far = 0.1;
  const double at_knee = stiff * young * knee, at_far = at_knee + soft * young * (far - knee);
  return fmt::format(
      R"("model": "spline", "young": {}, "poisson": {}, "tension": [{{"stretch": {}, "stress": {}}}, {{"stretch": {}, "stress": {}}}],
      "compression": [{{"stretch": {}, "stress": {}}}, {{"stretch": {}, "stress": {}}}])",
      stiff * young, poisson, 1 + knee, at_knee, 1 + far, at_far, 1 - far, -at_far, 1 - knee, -at_knee);
}

/// Pulled at the free end: up (1) or sideways (2) [N].
std::string pull(int axis, double force) {
  return fmt::format(
      R"({{"from": "equilibrium", "loads": [{{"model": "force", "where": {{"box": [[0.599, -1, -1], [1, 1, 1]]}}, "force": [0, {}, {}]}}]}})",
      axis == 1 ? force : 0, axis == 2 ? force : 0);
}
std::string rayleigh(double beta) { return fmt::format(R"({{"model": "rayleigh", "beta": {}}})", beta); }

/// Frequency of the first bending up or sideways [Hz].
double bending_frequency(const Setup& setup, const std::string& material, int axis) {
  const CompiledScene scene = compile(parse_scene(scene_text(setup, material, "", R"("rest")", 0.01, 1)));
  const ModesResult modes = system_modes(*scene.system, scene.system->initial_state(), {.num_modes = 6});
  const int tip = scene.run.probes.at(0).points.at(0);
  for (int i = 0; i < modes.size(); ++i) {
    int largest = 0;
    modes.shapes.col(i).segment<3>(3 * tip).cwiseAbs().maxCoeff(&largest);
    // A degenerate pair may lie at any angle; both have the same frequency.
    if (largest == axis || (i + 1 < modes.size() && modes.lambda[i + 1] < 1.0001 * modes.lambda[i]))
      return modes.frequencies[i];
  }
  return 0;
}

/// The shear modulus for which the sideways bending has `wanted` Hz; bisection in its logarithm.
double shear_for(const Setup& setup, double scale, double wanted) {
  double low = 1e-5 * shear, high = scale * shear;
  for (int i = 0; i < 24; ++i) {
    const double middle = std::sqrt(low * high);
    (bending_frequency(setup, orthotropic(scale, middle), 2) < wanted ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

struct Case {
  std::string name, material, damping;
  RecordedRun up, side;
};

render::Panel tip_panel(const std::string& title, const std::vector<const RecordedRun*>& motions, int axis) {
  render::Panel panel;
  panel.title = title;
  panel.x = {"time", "s"};
  panel.y = {"displacement of the tip", "mm"};
  for (const RecordedRun* motion : motions) panel.series.push_back(probe_series(*motion, axis));
  return panel;
}

double shift(double frequency, double reference) { return 100 * std::abs(frequency / reference - 1); }

render::Table case_table(const std::vector<const RecordedRun*>& motions, const std::string& caption) {
  render::Table table{
      caption, {"beam", "frequency [Hz]", "decay rate [1/s]", "damping ratio", "bent at the start [mm]"}, {}, {}};
  for (const RecordedRun* motion : motions) {
    const analysis::RingDown ring = motion->ring();
    table.rows.push_back({motion->name, fmt::format("{:.4f}", ring.natural_frequency),
                          fmt::format("{:.3f}", ring.decay_rate), fmt::format("{:.4f}", ring.zeta),
                          fmt::format("{:.2f}", 1000 * motion->probes[0][0].norm())});
  }
  return table;
}

/// Fig. 7: damping that is strong for small motions only, and a spline material that is stiff for them.
void add_spline(const ReproductionRequest& request, const Setup& setup, double f0, double beta, render::Report& report,
                std::vector<Claim>& claims) {
  const double dt = 1 / f0 / setup.steps_per_period, end = setup.periods / f0;
  const std::string start = pull(1, 0.8);
  const std::string curve = fmt::format(
      R"({{"model": "example_based", "over": {}, "examples": [{{"name": "up", "shape": {}, "curve": [[0.1, 6], [0.6, 0.5]]}}]}})",
      rayleigh(beta), start);
  const RecordedRun plain = run_scene(request, "default", scene_text(setup, isotropic, rayleigh(beta), start, dt, end));
  const RecordedRun ours = run_scene(request, "damping by examples",
                                     scene_text(setup, isotropic, curve, start, dt, end), "scene_curve.json");
  const RecordedRun elastic =
      run_scene(request, "spline elasticity", scene_text(setup, spline(6, 0.5), rayleigh(beta), start, dt, end),
                "scene_spline.json");
  if (interrupted()) return;
  const double base = plain.ring().peak_frequency;
  claims.push_back(claim_at_least("frequency_shift_spline", "frequency shift of the spline material (fig. 7)",
                                  std::string("significant"), shift(elastic.ring().peak_frequency, base), "%", 10));
  claims.push_back(claim_at_most("frequency_shift_curve", "frequency shift of damping that depends on amplitude",
                                 std::string("none"), shift(ours.ring().peak_frequency, base), "%", 1));
  render::Figure figure{"Lively when large, calm when small",
                        "Displacement of the tip: damping by an amplitude curve, and a spline material instead.",
                        {tip_panel("pulled up by 0.8 N and let go", {&plain, &ours, &elastic}, 1)}};
  report.sections.push_back({"Damping that depends on amplitude (fig. 7)",
                             {write_figure(request, "amplitude", figure),
                              case_table({&plain, &ours, &elastic}, "Fits over the whole record")}});
}

/// Three beams, each bent up and sideways: isotropic, its elastic imitation, and with damping by examples. `f0` is the
/// frequency of the first [Hz]. Ends early when interrupted.
std::vector<Case> run_cases(const ReproductionRequest& request, const Setup& setup, double f0, double beta) {
  // Rayleigh's decay rate is beta omega^2 / 2: a decay `gain` times as fast needs omega^2 times as large.
  const std::string imitation = orthotropic(gain_up, shear_for(setup, gain_up, std::sqrt(gain_side) * f0));
  const std::string designed = fmt::format(
      R"({{"model": "example_based", "over": {}, "examples": [{{"name": "up", "shape": {}, "gamma": {}}},
      {{"name": "sideways", "shape": {}, "gamma": {}}}]}})",
      rayleigh(beta), pull(1, 0.1), gain_up, pull(2, 0.1), gain_side);
  std::vector<Case> cases = {{"isotropic, Rayleigh", isotropic, rayleigh(beta), {}, {}},
                             {"orthotropic, Rayleigh", imitation, rayleigh(beta), {}, {}},
                             {"isotropic, damping by examples", isotropic, designed, {}, {}}};
  const double end = setup.periods / f0, dt = 1 / f0 / setup.steps_per_period;
  for (std::size_t i = 0; i < cases.size() && !interrupted(); ++i) {
    Case& one = cases[i];
    const double slow = i == 1 ? 1 / std::sqrt(gain_side) : 1;  // the imitation swings so much more slowly
    one.up = run_scene(request, one.name, scene_text(setup, one.material, one.damping, pull(1, 0.1), dt, end),
                       fmt::format("scene_{}.json", i + 1));
    one.side = run_scene(request, one.name, scene_text(setup, one.material, one.damping, pull(2, 0.1), dt, slow * end));
  }
  return cases;
}

/// How far damping by examples moves the visible frequency, the larger of the two directions [%].
double shift_by_damping(const std::vector<Case>& cases) {
  return std::max(shift(cases[2].up.ring().frequency, cases[0].up.ring().frequency),
                  shift(cases[2].side.ring().frequency, cases[0].side.ring().frequency));
}

std::vector<Claim> make_claims(const std::vector<Case>& cases) {
  const analysis::RingDown up = cases[0].up.ring(), side = cases[0].side.ring();
  const double elastic = std::min(shift(cases[1].up.ring().natural_frequency, up.natural_frequency),
                                  shift(cases[1].side.ring().natural_frequency, side.natural_frequency));
  std::vector<Claim> claims;
  claims.push_back(claim_at_least("frequency_shift_elastic",
                                  "frequency shift of the elastic imitation, smaller direction", std::string("drastic"),
                                  elastic, "%", 10));
  claims.push_back(claim_at_most("frequency_shift_damping", "shift of the visible frequency by our damping, larger one",
                                 std::string("none"), shift_by_damping(cases), "%", 1));
  claims.push_back(claim_near("decay_gain_up", "decay rate of upward motion over Rayleigh's, by examples", gain_up,
                              cases[2].up.ring().decay_rate / up.decay_rate, "1", 0.1));
  claims.push_back(claim_at_most("decay_gain_side", "decay rate of sideways motion over Rayleigh's, by examples",
                                 gain_side, cases[2].side.ring().decay_rate / side.decay_rate, "1", 0.2));
  claims.push_back(claim_near("imitated_decay_up", "the same, by orthotropic elasticity: what it was tuned for",
                              gain_up, cases[1].up.ring().decay_rate / up.decay_rate, "1", 0.1));
  return claims;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  Setup setup;
  if (quick) setup = {"[8, 2, 2]", 40, 6};
  const double f0 = bending_frequency(setup, isotropic, 1), beta = zeta / (std::numbers::pi * f0);
  const std::vector<Case> cases = run_cases(request, setup, f0, beta);
  if (interrupted()) return {};
  std::vector<Claim> claims = make_claims(cases);

  std::vector<const RecordedRun*> ups, sides;
  for (const Case& one : cases) ups.push_back(&one.up), sides.push_back(&one.side);
  render::Report report;
  report.title = "A-not-elasticity: elasticity cannot do what damping does";
  report.subtitle = "Xu & Barbič 2017, figures 5 and 7";
  report.summary = fmt::format(
      "A beam shall lose its upward swing five times as fast, its sideways swing ten times as slowly. Damping by two "
      "examples does that and moves the frequencies by {:.2g} % at most. An orthotropic material whose Rayleigh "
      "damping decays at those rates swings at {:.2f} Hz upwards and {:.2f} Hz sideways in place of {:.2f} Hz, and "
      "bends differently under the same load.",
      shift_by_damping(cases), cases[1].up.ring().frequency, cases[1].side.ring().frequency,
      cases[0].up.ring().natural_frequency);
  render::Figure figure{"A beam bent and let go",
                        "Displacement of the tip, bent up and bent sideways, for three beams.",
                        {tip_panel("bent up by 0.1 N", ups, 1), tip_panel("bent sideways by 0.1 N", sides, 2)}};
  report.sections.push_back(
      {"Two directions (fig. 5)",
       {write_figure(request, "directions", figure), case_table(ups, "Upwards"), case_table(sides, "Sideways")}});
  if (!quick) {
    add_spline(request, setup, f0, beta, report, claims);
    if (interrupted()) return {};
    report.sections.push_back({"Pictures",
                               {picture_side_by_side(request, sides, {0, 0.5 / f0, 1 / f0, 3 / f0},
                                                     "Bent sideways by the same load", {}, "sideways.png")}});
  }
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction a_not_elasticity() {
  return {"A-not-elasticity", "Xu & Barbic 2017, figs. 5, 7",
          "anisotropic and nonlinear elasticity cannot imitate designed damping", reproduce};
}

}  // namespace dashpot::cli
