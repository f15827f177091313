// Tables and figures of a contest of steps.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "step_contest.hpp"

namespace dashpot::cli {
namespace {

std::string percent(double share) { return fmt::format("{:.3g}", 100 * share); }

std::string amount_text(const StepContest& contest, const StepEntry& entry) {
  return contest.methods[entry.method].id == "none" ? "-" : fmt::format("{:g}", entry.gamma);
}

/// Times the step without damping.
double gain(const StepContest& contest, const StepEntry& entry) {
  const StepEntry* none = contest.best("none");
  return none == nullptr ? 0 : entry.dt() / none->dt();
}

std::vector<std::string> cells(const StepContest& contest, const StepEntry& entry) {
  return {amount_text(contest, entry), step_text(entry), fmt::format("{:.2f}", gain(contest, entry)),
          percent(entry.motion_left), percent(entry.energy_lost)};
}

}  // namespace

std::string microseconds(double seconds) {
  return 1e6 * seconds < 1000 ? fmt::format("{:.3g}", 1e6 * seconds) : fmt::format("{:.0f}", 1e6 * seconds);
}

std::string describe(const StepContest& contest, const StepEntry* entry) {
  if (entry == nullptr) return "there is none";
  return fmt::format("{}, γ = {:g}, {:.2g} % left of the motion", contest.name(*entry), entry->gamma,
                     100 * entry->motion_left);
}

std::string step_text(const StepEntry& entry) {
  if (entry.dt() == 0) return "none stable";
  return (entry.found.unstable_dt == 0 ? "over " : "") + microseconds(entry.dt());
}

render::Figure step_figure(const StepContest& contest, const std::string& title, double least_motion) {
  render::Panel steps{"how long a step may be", {"γ", ""}, {"largest stable step", "us", true}, {}, {}};
  render::Panel motion{
      "what it costs", {"motion left", "%"}, {"largest stable step", "us", true}, {}, {{100 * least_motion, "", true}}};
  for (std::size_t m = 0; m < contest.methods.size(); ++m) {
    render::Series over_gamma{contest.methods[m].name}, over_motion{contest.methods[m].name};
    for (const StepEntry& entry : contest.entries) {
      if (entry.method != m || entry.dt() == 0) continue;
      over_gamma.x.push_back(entry.gamma);
      over_motion.x.push_back(100 * entry.motion_left);
      over_gamma.y.push_back(1e6 * entry.dt());
      over_motion.y.push_back(1e6 * entry.dt());
    }
    over_gamma.mark = over_motion.mark = render::Mark::line_and_points;
    if (contest.methods[m].id != "none") steps.series.push_back(std::move(over_gamma));
    if (contest.methods[m].id == "none" && !over_gamma.y.empty())
      steps.guides.push_back({over_gamma.y[0], "no damping"}), motion.guides.push_back({over_gamma.y[0], "no damping"});
    if (contest.methods[m].id != "none") motion.series.push_back(std::move(over_motion));
  }
  return {title,
          "Above: largest stable step of symplectic Euler over the amount of damping. Below: the same steps over what "
          "each leaves of the motion; long steps at the left edge are those of bodies that hardly move any more.",
          {steps, motion}};
}

render::Table step_table(const StepContest& contest, const std::string& caption) {
  render::Table table{caption,
                      {"damping", "γ", "largest step [us]", "times that of none", "motion left [%]", "energy lost [%]",
                       "by theory [us]"},
                      {},
                      {}};
  for (const StepEntry& entry : contest.entries) {
    std::vector<std::string> row = cells(contest, entry);
    row.insert(row.begin(), contest.name(entry) + (entry.is_shortened ? " *" : ""));
    row.push_back(entry.theory > 0 ? microseconds(entry.theory) : "-");
    table.rows.push_back(std::move(row));
  }
  table.note = "*: longer steps pass the short trials, but fail in the longer comparison.";
  return table;
}

render::Table best_table(const StepContest& contest, const std::string& caption, double least_motion) {
  render::Table table{caption,
                      {"damping", "γ", "largest step [us]", "times that of none", "motion left [%]", "energy lost [%]"},
                      {},
                      {}};
  for (const StepMethod& method : contest.methods) {
    std::vector<std::string> row{method.name};
    const StepEntry* best = contest.best(method.id, least_motion);
    for (const std::string& cell : best == nullptr ? std::vector<std::string>(5, "-") : cells(contest, *best))
      row.push_back(cell);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace dashpot::cli
