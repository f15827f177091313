// C-sliver: paper C, abstract: "badly shaped meshes, e. g. containing sharp angles or slivers, can be handled". A
// cantilever whose mesh has a flat tet on every inner face across its axis swings in its first mode; symplectic Euler.
// Sought is the largest stable step with each damping, and what it leaves of the swing.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/sliver_bar.hpp"
#include "dashpot/mesh/write.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "step_contest.hpp"

namespace dashpot::cli::c_sliver {
namespace {

constexpr double least_motion = 0.5;         ///< what must be left of the first swing for the bar to count as moving
constexpr double length = 0.4, width = 0.1;  ///< [m]

struct SliverBar {
  std::array<int, 3> cells{12, 3, 3};
  double flatness = 0.02;
  double end = 1;  ///< of the comparison [s]
};

std::string bar_scene(const SliverBar& setup, const std::string& mesh, const DampingOf& damping, double dt) {
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A bar with slivers",
  "time": {{"dt": {:.9g}, "end": {:g}, "stepper": "symplectic_euler"}},
  "bodies": [{{
    "name": "bar",
    "mesh": {{"file": "{}"}},
    "material": {{"model": "corotational", "young": "500 kPa", "poisson": 0.3, "density": 1000, "mass": "lumped"}},
    "damping": [{}],
    "pins": [{{"where": {{"box": [[-1, -1, -1], [1e-6, 1, 1]]}}}}],
    "start": {{"from": "mode", "mode": 1, "amplitude": "1 cm"}}
  }}],
  "record": {{"every": 0.01, "probes": [{{"name": "tip", "where": {{"nearest": [{:g}, {:g}, {:g}]}}}}]}}
}}
)",
                     dt, setup.end, mesh, damping("bar"), length, width / 2, width / 2);
}

std::string no_damping(const std::string&) { return {}; }

/// How far the tip swings to the other side, of how far it was let go.
double swing_through(const RecordedRun& motion) {
  const std::vector<double> x = motion.coordinate(0, main_axis(motion.probes.at(0)));
  double through = 0;
  for (const double value : x) through = larger(through, -value / x.front());
  return through;
}

StepContestSetup make_contest(const SliverBar& bar, double energy, bool quick) {
  StepContestSetup setup;
  const auto scene = [bar](const DampingOf& damping, double dt) { return bar_scene(bar, "slivers.msh", damping, dt); };
  setup.scene = setup.comparison = scene;
  setup.trial.end = quick ? 0.05 : 0.3;
  setup.trial.least_steps = quick ? 200 : 500;
  setup.trial.allowed_gain = energy;
  setup.trial.jitter = 1e-3;
  setup.search.start = 1.5e-4, setup.search.shortest = 1e-5, setup.search.longest = 0.02;
  setup.search.precision = quick ? 0.05 : 0.02;
  setup.motion_left = swing_through;
  setup.energy_lost = [energy](const RecordedRun& motion) {
    return (motion.energy.front() - motion.energy.back()) / energy;
  };
  return setup;
}

/// Largest distance of a border found by trials from that of theory, of those where theory knows one [1]. Steps that
/// only fail in the longer comparison fail by what is not small any more. Not a number: theory knows none.
double worst_disagreement(const StepContest& contest) {
  std::vector<double> apart;
  for (const StepEntry& entry : contest.entries)
    if (entry.theory > 0 && !entry.is_shortened) apart.push_back(std::abs(entry.dt() / entry.theory - 1));
  return largest(apart);
}

