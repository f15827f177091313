// A-integrators: paper A, fig. 10. A beam is released without any damping, of a linear and of a St. Venant-Kirchhoff
// material; every loss or gain of energy is then the integrator's own. Bathe takes steps twice as long as the others,
// because a step of it costs two solves.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/analysis/numerical_damping.hpp"
#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/record/run.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::a_integrators {
namespace {

/// A scene of this experiment; `stepper` and `start` are JSON.
std::string scene_text(const std::string& law, const std::string& cells, double dt, double end,
                       const std::string& stepper, const std::string& start) {
  return scene_file("released_beam", {{"/time/dt", dt},
                                      {"/time/end", end},
                                      {"/time/stepper", stepper},
                                      {"/bodies/0/mesh/bar/cells", cells},
                                      {"/bodies/0/material/model", fmt::format("\"{}\"", law)},
                                      {"/bodies/0/start", start}});
}

const char* const plucked =
    R"({"from": "equilibrium", "loads": [{"model": "force", "where": {"box": [[0.999, -1, -1], [1.001, 1, 1]]}, "force": [0, "-30 N", 0]}]})";
const char* const first_mode = R"({"from": "mode", "mode": 1, "amplitude": "10 mm"})";

struct Scheme {
  std::string label, stepper;
  double step = 1;  ///< in units of h
};
const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      {"trapezoid", R"("trapezoid")"},
      {"Bathe, step 2h", R"("bathe")", 2},
      {"backward Euler", R"("backward_euler")"},
      {"Newmark β = 0.3025, γ = 0.6", R"({"newmark": {"beta": 0.3025, "gamma": 0.6}})"},
      {"Newmark β = 0.3, γ = 0.5", R"({"newmark": {"beta": 0.3, "gamma": 0.5}})"},
      {"generalized-α, ρ∞ = 0.5", R"({"generalized_alpha": {"rho_inf": 0.5}})"},
      {"midpoint", R"("midpoint")"}};
  return all;
}

struct Curve {
  std::string label;
  std::vector<double> time, energy;  ///< in periods; relative to the initial energy
  std::vector<double> tip;           ///< height of the tip [m]
  double highest = 1, last = not_measured;
  double numerical_first_period = 0, numerical = 0;  ///< ledger's column over the initial energy
  bool failed = false;
  std::string explanation;

  /// Of a run that came to its end; otherwise not a number.
  double left() const { return failed ? not_measured : last; }
  double loss(double of) const { return failed ? not_measured : of; }
};

Curve run_scheme(const Scheme& scheme, const std::string& text, double period) {
  CompiledScene scene = compile(parse_scene(text, "A-integrators"));
  const auto stepper = make_stepper(scene.spec);
  scene.run.keep_frames = false;
  EnergyLedger ledger(*scene.system, scene.start);
  Curve curve;
  curve.label = scheme.label;
  const int tip = scene.run.probes.at(0).points.at(0);
  RunHooks hooks;
  hooks.should_stop = [] { return interrupted(); };
  hooks.on_record = [&](const State& state) {
    const double energy = ledger.total_energy() / ledger.initial_energy();
    curve.time.push_back(state.time / period);
    curve.energy.push_back(energy);
    curve.tip.push_back(state.q[3 * tip + 1]);
    curve.highest = std::max(curve.highest, energy);
    curve.numerical = ledger.numerical() / ledger.initial_energy();
    if (state.time <= 1.0001 * period) curve.numerical_first_period = curve.numerical;
  };
  const RunResult result = run(*scene.system, scene.start, *stepper, ledger, scene.run, hooks);
  curve.failed = result.status != RunStatus::finished;
  curve.explanation = result.explanation;
  if (!curve.energy.empty()) curve.last = curve.energy.back();
  return curve;
}

struct Experiment {
  std::string cells;
  double period = 0;  ///< of the first bending mode [s]
  int num_periods = 10;
};

std::vector<Curve> run_all(const Experiment& experiment, const std::string& law, const std::string& start,
                           double steps_per_period, const ReproductionRequest& request, const std::string& file) {
  std::vector<Curve> curves;
  const double h = experiment.period / steps_per_period, end = experiment.num_periods * experiment.period;
  Progress progress(request.console, law + " beam", static_cast<double>(schemes().size()), "integrators");
  for (const Scheme& scheme : schemes()) {
    if (interrupted()) break;
    const std::string text = scene_text(law, experiment.cells, scheme.step * h, end, scheme.stepper, start);
    if (scheme.stepper == R"("bathe")") write_file_atomically(request.folder + "/" + file, text);
    curves.push_back(run_scheme(scheme, text, experiment.period));
    progress.update(static_cast<double>(curves.size()));
  }
  return curves;
}

const Curve& find(const std::vector<Curve>& curves, const std::string& start_of_label) {
  return *std::find_if(curves.begin(), curves.end(),
                       [&](const Curve& curve) { return curve.label.rfind(start_of_label, 0) == 0; });
}

