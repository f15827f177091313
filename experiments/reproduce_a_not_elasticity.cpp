// A-not-elasticity: paper A, figs. 5 and 7. As Rayleigh damping grows with stiffness, one may try to get anisotropic
// damping by anisotropic elasticity, and damping that depends on amplitude by elasticity that does. A beam with damping
// designed by examples keeps its frequencies; beams of an orthotropic and of a spline material that decay alike do not.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bent_beam.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::a_not_elasticity {
namespace {

using namespace beam;

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
  const RecordedRun plain =
      run_scene(request, "default", scene_text(setup, isotropic(), rayleigh(beta), start, dt, end));
  const RecordedRun ours = run_scene(request, "damping by examples",
                                     scene_text(setup, isotropic(), curve, start, dt, end), "scene_curve.json");
  if (interrupted()) return;
  // The spline material that dies away most like it, from moduli in the ratios of the gains.
  const auto imitation = [&](const std::vector<double>& x, const std::string& file) {
    return run_scene(request, "spline elasticity",
                     scene_text(setup, spline(x[0], x[1]), rayleigh(beta), start, dt, end), file);
  };
  const Lowest found =
      compass_search([&](const std::vector<double>& x) { return decay_difference(ours, imitation(x, "")); }, {6, 0.5},
                     0.2, setup.precision);
  const RecordedRun elastic = imitation(found.x, "scene_spline.json");
  if (interrupted()) return;
  const double base = of_complete(plain, plain.ring().peak_frequency);
  claims.push_back(reported("imitated_decay_spline",
                            fmt::format("what is left of the amplitude: difference between the best spline material "
                                        "(moduli {:.3g} and {:.3g} times) and damping by an amplitude curve, rms",
                                        found.x[0], found.x[1]),
                            {}, 100 * decay_difference(ours, elastic), "%"));
  claims.push_back(claim_at_least(
      "frequency_shift_spline", "frequency shift of the spline material that dies away most like it (fig. 7)",
      std::string("significant"), shift(of_complete(elastic, elastic.ring().peak_frequency), base), "%", 10));
  claims.push_back(claim_at_most("frequency_shift_curve", "frequency shift of damping that depends on amplitude",
                                 std::string("none"), shift(of_complete(ours, ours.ring().peak_frequency), base), "%",
                                 1));
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
  const std::string designed = fmt::format(
      R"({{"model": "example_based", "over": {}, "examples": [{{"name": "up", "shape": {}, "gamma": {}}},
      {{"name": "sideways", "shape": {}, "gamma": {}}}]}})",
      rayleigh(beta), pull(1, 0.1), gain_up, pull(2, 0.1), gain_side);
  const double end = setup.periods / f0, dt = 1 / f0 / setup.steps_per_period;
  const auto run = [&](Case& one, double slow, const std::string& file) {
    one.up = run_scene(request, one.name, scene_text(setup, one.material, one.damping, pull(1, 0.1), dt, end), file);
    one.side = run_scene(request, one.name, scene_text(setup, one.material, one.damping, pull(2, 0.1), dt, slow * end));
  };
  std::vector<Case> cases = {{"isotropic, Rayleigh", isotropic(), rayleigh(beta), {}, {}},
                             {"orthotropic, Rayleigh", "", rayleigh(beta), {}, {}},
                             {"isotropic, damping by examples", isotropic(), designed, {}, {}}};
  run(cases[0], 1, "scene_1.json");
  run(cases[2], 1, "scene_3.json");
  if (interrupted()) return cases;
  // Rayleigh's decay rate is beta omega^2 / 2: a decay `gain` times as fast needs omega^2 times as large. From there
  // the moduli are sought with which both swings die away most like those of the design.
  const Lowest found = compass_search(
      [&](const std::vector<double>& x) {
        Case trial{"orthotropic, tried", orthotropic(x[0], x[1]), rayleigh(beta), {}, {}};
        run(trial, 1, "");
        return larger(decay_difference(cases[2].up, trial.up), decay_difference(cases[2].side, trial.side));
      },
      {gain_up, shear_for(setup, gain_up, std::sqrt(gain_side) * f0)}, 0.1, setup.precision);
  cases[1].material = orthotropic(found.x[0], found.x[1]);
  run(cases[1], 1 / std::sqrt(gain_side), "scene_2.json");  // it swings so much more slowly
  return cases;
}

/// How far damping by examples moves the visible frequency, the larger of the two directions [%].
double shift_by_damping(const std::vector<Case>& cases) {
  return larger(shift(cases[2].up.ring().frequency, cases[0].up.ring().frequency),
                shift(cases[2].side.ring().frequency, cases[0].side.ring().frequency));
}

std::vector<Claim> make_claims(const std::vector<Case>& cases) {
  const analysis::RingDown up = cases[0].up.ring(), side = cases[0].side.ring();
  const double elastic = smaller(shift(cases[1].up.ring().natural_frequency, up.natural_frequency),
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
  claims.push_back(reported(
      "imitated_decay",
      "what is left of the amplitude: difference between the best orthotropic material and "
      "damping by examples, rms, the larger direction",
      {}, 100 * larger(decay_difference(cases[2].up, cases[1].up), decay_difference(cases[2].side, cases[1].side)),
      "%"));
  bool are_complete = true;
  for (const Case& one : cases) are_complete &= is_complete(one.up) && is_complete(one.side);
  claims.push_back(claim_true("every_run_finishes", "all beams swing to the end of their runs", are_complete));
  return claims;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  Setup setup;
  if (quick) setup = {"[8, 2, 2]", 40, 6, 0.1};
  const double f0 = bending_frequency(setup, isotropic(), 1), beta = zeta / (std::numbers::pi * f0);
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

Reproduction reproduction() {
  return {"A-not-elasticity", "Xu & Barbic 2017, figs. 5, 7",
          "anisotropic and nonlinear elasticity cannot imitate designed damping", reproduce};
}

}  // namespace dashpot::cli::a_not_elasticity
