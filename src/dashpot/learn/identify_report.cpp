#include "dashpot/learn/identify_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace dashpot::learn {
namespace {

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.2g}", 100 * share) : "-"; }

/// The best law and, where it is another one, the best Rayleigh damping.
std::vector<const IdentifiedLaw*> shown_laws(const Identification& found) {
  std::vector<const IdentifiedLaw*> shown{&found.laws.front()};
  if (found.rayleigh > 0) shown.push_back(&found.laws[static_cast<std::size_t>(found.rayleigh)]);
  return shown;
}

render::Series points_of(const std::string& name, const analysis::RingDown& ring, double from, double to,
                         const std::function<double(const analysis::RingCycle&)>& x,
                         const std::function<double(const analysis::RingCycle&)>& y, render::Mark mark) {
  render::Series series{name, {}, {}, {}, mark};
  for (const analysis::RingCycle& cycle : ring.cycles) {
    if (cycle.time < from || cycle.time > to) continue;
    series.x.push_back(x(cycle));
    series.y.push_back(y(cycle));
  }
  return series;
}

double worst_of(const IdentifiedLaw& law, double RingFit::*error) {
  double worst = std::nan("");
  for (const RingFit& fit : law.runs)
    if (std::isfinite(fit.*error)) worst = std::isnan(worst) ? fit.*error : std::max(worst, fit.*error);
  return worst;
}

}  // namespace

render::Table laws_table(const Identification& found) {
  render::Table table{
      "Laws of damping, the best first",
      {"law", "unknowns", "predicted [%]", "fitted [%]", "frequency [%]", "BIC"},
      {},
      "Worst relative error of the envelope of any run in the half that was predicted and in that which "
      "was fitted; worst error of the frequency; Bayesian information criterion: lower is better, "
      "differences below 2 say nothing."};
  for (const IdentifiedLaw& law : found.laws) {
    if (!law.usable()) {
      table.rows.push_back({law.law.name, "", "failed", "-", "-", "-"});
      continue;
    }
    double frequency = 0;
    for (const RingFit& fit : law.runs) frequency = std::max(frequency, std::abs(fit.frequency_error));
    table.rows.push_back({law.law.name, fmt::format("{}", law.num_unknowns),
                          percent(worst_of(law, &RingFit::held_error)), percent(worst_of(law, &RingFit::fitted_error)),
                          percent(frequency), fmt::format("{:.1f}", law.bic)});
  }
  return table;
}

render::Table values_table(const Identification& found) {
  render::Table table{"What was identified",
                      {"law", "number", "value", "standard error", "between runs"},
                      {},
                      "Standard errors follow from the residuals, which agree with each other over time and between "
                      "points; that is counted. Between runs: standard deviation of fits to each run alone."};
  for (const IdentifiedLaw* law : shown_laws(found))
    for (const IdentifiedValue& value : law->values)
      table.rows.push_back({law->law.name, value.name, describe_quantity(value.value, value.quantity, 4),
                            describe_quantity(value.error, value.quantity, 2),
                            value.alone.empty() ? "-" : describe_quantity(value.scatter, value.quantity, 2)});
  return table;
}

render::Table runs_table(const Identification& found) {
  render::Table table{
      "Runs",
      {"run", "measured [Hz]", "simulated [Hz]", "measured ζ", "simulated ζ", "envelope fitted [%]", "predicted [%]",
       "start: moved [mm]", "thrown [mm/s]"},
      {},
      "Of the best law. The last two columns are what the release had that the scene does not have, along "
      "the mode that is seen."};
  const IdentifiedLaw& best = found.laws.front();
  for (std::size_t r = 0; r < best.runs.size(); ++r) {
    const RingFit& fit = best.runs[r];
    table.rows.push_back({found.run_names[r], fmt::format("{:.4g}", found.measured[r].ring.frequency),
                          fmt::format("{:.4g}", fit.ring.frequency), fmt::format("{:.4f}", found.measured[r].ring.zeta),
                          fmt::format("{:.4f}", fit.ring.zeta), percent(fit.fitted_error), percent(fit.held_error),
                          fmt::format("{:.3g}", 1e3 * fit.displacement), fmt::format("{:.3g}", 1e3 * fit.velocity)});
  }
  return table;
}

