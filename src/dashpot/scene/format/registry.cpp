#include "dashpot/scene/format/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dashpot/scene/format/registry_parts.hpp"

namespace dashpot {
namespace {

Parameter make(std::string name, std::string symbol, std::string meaning, ValueType type) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.symbol = std::move(symbol);
  parameter.meaning = std::move(meaning);
  parameter.type = std::move(type);
  return parameter;
}

ValueType type_of(ValueType::Kind kind) {
  ValueType type;
  type.kind = kind;
  return type;
}

/// The range of a parameter is that of its numbers: also those inside a list ("cells": [40, 4, 4]).
ValueRange& innermost_range(ValueType& type) {
  return type.kind == ValueType::Kind::list ? innermost_range(type.element[0]) : type.range;
}

}  // namespace

const std::vector<CategoryInfo>& all_categories() {
  static const std::vector<CategoryInfo> table = {
      {Category::mesh, "mesh", "a mesh", nullptr, "Where a body's nodes and elements come from."},
      {Category::material, "material", "a material", "model",
       "Elastic energy and density of a body's tets, triangles or edges."},
      {Category::damping, "damping", "a damping", "model", "What takes energy out of a body. None is the default."},
      {Category::stepper, "stepper", "a stepper", nullptr, "How time advances."},
      {Category::load, "load", "a load", "model", "Forces given in time."},
      {Category::start, "start", "a start", "from", "Positions and velocities at time zero."},
      {Category::where, "where", "a selection", nullptr,
       "Which nodes (or tets, by their centroid) are meant, by their rest positions in the world: after \"place\"."},
      {Category::motion, "motion", "a motion", nullptr,
       "How held nodes and colliders move, with exact velocity and acceleration."},
      {Category::collider, "collider", "a collider", nullptr,
       "What bodies cannot enter: fixed, or moving as told; with friction and damping of its own."},
  };
  return table;
}
const CategoryInfo& category_info(Category category) { return all_categories()[static_cast<std::size_t>(category)]; }

bool ValueRange::contains(double value) const {
  return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
}

std::string ValueRange::text(const std::string& name, Quantity quantity) const {
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  if (has_low && has_high)
    return fmt::format("{} {} {} {} {}", describe_quantity(low, quantity), low_open ? "<" : "\u2264", name,
                       high_open ? "<" : "\u2264", describe_quantity(high, quantity));
  if (has_low) return fmt::format("{} {} {}", name, low_open ? ">" : "\u2265", describe_quantity(low, quantity));
  if (has_high) return fmt::format("{} {} {}", name, high_open ? "<" : "\u2264", describe_quantity(high, quantity));
  return {};
}

Parameter& Parameter::above(double low) {
  ValueRange& range = innermost_range(type);
  range.low = low;
  range.low_open = true;
  return *this;
}
Parameter& Parameter::at_least(double low) {
  innermost_range(type).low = low;
  return *this;
}
Parameter& Parameter::below(double high) {
  ValueRange& range = innermost_range(type);
  range.high = high;
  range.high_open = true;
  return *this;
}
Parameter& Parameter::at_most(double high) {
  innermost_range(type).high = high;
  return *this;
}
Parameter& Parameter::or_else(std::string json_text) {
  fallback = std::move(json_text);
  required = false;
  return *this;
}
Parameter& Parameter::may_be_absent() {
  required = false;
  return *this;
}
Parameter& Parameter::advise(std::string text) {
  remedy = std::move(text);
  return *this;
}
Parameter& Parameter::doubt_outside(double low, double high, std::string text) {
  plausible = {low, high, false, false};
  doubt = std::move(text);
  return *this;
}
Parameter& Parameter::known_as(std::vector<std::string> names) {
  synonyms = std::move(names);
  return *this;
}
Parameter& Parameter::or_a_path() {
  type.may_be_path = true;
  return *this;
}
Parameter& Parameter::by_region() {
  per_region = true;
  return *this;
}
Parameter& Parameter::sized(std::size_t min_size, std::size_t max_size) {
  type.min_size = min_size;
  type.max_size = max_size;
  return *this;
}

