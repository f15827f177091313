// C-membrane: paper C, fig. 2. A ball falls on a clamped membrane; symplectic Euler, at a step that both bear at rest
// without damping. Spring damping of whatever amount does not survive the contact; global damping followed by local
// damping keeps the membrane whole, and the ball bounces back.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "measures.hpp"
#include "struck_membrane.hpp"

namespace dashpot::cli::c_membrane {
namespace {

constexpr double least_bounce = 0.25;  // of the fall; less is not bouncing back
constexpr double our_global = 0.01, our_local = 1;

/// What became of one damping at one step.
struct Entry {
  std::string damping;
  bool is_spring = false;  ///< applied once a step; iterated spring damping is shown beside
  double steps = 0;        ///< dt over the limit at rest
  MembraneOutcome outcome;
};

struct Experiment {
  StruckMembrane setup;
  double steps = 1;  ///< dt of the comparison over the limit at rest
  std::vector<Entry> entries;
  RecordedRun spring, ours;
  RecordedRun spring_split;  ///< with shorter steps where one fails, to be looked at
  std::string best_spring;

  double dt() const { return steps * setup.limit; }
  /// Spring dampings at this step: those that were tried, or those that are stable.
  int num_springs(bool is_stable) const {
    return static_cast<int>(std::count_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return entry.is_spring && entry.steps == steps && (entry.outcome.is_stable || !is_stable);
    }));
  }
};

std::vector<Claim> judge(const Experiment& all) {
  std::vector<Claim> claims;
  const bool spring_fails = all.num_springs(false) > 0 && all.num_springs(true) == 0;
  const auto ours = std::find_if(all.entries.begin(), all.entries.end(), [&](const Entry& entry) {
    return entry.damping == all.ours.name && entry.steps == all.steps;
  });
  const bool ours_stands = ours != all.entries.end() && ours->outcome.is_stable && reaches(all.ours, all.setup.end);
  claims.push_back(claim_true("spring_fails_ours_bounces",
                              "at the same step spring damping of every amount fails; with ours the membrane stays "
                              "whole and the ball bounces back",
                              spring_fails && ours_stands && bounce(all.ours) >= least_bounce));
  claims.push_back(claim_true("spring_fails",
                              fmt::format("every spring damping fails; the last one standing, {}, at "
                                          "{:.3f} s",
                                          all.best_spring, all.spring.time.back()),
                              spring_fails));
  claims.push_back(
      claim_true("ours_intact", "with ours no step fails, no energy appears and no tets are inside out", ours_stands));
  claims.push_back(claim_at_least("bounce_ours", "rise of the ball after the contact over its fall, with ours",
                                  std::string("bounces back"), bounce(all.ours), "1", least_bounce));
  const double touch = std::sqrt(2 * ball_drop / 9.81);
  claims.push_back(claim_true("spring_fails_by_contact",
                              "the last spring damping to fail bears the time before the contact",
                              all.spring.time.back() > 0.95 * touch));
  return claims;
}

render::Figure motion_figure(const Experiment& all) {
  render::Panel height{"the ball", {"time", "s"}, {"height of the ball's center", "m"}, {}, {}};
  render::Panel middle{"the middle of the membrane", {"time", "s"}, {"height", "m"}, {}, {}};
  render::Panel energy{"energy", {"time", "s"}, {"kinetic and potential energy", "J"}, {}, {}};
  for (const RecordedRun* motion : {&all.ours, &all.spring}) {
    render::Series ball{motion->name, motion->time, motion->coordinate(0, 1)};
    for (double& y : ball.y) y += ball_radius + ball_drop;
    render::Series skin{motion->name, motion->time, motion->coordinate(1, 1)}, sum{motion->name, motion->time, {}};
    for (const double E : motion->energy) sum.y.push_back(E - motion->energy[0]);
    height.series.push_back(std::move(ball));
    middle.series.push_back(std::move(skin));
    energy.series.push_back(std::move(sum));
  }
  energy.guides = {{allowed_gain(), "more counts as failure"}};
  energy.y.min = -6, energy.y.max = 6;
  return {"A ball falls on a membrane",
          fmt::format("Steps of {:.0f} µs. Energy is counted from the start; the run with spring damping ends where it "
                      "fails.",
                      1e6 * all.dt()),
          {height, middle, energy}};
}

render::Table outcome_table(const Experiment& all) {
  render::Table table{"All that was tried: what happens, and when", {"damping"}, {}, {}};
  std::vector<double> steps;
  std::vector<std::string> names;
  for (const Entry& entry : all.entries) {
    if (std::find(steps.begin(), steps.end(), entry.steps) == steps.end()) steps.push_back(entry.steps);
    if (std::find(names.begin(), names.end(), entry.damping) == names.end()) names.push_back(entry.damping);
  }
  for (const double s : steps) table.columns.push_back(fmt::format("{:.0f} µs", 1e6 * s * all.setup.limit));
  for (const std::string& name : names) {
    std::vector<std::string> row{name};
    for (const double s : steps)
      for (const Entry& entry : all.entries)
        if (entry.damping == name && entry.steps == s)
          row.push_back(entry.outcome.is_stable ? "stable" : fmt::format("fails at {:.3f} s", entry.outcome.time));
    table.rows.push_back(row);
  }
  return table;
}

