// A-anisotropic: paper A, fig. 3. A bunny stands on pinned feet; its two bending motions (forward and sideways) are the
// examples. The damping along the first shall be three times Rayleigh's, that along the second unchanged; Rayleigh
// damping that is three times as strong changes both.
#include <cmath>

#include <fmt/format.h>

#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::a_anisotropic {
namespace {

struct Setup {
  int tets = 3000;
  double dt = 0.004, end = 2;  ///< [s]; the bending modes have a period of about 0.22 s
};

std::string scene_text(const Setup& setup, const std::string& damping, const std::string& start) {
  return scene_file("ringing_bunny", {{"/time/dt", setup.dt},
                                      {"/time/end", setup.end},
                                      {"/bodies/0/mesh/tets", setup.tets},
                                      {"/bodies/0/damping", list_of(damping)},
                                      {"/bodies/0/start", start}});
}

/// Which Rayleigh damping the design changes; 2 % at the first mode in each case.
struct Base {
  std::string name, settings;
};
const Base usual{"stiffness-proportional, turning with the elements (default)", R"("stiffness": "gauss_newton")"};
const Base mass_only{"mass-proportional", R"("share": "mass_only")"};

std::string rayleigh(double times = 1, const Base& base = usual) {
  return fmt::format(R"({{"model": "rayleigh", "zeta": [{{"mode": 1, "zeta": {}}}], {}}})", 0.02 * times,
                     base.settings);
}
std::string mode_shape(int mode, const std::string& amplitude) {
  return fmt::format(R"({{"from": "mode", "mode": {}, "amplitude": "{}"}})", mode, amplitude);
}
/// Pulled at the head until it balances; direction 1 and 2 as the modes.
std::string pull(int direction) {
  return fmt::format(
      R"({{"from": "equilibrium", "loads": [{{"model": "force", "where": {{"region": "head"}}, "force": {}}}]}})",
      direction == 1 ? R"(["20 mN", 0, 0])" : R"([0, 0, "20 mN"])");
}
std::string designed(const std::string& shape_1, double gamma_1, const std::string& shape_2, double gamma_2,
                     const Base& base = usual) {
  return fmt::format(R"({{"model": "example_based", "over": {},
      "examples": [{{"name": "first", "shape": {}, "gamma": {}}}, {{"name": "second", "shape": {}, "gamma": {}}}]}})",
                     rayleigh(1, base), shape_1, gamma_1, shape_2, gamma_2);
}

double zeta_of(const RecordedRun& motion) { return is_complete(motion) ? motion.ring().zeta : not_measured; }

/// One damping, let go along both examples.
struct Trial {
  std::string name, damping;
  std::vector<RecordedRun> motions;  ///< along example 1, 2
  double zeta(int example) const { return zeta_of(motions.at(static_cast<std::size_t>(example))); }
};

Trial run_trial(const ReproductionRequest& request, const Setup& setup, const std::string& name,
                const std::string& damping, const std::array<std::string, 2>& starts, const std::string& file = {}) {
  Trial trial{name, damping, {}};
  for (std::size_t i = 0; i < 2 && !interrupted(); ++i)
    trial.motions.push_back(run_scene(request, name, scene_text(setup, damping, starts[i]),
                                      file.empty() ? "" : fmt::format("scene_{}_{}.json", file, i + 1)));
  return trial;
}

render::Panel motion_panel(const std::string& title, const std::vector<const Trial*>& trials, std::size_t example) {
  render::Panel panel;
  panel.title = title;
  panel.x = {"time", "s"};
  panel.y = {"displacement of the head", "mm"};
  const int axis = main_axis(trials.front()->motions[example].probes[0]);
  for (const Trial* trial : trials) {
    render::Series series = probe_series(trial->motions[example], axis);
    series.name = trial->name;
    // The designed curve covers Rayleigh's where they agree: dashes let both be seen.
    if (trial == trials[1]) series.mark = render::Mark::dashed_line;
    panel.series.push_back(series);
  }
  return panel;
}

