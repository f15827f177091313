// E-sheet: paper E, fig. 8. A thin sheet, held at one edge, drops under gravity; steps of 33, 1.65 and 0.165 ms. The
// sheet has the paper's 738 nodes and 1920 tets: 40 x 1 x 8 cells.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::e_sheet {
namespace {

constexpr double frame = 33e-3;                         // [s]
constexpr double length = 1, width = 0.2, beta = 2e-4;  // [m], [m], [s]

std::string scene_text(const std::array<int, 2>& cells, double dt, double end, int iterations) {
  return scene_file("dropped_sheet", {{"/time/dt", dt},
                                      {"/time/end", end},
                                      {"/solver/projective/iterations", iterations},
                                      {"/bodies/0/mesh/bar/size/0", length},
                                      {"/bodies/0/mesh/bar/size/2", width},
                                      {"/bodies/0/mesh/bar/cells", fmt::format("[{}, 1, {}]", cells[0], cells[1])},
                                      {"/bodies/0/damping/0/beta", beta},
                                      {"/record/every", frame},
                                      {"/record/probes/0/where/box/0/0", length - 1e-6}});
}

/// Largest distance between the same node of two runs, frame by frame, over the length [%].
std::vector<double> distance(const RecordedRun& a, const RecordedRun& b) {
  std::vector<double> apart;
  for (std::size_t f = 0; f < std::min(a.recording.frames.size(), b.recording.frames.size()); ++f) {
    const Frame &x = a.recording.frames[f], &y = b.recording.frames[f];
    if (std::abs(x.time - y.time) > 1e-6 * frame)
      throw Error(Problem{"E-sheet", fmt::format("frames at {} s and {} s", x.time, y.time), "the same times", ""});
    double most = 0;
    for (std::size_t i = 0; i < x.points.size(); ++i) most = larger(most, (x.points[i] - y.points[i]).norm());
    apart.push_back(100 * most / length);
  }
  return apart;
}

struct Compared {
  const RecordedRun* motion;
  std::vector<double> distance;  ///< from the run with the smallest steps [%]
};

render::Figure make_figure(const std::vector<Compared>& all, const RecordedRun& reference) {
  render::Figure figure;
  figure.title = "The free edge, and how far runs are apart";
  figure.description = "Height of the free edge over time, and the largest distance of a node from the smallest steps.";
  render::Panel height;
  height.title = "Free edge";
  height.x = {"time", "s"};
  height.y = {"height", "m"};
  for (const Compared& one : all)
    height.series.push_back({one.motion->name, one.motion->time, one.motion->coordinate(0, 1)});
  height.series.push_back({reference.name, reference.time, reference.coordinate(0, 1), {}, render::Mark::dashed_line});
  render::Panel apart;
  apart.title = "Distance from the run with the smallest steps";
  apart.x = {"time", "s"};
  apart.y = {"largest distance, of the length", "%", true};
  for (const Compared& one : all) {
    render::Series series{one.motion->name};
    for (std::size_t f = 1; f < one.distance.size(); ++f) {
      series.x.push_back(one.motion->recording.frames[f].time);
      series.y.push_back(one.distance[f]);
    }
    apart.series.push_back(series);
  }
  apart.guides.push_back({1, "1 %", false});
  figure.panels = {height, apart};
  return figure;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const std::array<int, 2> cells = quick ? std::array<int, 2>{10, 2} : std::array<int, 2>{40, 8};
  const double end = (quick ? 12 : 30) * frame;
  const auto sheet = [&](const std::string& name, double dt, int iterations, const std::string& file = {}) {
    return run_scene(request, name, scene_text(cells, dt, end, iterations), file);
  };
  const RecordedRun large = sheet("33 ms", frame, 0, "scene_33ms.json");
  const RecordedRun large_10 = sheet("33 ms, 10 iterations", frame, 10);
  const RecordedRun small = sheet("1.65 ms", frame / 20, 0, "scene_1.65ms.json");
  const RecordedRun small_10 = sheet("1.65 ms, 10 iterations", frame / 20, 10);
  const RecordedRun least = sheet("0.165 ms", frame / 200, 0, "scene_0.165ms.json");
  if (interrupted()) return {};
  for (const RecordedRun* motion : {&large, &large_10, &small, &small_10, &least})
    if (motion->diverged) throw Error(Problem{"E-sheet, " + motion->name, motion->explanation, "a run to the end", ""});

  std::vector<Compared> all;
  for (const RecordedRun* motion : {&large, &large_10, &small, &small_10})
    all.push_back({motion, distance(*motion, least)});
  const double of_large = largest(all[0].distance), of_small = largest(all[2].distance);
  std::vector<Claim> claims;
  claims.push_back(claim_at_most("small_step_difference", "largest difference of a node, 1.65 ms against 0.165 ms",
                                 "very similar", of_small, "% of size", 1));
  claims.push_back(claim_at_most("small_step_10_iterations", "the same with 10 iterations a step", {},
                                 largest(all[3].distance), "% of size", 1));
  claims.push_back(claim_at_least("large_step_over_small", "difference of 33 ms over that of 1.65 ms", "different",
                                  of_large / of_small, "1", 5));
  claims.push_back(claim_near("order", "order in the step, from 33 and 1.65 ms", 2,
                              std::log(of_large / of_small) / std::log(20.0), "1", 0.15));

  render::Report report;
  report.title = "E-sheet: a sheet drops, with steps of 33, 1.65 and 0.165 ms";
  report.subtitle = "Li, Liu & Kavan 2018, figure 8";
  report.summary = fmt::format(
      "A sheet of {} tets, held at one edge, drops for {:.2f} s. No node is farther than {:.4f} % of the length apart "
      "between steps of 1.65 and 0.165 ms; with 33 ms it is {:.2f} %, with 33 ms and 10 iterations {:.2f} %.",
      large.scene.bodies[0].mesh.tets()->size(), end, of_small, of_large, largest(all[1].distance));
  render::Table table{"Against steps of 0.165 ms",
                      {"steps", "largest difference [%]", "taken by the damping [J]", "energy at the end [J]"},
                      {},
                      "Difference of a node, of the length. Iterated to a residual of 1e-8 of the forces unless a "
                      "number of iterations is named."};
  for (const Compared& one : all)
    table.rows.push_back({one.motion->name, fmt::format("{:.4g}", largest(one.distance)),
                          fmt::format("{:.4f}", one.motion->damped.back()),
                          fmt::format("{:.4f}", one.motion->energy.back())});
  table.rows.push_back(
      {least.name, "-", fmt::format("{:.4f}", least.damped.back()), fmt::format("{:.4f}", least.energy.back())});
  std::vector<double> times;
  for (const double share : {0.2, 0.4, 0.6, 0.8, 1.0}) times.push_back(std::round(share * end / frame) * frame);
  render::Look look;
  look.azimuth = 20;
  const render::Picture picture =
      picture_side_by_side(request, {&large_10, &large, &small, &least}, times, "A sheet drops", look, "sheet.png");
  report.sections.push_back({"Differences", {write_figure(request, "sheet", make_figure(all, least)), table}});
  report.sections.push_back({"Pictures", {picture}});
  report.sections.push_back(
      {"Setting",
       {render::Paragraph{fmt::format(
           "{:g} x {:g} m, 10 mm thick, Young's modulus 100 kPa, 500 kg/m³, as rigid as possible; midpoint, Laplacian "
           "damping β = {:g} ms at the velocity of the midpoint, which keeps the order of the integrator. The formula "
           "printed in the paper acts at the end of the step, with twice the amount, and is of first order.",
           length, width, 1e3 * beta)}}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"E-sheet", "Li, Liu & Kavan 2018, fig. 8", "a sheet drops, with steps of 33, 1.65 and 0.165 ms", reproduce,
          "a sheet of 1,920 tets (table 1), as by default"};
}

}  // namespace dashpot::cli::e_sheet
