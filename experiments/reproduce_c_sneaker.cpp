// C-sneaker: paper C, fig. 1. A sneaker is pulled, let go and falls; symplectic Euler, at the longest step that spring
// damping bears. Found is the least of each damping with which it comes to the end. Point damping then brakes the fall;
// spring damping and relative damping do not. Also found: how much longer steps relative damping allows.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "rest_distance.hpp"
#include "sneaker_trials.hpp"

namespace dashpot::cli::c_sneaker {
namespace {

using namespace sneaker;

constexpr double gravity = 9.81;  // [m/s^2]

const char* const light_nodes =
    "The lightest nodes with most edges bound the coefficient; the damping ratio of the slowest mode and the mean over "
    "all motions (listed below) tell what is left for the rest";

std::vector<Claim> judge(const Experiment& all) {
  std::vector<Claim> claims;
  const auto fall_of = [](const char* name) {
    return fmt::format("fall with the least stable {} over free fall, from release to the end", name);
  };
  claims.push_back(claim_at_least("fall_ours_over_free", fall_of("global relative damping"),
                                  std::string("falls freely"), all.fall(global), "1", 0.98));
  claims.push_back(claim_at_most("fall_point_over_free", fall_of("point damping"), std::string("does not fall down"),
                                 all.fall(point), "1", 0.7));
  claims.push_back(claim_true("undamped_fails", "without damping it fails: " + all.undamped_outcome.outcome,
                              !all.undamped_outcome.is_stable));
  claims.push_back(claim_at_least("fall_spring_over_free", fall_of("spring damping"),
                                  std::string("global movement not affected"), all.fall(spring), "1", 0.98));
  if (all.found.size() <= ether) return claims;  // the quick run is too short to recover
  for (const auto& [id, i] : {std::pair("shape_spring", spring), std::pair("shape_ours", global)})
    claims.push_back(
        explained(claim_at_most(id,
                                fmt::format("{}: distance from the rest shape at the end over that before release "
                                            "(rms)",
                                            all.found[i].text()),
                                std::string("recovers"), all.shape(i), "%", 25),
                  light_nodes));
  claims.push_back(reported("spring_slowest_zeta", "damping ratio that this spring damping gives the slowest mode", {},
                            all.setup.slowest_ratio * all.found[spring].amount, "1"));
  claims.push_back(reported("spring_slowest_left",
                            "amplitude that this ratio leaves of the slowest mode from release to the end", {},
                            100 * std::exp(-all.setup.slowest_ratio * all.found[spring].amount * all.setup.slowest *
                                           (all.setup.end - all.setup.release)),
                            "%"));
  claims.push_back(claim_at_most("fall_ether_over_free", fall_of("ether drag, point damping in proportion to mass,"),
                                 ClaimValue{}, all.fall(ether), "1", 0.7));
  claims.push_back(claim_at_least("fall_local_over_free", fall_of("local relative damping"), ClaimValue{},
                                  all.fall(local), "1", 0.98));
  claims.push_back(explained(
      claim_at_least(
          "step_gain_spring", "longest step with spring damping over that without damping, in this experiment",
          std::string("significantly enlarged"), all.setup.spring_limit / all.setup.undamped_limit, "1", 1.25),
      light_nodes));
  claims.push_back(
      reported("spring_mean_share",
               "mean over all motions of what spring damping brakes in a step, of what its bound allows the "
               "fastest one",
               {}, all.setup.mean_share, "1"));
  double best = 0;
  for (const LongerSteps& steps : all.longer)
    if (steps.name.starts_with("ours")) best = std::max(best, steps.times);
  claims.push_back(
      claim_at_least("step_gain_ours", "the same with relative damping, from a ladder", ClaimValue{}, best, "1", 1.25));
  return claims;
}

render::Figure fall_figure(const Experiment& all) {
  render::Panel height{"how it falls", {"time", "s"}, {"height of the center of mass", "m"}, {}, {}};
  render::Panel shape{"how it recovers", {"time", "s"}, {"distance from rest shape, rms", "mm"}, {}, {}};
  for (const LeastDamping& least : all.found) {
    height.series.push_back({least.text(), least.motion.time, center_heights(all.setup, least.motion)});
    shape.series.push_back(rest_distance_series(least.text(), least.motion.recording, 0));
  }
  render::Series free{"free fall", {}, {}, {}, render::Mark::dashed_line};
  for (double t = 0; t <= all.setup.end + 1e-9; t += 0.01) {
    free.x.push_back(t);
    free.y.push_back(-0.5 * gravity * std::pow(std::max(0.0, t - all.setup.release), 2));
  }
  height.series.push_back(std::move(free));
  shape.series.push_back(rest_distance_series("no damping", all.undamped.recording, 0));
  shape.y.min = 0, shape.y.max = 40;
  return {"A sneaker is pulled, let go and falls",
          fmt::format("Released at {:g} s. Each damping at the least amount that is stable.", all.setup.release),
          {height, shape}};
}

render::Table result_table(const Experiment& all) {
  render::Table table{
      fmt::format("Steps of {:.0f} µs, each damping at its least stable amount", 1e6 * all.setup.dt),
      {"damping", "fall over free fall [1]", "distance from rest shape at the end [% of that before release]"},
      {},
      {}};
  for (std::size_t i = 0; i < all.found.size(); ++i)
    table.rows.push_back({all.found[i].amount > 0 ? all.found[i].text() : all.found[i].family.name + ": none is stable",
                          fmt::format("{:.4f}", all.fall(i)), fmt::format("{:.2f}", all.shape(i))});
  return table;
}

render::Table longer_table(const Experiment& all) {
  render::Table table{
      "Longest step of a ladder (1.02, 1.05, 1.1, 1.25, 1.5, 2, 3) at which the sneaker comes to the end, over the "
      "longest "
      "without damping",
      {"damping", "longest step [1]"},
      {},
      {}};
  for (const LongerSteps& steps : all.longer)
    table.rows.push_back({steps.name, steps.times > 0 ? fmt::format("{:g}", steps.times) : "none of them"});
  return table;
}

std::string summary(const Experiment& all) {
  return fmt::format(
      "A sneaker of {} tets ({:.2f} kg) is pulled at toe and heel with 20 N and let go at {:g} s. Symplectic Euler, "
      "steps of {:.0f} µs, the longest that spring damping bears; without damping it bears {:.0f} µs, and {:.0f} µs at "
      "rest. Undamped: {}. With the least stable point damping it falls {:.2f} of free fall, with spring damping "
      "{:.3f}, "
      "with global relative damping {:.3f}.",
      all.undamped.scene.bodies.at(0).mesh.tets()->size(), all.setup.mass, all.setup.release, 1e6 * all.setup.dt,
      1e6 * all.setup.undamped_limit, 1e6 * all.setup.rest_limit, all.undamped_outcome.outcome, all.fall(point),
      all.fall(spring), all.fall(global));
}

const char* const how =
    "Stable means: no step fails, energy never exceeds that at the start and the work of the draggers by more than "
    "what lifts the sneaker 5 cm, and no more than 1 % of the tets are turned inside out. The search for the least "
    "amount goes down by halves to the first that is not, then bisects. The draggers are forces shared by the nodes "
    "of toe and heel, which rise within 50 ms and let go at once; they carry the weight too, so that the center of "
    "mass rests until then, and pull in line; the sneaker still rolls a little. Free fall starts with the velocity "
    "that each run has at "
    "release. The paper shows one "
    "dragger that is a spring, and gives no numbers.";
const char* const choices =
    "The step decides how much point damping brakes. It was chosen as the longest at which fig. 1 exists at all, "
    "that is, which spring damping bears: nearer to what the undamped sneaker bears hardly any damping is needed, and "
    "hardly any is the difference. Spring damping is a dashpot on every edge, in percent of the "
    "coefficient that is sure not to overshoot at this step. That bound is set by the lightest node; elsewhere the "
    "same coefficient damps little, so that it lengthens the step less here than the paper's words suggest, and "
    "lets slow motion ring on.";

/// Times the energy that counts as failure: where the undamped sneaker is last drawn.
constexpr double blown_up = 20;

render::Picture poses(const ReproductionRequest& request, const Experiment& all) {
  std::vector<RecordedRun> shown;
  double failed = all.undamped.time.back();
  for (std::size_t i = all.undamped.time.size(); i-- > 0;)
    if (all.undamped.energy[i] - all.undamped.external[i] - all.undamped.energy[0] > blown_up * allowed_gain(all.setup))
      failed = all.undamped.time[i];
  const double last = all.setup.release + 0.25;
  shown.push_back(beginning(all.undamped, failed));
  shown.back().name = fmt::format("no damping, up to {:.3f} s", failed);
  for (const std::size_t i : {std::size_t{point}, std::size_t{spring}, std::size_t{global}})
    shown.push_back(beginning(all.found[i].motion, last));
  std::vector<const RecordedRun*> runs;
  for (const RecordedRun& motion : shown) runs.push_back(&motion);
  return picture_side_by_side(request, runs, {0.02, all.setup.release - 0.005, all.setup.release + 0.1, last},
                              "A sneaker is pulled, let go and falls", look_of(all.undamped), "sneakers.png");
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  PulledSneaker setup;
  if (quick) setup.tets = 500, setup.end = 0.5;
  setup = make_sneaker(request.console, setup, quick ? std::vector<double>{1.5} : std::vector<double>{1, 1.5, 2});
  if (interrupted()) return {};
  const Experiment all = run_all(request, setup, quick);
  if (interrupted()) return {};
  const std::vector<Claim> claims = judge(all);

  render::Report report;
  report.title = "C-sneaker: a sneaker that falls";
  report.subtitle = "Schmedding, Gissler & Teschner 2009, figure 1";
  report.summary = summary(all);
  report.sections.push_back({"Pictures", {poses(request, all)}});
  report.sections.push_back({"Fall",
                             {write_figure(request, "fall", fall_figure(all)), result_table(all),
                              render::Paragraph{how}, render::Paragraph{choices}}});
  if (!all.longer.empty()) report.sections.push_back({"Longer steps", {longer_table(all)}});
  report.sections.push_back({"The search", {trial_table(all.found, "what happens")}, true});
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"C-sneaker", "Schmedding, Gissler & Teschner 2009, fig. 1",
          "a sneaker is pulled, let go and falls: point damping brakes it, spring and relative damping do not",
          reproduce};
}

}  // namespace dashpot::cli::c_sneaker
