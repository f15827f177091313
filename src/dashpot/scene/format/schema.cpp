#include "dashpot/scene/format/schema.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

JsonValue typed(const char* type) {
  JsonValue schema = JsonValue::object();
  schema.add("type", JsonValue::of(type));
  return schema;
}

JsonValue reference(const std::string& name) {
  JsonValue schema = JsonValue::object();
  schema.add("$ref", JsonValue::of("#/$defs/" + name));
  return schema;
}

JsonValue any_of(std::vector<JsonValue> options) {
  JsonValue schema = JsonValue::object();
  schema.add("anyOf", JsonValue::array()).items = std::move(options);
  return schema;
}

JsonValue exactly(const std::string& text) {
  JsonValue schema = JsonValue::object();
  schema.add("const", JsonValue::of(text));
  return schema;
}

void add_range(JsonValue& schema, const ValueRange& range) {
  if (std::isfinite(range.low)) schema.add(range.low_open ? "exclusiveMinimum" : "minimum", JsonValue::of(range.low));
  if (std::isfinite(range.high))
    schema.add(range.high_open ? "exclusiveMaximum" : "maximum", JsonValue::of(range.high));
}

JsonValue schema_of(const ValueType& type, const ModelEntry* entry);

JsonValue schema_of(const Parameter& parameter, const ModelEntry* entry) {
  JsonValue schema = schema_of(parameter.type, entry);
  std::string meaning = parameter.meaning;
  if (parameter.type.kind == ValueType::Kind::real && *quantity_info(parameter.type.quantity).unit != '\0')
    meaning += fmt::format(" [{}]", quantity_info(parameter.type.quantity).unit);
  schema.add("description", JsonValue::of(meaning));
  if (!parameter.fallback.empty()) schema.add("default", parse_json(parameter.fallback, "").value);
  return schema;
}

/// An object with these members and no others.
JsonValue closed_object(const std::vector<Parameter>& fields, const ModelEntry* entry, const char* tag,
                        bool partial = false) {
  JsonValue schema = typed("object");
  JsonValue properties = JsonValue::object(), required = JsonValue::array();
  if (tag != nullptr) {
    properties.add(tag, exactly(entry->name));
    required.push(JsonValue::of(tag));
  }
  for (const Parameter& field : fields) {
    properties.add(field.name, schema_of(field, entry));
    if (field.required && !partial) required.push(JsonValue::of(field.name));
  }
  schema.add("properties", std::move(properties));
  if (!required.items.empty()) schema.add("required", std::move(required));
  schema.add("additionalProperties", JsonValue::of(false));
  return schema;
}

JsonValue number_schema(const ValueType& type) {
  JsonValue number = typed(type.kind == ValueType::Kind::integer ? "integer" : "number");
  add_range(number, type.range);
  if (type.kind == ValueType::Kind::integer) return number;
  JsonValue with_unit = typed("string");
  with_unit.add("pattern", JsonValue::of("^\\s*[-+]?[0-9.]"));
  return any_of({number, with_unit});
}

JsonValue regions_schema(const ModelEntry& entry) {
  std::vector<Parameter> fields;
  for (const Parameter& parameter : entry.parameters)
    if (parameter.per_region) fields.push_back(parameter);
  JsonValue by_name = typed("object");
  by_name.add("additionalProperties", closed_object(fields, nullptr, nullptr, true));
  fields.insert(fields.begin(), parameter::model("where", Category::where, "which tets"));
  JsonValue by_place = typed("array");
  by_place.add("items", closed_object(fields, nullptr, nullptr, true));
  return any_of({by_name, by_place});
}

JsonValue schema_of(const ValueType& type, const ModelEntry* entry) {
  switch (type.kind) {
    case ValueType::Kind::boolean:
      return typed("boolean");
    case ValueType::Kind::integer:
    case ValueType::Kind::real:
      return number_schema(type);
    case ValueType::Kind::text:
    case ValueType::Kind::file:
      return typed("string");
    case ValueType::Kind::choice: {
      JsonValue schema = JsonValue::object();
      JsonValue& names = schema.add("enum", JsonValue::array());
      for (const std::string& name : type.choices) names.push(JsonValue::of(name));
      return schema;
    }
    case ValueType::Kind::list: {
      JsonValue schema = typed("array");
      schema.add("items", schema_of(type.element[0], entry));
      if (type.min_size > 0) schema.add("minItems", JsonValue::of(static_cast<double>(type.min_size)));
      if (type.max_size < 1000) schema.add("maxItems", JsonValue::of(static_cast<double>(type.max_size)));
      return schema;
    }
    case ValueType::Kind::object:
      return closed_object(type.fields, nullptr, nullptr);
    case ValueType::Kind::model:
      return reference(category_info(type.category).name);
    case ValueType::Kind::regions:
      return regions_schema(*entry);
  }
  return JsonValue::object();
}

bool has_required(const ModelEntry& entry) {
  for (const Parameter& parameter : entry.parameters)
    if (parameter.required) return true;
  return false;
}

/// One way to write a model: by field, by key, by its shorthand, or (all defaults) by its name alone.
JsonValue model_schema(const ModelEntry& entry) {
  const CategoryInfo& info = category_info(entry.category);
  std::vector<JsonValue> ways;
  if (info.field != nullptr) {
    ways.push_back(closed_object(entry.parameters, &entry, info.field));
  } else {
    JsonValue by_key = typed("object");
    JsonValue properties = JsonValue::object(), required = JsonValue::array();
    properties.add(entry.name, closed_object(entry.parameters, &entry, nullptr));
    required.push(JsonValue::of(entry.name));
    by_key.add("properties", std::move(properties));
    by_key.add("required", required);
    by_key.add("additionalProperties", JsonValue::of(false));
    ways.push_back(std::move(by_key));
    if (!entry.shorthand.empty()) {
      std::vector<Parameter> fields = entry.parameters;
      for (Parameter& field : fields)
        if (field.name == entry.shorthand) field.name = entry.name;
      ways.push_back(closed_object(fields, &entry, nullptr));
    }
  }
  if (!has_required(entry)) ways.push_back(exactly(entry.name));
  JsonValue schema = ways.size() == 1 ? ways.front() : any_of(std::move(ways));
  schema.add("description", JsonValue::of(entry.meaning));
  return schema;
}

}  // namespace

JsonValue scene_schema() {
  JsonValue schema = JsonValue::object();
  schema.add("$schema", JsonValue::of("https://json-schema.org/draft/2020-12/schema"));
  schema.add("$id", JsonValue::of("https://dashpot.example/scene/1"));
  schema.add("title", JsonValue::of("Dashpot scene"));
  const JsonValue body = closed_object(registry().scene_fields, nullptr, nullptr);
  for (const JsonMember& member : body.members) schema.add(member.key, member.value);
  JsonValue definitions = JsonValue::object();
  for (const CategoryInfo& info : all_categories()) {
    JsonValue options = JsonValue::array();
    for (const std::string& name : registry().names(info.category))
      options.push(reference(fmt::format("{}.{}", info.name, name)));
    JsonValue family = JsonValue::object();
    family.add("description", JsonValue::of(info.meaning));
    family.add("anyOf", std::move(options));
    definitions.add(info.name, std::move(family));
  }
  for (const ModelEntry& entry : registry().entries())
    definitions.add(fmt::format("{}.{}", category_info(entry.category).name, entry.name), model_schema(entry));
  schema.add("$defs", std::move(definitions));
  return schema;
}

}  // namespace dashpot