std::vector<MembraneDamping> dampings(const Experiment& all, double dt, bool quick, std::size_t& springs) {
  std::vector<MembraneDamping> list;
  const std::vector<double> shares =
      quick ? std::vector<double>{0.5, 1, 2} : std::vector<double>{0.25, 0.5, 1, 1.5, 2, 2.5};
  for (const double share : shares) list.push_back(spring_damping(all.setup, dt, share));
  springs = list.size();
  list.push_back(relative_damping(our_global, our_local));
  if (quick) return list;
  list.push_back(relative_damping(our_global, 0.9));
  list.push_back(relative_damping(our_global, 0.5));
  list.push_back(iterated_spring_damping(10));
  list.push_back({"no damping", "", ""});
  return list;
}

void try_all(const ReproductionRequest& request, Experiment& all, bool quick) {
  const std::vector<double> steps = quick ? std::vector<double>{1} : std::vector<double>{0.9, 1, 1.1};
  std::size_t springs = 0;
  const std::size_t each = dampings(all, all.dt(), quick, springs).size();
  Progress progress(request.console, "dampings and steps", static_cast<double>(each * steps.size()), "runs");
  double standing = 0;
  MembraneDamping best;
  for (const double s : steps) {
    const std::vector<MembraneDamping> list = dampings(all, s * all.setup.limit, quick, springs);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (interrupted()) return;
      const bool is_spring = i < springs;
      all.entries.push_back({list[i].name, is_spring, s, try_membrane(all.setup, s * all.setup.limit, list[i])});
      const MembraneOutcome& outcome = all.entries.back().outcome;
      if (is_spring && s == all.steps && outcome.time > standing) standing = outcome.time, best = list[i];
      progress.update(static_cast<double>(all.entries.size()));
    }
  }
  all.best_spring = best.name;
  const auto run = [&](const MembraneDamping& damping, double frames, const char* file) {
    return run_scene(request, damping.name, membrane_scene(all.setup, all.dt(), damping, frames), file, 0);
  };
  all.spring = run(best, all.dt(), "scene_spring.json");  // every step is kept: it fails within a few
  all.spring_split = run_scene(request, best.name + ", steps split", membrane_scene(all.setup, all.dt(), best, 0.005));
  all.ours = run(relative_damping(our_global, our_local), 0.005, "scene_ours.json");
}

/// Rows: before the contact, where spring damping fails, at the lowest point of ours, after it. What the failed run
/// would have become is seen by splitting the steps that it cannot take.
render::Picture stages(const ReproductionRequest& request, const Experiment& all) {
  const double low = lowest_time(all.ours), failed = all.spring.time.back();
  return picture_side_by_side(request, {&all.spring_split, &all.ours},
                              {0.15, std::min(failed, low), low, all.setup.end}, "A ball falls on a membrane",
                              look_of(all.ours), "membranes.png");
}

std::string summary(const Experiment& all) {
  return fmt::format(
      "A ball ({:g} cm, 1.4 kg) falls {:g} cm on a membrane of {} tets clamped at its rim. Symplectic Euler, steps of "
      "{:.0f} µs, the longest that is stable at rest without damping. Of the spring dampings tried at this step {} "
      "are stable; the best, {}, fails at {:.3f} s, in the contact. With global damping ({:g} %, torque eliminated on "
      "edges) and then local damping ({:g} % in each tet) the membrane stays whole and the ball rises again by "
      "{:.0f} % of its fall.",
      200 * ball_radius, 100 * ball_drop, all.ours.scene.bodies.at(0).mesh.tets()->size(), 1e6 * all.dt(),
      all.num_springs(true), all.best_spring, all.spring.time.back(), 100 * our_global, 100 * our_local,
      100 * bounce(all.ours));
}

const char* const how =
    "A run fails when a step fails or two bodies approach faster than the step can follow, when energy exceeds that "
    "at the start by more than a tenth of the ball's fall, or when more than 1 % of the tets are inside out. Spring "
    "damping is a dashpot on every edge, in percent of the coefficient that is sure not to overshoot at this step "
    "(c dt λ = 1, λ the bound of the edges); where it would add energy it is refused. Both bodies "
    "have the same damping. The paper gives no numbers. Local damping with the torque left in is stable at longer "
    "steps, but then the ball hardly leaves the membrane, since every tet that turns is braked. In the "
    "pictures the failed run goes on with split steps, to show what becomes of the membrane.";

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  Experiment all;
  if (quick) all.setup.tets = 700, all.setup.layers = 2;
  all.setup = make_membrane(all.setup);
  try_all(request, all, quick);
  if (interrupted()) return {};
  const std::vector<Claim> claims = judge(all);

  render::Report report;
  report.title = "C-membrane: a ball on a membrane";
  report.subtitle = "Schmedding, Gissler & Teschner 2009, figure 2";
  report.summary = summary(all);
  report.sections.push_back({"Pictures", {stages(request, all)}});
  report.sections.push_back({"Motion", {write_figure(request, "motion", motion_figure(all))}});
  report.sections.push_back({"Steps and dampings", {outcome_table(all), render::Paragraph{how}}});
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"C-membrane", "Schmedding, Gissler & Teschner 2009, fig. 2",
          "a ball falls on a membrane: spring damping fails in the contact, relative damping lets the ball bounce",
          reproduce};
}

}  // namespace dashpot::cli::c_membrane
