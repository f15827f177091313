#include "dashpot/scene/format/scaled_moduli.hpp"

#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

bool is_stiffness(Quantity quantity) {
  return quantity == Quantity::pressure || quantity == Quantity::energy || quantity == Quantity::stiffness;
}

void scale_members(JsonValue& object, const std::vector<Parameter>& parameters, double factor);

void scale_value(JsonValue& value, const ValueType& type, const std::vector<Parameter>& of_model, double factor) {
  switch (type.kind) {
    case ValueType::Kind::real:
      if (is_stiffness(type.quantity)) {
        JsonValue scaled = JsonValue::of(factor * value.number);
        scaled.line = value.line, scaled.column = value.column;
        value = scaled;
      }
      break;
    case ValueType::Kind::list:
      for (JsonValue& item : value.items) scale_value(item, type.element.front(), of_model, factor);
      break;
    case ValueType::Kind::object:
      scale_members(value, type.fields, factor);
      break;
    case ValueType::Kind::regions:
      for (JsonValue& region : value.items) scale_members(region, of_model, factor);
      break;
    default:
      break;
  }
}

void scale_members(JsonValue& object, const std::vector<Parameter>& parameters, double factor) {
  for (const Parameter& parameter : parameters)
    if (JsonValue* value = object.find(parameter.name)) scale_value(*value, parameter.type, parameters, factor);
}

}  // namespace

ModelSpec with_scaled_moduli(const ModelSpec& model, double factor) {
  auto scaled = std::make_shared<SceneDocument>();
  scaled->value = model.settings.value();
  scale_members(scaled->value, model.entry->parameters, factor);
  const JsonValue& value = scaled->value;
  return {model.entry, model.settings.overridden_by(Settings(scaled, value, ""))};
}

}  // namespace dashpot