render::Table ratio_table(const std::vector<const Trial*>& trials, const Trial& base) {
  render::Table table{"Damping ratios, from the ring-down of the head",
                      {"damping", "ζ along 1", "over Rayleigh's", "ζ along 2", "over Rayleigh's"},
                      {},
                      {}};
  for (const Trial* trial : trials)
    table.rows.push_back({trial->name, fmt::format("{:.5f}", trial->zeta(0)),
                          fmt::format("{:.3f}", trial->zeta(0) / base.zeta(0)), fmt::format("{:.5f}", trial->zeta(1)),
                          fmt::format("{:.3f}", trial->zeta(1) / base.zeta(1))});
  return table;
}

/// Examples as an artist makes them: by pulling.
void add_pulled(const ReproductionRequest& request, const Setup& setup, render::Report& report,
                std::vector<Claim>& claims) {
  const std::array<std::string, 2> pulled = {pull(1), pull(2)};
  const Trial base = run_trial(request, setup, "Rayleigh, pulled", rayleigh(), pulled);
  const Trial ours =
      run_trial(request, setup, "gain 3 along a pull", designed(pulled[0], 3, pulled[1], 1), pulled, "pulled");
  if (interrupted()) return;
  claims.push_back(claim_at_least(
      "pulled_gain_example_1", "an example from a quasi-static pull, gain 3: ζ of the motion along it over Rayleigh's",
      3.0, ours.zeta(0) / base.zeta(0), "1", 2));
  claims.push_back(claim_near("pulled_gain_example_2", "the same across the pull that was changed", 1,
                              ours.zeta(1) / base.zeta(1), "1", 0.01));
  report.sections.push_back({"Examples that are no modes",
                             {render::Paragraph{"A pulled shape holds a little of higher modes; the gain acts on the "
                                                "mixture, so that the first mode gets a little less of it."},
                              ratio_table({&base, &ours}, base)}});
}

