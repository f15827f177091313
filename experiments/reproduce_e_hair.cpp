// E-hair: paper E, fig. 7. Strands of springs, shaken from side to side and then held still, backward Euler. What
// backward Euler takes by itself leaves the hair bouncing; Laplacian damping calms it.
#include <cmath>

#include <fmt/format.h>

#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::e_hair {
namespace {

constexpr double beta = 0.3e-3;              // [s]
constexpr double shake = 0.04, pace = 1.1;   // [m], [Hz]; near the first mode of a hanging strand
constexpr double still_from = 2, dt = 0.01;  // [s]
constexpr double late = 1;                   // the last second of the run

std::string scene_text(int rows, double end, const std::string& damping, int iterations = 10) {
  return scene_file(
      "shaken_hair",
      {{"/time/dt", dt},
       {"/time/end", end},
       {"/solver/projective/iterations", iterations},
       {"/bodies/0/mesh/strands/counts", fmt::format("[{}, {}]", rows, rows)},
       {"/bodies/0/damping", list_of(damping)},
       {"/bodies/0/pins/0/motion/formula/x",
        fmt::format(R"("{}*sin({}*t)*max(0, min(1, ({} - t)/0.4))^2")", shake, 2 * M_PI * pace, still_from)}});
}

/// Half the range of the tips' way from their roots along an axis, between two times [m]; not a number where the run
/// ended before.
double amplitude(const RecordedRun& motion, int axis, double from, double until) {
  if (!reaches(motion, until)) return not_measured;
  std::vector<double> to, fro;
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    if (motion.time[i] < from - 1e-9 || motion.time[i] > until + 1e-9) continue;
    to.push_back((motion.probes[0][i] - motion.probes[1][i])[axis]);
    fro.push_back(-to.back());
  }
  return 0.5 * (largest(to) + largest(fro));
}

render::Figure make_figure(const std::vector<const RecordedRun*>& motions) {
  render::Figure figure;
  figure.title = "How the tips swing";
  figure.description = "Way of the tips relative to the roots, sideways and upwards, over time.";
  for (const int axis : {0, 1}) {
    render::Panel panel;
    panel.title = axis == 0 ? "Sideways" : "Upwards";
    panel.x = {"time", "s"};
    panel.y = {"tips from roots", "mm"};
    for (const RecordedRun* motion : motions) {
      render::Series series{motion->name, motion->time};
      for (std::size_t i = 0; i < motion->time.size(); ++i)
        series.y.push_back(1e3 * (motion->probes[0][i] - motion->probes[1][i])[axis]);
      panel.series.push_back(series);
    }
    panel.guides.push_back({still_from, "roots held still", true});
    figure.panels.push_back(panel);
  }
  return figure;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const int rows = quick ? 2 : 10;
  const double end = quick ? 4 : 5;
  const auto laplacian = [](double amount, const char* keeps) {
    return fmt::format(R"({{"model": "laplacian", "beta": {}, "keeps": "{}"}})", amount, keeps);
  };
  const RecordedRun plain = run_scene(request, "none", scene_text(rows, end, ""), "scene_none.json");
  const RecordedRun ours =
      run_scene(request, "Laplacian", scene_text(rows, end, laplacian(beta, "linear")), "scene.json");
  const RecordedRun free =
      run_scene(request, "Laplacian, springs free to turn", scene_text(rows, end, laplacian(beta, "element")));
  // Strands do not touch: what holds for one holds for all, and 100 iterations of four cost little.
  const RecordedRun precise = run_scene(request, "none, 100 iterations", scene_text(2, end, "", 100));
  if (interrupted()) return {};

  const auto late_swing = [&](const RecordedRun& motion) { return amplitude(motion, 0, end - late, end); };
  std::vector<Claim> claims;
  claims.push_back(claim_at_most("amplitude_ours_over_undamped",
                                 "swing in the last second, Laplacian damping over backward Euler alone",
                                 "too bouncy without", late_swing(ours) / late_swing(plain), "1", 0.7));
  const auto shaken_swing = [&](const RecordedRun& motion) {
    return amplitude(motion, 0, still_from - late, still_from);
  };
  const double shaken = shaken_swing(ours) / shaken_swing(plain);
  claims.push_back(
      claim_at_most("amplitude_while_shaken", "swing while shaken, Laplacian damping over none", {}, shaken, "1", 1));
  claims.push_back(claim_at_least("still_swings_while_shaken",
                                  "the same: hair that damping had made stiff would be calm, too", {}, shaken, "1",
                                  0.3));
  claims.push_back(claim_near("iterations_enough", "late swing without damping, 10 iterations over 100", 1,
                              late_swing(plain) / late_swing(precise), "1", 0.1));

  render::Report report;
  report.title = "E-hair: hair shaken from side to side";
  report.subtitle = "Li, Liu & Kavan 2018, figure 7";
  report.summary = fmt::format(
      "{} strands of springs are shaken by {:g} mm at {:g} Hz for {:g} s and then held still. In the last of {:g} s "
      "the "
      "tips still swing by {:.0f} mm with backward Euler alone; with Laplacian damping (β = {:g} ms) by {:.1f} mm.",
      rows * rows, 1e3 * shake, pace, still_from, end, 1e3 * late_swing(plain), 1e3 * beta, 1e3 * late_swing(ours));
  render::Table table{"Swing of the tips about the roots [mm]",
                      {"damping", "sideways, shaken", "sideways, late", "up and down, late", "taken [mJ]"},
                      {},
                      "Half of the range in the last second of shaking, and of the run. Taken: by the damping, per "
                      "strand. Backward Euler takes energy by itself; springs that are free to turn are "
                      "damped along their length only, which a swinging strand hardly changes."};
  for (const RecordedRun* motion : {&plain, &ours, &free, &precise}) {
    const int strands = motion == &precise ? 4 : rows * rows;
    table.rows.push_back({motion->name, fmt::format("{:.1f}", 1e3 * shaken_swing(*motion)),
                          fmt::format("{:.2f}", 1e3 * late_swing(*motion)),
                          fmt::format("{:.2f}", 1e3 * amplitude(*motion, 1, end - late, end)),
                          fmt::format("{:.3f}", 1e3 * motion->damped.back() / strands)});
  }
  render::Look look;
  look.azimuth = 12;
  look.elevation = 6;
  const render::Picture picture = picture_side_by_side(request, {&plain, &ours, &free}, {0.6, 1.2, 1.8, 2.4, 3.0, end},
                                                       "Hair, shaken from side to side", look, "hair.png");
  report.sections.push_back({"Swing", {write_figure(request, "swing", make_figure({&plain, &ours, &free})), table}});
  report.sections.push_back({"Pictures", {picture}});
  report.sections.push_back(
      {"Setting",
       {render::Paragraph{fmt::format("{} points, 19 a strand of 270 mm, 0.1 g each, springs of 50 N/m; backward "
                                      "Euler, steps of {:g} ms, 10 iterations. Strands do not touch each other.",
                                      19 * rows * rows, 1e3 * dt)}}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"E-hair", "Li, Liu & Kavan 2018, fig. 7",
          "strands of springs shaken from side to side, with and without damping", reproduce};
}

}  // namespace dashpot::cli::e_hair