render::Figure motion_figure(const Identification& found) {
  render::Figure figure{"Measured over simulated", "Mean of the points along the main direction of each run.", {}};
  const IdentifiedLaw& best = found.laws.front();
  for (std::size_t r = 0; r < best.runs.size(); ++r) {
    const MeasuredRing& ring = found.measured[r];
    const RingFit& fit = best.runs[r];
    render::Panel panel;
    panel.title = found.run_names[r];
    panel.x = {"time since the release", "s"};
    panel.y = {"displacement", "mm"};
    panel.height = 220;
    render::Series measured{"measured", {}, {}, {}, render::Mark::points}, simulated{best.law.name, {}, {}};
    // Both about their means over what is shown.
    double offset = 0, count = 0;
    for (std::size_t i = 0, k = 0; i < ring.time.size(); ++i) {
      while (k < fit.time.size() && fit.time[k] < ring.time[i] - 1e-9) ++k;
      if (k == fit.time.size() || std::abs(fit.time[k] - ring.time[i]) > 1e-9 || fit.time[k] < ring.from) continue;
      offset += fit.signal[k] - ring.signal[i];
      count += 1;
    }
    if (count > 0) offset /= count;
    for (std::size_t i = 0; i < ring.time.size(); ++i) {
      if (!fit.time.empty() && ring.time[i] > fit.time.back()) break;
      measured.x.push_back(ring.time[i]);
      measured.y.push_back(1e3 * (ring.signal[i] + offset));
    }
    simulated.x = fit.time;
    for (const double s : fit.signal) simulated.y.push_back(1e3 * s);
    panel.series = {simulated, measured};
    panel.guides = {{ring.from, "looked at from here", true}, {ring.middle, "predicted from here", true}};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

render::Figure envelope_figure(const Identification& found) {
  render::Figure figure{"Envelopes", "Amplitude of each half cycle, free of drift.", {}};
  for (std::size_t r = 0; r < found.measured.size(); ++r) {
    const MeasuredRing& ring = found.measured[r];
    render::Panel panel;
    panel.title = found.run_names[r];
    panel.x = {"time since the release", "s"};
    panel.y = {"amplitude", "mm", true};
    panel.height = 220;
    const auto time = [](const analysis::RingCycle& c) { return c.time; };
    const auto amplitude = [](const analysis::RingCycle& c) { return 1e3 * c.amplitude; };
    panel.series.push_back(points_of("measured", ring.ring, ring.from, ring.to, time, amplitude, render::Mark::points));
    for (const IdentifiedLaw* law : shown_laws(found))
      panel.series.push_back(points_of(law->law.name, law->runs[r].ring, ring.from, ring.to, time, amplitude,
                                       law == &found.laws.front() ? render::Mark::line : render::Mark::dashed_line));
    panel.guides = {{ring.middle, "predicted from here", true}};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

render::Figure zeta_figure(const Identification& found) {
  render::Figure figure{"Damping ratio over amplitude", "Of each half cycle.", {}};
  for (std::size_t r = 0; r < found.measured.size(); ++r) {
    const MeasuredRing& ring = found.measured[r];
    render::Panel panel;
    panel.title = found.run_names[r];
    panel.x = {"amplitude", "mm", true};
    panel.y = {"damping ratio", "", false, 0.0};
    panel.height = 220;
    const auto amplitude = [](const analysis::RingCycle& c) { return 1e3 * c.amplitude; };
    const auto zeta = [](const analysis::RingCycle& c) { return c.zeta; };
    panel.series.push_back(points_of("measured", ring.ring, ring.from, ring.to, amplitude, zeta, render::Mark::points));
    for (const IdentifiedLaw* law : shown_laws(found))
      panel.series.push_back(points_of(law->law.name, law->runs[r].ring, ring.from, ring.to, amplitude, zeta,
                                       law == &found.laws.front() ? render::Mark::line : render::Mark::dashed_line));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

render::Report identify_report(const Identification& found, const IdentifyOptions& options) {
  const IdentifiedLaw& best = found.laws.front();
  render::Report report;
  report.title = "Identified from ring-downs";
  report.subtitle = found.body;
  std::string values;
  for (const IdentifiedValue& value : best.values) {
    values += fmt::format("{}{} {} ± {}", values.empty() ? "" : ", ", value.name,
                          describe_quantity(value.value, value.quantity, 4),
                          describe_quantity(value.error, value.quantity, 2));
    report.key_figures.push_back({value.name, describe_quantity(value.value, value.quantity, 4), "",
                                  "± " + describe_quantity(value.error, value.quantity, 2)});
  }
  const bool predicts = options.fitted_share < 1;
  report.summary = fmt::format(
      "Of {} laws of damping, {} meets {} best: {}. {}", found.laws.size(), best.law.name,
      found.measured.size() == 1 ? "the capture" : fmt::format("the {} captures", found.measured.size()), values,
      predicts ? fmt::format("Fitted to the first {:.0f} % of what is looked at, it predicts the envelope of the rest "
                             "within {} %.",
                             100 * options.fitted_share, percent(best.held_error))
               : "Everything was fitted, so nothing says how well it predicts.");
  if (predicts && found.rayleigh > 0)
    report.summary += fmt::format(" The best Rayleigh damping, {}, is off by {} %.",
                                  found.laws[static_cast<std::size_t>(found.rayleigh)].law.name,
                                  percent(found.laws[static_cast<std::size_t>(found.rayleigh)].held_error));
  report.warnings = found.warnings;
  report.sections.push_back({"How well it rings as measured", {motion_figure(found), runs_table(found)}});
  report.sections.push_back({"Damping", {envelope_figure(found), zeta_figure(found), laws_table(found)}});
  report.sections.push_back({"Numbers", {values_table(found)}});
  return report;
}

}  // namespace dashpot::learn