/// Frequency of the first mode of this mesh [Hz], from a very fine trapezoid run of its first mode.
double first_period(const std::string& cells) {
  const CompiledScene scene = compile(parse_scene(scene_text("linear", cells, 0.01, 1, R"("trapezoid")", first_mode)));
  // In its first mode the body has potential energy E and its acceleration is -omega^2 displacement.
  const Vector u = scene.start.q - scene.system->rest();
  const double omega2 = -u.dot(scene.start.a) / u.squaredNorm();
  return 2 * std::numbers::pi / std::sqrt(omega2);
}

render::Panel energy_panel(const std::string& title, const std::vector<Curve>& curves, double top) {
  render::Panel panel;
  panel.title = title;
  panel.x = {"time", "periods of the first mode"};
  panel.y = {"energy / initial energy", "", false, 0.0, top};
  for (const Curve& curve : curves) panel.series.push_back({curve.label, curve.time, curve.energy});
  return panel;
}

render::Table loss_table(const std::string& caption, const std::vector<Curve>& curves) {
  render::Table table{caption,
                      {"integrator", "energy left", "highest energy", "own loss in the first period", "what happened"},
                      {},
                      {}};
  for (const Curve& curve : curves)
    table.rows.push_back({curve.label, fmt::format("{:.4f}", curve.last), fmt::format("{:.4f}", curve.highest),
                          fmt::format("{:.4f}", curve.numerical_first_period),
                          curve.failed           ? fmt::format("stopped after {:.1f} periods", curve.time.back())
                          : curve.highest > 1.02 ? "gained energy"
                                                 : "stable"});
  return table;
}

double relative_period_error(const Curve& curve, double period) {
  std::vector<double> seconds;
  for (const double t : curve.time) seconds.push_back(t * period);
  const analysis::RingDown ring = analysis::measure_ring_down(seconds, curve.tip);
  return 1 / (ring.frequency * period) - 1;
}

std::vector<Claim> make_claims(const Experiment& experiment, const std::vector<Curve>& mode,
                               const std::vector<Curve>& stvk) {
  const Curve &bathe = find(mode, "Bathe"), &euler = find(mode, "backward"), &trapezoid = find(mode, "trapezoid");
  const Curve &stvk_trapezoid = find(stvk, "trapezoid"), &stvk_bathe = find(stvk, "Bathe");
  // A body that Bathe had brought to rest would be stable, too.
  const bool unstable =
      (stvk_trapezoid.failed || stvk_trapezoid.highest > 1.1) && stvk_bathe.left() > 0.25 && stvk_bathe.highest < 1.02;
  const auto loss_ratio = [&](double Curve::*loss) { return bathe.loss(bathe.*loss) / euler.loss(euler.*loss); };
  const double period_ratio =
      relative_period_error(bathe, experiment.period) / relative_period_error(trapezoid, experiment.period);
  return {
      claim_at_least("bathe_energy_ratio_linear",
                     "Bathe keeps the energy of the linear beam's first mode (10 periods, step T/10)",
                     std::string("on top of the trapezoid rule"), bathe.left(), "1", 0.9),
      claim_true("trapezoid_unstable_nonlinear",
                 "the trapezoid rule gains energy or fails on the StVK beam where Bathe at twice the step neither "
                 "gains nor loses most of it",
                 unstable),
      reported("bathe_energy_left_nonlinear", "energy that Bathe leaves the StVK beam after 10 periods", {},
               stvk_bathe.left(), "1"),
      claim_at_most("bathe_loss_vs_backward_euler",
                    "numerical loss of Bathe at 2h over backward Euler at h, first period of the first mode",
                    std::string("much less"), loss_ratio(&Curve::numerical_first_period), "1", 0.1),
      claim_at_most("bathe_loss_vs_backward_euler_whole_run",
                    "the same over all 10 periods, in which backward Euler loses nearly all", std::string("much less"),
                    loss_ratio(&Curve::numerical), "1", 0.1),
      claim_near("trapezoid_energy_ratio_linear", "the trapezoid rule keeps the energy of the linear beam (10 periods)",
                 1, trapezoid.left(), "1", 1e-6),
      refuted(claim_near("period_error_bathe_over_trapezoid",
                         "Bathe at twice the step is as accurate as the trapezoid rule (period error, ratio)", 1,
                         period_ratio, "1", 0.1),
              "Both have closed forms on a linear oscillator: the period error of Bathe at 2h is about twice that of "
              "the trapezoid rule at h (reference ABCE, 1.8); “same accuracy” is true of the energy only"),
      claim_at_least(
          "newmark_dissipates", "Newmark with beta > 1/4, gamma tied to it (0.3025, 0.6): energy lost in 10 periods",
          std::string("introduces numerical dissipation"), 1 - find(mode, "Newmark β = 0.3025").left(), "1", 0.01),
      claim_near("newmark_beta_alone_keeps_energy",
                 "with gamma = 1/2 it keeps all energy whatever beta (0.3): it is gamma that dissipates", 1,
                 find(mode, "Newmark β = 0.3,").left(), "1", 0.01)};
}

