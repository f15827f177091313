#include "dashpot/integrate/integrator.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace integrators {
#include "integrator_list.inc"
}  // namespace integrators

namespace {

std::string range_text(const IntegratorParameter& parameter) {
  return fmt::format("{} {} {} {} {}", parameter.low, parameter.low_open ? "<" : "<=", parameter.name,
                     parameter.high_open ? "<" : "<=", parameter.high);
}

const IntegratorEntry& find(const std::string& name) {
  for (const IntegratorEntry& entry : all_integrators())
    if (entry.name == name) return entry;
  const std::string nearest = nearest_name(name, integrator_names());
  throw Error(Problem{"", fmt::format("stepper '{}'", name),
                      fmt::format("one of {}", fmt::join(integrator_names(), ", ")),
                      nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)});
}

}  // namespace

bool IntegratorParameter::contains(double value) const {
  return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
}

const std::vector<IntegratorEntry>& all_integrators() {
  static const std::vector<IntegratorEntry> all = integrators::listed();
  return all;
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : all_integrators()) names.push_back(entry.name);
  return names;
}

Integrator::Integrator(const std::string& name, ParameterValues values)
    : entry_(&find(name)), values_(std::move(values)) {
  std::vector<Problem> problems;
  for (const auto& [given, value] : values_) {
    const auto& known = entry_->parameters;
    const auto is_meant = [&, wanted = given](const IntegratorParameter& p) { return p.name == wanted; };
    const auto parameter = std::find_if(known.begin(), known.end(), is_meant);
    if (parameter == known.end())
      problems.push_back({name, fmt::format("a parameter {}", given), "one that it has", ""});
    else if (!parameter->contains(value))
      problems.push_back({name, fmt::format("{} = {}", given, value), range_text(*parameter), parameter->advice});
  }
  if (!problems.empty()) throw Error(std::move(problems));
  for (const IntegratorParameter& parameter : entry_->parameters)
    if (parameter.fallback) values_.emplace(parameter.name, *parameter.fallback);
}

StageTable Integrator::table(double h, double h_previous) const {
  if (const KickDrift* scheme = kick_drift()) return kick_drift_table(h, *scheme);
  return std::get<TableFunction>(entry_->scheme)(values_, h, h_previous);
}

StageTable kick_drift_table(double h, const KickDrift& scheme) {
  const double first = scheme.first_kick;
  const LinearForm v_n = Known::v_n, a_stage = stage_unknown(0);
  const LinearForm a_start = first < 1 ? LinearForm(Known::a_n) : a_stage;
  StageTable table;
  const LinearForm v_drift = v_n + first * h * a_start;
  if (first < 1)
    table.stages = {Stage{1, v_drift + (1 - first) * h * a_start, a_stage, {}, h * v_drift}};
  else
    table.stages = {Stage{0, v_n, a_stage, {}, LinearForm()}};
  table.displacement_end = h * v_drift;
  table.v_end = v_drift + (1 - first) * h * a_stage;
  table.a_end = a_stage;
  const std::vector<Weight> kicks = {{Evaluation::start, first}, {Evaluation::end, 1 - first}};
  table.work = {WorkInterval{table.displacement_end, 1, kicks, kicks, kicks}};
  table.ends_at_last_stage = false;
  table.starts_from_last_balance = first < 1;
  return table;
}

}  // namespace dashpot
