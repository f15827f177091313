// A-unloading: paper A, figs. 8 and 9. A koala, held at seat and back, sways from a times an example (its first mode)
// and is let go; what is left after one cycle falls with the gain of the example, whatever a. So a search finds the
// gain for which 2.45 of 3 is left.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/design/scene_design.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::a_unloading {
namespace {

constexpr double released = 3, wanted = 2.45;  // in units of the example, as the paper's

std::string scene_text(int tets, double dt) {
  return scene_file("swaying_koala", {{"/time/dt", dt},
                                      {"/bodies/0/mesh/tets", tets},
                                      {"/design/targets/0/from", released},
                                      {"/design/targets/0/left", wanted}});
}

/// What is left after one cycle from amplitude a, over the gain.
render::Series sweep(const design::DesignTask& task, double a, const std::vector<double>& gammas, Progress& progress,
                     double& done) {
  render::Series series{fmt::format("released from {:g}", a), {}, {}, {}, render::Mark::line_and_points};
  for (const double gamma : gammas) {
    if (interrupted()) break;
    const design::Swing swing = design::release(task.designable, {math::GainCurve::constant(gamma)},
                                                {.amplitude = a, .should_stop = interrupted});
    if (swing.end == design::Swing::End::failed)
      throw Error(Problem{"A-unloading", swing.explanation, "a swing that ends", "a smaller example or time step"});
    series.x.push_back(gamma);
    series.y.push_back(swing.residual);
    progress.update(++done);
  }
  return series;
}

bool falls(const render::Series& series) {
  for (std::size_t i = 1; i < series.y.size(); ++i)
    if (!(series.y[i] < series.y[i - 1] || (series.y[i] == 0 && series.y[i - 1] == 0))) return false;
  return series.y.size() > 1 && series.y.front() > series.y.back();
}

/// What is left over the gain for three amplitudes, the simulations of the search, and the motion before and after.
struct Found {
  std::vector<render::Series> sweeps;  ///< released from 1, 2 and 3
  render::Series iterates{"the search", {}, {}, {}, render::Mark::points};
  design::UnloadingDesign design;
  RecordedRun before, after;
};

void sweep_all(const ReproductionRequest& request, const design::DesignTask& task, bool quick, Found& found) {
  std::vector<double> gammas;
  for (double g = 0.01; g < 31; g *= quick ? std::pow(10, 0.75) : std::sqrt(std::sqrt(10))) gammas.push_back(g);
  Progress progress(request.console, "releases", 3 * static_cast<double>(gammas.size()), "simulations");
  double done = 0;
  for (const double a : {1.0, 2.0, released}) found.sweeps.push_back(sweep(task, a, gammas, progress, done));
  progress.finish();
}

/// Ends early when interrupted.
Found find(const ReproductionRequest& request, const std::string& text, bool quick) {
  Found found;
  const auto task = design::make_design_task(parse_scene(text, "scene.json", request.folder));
  sweep_all(request, *task, quick, found);
  if (interrupted()) return found;
  task->options.should_stop = interrupted;
  task->options.on_simulation = [&](const design::UnloadingTarget&, int, double gain, double left) {
    found.iterates.x.push_back(gain);
    found.iterates.y.push_back(left);
  };
  found.design = design::design_unloading(task->designable, task->start, task->unloading, task->options);
  if (interrupted()) return found;
  const std::string solved = design::with_gains(text, *task, found.design.gains);
  found.before = run_scene(request, "gain 1", text);
  found.after =
      run_scene(request, fmt::format("gain {:.3g}", found.design.targets.at(0).gain), solved, "scene_designed.json");
  return found;
}

std::vector<Claim> make_claims(const Found& found) {
  const bool monotone = found.sweeps.size() == 3 && std::all_of(found.sweeps.begin(), found.sweeps.end(), falls);
  return {claim_true("monotone", "what is left falls with γ for releases from 1, 2 and 3", monotone),
          claim_at_most("iterations", "simulations until 2.45 of 3 is left, to 1 %", ClaimValue{},
                        found.design.reached ? static_cast<double>(found.iterates.x.size()) : not_measured, "1", 15),
          claim_at_most("target_error", "error of what is left after the last simulation", ClaimValue{},
                        100 * found.design.targets.at(0).error, "%", 1),
          claim_true("designed_run_finishes", "the scene with the gain found runs to its end",
                     is_complete(found.before) && is_complete(found.after)),
          claim_at_most("residual_without_damping",
                        "share of 3 lost in one swing at γ = 0.01: numerical, and by the body's other motions",
                        std::string("purely artificial damping"), 100 * (1 - found.sweeps[2].y.front() / released), "%",
                        20)};
}

render::Section search_section(const ReproductionRequest& request, const Found& found) {
  render::Panel panel{"One swing of a koala",
                      {"gain γ", "", true},
                      {"left after one cycle, in units of the example", "", false, 0.0},
                      found.sweeps,
                      {{wanted, "b = 2.45 asked for", false}}};
  panel.series.push_back(found.iterates);
  render::Table steps{"The search for 3 → 2.45", {"simulation", "γ", "left", "error [%]"}, {}, {}};
  for (std::size_t i = 0; i < found.iterates.x.size(); ++i) {
    const double gain = found.iterates.x[i], left = found.iterates.y[i];
    steps.rows.push_back({fmt::format("{}", i + 1), fmt::format("{:.5g}", gain), fmt::format("{:.5f}", left),
                          fmt::format("{:.3f}", 100 * std::abs(left / wanted - 1))});
  }
  return {"Left after one cycle",
          {write_figure(request, "unloading",
                        {"What is left after one cycle, over the gain",
                         "Three amplitudes, and the simulations of the search for 3 to 2.45.",
                         {panel}}),
           steps}};
}

render::Report make_report(const ReproductionRequest& request, const Found& found, int tets) {
  render::Report report;
  report.title = "A-unloading: a gain found from what is left after one cycle";
  report.subtitle = "Xu & Barbič 2017, figures 8 and 9";
  report.summary = fmt::format(
      "A koala of {} tets, held at seat and back, is displaced by 1, 2 or 3 times its first mode, a sway of the head, "
      "and let go. What is left after one cycle falls with the gain of that example. Asked for 2.45 left of 3, the "
      "search needs {} simulations and finds γ = {:.4g}.",
      tets, found.iterates.x.size(), found.design.targets.at(0).gain);
  report.sections.push_back(search_section(request, found));
  render::Panel motion{
      "Head, let go from three times the example", {"time", "s"}, {"sideways displacement", "mm"}, {}, {}};
  for (const RecordedRun* run : {&found.before, &found.after}) motion.series.push_back(probe_series(*run, 0));
  report.sections.push_back(
      {"The designed motion",
       {write_figure(request, "motion",
                     {"The head before and after the design", "Displacement over time.", {motion}})}});
  if (request.variant != ReproductionVariant::quick)
    report.sections.push_back({"Pictures",
                               {picture_side_by_side(request, {&found.before, &found.after}, {0, 0.1, 0.2, 0.6},
                                                     "A koala that sways, let go from three times the example",
                                                     look_of(found.before), "koala.png")}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const int tets = quick ? 1200 : request.variant == ReproductionVariant::full ? 11080 : 2500;
  const std::string text = scene_text(tets, quick ? 0.01 : 0.004);
  write_file_atomically(request.folder + "/scene.json", text);
  const Found found = find(request, text, quick);
  if (interrupted()) return {};
  const std::vector<Claim> claims = make_claims(found);
  write_report(request, make_report(request, found, tets), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-unloading", "Xu & Barbic 2017, figs. 8, 9", "a gain found from what is left after one cycle of a koala",
          reproduce, "a koala of 11,080 tets (table 2)"};
}

}  // namespace dashpot::cli::a_unloading
