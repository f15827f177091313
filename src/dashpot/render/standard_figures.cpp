#include "dashpot/render/standard_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/render/ticks.hpp"

namespace dashpot::render {
namespace {

constexpr double round_off = 1e-9;  ///< share of all energy: less is told as zero

/// A potential is known up to a constant: one that goes below zero is counted from its lowest value.
Column counted_from_zero(Column column) {
  const auto lowest = std::min_element(column.values.begin(), column.values.end());
  if (lowest == column.values.end() || !(*lowest < 0)) return column;
  const double shift = *lowest;
  for (double& v : column.values) v -= shift;
  column.name += " (above its lowest)";
  return column;
}

bool is_negligible(const std::vector<double>& values, double total) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return !(std::abs(v) > round_off * total); });
}

/// Energy at the start, with every stored part counted as it is drawn.
double initial_energy(const EnergyColumns& energies) {
  double sum = 0;
  for (const Column& c : energies.stored)
    if (!c.values.empty()) sum += counted_from_zero(c).values.front();
  return sum;
}

double entered_energy(const EnergyColumns& energies) {
  double most = 0;
  for (const double w : energies.external) most = std::max(most, w);
  return initial_energy(energies) + most;
}

std::string percent(double share) {
  if (!std::isfinite(share)) return "\u2014";
  if (std::abs(share) < 1e-4) return std::abs(share) < round_off ? "0 %" : "< 0.01 %";
  return plain_number(100 * share, 3) + " %";
}

/// A value in a readable unit; what is below round-off of `total` is zero.
std::string readable(double value, double total, const ReadableUnit& unit) {
  return plain_number(std::abs(value) < round_off * std::abs(total) ? 0 : value / unit.factor, 4);
}

}  // namespace

Figure energy_figure(const EnergyColumns& energies) {
  Panel panel;
  panel.x = {"time", "s"};
  panel.y = {"energy", "J"};
  panel.is_stacked = true;
  panel.height = 340;
  const double total = entered_energy(energies);
  // Colors follow the role: stored energies first, losses after them, so reports of one scene agree.
  for (const Column& c : energies.stored) {
    Column column = counted_from_zero(c);
    panel.series.push_back({std::move(column.name), energies.time, std::move(column.values)});
  }
  for (const Column& c : energies.lost) panel.series.push_back({"lost: " + c.name, energies.time, c.values});
  for (std::size_t i = 0; i < panel.series.size(); ++i) panel.series[i].color = static_cast<int>(i);
  std::erase_if(panel.series, [&](const Series& s) { return is_negligible(s.y, total); });
  if (energies.external.empty() && total > 0) {
    const ReadableUnit unit = readable_unit(total, "J");
    panel.guides.push_back(
        {total, fmt::format("at the start: {} {}", plain_number(total / unit.factor, 3), unit.unit)});
  }
  Figure figure;
  figure.title = "Where every joule went";
  figure.description =
      "Energy stored in the motion and, stacked on top, what has been lost so far and to what. The upper edge stays "
      "level "
      "when nothing is unaccounted for and no external work is done.";
  figure.panels = {std::move(panel)};
  return figure;
}

Table energy_table(const EnergyColumns& energies) {
  Table table;
  const double total = entered_energy(energies);
  const ReadableUnit unit = readable_unit(total, "J");
  table.columns = {"where", fmt::format("energy at the end [{}]", unit.unit), "share of all that entered"};
  const auto add = [&](const std::string& name, const std::vector<double>& values) {
    if (!values.empty())
      table.rows.push_back({name, readable(values.back(), total, unit), percent(values.back() / total)});
  };
  for (const Column& c : energies.stored) {
    const Column column = counted_from_zero(c);
    add("still stored: " + column.name, column.values);
  }
  for (const Column& c : energies.lost) add("lost: " + c.name, c.values);
  table.note = fmt::format("Entered: {} {} (energy at the start plus the largest external work).",
                           plain_number(total / unit.factor, 4), unit.unit);
  return table;
}

Figure decay_figure(const std::vector<Decay>& decays, const std::string& quantity, const std::string& unit) {
  Panel panel;
  panel.x = {"time", "s"};
  panel.y = {quantity, unit, true};
  for (const Decay& d : decays) panel.series.push_back({d.name, d.time, d.amplitude});
  Figure figure;
  figure.title = "Decay";
  figure.description =
      "Amplitude over time on a logarithmic axis: a straight line means that each cycle loses the same share; steeper "
      "is more "
      "damping.";
  figure.panels = {std::move(panel)};
  return figure;
}

Figure damping_curve_figure(const std::vector<DampingCurve>& curves, const std::string& unit, double reference,
                            const std::string& meaning) {
  Panel panel;
  panel.x = {"amplitude", unit, true};
  panel.y = {"damping ratio \u03b6", ""};
  panel.y.min = 0;
  for (const DampingCurve& c : curves)
    panel.series.push_back({c.name, c.amplitude, c.zeta, c.spread, Mark::line_and_points});
  if (reference > 0) panel.guides.push_back({reference, meaning + ": " + plain_number(reference, 3)});
  Figure figure;
  figure.title = "Damping ratio against amplitude";
  figure.description =
      "Each point is the median of several cycles of similar amplitude, the bar their spread. A level line is linear "
      "damping; "
      "a slope means that large and small motions are damped differently.";
  figure.panels = {std::move(panel)};
  return figure;
}

Figure momentum_figure(const std::vector<double>& time, const std::vector<Column>& linear,
                       const std::vector<Column>& angular) {
  Figure figure;
  figure.title = "Momentum";
  figure.description =
      "Linear and angular momentum. Without supports and external forces both must stay level; a damping that changes "
      "them acts "
      "like a drag on the whole body.";
  figure.columns = 2;
  const auto add = [&](const char* title, const char* label, const char* unit, const std::vector<Column>& columns) {
    Panel panel;
    panel.title = title;
    panel.x = {"time", "s"};
    panel.y = {label, unit};
    panel.height = 220;
    for (const Column& c : columns) panel.series.push_back({c.name, time, c.values});
    if (!columns.empty()) figure.panels.push_back(std::move(panel));
  };
  add("Linear momentum", "momentum", "kg m/s", linear);
  add("Angular momentum", "momentum", "kg m\u00b2/s", angular);
  return figure;
}

Table acting_damping_table(const std::vector<ActingDamping>& dampings, double frequency) {
  Table table;
  const std::string at = std::isfinite(frequency) && frequency > 0 ? " at " + plain_number(frequency, 3) + " Hz" : "";
  double total = 0;
  for (const ActingDamping& d : dampings) total += std::isfinite(d.loss) ? d.loss : 0;
  const ReadableUnit unit = readable_unit(std::abs(total), "J");
  table.columns = {"damping", "parameters", "damping ratio" + at, fmt::format("energy taken [{}]", unit.unit),
                   "share of losses"};
  for (const ActingDamping& d : dampings)
    table.rows.push_back({d.is_numerical ? d.name + " (the integrator\u2019s own)" : d.name, d.parameters,
                          plain_number(d.zeta, 3), readable(d.loss, total, unit),
                          total > 0 ? percent(d.loss / total) : "\u2014"});
  table.note =
      "All damping that acts, asked for or not. The integrator's own is an error of the time step, not of the "
      "material.";
  return table;
}

}  // namespace dashpot::render