/// What theory says that integrators add to an undamped mode, by the number of steps in its period (the figure of
/// docs/theory/analysis.md).
render::Figure numerical_damping_figure() {
  const std::vector<std::pair<std::string, Integrator>> shown = {
      {"backward Euler", "backward_euler"},
      {"BDF2", "bdf2"},
      {"Newmark β 0.3025, γ 0.6", {"newmark", {{"beta", 0.3025}, {"gamma", 0.6}}}},
      {"generalized-α ρ∞ 0.5", {"generalized_alpha", {{"rho_inf", 0.5}}}},
      {"generalized-α ρ∞ 0.8", {"generalized_alpha", {{"rho_inf", 0.8}}}},
      {"Bathe", "bathe"}};
  render::Panel panel;
  panel.title = "Numerical damping ratio of an undamped mode";
  panel.x = {"steps per period", "", true};
  panel.y = {"damping ratio ζ added by the integrator", "", true, 1e-7, 1.0};
  for (const auto& [name, integrator] : shown) {
    render::Series series{name};
    for (double steps = 8; steps < 210; steps *= 1.1) {
      const analysis::NumericalDamping added = analysis::numerical_damping(integrator, 2 * M_PI / steps);
      if (!added.oscillates) continue;
      series.x.push_back(steps);
      series.y.push_back(added.numerical_zeta);
    }
    panel.series.push_back(series);
  }
  render::Figure figure;
  figure.title = "What each integrator adds";
  figure.description =
      "Damping ratio that each integrator adds to an undamped mode, against the number of steps per period. Trapezoid, "
      "midpoint, symplectic Euler and leapfrog add none.";
  figure.panels = {panel};
  return figure;
}

render::Report make_report(const Experiment& experiment, double steps, const std::vector<Curve>& mode,
                           const std::vector<Curve>& linear, const std::vector<Curve>& stvk,
                           const render::Figure& figure, const render::Figure& numerical) {
  render::Report report;
  report.title = "A-integrators: what each integrator does to energy by itself";
  report.subtitle = "Xu & Barbič 2017, figure 10";
  report.summary = fmt::format(
      "A cantilever (1 × 0.1 × 0.1 m, 1 MPa) is bent and let go; nothing damps it, so every change of energy is the "
      "integrator's own. "
      "The first mode has a period of {:.3f} s; steps are h = T/{:.0f}, and 2h for Bathe, which solves twice a step. "
      "On the linear beam the trapezoid "
      "and midpoint rules keep all energy, Bathe nearly all, backward Euler next to none. On the St. Venant-Kirchhoff "
      "beam, bent by half its "
      "length, the trapezoid and midpoint rules gain energy; Bathe stays bounded at twice the step.",
      experiment.period, steps);
  report.sections.push_back({"Energy over time", {figure}});
  report.sections.push_back(
      {"Losses, from the ledger",
       {loss_table("Linear beam, first mode only", mode), loss_table("Linear beam, released from a load", linear),
        loss_table("St. Venant-Kirchhoff beam, released from a load", stvk)}});
  report.sections.push_back({"Of one mode, by theory", {numerical}});
  report.sections.push_back(
      {"What the paper says that needs a qualification",
       {render::Paragraph{"“Same accuracy at twice the step” is true of the energy only; the "
                          "period error is not the same (table of claims). “Newmark with β > "
                          "0.25 dissipates” is true where γ is tied to β; with γ = ½ it keeps all "
                          "energy whatever β, and with γ > ½ the scheme is of first order."}}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  Experiment experiment;
  experiment.cells = request.variant == ReproductionVariant::quick ? "[16, 2, 2]" : "[24, 3, 3]";
  const double steps = 20;
  experiment.period = first_period(experiment.cells);
  const auto mode = run_all(experiment, "linear", first_mode, steps, request, "scene_mode.json");
  const auto linear = run_all(experiment, "linear", plucked, steps, request, "scene_linear.json");
  const auto stvk = run_all(experiment, "stvk", plucked, steps, request, "scene_stvk.json");
  if (interrupted()) return {};

  render::Figure figure;
  figure.title = "Energy of an undamped beam under seven integrators";
  figure.description =
      "Energy over initial energy against time, for the linear beam and for the StVK beam; without damping it should "
      "stay at one.";
  figure.panels = {energy_panel("linear, first mode", mode, 1.2),
                   energy_panel("linear, released from a load", linear, 1.2),
                   energy_panel("St. Venant-Kirchhoff, released from a load", stvk, 2.0)};
  const std::vector<Claim> claims = make_claims(experiment, mode, stvk);
  write_report(request,
               make_report(experiment, steps, mode, linear, stvk, write_figure(request, "energy", figure),
                           write_figure(request, "numerical_damping", numerical_damping_figure())),
               claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-integrators", "Xu & Barbic 2017, fig. 10", "energy of a released, undamped beam under seven integrators",
          reproduce};
}

}  // namespace dashpot::cli::a_integrators
