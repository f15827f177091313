// Colliders against the rest of the scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "dashpot/core/units.hpp"
#include "dashpot/integrate/table_analysis.hpp"
#include "dashpot/scene/assembly/collider_assembly.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/normalize.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

/// Explicit steppers follow the stiffest spring or break; contact is often the stiffest. Friction and impact damping
/// act as impulses and set no limit.
void check_step(const SceneSpec& spec, const ColliderSpec& collider, std::vector<Problem>& problems) {
  for (const BodySpec& body : spec.bodies) {
    if (!touches(collider, body.name)) continue;
    const double limit = explicit_step_limit(BodyAssembly(spec, body, *body.built, 0), collider);
    if (spec.time.dt <= limit) continue;
    problems.push_back(
        {collider.model.settings.place(),
         fmt::format("dt = {} is too long for {} to meet \"{}\" with an explicit stepper: {}",
                     describe_quantity(spec.time.dt, Quantity::time, 3), body.name, collider.name,
                     spec.time.dt > std::sqrt(2.0) * limit ? "nodes that touch it fly off, and the run will diverge"
                                                           : "nodes bounce off with more energy than they came with"),
         fmt::format("dt below {}", describe_quantity(limit, Quantity::time, 2)),
         "or a softer stiffness, or an implicit stepper", Problem::Severity::warning});
  }
}

/// Steppers that do not damp make or lose energy where a step meets the kink of contact (docs/theory/contact.md).
void check_impact(const SceneSpec& spec, const ColliderSpec& collider, std::vector<Problem>& problems) {
  constexpr double largest = 1;
  const Integrator& stepper = spec.time.stepper;
  constexpr double annihilated = 0.01;  // of the highest frequencies, left after a step: what a kink makes dies out
  if (stepper.is_explicit() || spectral_radius(stepper, std::numeric_limits<double>::infinity()) < annihilated) return;
  const double made = 2 * std::abs(energy_made_at_kink(stepper));  // as a share of m v^2 / 2
  for (const BodySpec& body : spec.bodies) {
    if (!touches(collider, body.name)) continue;
    const double stiffness = impact_stiffness(BodyAssembly(spec, body, *body.built, 0), collider);
    if (stiffness <= largest) continue;
    problems.push_back(
        {collider.model.settings.place(),
         fmt::format(
             "dt = {} is long for the contact of {} and \"{}\": at an impact {} may make or lose about {:.0f} % "
             "of the energy by itself",
             describe_quantity(spec.time.dt, Quantity::time, 3), body.name, collider.name, stepper.name(),
             std::min(100.0, 100 * stiffness * made)),
         fmt::format("dt below {}", describe_quantity(spec.time.dt / std::sqrt(stiffness), Quantity::time, 2)),
         "or a softer stiffness, a wider onset, or the stepper bathe or backward_euler", Problem::Severity::warning});
  }
}

/// Makes a collider, or says why not.
std::shared_ptr<const Collider> build(const ModelSpec& model, double end, std::vector<Problem>& problems) {
  try {
    return with_location(model.settings.place(), [&] {
      return std::get<ColliderFactory>(model.entry->factory)(model.settings, end, problems);
    });
  } catch (const Error& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    return nullptr;
  }
}

/// Whether an error was found at this pointer or below it.
bool is_broken(const std::string& pointer, const std::vector<Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    const std::size_t found = problem.place.find(pointer);
    const std::size_t end = found + pointer.size();
    return problem.severity == Problem::Severity::error && found != std::string::npos &&
           (end == problem.place.size() || problem.place[end] == '/');
  });
}

}  // namespace

void check_intact_colliders(const std::shared_ptr<const SceneDocument>& document, std::vector<Problem>& problems) {
  const JsonValue* colliders = document->value.find("colliders");
  if (colliders == nullptr || is_broken("/time", problems)) return;
  const JsonValue* time = document->value.find("time");
  const JsonValue* end = time != nullptr ? time->find("end") : nullptr;
  if (end == nullptr) return;
  for (std::size_t i = 0; i < colliders->items.size(); ++i) {
    const std::string pointer = fmt::format("/colliders/{}", i);
    if (colliders->items[i].members.empty() || is_broken(pointer, problems)) continue;
    const JsonMember& chosen = colliders->items[i].members.front();
    const ModelEntry* entry = registry().find(Category::collider, chosen.key);
    if (entry != nullptr)
      build({entry, Settings(document, chosen.value, pointer + "/" + chosen.key)}, end->number, problems);
  }
}

void check_colliders(SceneSpec& spec, std::vector<Problem>& problems) {
  std::vector<std::string> bodies;
  for (const BodySpec& body : spec.bodies) bodies.push_back(body.name);
  std::set<std::string> names;
  for (ColliderSpec& collider : spec.colliders) {
    const Settings& settings = collider.model.settings;
    check_name(collider.name, settings.place("name"), names, problems);
    for (const std::string& name : collider.bodies)
      if (std::find(bodies.begin(), bodies.end(), name) == bodies.end()) {
        const std::string near = nearest_name(name, bodies);
        problems.push_back({settings.place("bodies"), fmt::format("no body \"{}\"", name), "names of bodies",
                            near.empty() ? "" : fmt::format("did you mean \"{}\"?", near)});
      }
    collider.built = build(collider.model, spec.time.end, problems);
    if (has_errors(problems)) continue;
    if (spec.time.stepper.is_explicit()) check_step(spec, collider, problems);
    check_impact(spec, collider, problems);
  }
}

}  // namespace dashpot