std::vector<Claim> judge(const StepContest& contest, double well_shaped, bool is_quick) {
  std::vector<Claim> claims;
  const StepEntry *none = contest.best("none"), *ours = contest.best("ours"),
                  *moving = contest.best_relative(least_motion);
  claims.push_back(on_our_body(
      claim_at_least("step_gain_over_none",
                     fmt::format("largest step with relative damping ({}) over that with none, at its best γ that "
                                 "leaves at least half of the swing",
                                 describe(contest, moving)),
                     std::string("can be handled"), step_ratio(moving, none), "1", 3),
      "The paper shows no mesh with slivers; ours has a flat tet on every inner face"));
  claims.push_back(claim_at_least(
      "step_gain_over_spring", "the same over that with spring damping at its best γ that leaves as much",
      std::string("larger"), step_ratio(moving, contest.best("spring", least_motion)), "1", 1));
  // A bar that hardly moves is stable at any step: told, not counted.
  claims.push_back(reported("any_step_gain_over_none",
                            fmt::format("largest step with global, then local damping over that with none, whatever is "
                                        "left of the swing ({})",
                                        describe(contest, ours)),
                            {}, step_ratio(ours, none), "1"));
  if (is_quick)
    for (Claim& claim : claims) claim = not_judged(claim, "the quick run tries few amounts on a coarse bar");
  claims.push_back(claim_at_most("slivers_shorten_steps",
                                 "largest step without damping over that of the same bar without slivers", ClaimValue{},
                                 std::isfinite(well_shaped) ? none->dt() / well_shaped : not_measured, "1", 0.5));
  claims.push_back(claim_at_most("theory_and_trials",
                                 "largest relative distance of a border found by trials from that of theory (B "
                                 "self-adjoint, small motions)",
                                 ClaimValue{}, worst_disagreement(contest), "1", 0.06));
  return claims;
}

render::Figure swing_figure(const StepContest& contest, const std::vector<const StepEntry*>& shown) {
  render::Panel panel{
      "the tip after it is let go, each damping at its largest step", {"time", "s"}, {"deflection", "mm"}, {}, {}};
  for (const StepEntry* entry : shown) {
    render::Series series{fmt::format("{}, γ = {:g}, {} us", contest.name(*entry), entry->gamma, step_text(*entry)),
                          entry->motion.time, entry->motion.coordinate(0, main_axis(entry->motion.probes.at(0)))};
    const double side = series.y.front() < 0 ? -1000 : 1000;  // the sign of a mode is arbitrary
    for (double& y : series.y) y *= side;
    panel.series.push_back(std::move(series));
  }
  return {"What is left of the swing",
          "Deflection of the bar's tip over time at the largest step of each damping.",
          {panel}};
}

const char* const mesh_text =
    "Every box-shaped cell of the mesh is cut into five tets, all in the same way along the bar: the diagonals of "
    "neighbors cross, and a flat tet of four nodes near a square closes the gap.";

const char* const stable_text =
    "Stable means, over 0.3 s and at least 500 steps, from a start shaken by 1 mm/s at random, another one in every "
    "trial: no step fails, and kinetic plus potential energy never exceeds twice that at the start. The border is "
    "enclosed to 2 %; then steps 6, 12 and 24 % below it are tried, too, and a step that fails within 1 s of the swing "
    "is shortened by 6 % until it does not. Theory: dt² K < 2 M (1 + B⁻¹) with B what the "
    "damping leaves of velocities, for those B that are linear and self-adjoint (global, then local is not). Motion "
    "left: how far the tip swings to the other side, of 1 cm. γ is the share of relative velocity removed a step "
    "(relative), c h λ with λ the largest eigenvalue of the dashpots (spring; above 1 it may overshoot, the trials "
    "tell), c h over the mass of the lightest node (point). γ = 1 is left out for global damping: the bar is then "
    "rigid "
    "and any step is stable.";

const char* const lesson_text =
    "Dashpots on the edges hardly see a sliver: when its nodes move out of its plane, the lengths of its edges stay. A "
    "tet taken as a whole does see it, but as one of many around a node. Repeated within the step, local damping takes "
    "out what the mesh resolves worst and little of the swing. Global damping makes no such difference: it takes its "
    "share of every deformation in every step, and at a thousand steps a second nothing swings any more.";