/// How far the gain carries as the motion grows.
void add_sweep(const ReproductionRequest& request, const Setup& setup, render::Report& report,
               std::vector<Claim>& claims) {
  render::Panel panel{"Gain 3 asked for along example 1",
                      {"release: largest displacement", "mm", true},
                      {"ζ over Rayleigh's", "", false, 0.0, 4.0},
                      {},
                      {{3, "asked for", false}}};
  std::vector<RecordedRun> shown;
  for (const Base& base : {usual, mass_only}) {
    render::Series series{base.name, {}, {}, {}, render::Mark::line_and_points};
    for (const double mm : {1.0, 5.0, 10.0, 20.0, 40.0}) {
      if (interrupted()) return;
      const std::string start = mode_shape(1, fmt::format("{} mm", mm));
      RecordedRun plain = run_scene(request, "Rayleigh", scene_text(setup, rayleigh(1, base), start));
      RecordedRun ours =
          run_scene(request, "gain 3",
                    scene_text(setup, designed(mode_shape(1, "1 cm"), 3, mode_shape(2, "1 cm"), 1, base), start));
      series.x.push_back(mm);
      series.y.push_back(zeta_of(ours) / zeta_of(plain));
      if (base.name == usual.name && mm >= 10.0)
        claims.push_back(on_our_body(
            claim_near(fmt::format("gain_at_{:g}_cm", mm / 10),
                       fmt::format("the gain also holds where bending is large (StVK, released from {:g} cm)", mm / 10),
                       3, series.y.back(), "1", 0.1),
            "An example is a straight displacement; a bunny that bends far moves on curves and passes energy to other "
            "modes. The paper shows one motion and does not say how large it is"));
      if (base.name == usual.name && mm == 40.0) shown = {std::move(plain), std::move(ours)};
    }
    panel.series.push_back(series);
  }
  render::Figure figure{"How far a gain along a straight example carries",
                        "Measured gain over the size of the motion, for two kinds of Rayleigh damping.",
                        {panel}};
  report.sections.push_back(
      {"Large motions",
       {write_figure(request, "gain_over_amplitude", figure),
        render::Paragraph{
            "An example is a straight displacement, while a body that bends far moves on curves and passes "
            "energy to other modes; so the gain fades as the motion grows. The paper shows its factor "
            "of three for one motion and does not say how large it is."},
        picture_side_by_side(request, {&shown[0], &shown[1]}, {0, 0.49, 0.98, 1.47}, "Released 4 cm along example 1",
                             look_of(shown[0]), "motions.png")}});
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  Setup setup;
  if (quick) setup = {1500, 0.008, 1.6};
  const std::array<std::string, 2> small = {mode_shape(1, "0.5 mm"), mode_shape(2, "0.5 mm")};
  const Trial base = run_trial(request, setup, "Rayleigh", rayleigh(), small, "rayleigh");
  const Trial ours = run_trial(request, setup, "designed: 3, 1", designed(small[0], 3, small[1], 1), small, "designed");
  const Trial global = run_trial(request, setup, "Rayleigh × 3", rayleigh(3), small);
  const Trial extreme =
      run_trial(request, setup, "designed: 0.1, 10", designed(small[0], 0.1, small[1], 10), small, "extreme");
  if (interrupted()) return {};

  std::vector<Claim> claims;
  const auto gain = [&](const Trial& trial, int example) { return trial.zeta(example) / base.zeta(example); };
  claims.push_back(claim_near("damping_ratio_gain_example_1", "ζ along example 1 over Rayleigh's; 3 asked for", 3,
                              gain(ours, 0), "1", 0.03));
  claims.push_back(claim_near("damping_ratio_gain_example_2", "ζ along example 2 over Rayleigh's; 1 asked for", 1,
                              gain(ours, 1), "1", 0.01));
  claims.push_back(claim_near("global_tuning_changes_both", "Rayleigh × 3 triples ζ along example 2 too", 3,
                              gain(global, 1), "1", 0.03));
  claims.push_back(claim_near("weak_gain_example_1", "ζ along example 1 over Rayleigh's; 0.1 asked for", 0.1,
                              gain(extreme, 0), "1", 0.1));
  claims.push_back(claim_near("strong_gain_example_2", "ζ along example 2 over Rayleigh's; 10 asked for", 10,
                              gain(extreme, 1), "1", 0.05));

  const std::vector<const Trial*> trials = {&base, &ours, &global, &extreme};
  render::Report report;
  report.title = "A-anisotropic: damping of one direction, and of no other";
  report.subtitle = "Xu & Barbič 2017, figure 3";
  report.summary = fmt::format(
      "A bunny of {} tets (St. Venant-Kirchhoff, 60 kPa) stands on pinned feet and is let go from its two bending "
      "modes. Rayleigh damping is asked for 2 % at the first. With the first mode as an example of gain 3 and the "
      "second of gain 1, "
      "the "
      "first rings with {:.2f} times Rayleigh's ratio, the second with {:.3f} times. Rayleigh damping that is three "
      "times "
      "as strong changes both.",
      setup.tets, gain(ours, 0), gain(ours, 1));
  std::vector<const Trial*> shown = {&base, &ours, &global};
  render::Figure figure{"Two bending motions of a bunny under three dampings",
                        "Displacement of the head over time after a release along example 1 (above) and 2 (below).",
                        {motion_panel("released along example 1 (gain 3)", shown, 0),
                         motion_panel("released along example 2 (gain 1)", shown, 1)}};
  report.sections.push_back({"Motions", {write_figure(request, "motions", figure)}});
  report.sections.push_back({"Damping ratios", {ratio_table(trials, base)}});

  if (!quick) {
    add_pulled(request, setup, report, claims);
    add_sweep(request, setup, report, claims);
    if (interrupted()) return {};
  }
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-anisotropic", "Xu & Barbic 2017, fig. 3",
          "damping of one direction of a bunny, three times Rayleigh's, and of no other", reproduce};
}

}  // namespace dashpot::cli::a_anisotropic