namespace parameter {

ValueType real_type(Quantity quantity) {
  ValueType type = type_of(ValueType::Kind::real);
  type.quantity = quantity;
  return type;
}
ValueType integer_type(double low) {
  ValueType type = type_of(ValueType::Kind::integer);
  type.range.low = low;
  type.range.high = 2147483647;
  return type;
}
ValueType list_type(ValueType element, std::size_t min_size, std::size_t max_size) {
  ValueType type = type_of(ValueType::Kind::list);
  type.element.push_back(std::move(element));
  type.min_size = min_size;
  type.max_size = max_size;
  return type;
}
ValueType model_type(Category category) {
  ValueType type = type_of(ValueType::Kind::model);
  type.category = category;
  return type;
}
ValueType object_type(std::vector<Parameter> fields) {
  ValueType type = type_of(ValueType::Kind::object);
  type.fields = std::move(fields);
  return type;
}

Parameter real(std::string name, std::string symbol, Quantity quantity, std::string meaning) {
  return make(std::move(name), std::move(symbol), std::move(meaning), real_type(quantity));
}
Parameter integer(std::string name, std::string symbol, std::string meaning) {
  return make(std::move(name), std::move(symbol), std::move(meaning), integer_type(0));
}
Parameter boolean(std::string name, std::string meaning) {
  return make(std::move(name), "", std::move(meaning), type_of(ValueType::Kind::boolean));
}
Parameter text(std::string name, std::string meaning) {
  return make(std::move(name), "", std::move(meaning), type_of(ValueType::Kind::text));
}
Parameter file(std::string name, std::string meaning) {
  return make(std::move(name), "", std::move(meaning), type_of(ValueType::Kind::file));
}
Parameter choice(std::string name, std::vector<std::string> choices, std::string meaning) {
  ValueType type = type_of(ValueType::Kind::choice);
  type.choices = std::move(choices);
  return make(std::move(name), "", std::move(meaning), std::move(type));
}
Parameter vector3(std::string name, std::string symbol, Quantity quantity, std::string meaning) {
  return make(std::move(name), std::move(symbol), std::move(meaning), list_type(real_type(quantity), 3, 3));
}
Parameter list(std::string name, ValueType element, std::string meaning) {
  return make(std::move(name), "", std::move(meaning),
              list_type(std::move(element), 0, std::numeric_limits<std::size_t>::max()));
}
Parameter object(std::string name, std::vector<Parameter> fields, std::string meaning) {
  return make(std::move(name), "", std::move(meaning), object_type(std::move(fields)));
}
Parameter model(std::string name, Category category, std::string meaning) {
  return make(std::move(name), "", std::move(meaning), model_type(category));
}
Parameter regions(std::string meaning) {
  return make("regions", "", std::move(meaning), type_of(ValueType::Kind::regions)).may_be_absent();
}

}  // namespace parameter

const Parameter* ModelEntry::parameter(std::string_view wanted) const {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == wanted; });
  return found == parameters.end() ? nullptr : &*found;
}

const ModelEntry* Registry::find(Category category, std::string_view name) const {
  for (const ModelEntry& entry : entries_)
    if (entry.category == category && entry.name == name) return &entry;
  return nullptr;
}

std::vector<std::string> Registry::names(Category category) const {
  std::vector<std::string> names;
  for (const ModelEntry& entry : entries_)
    if (entry.category == category) names.push_back(entry.name);
  return names;
}

/// One function for each file models/<name>.cpp, which registers the models of that file.
namespace models {
#include "model_declarations.inc"
}

const Registry& registry() {
  static const Registry all = [] {
    Registry r;
    r.scene_fields = scene_format();
#include "model_calls.inc"
    return r;
  }();
  return all;
}

}  // namespace dashpot