std::string summary(const StepContest& contest, const MeshInfo& info, double well_shaped) {
  const StepEntry *none = contest.best("none"), *ours = contest.best("ours"),
                  *moving = contest.best_relative(least_motion);
  std::string text = fmt::format(
      "A cantilever of {} tets with dihedral angles from {:.1f}° to {:.1f}°. Symplectic Euler takes steps up to {} us "
      "without damping; {} us were it not for the slivers. With global, then local damping at γ = {:g} it takes {} "
      "us, {:.1f} times as much, but {:.2g} % of the swing are left.",
      info.kinds.front().count, info.min_dihedral, info.max_dihedral, step_text(*none), microseconds(well_shaped),
      ours->gamma, step_text(*ours), step_ratio(ours, none), 100 * ours->motion_left);
  if (moving != nullptr)
    text += fmt::format(
        " The longest step that leaves at least half of it: {} us, {:.1f} times that of none ({}, γ = "
        "{:g}; {:.0f} % of the swing).",
        step_text(*moving), step_ratio(moving, none), contest.name(*moving), moving->gamma, 100 * moving->motion_left);
  return text;
}

/// The border of the same bar, cut without slivers [s].
double well_shaped_step(const ReproductionRequest& request, const SliverBar& bar) {
  BoxOptions five;
  five.split = CellSplit::five;
  write_mesh(request.folder + "/well_shaped.msh", make_bar({length, width, width}, bar.cells, five));
  const CompiledScene scene =
      compile(parse_scene(bar_scene(bar, "well_shaped.msh", no_damping, 1e-4), "", request.folder));
  return explicit_limit(*scene.system, scene.start, "symplectic_euler").dt;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  SliverBar bar;
  if (quick) bar.cells = {8, 2, 2}, bar.end = 0.4;
  const Mesh mesh = make_sliver_bar({length, width, width}, bar.cells, bar.flatness);
  write_mesh(request.folder + "/slivers.msh", mesh);
  const MeshInfo info = mesh_info(mesh);
  const double well_shaped = well_shaped_step(request, bar);
  const CompiledScene start = compile(parse_scene(bar_scene(bar, "slivers.msh", no_damping, 1e-4), "", request.folder));
  const StepContestSetup setup = make_contest(bar, energies(*start.system, start.start).total(), quick);
  std::vector<StepMethod> methods =
      paper_c_methods(quick ? std::vector<double>{0.5, 0.97} : std::vector<double>{0.5, 0.9, 0.97, 0.99});
  if (quick) methods = only(methods, {"none", "spring", "ours", "local_8"});
  const StepContest contest = run_step_contest(request, setup, methods);
  if (interrupted()) return {};
  for (const char* id : {"none", "spring", "ours"})
    if (contest.best(id) == nullptr)
      throw Error(Problem{"C-sliver", fmt::format("no stable step with '{}'", id), "one above 10 us", ""});
  const std::vector<Claim> claims = judge(contest, well_shaped, quick);

  std::vector<const StepEntry*> shown{contest.best("none"), contest.best("spring"), contest.best("ours")};
  if (const StepEntry* moving = contest.best_relative(least_motion)) shown.push_back(moving);
  std::vector<const RecordedRun*> columns;
  for (const StepEntry* entry : shown) columns.push_back(&entry->motion);
  render::Report report;
  report.title = "C-sliver: a bar meshed with slivers";
  report.subtitle = "Schmedding, Gissler & Teschner 2009, abstract";
  report.summary = summary(contest, info, well_shaped);
  report.sections.push_back(
      {"Largest steps",
       {write_figure(request, "steps", step_figure(contest, "Largest stable step with slivers", least_motion)),
        best_table(contest, "Each damping at the γ that allows the longest step"),
        best_table(contest, "The same, of those γ that leave at least half of the swing", least_motion),
        render::Paragraph{lesson_text}, render::Paragraph{stable_text}}});
  report.sections.push_back(
      {"The motion that is left",
       {write_figure(request, "swing", swing_figure(contest, shown)),
        picture_side_by_side(request, columns, {0, 0.2}, "A bar with slivers, let go", {}, "bars.png")}});
  report.sections.push_back({"The mesh", {render::Paragraph{mesh_text}, render::Verbatim{to_text(info)}}, true});
  report.sections.push_back({"All that was tried", {step_table(contest, "Every damping at every γ")}, true});
  write_file_atomically(request.folder + "/scene.json", bar_scene(bar, "slivers.msh", no_damping, shown[0]->dt()));
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"C-sliver", "Schmedding, Gissler & Teschner 2009, abstract",
          "a bar meshed with slivers: largest stable step with each damping", reproduce};
}

}  // namespace dashpot::cli::c_sliver
