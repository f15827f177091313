#include "dashpot/scene/report/run_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "dashpot/analysis/modal_damping.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/render/standard_figures.hpp"
#include "dashpot/render/ticks.hpp"
#include "dashpot/scene/report/entered_energy.hpp"
#include "dashpot/scene/report/report_parts.hpp"
#include "dashpot/scene/report/report_pictures.hpp"

namespace dashpot {
namespace {

using render::plain_number;

constexpr double round_off_share = 1e-9;  ///< of the energy that entered: less is nobody's loss

std::string percent(double share) {
  if (std::abs(share) < round_off_share) return "0 %";
  return std::isfinite(share) ? plain_number(100 * share, 3) + " %" : std::string("\u2014");
}

std::string summary_sentence(const CompiledScene& scene, const MeasuredRun& outcome) {
  const EnteredEnergy energy = entered_energy(outcome.run);
  std::string text = fmt::format(
      "In {} the stored energy{} went from {} to {}.", describe_quantity(outcome.run.state.time, Quantity::time, 3),
      energy.zero < 0 ? " (that of gravity counted from the lowest the bodies came to)" : "",
      describe_quantity(energy.start, Quantity::energy, 3), describe_quantity(energy.left, Quantity::energy, 3));
  double asked = 0;
  for (const std::string& column : outcome.run.ledger.columns_beginning("damping."))
    asked += outcome.run.final_value(column);
  const double numerical = outcome.run.final_value("numerical");
  const bool is_round_off = std::abs(numerical_share(outcome.run)) < round_off_share;
  text += fmt::format(" Damping that was asked for took {}; the integrator ({} at {}) {}.",
                      describe_quantity(asked, Quantity::energy, 3), scene.spec.time.stepper.name(),
                      describe_quantity(scene.run.dt, Quantity::time, 3),
                      is_round_off ? std::string("took nothing but round-off")
                                   : fmt::format("{} {} on its own", numerical < 0 ? "added" : "took",
                                                 describe_quantity(std::abs(numerical), Quantity::energy, 3)));
  if (!outcome.rings.empty()) {
    const ProbeRing& ring = outcome.rings.front();
    if (std::isfinite(ring.ring.zeta))
      text +=
          fmt::format(" Probe {} rings at {} with a damping ratio of {}.", ring.probe,
                      describe_quantity(ring.ring.frequency, Quantity::frequency, 4), plain_number(ring.ring.zeta, 3));
  }
  return text;
}

std::vector<render::KeyFigure> key_figures(const CompiledScene& scene, const MeasuredRun& outcome) {
  std::vector<render::KeyFigure> figures;
  for (const ProbeRing& ring : outcome.rings) {
    if (!std::isfinite(ring.ring.zeta)) continue;
    figures.push_back({"frequency of " + ring.probe, plain_number(ring.ring.frequency, 4), "Hz"});
    figures.push_back({"damping ratio of " + ring.probe, plain_number(ring.ring.zeta, 3), "",
                       "\u00b1 " + plain_number(ring.ring.zeta_deviation, 2)});
    if (figures.size() >= 4) break;
  }
  figures.push_back({"lost by the integrator", percent(numerical_share(outcome.run)), "",
                     scene.spec.time.stepper.name() + " at " + describe_quantity(scene.run.dt, Quantity::time, 3)});
  figures.push_back({"wall time", plain_number(outcome.run.counters.wall_seconds, 3), "s",
                     fmt::format("{} steps", outcome.run.counters.steps)});
  return figures;
}

std::vector<std::string> warnings_of(const CompiledScene& scene, const MeasuredRun& outcome) {
  std::vector<std::string> warnings;
  for (const Problem& problem : scene.spec.warnings) warnings.push_back(problem.text());
  for (const ProbeRing& ring : outcome.rings) {
    if (!ring.obstacle.empty()) warnings.push_back(fmt::format("Probe {}: {}.", ring.probe, ring.obstacle));
    for (const analysis::RingDownFlag flag : ring.ring.flags)
      if (ring.obstacle.empty()) warnings.push_back(fmt::format("Probe {}: {}", ring.probe, analysis::flag_text(flag)));
  }
  for (std::string& warning : closing_warnings(scene, outcome)) warnings.push_back(std::move(warning));
  return warnings;
}

render::Section ring_section(const MeasuredRun& outcome) {
  std::vector<render::Decay> decays;
  std::vector<render::DampingCurve> curves;
  render::Table table{
      "", {"probe", "frequency [Hz]", "damping ratio", "\u00b1", "loss factor", "settles to 5 % in [s]"}, {}, ""};
  for (const ProbeRing& ring : outcome.rings) {
    if (!ring.ring.cycles.empty()) decays.push_back(decay_of(ring, ring.column));
    if (!ring.ring.by_amplitude.empty()) curves.push_back(damping_curve_of(ring, ring.column));
    table.rows.push_back({ring.column, plain_number(ring.ring.frequency, 5), plain_number(ring.ring.zeta, 4),
                          plain_number(ring.ring.zeta_deviation, 2), plain_number(2 * ring.ring.zeta, 4),
                          plain_number(ring.ring.settle.empty() ? nan : ring.ring.settle.front().measured, 4)});
  }
  render::Section section{decays.empty() ? "How it moves" : "How it rings", {table, motion_figure(outcome)}};
  if (!decays.empty()) section.blocks.push_back(render::decay_figure(decays, "amplitude", "m"));
  if (!curves.empty()) section.blocks.push_back(render::damping_curve_figure(curves, "m"));
  return section;
}

render::Section solver_section(const CompiledScene& scene, const MeasuredRun& outcome) {
  const RunCounters& c = outcome.run.counters;
  const Prediction size = predict(scene.spec);
  render::Table table{"", {"what", "how much"}, {}, ""};
  table.rows = {{"nodes, tets, degrees of freedom", fmt::format("{}, {}, {}", size.nodes, size.tets, size.dofs)},
                {"steps", fmt::format("{}", c.steps)},
                {"steps that were split into shorter ones",
                 c.substepped == 0 ? std::string("0")
                                   : fmt::format("{}, the shortest {}", c.substepped,
                                                 describe_quantity(c.shortest_substep, Quantity::time, 3))},
                {"Newton iterations", fmt::format("{}", c.newton_iterations)},
                {"factorizations", fmt::format("{}", c.factorizations)},
                {"iterations of the linear solver", fmt::format("{}", c.linear_iterations)},
                {"new analyses for touching bodies", fmt::format("{}", c.analyses)},
                {"steps with an indefinite tangent", fmt::format("{}", c.projected)},
                {"largest relative residual", plain_number(c.worst_residual, 2)},
                {"state hash at the end", fmt::format("{:016x}", outcome.run.state.hash())}};
  return {"Solver", {table}, true};
}

/// What somebody turned on the way, one line each.
std::vector<render::Block> turns_of(const RunResult& run) {
  std::vector<render::Block> lines;
  for (const RunEvent& event : run.events)
    if (event.kind == RunEvent::Kind::turned) lines.push_back(render::Paragraph{event.text});
  return lines;
}

}  // namespace

std::vector<std::string> closing_warnings(const CompiledScene& scene, const MeasuredRun& outcome) {
  std::vector<std::string> warnings;
  constexpr double worth_a_warning = 0.2;
  if (const double share = numerical_share(outcome.run); std::abs(share) > worth_a_warning)
    warnings.push_back(fmt::format(
        "{} at {} {} {} of all energy by itself: this motion shows the integrator more than the damping that was asked "
        "for. A smaller dt makes that less, and midpoint or trapezoid lose next to nothing where they are stable",
        scene.spec.time.stepper.name(), describe_quantity(scene.run.dt, Quantity::time, 3),
        share > 0 ? "took" : "added", percent(std::abs(share))));
  for (const RunEvent& event : outcome.run.events)
    if (event.kind == RunEvent::Kind::energy_created) warnings.push_back(event.text);
  return warnings;
}

double numerical_share(const RunResult& run) {
  const double entered = entered_energy(run).entered;
  return entered > 0 ? run.final_value("numerical") / entered : nan;
}

std::vector<std::pair<std::string, std::string>> provenance_rows(const CompiledScene& scene, const MeasuredRun& outcome,
                                                                 const Provenance& provenance) {
  std::string files;
  for (const InputFile& file : scene.run.inputs)
    files += fmt::format("{}{} (hash {})", files.empty() ? "" : ", ", file.path, file.hash);
  return {{"command", provenance.command},
          {"scene", provenance.input},
          {"scene hash", provenance.input_hash},
          {"files read for it", files.empty() ? "none" : files},
          {"fingerprint of scene and files", scene.run.fingerprint},
          {"seed", fmt::format("{}", scene.spec.seed)},
          {"threads", fmt::format("{}", num_threads())},
          {"integrator",
           fmt::format("{}, dt {}", scene.spec.time.stepper.name(), describe_quantity(scene.run.dt, Quantity::time))},
          {"wall time", fmt::format("{:.2f} s", outcome.run.counters.wall_seconds)}};
}

render::Report run_report(const CompiledScene& scene, const MeasuredRun& outcome, const Provenance& provenance) {
  render::Report report;
  report.title = scene.spec.title.empty() ? "A Dashpot run" : scene.spec.title;
  report.subtitle = provenance.input;
  if (outcome.run.status == RunStatus::diverged)
    report.failure = fmt::format(
        "The simulation diverged at {} of {}: {}. Everything below ends with the last state that was reached.",
        describe_quantity(outcome.run.state.time, Quantity::time, 4),
        describe_quantity(scene.run.end, Quantity::time, 4), outcome.run.explanation);
  report.summary = summary_sentence(scene, outcome);
  report.key_figures = key_figures(scene, outcome);
  report.warnings = warnings_of(scene, outcome);
  if (std::vector<render::Block> pictures = run_pictures(outcome.run); !pictures.empty())
    report.sections.push_back({"What it looks like", std::move(pictures)});
  const render::EnergyColumns energies = energy_columns(outcome);
  const double frequency = outcome.rings.empty() ? nan : outcome.rings.front().ring.natural_frequency;
  report.sections.push_back(
      {"Where the energy went", {render::energy_figure(energies), render::energy_table(energies)}});
  report.sections.push_back(
      {"Damping that acted", {render::acting_damping_table(acting_dampings(scene, outcome, frequency), frequency)}});
  if (std::vector<render::Block> turns = turns_of(outcome.run); !turns.empty())
    report.sections.push_back({"What was turned on the way", std::move(turns)});
  if (!outcome.rings.empty()) report.sections.push_back(ring_section(outcome));
  report.sections.push_back({"Momentum", {momentum_of(outcome)}, true});
  report.sections.push_back(solver_section(scene, outcome));
  report.sections.push_back({"Scene, with every default filled in", {render::Verbatim{filled_in(scene.spec)}}, true});
  report.provenance = provenance_rows(scene, outcome, provenance);
  return report;
}

void write_run_report(const std::string& folder, const CompiledScene& scene, const MeasuredRun& outcome,
                      const Provenance& provenance) {
  write_file_atomically(folder + "/summary.json", run_summary(scene, outcome, provenance));
  write_file_atomically(folder + "/report.html", render::to_html(run_report(scene, outcome, provenance)));
}

}  // namespace dashpot
