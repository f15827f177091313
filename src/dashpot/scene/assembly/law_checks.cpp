#include "dashpot/scene/assembly/law_checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/scene/format/law_file.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

constexpr const char* why_step_matters = "the numerical damping of the step is part of what was learned";

/// "backward_euler", with its parameters where it has some.
std::string describe_stepper(const std::string& name, const JsonValue& parameters) {
  if (parameters.members.empty()) return name;
  std::string text = write_json(parameters);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return name + " " + text;
}

void check_law(const SceneSpec& spec, const ModelSpec& model, std::vector<Problem>& problems) {
  if (model.entry->parameter("law") == nullptr || !model.settings.has("law")) return;
  const std::string path = model.settings.path("law");
  const LawFile law = read_law(model.settings.reader()(path), path);
  const auto warn = [&](std::string found, std::string expected) {
    problems.push_back({model.settings.place("law"), std::move(found), std::move(expected), why_step_matters,
                        Problem::Severity::warning});
  };
  if (law.dt > 0 && std::abs(spec.time.dt - law.dt) > 1e-6 * law.dt)
    warn(fmt::format("a law learned with steps of {}, used with {}", describe_quantity(law.dt, Quantity::time),
                     describe_quantity(spec.time.dt, Quantity::time)),
         fmt::format("\"dt\": \"{}\"", describe_quantity(law.dt, Quantity::time)));
  if (law.stepper.members.empty()) return;
  const JsonMember& learned = law.stepper.members.front();
  const ModelSpec& stepper = spec.time.stepper_model;
  const std::string of_law = describe_stepper(learned.key, learned.value);
  const std::string own = learned.value.members.empty() ? stepper.name()  // by name alone
                                                        : describe_stepper(stepper.name(), stepper.settings.value());
  if (of_law != own)
    warn(fmt::format("a law learned with {}, used with {}", of_law, own),
         fmt::format("\"stepper\": \"{}\"", learned.key));
}

}  // namespace

void check_laws(const SceneSpec& spec, std::vector<Problem>& problems) {
  for (const BodySpec& body : spec.bodies) {
    if (body.material) check_law(spec, *body.material, problems);
    for (const ModelSpec& damping : body.damping) check_law(spec, damping, problems);
  }
}

}  // namespace dashpot
