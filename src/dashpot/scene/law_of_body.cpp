#include "dashpot/scene/law_of_body.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "dashpot/core/version.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

/// What belongs to a body and not to what it is made of.
constexpr std::string_view of_the_body[] = {"density", "mass", "limits", "regions", "law"};

/// A model without what belongs to the body, with the present values of its parameters.
JsonValue without_body(const ModelSpec& model, const ParameterLayout& layout, const std::vector<double>& values) {
  JsonValue result = model.settings.value();
  std::erase_if(result.members, [](const JsonMember& member) {
    return std::find(std::begin(of_the_body), std::end(of_the_body), member.key) != std::end(of_the_body);
  });
  const std::string place = model.settings.pointer() + "/";
  for (const ParameterLayout::Entry& entry : layout.entries()) {
    if (entry.info.name.rfind(place, 0) != 0) continue;
    const std::string inside = entry.info.name.substr(place.size());
    if (inside.rfind("regions/", 0) == 0) continue;
    JsonValue* target = at_pointer(result, "/" + inside);
    const double* first = values.data() + entry.first;
    if (target != nullptr && target->is(JsonValue::Kind::number) && entry.size() == 1) {
      *target = JsonValue::of(*first);
    } else if (target != nullptr && target->is(JsonValue::Kind::array) &&
               static_cast<int>(target->items.size()) == entry.size()) {
      for (std::size_t k = 0; k < target->items.size(); ++k) target->items[k] = JsonValue::of(first[k]);
    } else if (std::equal(entry.info.values.begin(), entry.info.values.end(), first)) {
      continue;  // written in other words ("zeta" for alpha and beta), and still what they say
    } else if (target == nullptr && entry.size() == 1 && model.entry->parameter(inside) != nullptr) {
      result.add(inside, JsonValue::of(*first));
    } else if (std::find(std::begin(of_the_body), std::end(of_the_body), inside) == std::end(of_the_body)) {
      throw Error(Problem{entry.info.name, "a parameter that is written otherwise in the scene",
                          "values under the parameter's own name", "give them so in the scene"});
    }
  }
  return result;
}

/// Whether it means parts of the body's mesh.
bool names_the_mesh(const ModelSpec& damping) {
  const auto given = [&](const char* name) {
    return damping.entry->parameter(name) != nullptr && damping.settings.has(name);
  };
  return given("painted") || given("examples") || given("over");
}

}  // namespace

LawFile law_of_body(const SceneSpec& scene, const BodySpec& body, const ParameterLayout& layout,
                    const std::vector<double>& values) {
  if (!body.material)
    throw Error(Problem{body.settings.place(), fmt::format("'{}' has no material", body.name), "a body with one", ""});
  for (const ModelSpec& damping : body.damping)
    if (damping.entry->share_at_rest && damping.entry->share_at_rest(damping.settings) != 1)
      throw Error(Problem{damping.settings.place(), "moduli that hold at a frequency",
                          "moduli at rest: a law keeps them as the elasticity has them",
                          "give the moduli at rest and leave the frequency out"});
  LawFile law;
  law.material = without_body(*body.material, layout, values);
  for (const ModelSpec& damping : body.damping)
    if (!names_the_mesh(damping)) law.damping.push_back(without_body(damping, layout, values));
  law.dt = scene.time.dt;
  law.stepper = JsonValue::object();
  law.stepper.add(scene.time.stepper_model.name(), scene.time.stepper_model.settings.value());
  if (body.material->entry->parameter("density") != nullptr) law.density = body.material->settings.number("density");
  law.version = version();
  law.commit = commit();
  return law;
}

}  // namespace dashpot
