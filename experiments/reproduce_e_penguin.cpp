// E-penguin: paper E, fig. 1. A penguin falls on a floor and bounces, by projective dynamics and the midpoint rule.
// With no damping it blows up. Found are the least ether drag and the least Laplacian damping that prevent it. Ether
// drag brakes the flight too, so the penguin soon stops; Laplacian damping brakes only what deforms.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dropped_penguin.hpp"
#include "interrupt.hpp"

namespace dashpot::cli::e_penguin {
namespace {

const DampingFamily ether{"ether drag", " % a step", 100, 0.16, R"({"model": "ether_drag", "gamma_per_step": {}})"};
const DampingFamily laplacian{"Laplacian, β =", " ms", 1000, 8e-3,
                              R"({"model": "laplacian", "beta": {}, "keeps": "linear"})"};
const DampingFamily element{"rotation-free Laplacian, β =", " ms", 1000, 8e-3,
                            R"({"model": "laplacian", "beta": {}, "keeps": "element"})"};

struct Experiment {
  DroppedPenguin setup;
  RecordedRun undamped;
  std::vector<LeastDamping> found;  ///< ether drag first, then Laplacian; the quick one ends there

  double second_bounce(std::size_t i) const {
    const std::vector<double> list = bounces(setup, found[i].motion);
    return list.size() < 2 ? 0 : list[1];
  }
};

std::vector<Claim> judge(const Experiment& all) {
  std::vector<Claim> claims;
  const double ether_height = all.second_bounce(0);
  claims.push_back(
      claim_at_least("bounce_ours_over_ether",
                     "rise in the second bounce with the least stable Laplacian damping over that with the least "
                     "stable ether drag",
                     std::string("keeps bouncing; stops earlier"), all.second_bounce(1) / ether_height, "1", 1.2));
  claims.back() = only_if(all.found[0].amount > 0 && all.found[1].amount > 0, claims.back(),
                          "one of the two is stable at no amount that was tried");
  const double created = energy_created(all.setup, all.undamped);
  claims.push_back({"undamped_blows_up", "without damping: energy created, of the fall's", std::string("explodes"),
                    all.undamped.diverged ? ClaimValue(std::string("run failed")) : ClaimValue(created), "1",
                    fmt::format("> {:g}", allowed_creation),
                    created > allowed_creation ? Verdict::holds : Verdict::not_met, ""});
  for (const LeastDamping& found : all.found)
    claims.push_back(claim_true(found.family.name == ether.name       ? "ether_stabilises"
                                : found.family.name == laplacian.name ? "laplacian_stabilises"
                                                                      : "rotation_free_stabilises",
                                fmt::format("{} is stable", found.text()), found.amount > 0));
  if (all.found.size() > 2)
    claims.push_back(claim_at_least("bounce_rotation_free_over_ether",
                                    "the same for the variant that leaves rotation free", ClaimValue{},
                                    all.second_bounce(2) / ether_height, "1", 1.2));
  return claims;
}

render::Figure height_figure(const Experiment& all) {
  render::Panel height{"how it bounces", {"time", "s"}, {"height over standing", "cm"}, {}, {}};
  render::Panel energy{"what the step makes of energy", {"time", "s"}, {"energy created, of the fall's", "%"}, {}, {}};
  const double fall = all.undamped.scene.bodies.at(0).mass * 9.81 * all.setup.height;
  const auto add = [&](const std::string& name, const RecordedRun& motion) {
    render::Series y{name, motion.time, heights(all.setup, motion)}, made{name, motion.time, {}};
    for (double& value : y.y) value *= 100;
    for (std::size_t i = 0; i < motion.energy.size(); ++i)
      made.y.push_back(100 * (motion.energy[i] + motion.damped[i] - motion.energy[0]) / fall);
    height.series.push_back(std::move(y));
    energy.series.push_back(std::move(made));
  };
  for (const LeastDamping& found : all.found) add(found.text(), found.motion);
  add("no damping", all.undamped);
  height.y.min = -20, height.y.max = 105 * all.setup.height;
  energy.y.min = -50, energy.y.max = 100;
  energy.guides = {{100 * allowed_creation, "more counts as unstable"}};
  return {"A penguin dropped on its feet",
          "Height of the penguin's mean position over time, and the energy that the time step has added or taken.",
          {height, energy}};
}

render::Table bounce_table(const Experiment& all) {
  render::Table table{
      fmt::format(
          "Rise of the mean position in each bounce after a fall from {:g} cm, each damping at its least stable amount",
          100 * all.setup.height),
      {"damping", "1st [cm]", "2nd [cm]", "3rd [cm]", "4th [cm]", "energy created [% of the fall's]"},
      {},
      {}};
  const auto add = [&](const std::string& name, const RecordedRun& motion) {
    std::vector<std::string> row{name};
    std::vector<double> list = bounces(all.setup, motion);
    for (std::size_t i = 0; i < 4; ++i) row.push_back(i < list.size() ? fmt::format("{:.1f}", 100 * list[i]) : "-");
    const double created = energy_created(all.setup, motion);
    row.push_back(std::isfinite(created) ? fmt::format("{:.2g}", 100 * created) : "run failed");
    table.rows.push_back(row);
  };
  for (const LeastDamping& found : all.found) add(found.text(), found.motion);
  add("no damping", all.undamped);
  return table;
}

std::string summary(const Experiment& all) {
  const auto list = [&](const RecordedRun& motion) {
    std::string text;
    for (const double height : bounces(all.setup, motion))
      text += fmt::format("{}{:.0f}", text.empty() ? "" : ", ", 100 * height);
    return text;
  };
  return fmt::format(
      "A penguin of {} tets falls {:g} cm on a floor; midpoint rule, steps of {:g} ms, ten iterations of projective "
      "dynamics. Undamped it {}. The least that keeps it stable: {}, with which it bounces by {} cm; {}, with which it "
      "bounces by {} cm. (Paper: ether drag 0.5 % a step; Laplacian 5e-6 in units that it does not tell.)",
      all.undamped.scene.bodies.at(0).mesh.tets()->size(), 100 * all.setup.height, 1000 * all.setup.dt,
      all.undamped.diverged
          ? "blows up"
          : fmt::format("gains {:.0f} % of the fall's energy", 100 * energy_created(all.setup, all.undamped)),
      all.found[0].text(), list(all.found[0].motion), all.found[1].text(), list(all.found[1].motion));
}

const char* const how =
    "Stable means: over the whole run, energy plus what the damping took never exceeds the energy at the start by more "
    "than 25 % of the fall's, and no step fails. (Impacts alone make some, at any damping: midpoint steps meet the "
    "floor with a kink.) The search goes down by halves to the first amount that is not, then "
    "bisects. The midpoint rule itself, not its ten iterations, is what blows up: stages solved by Newton's method to "
    "1e-8 do so too. Ether drag is a share of velocity a step, as in the paper. The step was "
    "chosen so that the paper's situation arises. At steps at which the undamped penguin makes little energy, hardly "
    "any damping is needed, "
    "and hardly any is the difference. "
    "Bounces "
    "are rises from the low before, since over the height of standing a toppled penguin has negative ones.";

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  Experiment all;
  if (quick) all.setup.tets = 800, all.setup.end = 2;
  if (request.variant == ReproductionVariant::full) all.setup.tets = 6915;
  all.undamped = run_scene(request, "no damping", penguin_scene(all.setup, ""), "scene_undamped.json");
  std::vector<DampingFamily> families{ether, laplacian};
  if (quick) families[0].much = 0.04, families[1].much = 1e-3;
  if (!quick) families.push_back(element);
  for (const DampingFamily& family : families) {
    if (interrupted()) return {};
    all.found.push_back(find_least(family, quick ? 0 : 2, [&](const std::string& name, const std::string& entry) {
      return drop_penguin(request, all.setup, name, entry);
    }));
  }
  if (interrupted()) return {};
  const std::vector<Claim> claims = judge(all);

