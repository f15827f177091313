#include <fmt/format.h>

#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/schema.hpp"

namespace dashpot {
namespace {

std::string unit_of(const ValueType& type) {
  switch (type.kind) {
    case ValueType::Kind::real: {
      const QuantityInfo& info = quantity_info(type.quantity);
      return type.quantity == Quantity::ratio ? "1 or %" : *info.unit == '\0' ? "1" : info.unit;
    }
    case ValueType::Kind::integer:
      return "whole number";
    case ValueType::Kind::boolean:
      return "true, false";
    case ValueType::Kind::text:
      return "text";
    case ValueType::Kind::file:
      return "file name";
    case ValueType::Kind::choice: {
      std::string names;
      for (const std::string& name : type.choices) names += (names.empty() ? "`" : ", `") + name + "`";
      return names;
    }
    case ValueType::Kind::list:
      return type.min_size == type.max_size ? fmt::format("{} \u00d7 {}", type.min_size, unit_of(type.element[0]))
                                            : fmt::format("list of {}", unit_of(type.element[0]));
    case ValueType::Kind::object:
      return "object";
    case ValueType::Kind::model:
      return fmt::format("[{0}](#{0})", category_info(type.category).name);
    case ValueType::Kind::regions:
      return "object or list";
  }
  return "";
}

const ValueRange& innermost(const ValueType& type) {
  return type.kind == ValueType::Kind::list ? innermost(type.element[0]) : type.range;
}
Quantity innermost_quantity(const ValueType& type) {
  return type.kind == ValueType::Kind::list ? innermost_quantity(type.element[0]) : type.quantity;
}

std::string default_of(const Parameter& parameter) {
  if (!parameter.fallback.empty()) return "`" + parameter.fallback + "`";
  return parameter.required ? "required" : "absent";
}

void add_rows(std::string& out, const std::vector<Parameter>& parameters, const std::string& prefix) {
  for (const Parameter& parameter : parameters) {
    const ValueType& type = parameter.type;
    const bool has_range =
        type.kind == ValueType::Kind::real || type.kind == ValueType::Kind::list ||
        (type.kind == ValueType::Kind::integer && (type.range.low > 0 || type.range.high < 2147483647));
    std::string range = has_range ? innermost(type).text(parameter.name, innermost_quantity(type)) : "";
    if (const std::size_t limit = range.find(" \u2264 2.147e+09"); limit != std::string::npos)
      range = range.substr(0, limit);
    out +=
        fmt::format("| `{}{}` | {} | {} | {} | {} | {}{} |\n", prefix, parameter.name, parameter.symbol, unit_of(type),
                    range, default_of(parameter), parameter.meaning, parameter.per_region ? " (also per region)" : "");
    const ValueType& inside = type.kind == ValueType::Kind::list ? type.element[0] : type;
    if (inside.kind == ValueType::Kind::object) add_rows(out, inside.fields, prefix + parameter.name + ".");
  }
}

void add_table(std::string& out, const std::vector<Parameter>& parameters) {
  out += "| key | symbol | unit or values | range | default | meaning |\n|---|---|---|---|---|---|\n";
  add_rows(out, parameters, "");
  out += '\n';
}

}  // namespace

std::string scene_tables() {
  std::string out = "## scene\n\nThe fixed parts of a scene.\n\n";
  add_table(out, registry().scene_fields);
  for (const CategoryInfo& info : all_categories()) {
    out += fmt::format("## {}\n\n{} Written {}.\n\n", info.name, info.meaning,
                       info.field == nullptr ? "`{\"NAME\": {parameters}}`, or `\"NAME\"` when nothing is required"
                                             : fmt::format("`{{\"{}\": \"NAME\", parameters}}`", info.field));
    for (const ModelEntry& entry : registry().entries()) {
      if (entry.category != info.category) continue;
      out += fmt::format("### {}: {}\n\n{}.", info.name, entry.name, entry.meaning);
      if (!entry.shorthand.empty()) out += fmt::format(" Short: `{{\"{}\": {}}}`.", entry.name, entry.shorthand);
      if (!entry.reference.empty()) out += fmt::format(" [{}]", entry.reference);
      out += "\n\n";
      if (!entry.parameters.empty()) add_table(out, entry.parameters);
    }
  }
  while (out.size() > 1 && out[out.size() - 2] == '\n') out.pop_back();
  return out;
}

}  // namespace dashpot
