#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/core/types.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/render/ticks.hpp"
#include "dashpot/scene/report/entered_energy.hpp"
#include "dashpot/scene/report/report_parts.hpp"
#include "dashpot/scene/report/report_pictures.hpp"

namespace dashpot {
namespace {

using render::plain_number;

const ProbeRing* first_ring(const MeasuredRun& outcome) {
  return outcome.rings.empty() ? nullptr : &outcome.rings.front();
}

double asked_loss(const MeasuredRun& outcome) {
  double sum = 0;
  for (const std::string& column : outcome.run.ledger.columns_beginning("damping."))
    sum += outcome.run.final_value(column);
  return sum;
}

render::Table overview_table(const std::vector<ComparedRun>& runs) {
  render::Table table{
      "",
      {"run", "f [Hz]", "\u03b6 asked", "\u03b6 measured", "\u00b1", "left [%]", "by damping [%]", "by integrator [%]"},
      {},
      "\u03b6 is the damping ratio; shares are of the energy at the start and what was put in later, gravity counted "
      "from the lowest the bodies came to: left in the body, taken by damping, taken by the integrator without being "
      "asked."};
  for (const ComparedRun& run : runs) {
    const ProbeRing* ring = first_ring(*run.outcome);
    const EnteredEnergy energy = entered_energy(run.outcome->run);
    const auto share = [&](double part) {
      const double percent = energy.entered > 0 ? 100 * energy.rounded(part) / energy.entered : nan;
      return plain_number(percent, 3);
    };
    table.rows.push_back({run.name, plain_number(ring ? ring->ring.frequency : nan, 4),
                          plain_number(run.asked_zeta > 0 ? run.asked_zeta : nan, 3),
                          plain_number(ring ? ring->ring.zeta : nan, 3),
                          plain_number(ring ? ring->ring.zeta_deviation : nan, 2), share(energy.left),
                          share(asked_loss(*run.outcome)), share(run.outcome->run.final_value("numerical"))});
  }
  return table;
}

/// Stored energy of every run over time, on a logarithmic axis. Gravity has one zero for all runs, so that curves of
/// bodies that start alike start together.
render::Figure stored_energy_figure(const std::vector<ComparedRun>& runs) {
  render::Figure figure;
  figure.title = "Energy left in the body";
  figure.description =
      "Kinetic, elastic and gravitational energy together, gravity counted from the lowest the bodies came to in any "
      "of "
      "the runs; a straight line loses the same share every second.";
  render::Panel panel;
  panel.x = {"time", "s"};
  panel.y = {"stored energy", "J", true};
  double zero = 0;
  for (const ComparedRun& run : runs) zero = std::min(zero, entered_energy(run.outcome->run).zero);
  for (const ComparedRun& run : runs) {
    std::vector<double> total(run.outcome->run.ledger.num_rows(), -zero);
    std::vector<std::string> columns = run.outcome->run.ledger.columns_beginning("elastic.");
    columns.insert(columns.end(), {"kinetic", "gravity"});
    for (const std::string& column : columns)
      for (std::size_t row = 0; row < total.size(); ++row) total[row] += run.outcome->run.ledger.column(column)[row];
    panel.series.push_back({run.name, run.outcome->run.ledger.column("time"), total});
  }
  figure.panels = {panel};
  return figure;
}

render::Figure motion_of_all(const std::vector<ComparedRun>& runs) {
  render::Figure figure;
  figure.title = "Motion";
  figure.description = "The measured point in every run.";
  render::Panel panel;
  panel.x = {"time", "s"};
  panel.y = {"position", "m"};
  for (const ComparedRun& run : runs)
    if (const ProbeRing* ring = first_ring(*run.outcome))
      panel.series.push_back(
          {run.name, run.outcome->run.probes.column("time"), run.outcome->run.probes.column(ring->column)});
  figure.panels = {panel};
  return figure;
}

render::Section ring_section(const std::vector<ComparedRun>& runs) {
  std::vector<render::Decay> decays;
  std::vector<render::DampingCurve> curves;
  double asked = 0;
  for (const ComparedRun& run : runs) {
    const ProbeRing* ring = first_ring(*run.outcome);
    if (ring == nullptr) continue;
    if (!ring->ring.cycles.empty()) decays.push_back(decay_of(*ring, run.name));
    if (!ring->ring.by_amplitude.empty()) curves.push_back(damping_curve_of(*ring, run.name));
    asked = std::max(asked, run.asked_zeta);
  }
  render::Section section{decays.empty() ? "How it moves" : "How it rings", {motion_of_all(runs)}};
  if (!decays.empty()) section.blocks.push_back(render::decay_figure(decays, "amplitude", "m"));
  if (!curves.empty()) section.blocks.push_back(render::damping_curve_figure(curves, "m", asked));
  return section;
}

}  // namespace

render::Report comparison_report(const std::string& title, const std::vector<ComparedRun>& runs,
                                 const Provenance& provenance) {
  render::Report report;
  report.title = title;
  report.subtitle = fmt::format("{} runs of {}", runs.size(), provenance.input);
  report.summary =
      "The same body, let go in the same way, under different dampings or integrators. Each run keeps a ledger in "
      "which every "
      "joule is found again: in the motion, in a damping that was asked for, or in the integrator, which takes its "
      "share "
      "without being asked.";
  report.sections.push_back({"Side by side", {overview_table(runs), stored_energy_figure(runs)}});
  if (std::vector<render::Block> pictures = comparison_pictures(runs); !pictures.empty())
    report.sections.push_back({"What they look like", std::move(pictures)});
  report.sections.push_back(ring_section(runs));
  for (const ComparedRun& run : runs) {
    if (run.outcome->run.status == RunStatus::diverged)
      report.warnings.push_back(fmt::format("{} diverged: {}", run.name, run.outcome->run.explanation));
    const ProbeRing* ring = first_ring(*run.outcome);
    const double frequency = ring ? ring->ring.natural_frequency : nan;
    const render::EnergyColumns energies = energy_columns(*run.outcome);
    report.sections.push_back(
        {"Ledger: " + run.name,
         {render::energy_figure(energies), render::energy_table(energies),
          render::acting_damping_table(acting_dampings(*run.scene, *run.outcome, frequency), frequency)}});
  }
  if (!runs.empty()) report.provenance = provenance_rows(*runs.front().scene, *runs.front().outcome, provenance);
  return report;
}

}  // namespace dashpot