  const auto scene_file = [&](std::size_t i, const char* file) {
    write_file_atomically(request.folder + "/" + file,
                          penguin_scene(all.setup, all.found[i].family.entry(all.found[i].amount)));
  };
  scene_file(0, "scene_ether.json");
  scene_file(1, "scene_laplacian.json");
  render::Report report;
  report.title = "E-penguin: a penguin that bounces";
  report.subtitle = "Li, Liu & Kavan 2018, figure 1";
  report.summary = summary(all);
  report.sections.push_back(
      {"Bounces", {write_figure(request, "heights", height_figure(all)), bounce_table(all), render::Paragraph{how}}});
  std::vector<const RecordedRun*> shown{&all.found[1].motion, &all.found[0].motion};
  if (!quick) shown.push_back(&all.undamped);
  const std::vector<double> times = quick ? std::vector<double>{0, 0.7} : std::vector<double>{0, 0.36, 0.7, 1.4, 2.2};
  report.sections.push_back({"Pictures",
                             {picture_side_by_side(request, shown, times, "A penguin falls and bounces",
                                                   look_of(all.undamped), "penguins.png")}});
  report.sections.push_back({"The search", {trial_table(all.found, "energy created [% of the fall's]")}, true});
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"E-penguin", "Li, Liu & Kavan 2018, fig. 1",
          "least ether drag and least Laplacian damping that keep a bouncing penguin stable", reproduce,
          "a penguin of 6,915 tets (table 1)"};
}

}  // namespace dashpot::cli::e_penguin
