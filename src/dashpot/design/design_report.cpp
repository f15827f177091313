#include "dashpot/design/design_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dashpot::design {
namespace {

const std::string& name_of(const DesignTask& task, int example) {
  return task.designable.names[static_cast<std::size_t>(example)];
}

double largest_amplitude(const DesignTask& task) {
  double largest = 0;
  for (const UnloadingTarget& target : task.unloading) largest = std::max(largest, target.amplitude);
  for (const SettleTarget& target : task.settle) largest = std::max(largest, target.amplitude);
  for (const EnvelopeTarget& target : task.envelopes) largest = std::max(largest, target.amplitude);
  return largest;
}

/// One release with the gains found, and under the gains the scene had before.
render::Panel release_panel(const DesignTask& task, const DesignOutcome& outcome, int example, double amplitude,
                            double duration, const std::string& title) {
  render::Panel panel;
  panel.title = title;
  panel.x = {"time after the release", "s"};
  panel.y = {"share of the example", ""};
  panel.height = 220;
  ReleaseOptions options{example, amplitude, duration, task.options.should_stop};
  const Swing found = release(task.designable, outcome.gains, options);
  panel.series.push_back({"designed", found.time, found.chi});
  Gains before = task.start;
  const Swing plain = release(task.designable, before, options);
  panel.series.push_back({"before", plain.time, plain.chi, {}, render::Mark::dashed_line});
  return panel;
}

std::vector<render::Panel> release_panels(const DesignTask& task, const DesignOutcome& outcome) {
  std::vector<render::Panel> panels;
  for (const UnloadingReached& entry : outcome.unloading.targets) {
    const UnloadingTarget& target = entry.target;
    const Swing one = release(task.designable, outcome.gains, {target.example, target.amplitude, 0, {}});
    const double swing = one.swing_time > 0 ? one.swing_time : one.period;
    render::Panel panel =
        release_panel(task, outcome, target.example, target.amplitude, 2.5 * swing,
                      fmt::format("{} from {:.4g}: {:.4g} left, asked {:.4g}", name_of(task, target.example),
                                  target.amplitude, entry.left, target.residual));
    panel.series.push_back({"asked after one cycle", {swing}, {target.residual}, {}, render::Mark::points});
    panels.push_back(std::move(panel));
  }
  for (std::size_t i = 0; i < outcome.settle.size(); ++i) {
    const SettleTarget& target = task.settle[i];
    render::Panel panel = release_panel(
        task, outcome, target.example, target.amplitude, 1.6 * target.time,
        fmt::format("{} from {:.4g}: settled after {:.3g} s, asked {:.3g} s", name_of(task, target.example),
                    target.amplitude, outcome.settle[i].settled_after, target.time));
    panel.guides = {{target.time, "asked", true},
                    {target.band * target.amplitude, "", false},
                    {-target.band * target.amplitude, "", false}};
    panels.push_back(std::move(panel));
  }
  for (std::size_t i = 0; i < outcome.envelopes.size(); ++i) {
    const EnvelopeTarget& target = task.envelopes[i];
    render::Panel panel =
        release_panel(task, outcome, target.example, target.amplitude, target.points.back().time,
                      fmt::format("{}: measured envelope, rms error {:.2g} % of the release",
                                  name_of(task, target.example), 100 * outcome.envelopes[i].rms_error));
    render::Series measured{"measured", {}, {}, {}, render::Mark::points};
    for (const EnvelopePoint& point : target.points) {
      measured.x.push_back(point.time);
      measured.y.push_back(point.amplitude);
    }
    panel.series.push_back(std::move(measured));
    panels.push_back(std::move(panel));
  }
  return panels;
}

render::Table target_table(const DesignTask& task, const DesignOutcome& outcome) {
  render::Table table;
  table.columns = {"example", "released from", "asked", "reached", "off by", "gain there", "remark"};
  for (const UnloadingReached& entry : outcome.unloading.targets)
    table.rows.push_back({name_of(task, entry.target.example), fmt::format("{:.4g}", entry.target.amplitude),
                          fmt::format("{:.4g} left", entry.target.residual), fmt::format("{:.4g}", entry.left),
                          fmt::format("{:.2g} %", 100 * entry.error), fmt::format("{:.4g}", entry.gain),
                          entry.explanation});
  for (std::size_t i = 0; i < outcome.settle.size(); ++i) {
    const SettleTarget& target = task.settle[i];
    const SettleDesign& found = outcome.settle[i];
    table.rows.push_back({name_of(task, target.example), fmt::format("{:.4g}", target.amplitude),
                          fmt::format("within {:.3g} % after {:.4g} s", 100 * target.band, target.time),
                          fmt::format("{:.4g} s", found.settled_after), found.reached ? "" : "not reached",
                          fmt::format("{:.4g}", found.gain), found.explanation});
  }
  for (std::size_t i = 0; i < outcome.envelopes.size(); ++i)
    table.rows.push_back({name_of(task, task.envelopes[i].example), fmt::format("{:.4g}", task.envelopes[i].amplitude),
                          "an envelope", fmt::format("rms {:.2g} %", 100 * outcome.envelopes[i].rms_error), "",
                          fmt::format("{:.3g}", fmt::join(outcome.envelopes[i].knot_gains, ", ")), ""});
  return table;
}

}  // namespace

render::Panel gain_panel(const std::vector<std::string>& names, const Gains& gains, double largest_amplitude) {
  render::Panel panel;
  panel.title = "Gain of the damping along each example";
  panel.x = {"amplitude, in units of the example", ""};
  panel.y = {"gain γ", "", true};
  constexpr int num_points = 200;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    render::Series series{names[i]};
    for (int k = 0; k <= num_points; ++k) {
      series.x.push_back(1.1 * largest_amplitude * k / num_points);
      series.y.push_back(gains[i].value(series.x.back()));
    }
    panel.series.push_back(std::move(series));
  }
  panel.guides = {{1, "unchanged", false}};
  return panel;
}

render::Report design_report(const DesignTask& task, const DesignOutcome& outcome) {
  render::Report report;
  report.title = "Damping designed from targets";
  report.subtitle =
      fmt::format("{}, body {}", task.bench.spec.title.empty() ? "scene" : task.bench.spec.title, task.body);
  report.summary =
      fmt::format("{} simulations of \"{}\" alone, let go in zero gravity from its example deformations. {}",
                  outcome.simulations, task.body,
                  outcome.stopped   ? "The search was stopped: gains are the best so far."
                  : outcome.reached ? "Every target is met."
                                    : "Not every target is met; the table says which and why.");
  for (const UnloadingReached& entry : outcome.unloading.targets)
    if (!entry.reached)
      report.warnings.push_back(fmt::format("{} from {:.4g}: {}", name_of(task, entry.target.example),
                                            entry.target.amplitude, entry.explanation));
  render::Figure curves{"Gains found",
                        "Gain over amplitude for each example.",
                        {gain_panel(task.designable.names, outcome.gains, largest_amplitude(task))}};
  render::Figure releases{"Releases", "Share of the example over time: designed, and before.",
                          release_panels(task, outcome)};
  report.sections.push_back({"Targets", {target_table(task, outcome)}});
  report.sections.push_back({"Curves", {std::move(curves)}});
  report.sections.push_back({"Releases", {std::move(releases)}});
  return report;
}

}  // namespace dashpot::design
