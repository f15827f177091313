// Every integrator of integrate/ is a stepper of scenes: its entry is made from what the integrator says of itself and
// what follows from its table.

#include <fmt/format.h>

#include <cmath>

#include "dashpot/integrate/table_analysis.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {
namespace {

Integrator integrator_of(const IntegratorEntry& entry, const Settings& settings) {
  ParameterValues values;
  for (const IntegratorParameter& parameter : entry.parameters)
    if (settings.has(parameter.name)) values[parameter.name] = settings.number(parameter.name);
  return {entry.name, values};
}

Parameter scene_parameter(const IntegratorParameter& described) {
  Parameter parameter = parameter::real(described.name, described.symbol, Quantity::number, described.meaning);
  if (std::isfinite(described.low))
    described.low_open ? parameter.above(described.low) : parameter.at_least(described.low);
  if (std::isfinite(described.high))
    described.high_open ? parameter.below(described.high) : parameter.at_most(described.high);
  described.fallback ? parameter.or_else(fmt::format("{}", *described.fallback)) : parameter.may_be_absent();
  if (!described.advice.empty()) parameter.advise(described.advice);
  return parameter;
}

std::string meaning(const IntegratorEntry& entry) {
  const Integrator integrator(entry.name);
  const int solves = solves_per_step(integrator);
  return fmt::format("{}, order {}{}; {}", integrator.is_explicit() ? "explicit" : "implicit", order(integrator),
                     solves > 1 ? fmt::format(", {} solves a step", solves) : "", entry.character);
}

/// Parameters with which an implicit integrator is stable for small steps only.
void check_stability(const IntegratorEntry& entry, const Settings& settings, std::vector<Problem>& problems) {
  const double limit = stability_limit(integrator_of(entry, settings));
  if (std::isfinite(limit))
    problems.push_back({settings.place(), fmt::format("stable only while omega dt < {:.3g}", limit),
                        "parameters that are stable for every dt", entry.stability_advice, Problem::Severity::warning});
}

}  // namespace

namespace models {

void steppers(Registry& registry) {
  for (const IntegratorEntry& entry : all_integrators()) {
    ModelEntry stepper{Category::stepper, entry.name, meaning(entry), entry.reference, {}, {}};
    for (const IntegratorParameter& parameter : entry.parameters)
      stepper.parameters.push_back(scene_parameter(parameter));
    stepper.factory = StepperFactory([&entry](const Settings& settings) { return integrator_of(entry, settings); });
    if (!entry.parameters.empty() && !Integrator(entry.name).is_explicit())
      stepper.check = [&entry](const Settings& settings, std::vector<Problem>& problems) {
        check_stability(entry, settings, problems);
      };
    registry.add(std::move(stepper));
  }
}

}  // namespace models
}  // namespace dashpot
