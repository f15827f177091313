#include "studio_registry.hpp"

#include <cmath>

#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/schema.hpp"
#include "json_build.hpp"

namespace dashpot::studio {
namespace {

const char* kind_name(ValueType::Kind kind) {
  switch (kind) {
    case ValueType::Kind::boolean:
      return "boolean";
    case ValueType::Kind::integer:
      return "integer";
    case ValueType::Kind::real:
      return "real";
    case ValueType::Kind::text:
      return "text";
    case ValueType::Kind::file:
      return "file";
    case ValueType::Kind::choice:
      return "choice";
    case ValueType::Kind::list:
      return "list";
    case ValueType::Kind::object:
      return "object";
    case ValueType::Kind::model:
      return "model";
    case ValueType::Kind::regions:
      return "regions";
  }
  return "real";
}

JsonValue parameter_json(const Parameter& parameter, const ModelEntry* model);

/// What is known of a type alone, into the description of a parameter.
void add_type(const ValueType& type, const ModelEntry* model, JsonValue& out) {
  out.add("kind", json(kind_name(type.kind)));
  const std::string unit = quantity_info(type.quantity).unit;
  out.add("unit", json(unit.empty() && type.kind == ValueType::Kind::real ? "1" : unit));
  out.add("minimum", json(type.range.low));
  out.add("maximum", json(type.range.high));
  if (!type.choices.empty()) out.add("choices", json(type.choices));
  if (type.kind == ValueType::Kind::model) out.add("category", json(category_info(type.category).name));
  JsonValue fields = JsonValue::array();
  for (const Parameter& field : type.fields) fields.push(parameter_json(field, model));
  if (type.kind == ValueType::Kind::regions && model != nullptr)
    for (const Parameter& field : model->parameters)
      if (field.per_region) fields.push(parameter_json(field, nullptr));
  if (!fields.items.empty()) out.add("fields", fields);
  if (!type.element.empty()) {
    JsonValue element = object({{"name", json("")}, {"meaning", json("")}});
    add_type(type.element.front(), model, element);
    out.add("element", element);
  }
}

JsonValue parameter_json(const Parameter& parameter, const ModelEntry* model) {
  JsonValue out = object({{"name", json(parameter.name)},
                          {"symbol", json(parameter.symbol)},
                          {"meaning", json(parameter.meaning)},
                          {"required", json(parameter.required && parameter.fallback.empty())}});
  add_type(parameter.type, model, out);
  if (!parameter.fallback.empty()) out.add("default", parse_json(parameter.fallback, "").value);
  return out;
}

}  // namespace

std::string registry_json() {
  JsonValue models = JsonValue::array();
  for (const ModelEntry& entry : registry().entries()) {
    JsonValue parameters = JsonValue::array(), examples = JsonValue::array();
    for (const Parameter& parameter : entry.parameters) parameters.push(parameter_json(parameter, &entry));
    for (const std::string& example : entry.examples) examples.push(parse_json(example, "").value);
    models.push(object({{"category", json(category_info(entry.category).name)},
                        {"name", json(entry.name)},
                        {"meaning", json(entry.meaning)},
                        {"reference", json(entry.reference)},
                        {"repeats", json(entry.may_repeat)},
                        {"parameters", parameters},
                        {"examples", examples}}));
  }
  return compact(object({{"schema", scene_schema()}, {"models", models}}));
}

}  // namespace dashpot::studio
