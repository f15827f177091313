#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <set>

#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/schema.hpp"

namespace dashpot {
namespace {

const char* const opening = R"(// clang-format off
#pragma once
// Scenes as C++ values: a plain struct for every model and every section of the scene format, with the same names,
// units, ranges and defaults. Generated from the registry: do not edit, run DASHPOT_UPDATE_DOCS=1 build/bin/test_scene.
//
// A field that was never set (`unset`, an empty list, a model that holds nothing) is not written into the scene; where
// the format requires it, compile() says so. Numbers are SI.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/scene/format/scene_values.hpp"

namespace dashpot::scene {

)";

/// In an order in which most models only mention families that stand before them.
constexpr Category families[] = {Category::where,    Category::motion,  Category::mesh,
                                 Category::material, Category::load,    Category::start,
                                 Category::damping,  Category::stepper, Category::collider};

std::string pascal(const std::string& name) {
  std::string result;
  bool is_first = true;
  for (const char c : name) {
    if (c != '_') result += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_first = c == '_';
  }
  return result;
}

std::string singular(const std::string& name) {
  if (name.ends_with("ies")) return name.substr(0, name.size() - 3) + "y";
  if (name.ends_with("sses")) return name.substr(0, name.size() - 2);
  return name.ends_with("s") && !name.ends_with("ss") ? name.substr(0, name.size() - 1) : name;
}

std::string family_name(Category category) { return pascal(category_info(category).name) + "Model"; }

/// A name that C++ does not keep for itself.
std::string identifier(const std::string& name) {
  static const std::set<std::string> kept = {"auto", "double", "float", "int", "default", "static", "new", "for"};
  return kept.count(name) > 0 ? name + "_" : name;
}

const ValueType& innermost_type(const ValueType& type) {
  return type.kind == ValueType::Kind::list ? innermost_type(type.element[0]) : type;
}

/// "E: Young's modulus [Pa]; young > 0".
std::string comment_of(const Parameter& parameter) {
  std::string text = parameter.symbol.empty() ? "" : parameter.symbol + ": ";
  text += parameter.meaning;
  const ValueType& inside = innermost_type(parameter.type);
  if (inside.kind == ValueType::Kind::real && *quantity_info(inside.quantity).unit != '\0')
    text += fmt::format(" [{}]", quantity_info(inside.quantity).unit);
  const bool has_range =
      inside.kind == ValueType::Kind::real || (inside.kind == ValueType::Kind::integer && inside.range.low > 0);
  std::string range = has_range ? inside.range.text(parameter.name, inside.quantity) : "";
  if (inside.kind == ValueType::Kind::integer && inside.range.high > 1e9 && has_range)
    range = fmt::format("{} \u2265 {}", parameter.name, inside.range.low);
  if (!range.empty()) text += "; " + range;
  if (!parameter.required && parameter.fallback.empty()) text += "; may be absent";
  const bool is_left_out =
      inside.kind == ValueType::Kind::model ||
      (parameter.type.kind == ValueType::Kind::list && parameter.type.min_size != parameter.type.max_size);
  if (is_left_out && !parameter.fallback.empty() && parameter.fallback != "[]")
    text += "; default " + parameter.fallback;
  return text;
}

class HeaderWriter {
 public:
  std::string text() {
    out_ = opening;
    for (const Category category : families) out_ += fmt::format("struct {};\n", family_name(category));
    for (const Category category : families) add_family(category);
    add_struct("Scene", "A scene: what moves, for how long, what is recorded.", registry().scene_fields, nullptr);
    return out_ + "\n}  // namespace dashpot::scene\n";
  }

 private:
  void add_family(Category category) {
    const CategoryInfo& info = category_info(category);
    out_ += fmt::format("\nnamespace {} {{\n", info.name);
    std::string alternatives;
    for (const ModelEntry& entry : registry().entries()) {
      if (entry.category != category) continue;
      const std::string reference = entry.reference.empty() ? "" : fmt::format(" [{}]", entry.reference);
      add_struct(entry.name, entry.meaning + "." + reference, entry.parameters, &entry);
      alternatives += fmt::format(", {}::{}", info.name, identifier(entry.name));
    }
    out_ += fmt::format("\n}}  // namespace {}\n\n/// {} Holds nothing until a model is assigned.\n", info.name,
                        info.meaning);
    out_ += fmt::format("struct {} : std::variant<std::monostate{}> {{\n  using variant::variant;\n",
                        family_name(category), alternatives);
    out_ +=
        fmt::format("  static constexpr std::string_view field = \"{}\";{}\n", info.field == nullptr ? "" : info.field,
                    info.field == nullptr ? "  ///< none: written {\"NAME\": {...}}" : "");
    out_ += "};\n";
    complete_.insert(category);
  }

  void add_struct(const std::string& name, const std::string& meaning, const std::vector<Parameter>& fields,
                  const ModelEntry* entry) {
    std::string members, visits;
    for (const Parameter& field : fields) {
      const std::string member = identifier(field.name);
      members += fmt::format("  /// {}\n  {} {};\n", comment_of(field), declared_type(field, name, entry),
                             member + initializer(field, name, entry));
      visits += fmt::format(" visit(\"{}\", self.{});", field.name, member);
    }
    out_ += fmt::format("\n/// {}\nstruct {} {{\n{}", meaning, identifier(name), members);
    if (entry != nullptr && entry->name == name)
      out_ += fmt::format("  static constexpr const char* model_name = \"{}\";\n", name);
    out_ += visits.empty() ? "  static void fields(auto&, auto&&) {}\n};\n"
                           : fmt::format("  static void fields(auto& self, auto&& visit) {{{} }}\n}};\n", visits);
  }

  /// A struct or enum that belongs to a field of another.
  std::string nested_name(const std::string& owner, const std::string& field, bool is_enum) {
    if (std::islower(static_cast<unsigned char>(owner[0])) != 0) return owner + "_" + singular(field);
    if (is_enum) return owner + pascal(field);
    const std::string plain = pascal(singular(field));
    return parts_.insert(plain).second ? plain : owner + plain;
  }

  std::string type_name(const ValueType& type, const std::string& field, const std::string& owner,
                        const ModelEntry* entry) {
    switch (type.kind) {
      case ValueType::Kind::boolean:
        return "bool";
      case ValueType::Kind::integer:
        return "int";
      case ValueType::Kind::real:
        return "double";
      case ValueType::Kind::text:
      case ValueType::Kind::file:
        return "std::string";
      case ValueType::Kind::choice:
        return add_enum(type, nested_name(owner, field, true));
      case ValueType::Kind::list:
        return list_name(type, field, owner, entry);
      case ValueType::Kind::object: {
        const std::string name = nested_name(owner, field, false);
        add_struct(name, fmt::format("Of \"{}\".", field), type.fields, nullptr);
        return name;
      }
      case ValueType::Kind::model:
        return complete_.count(type.category) > 0 ? family_name(type.category)
                                                  : fmt::format("Boxed<{}>", family_name(type.category));
      case ValueType::Kind::regions: {
        std::vector<Parameter> fields{parameter::model("where", Category::where, "which tets")};
        for (const Parameter& parameter : entry->parameters)
          if (parameter.per_region) fields.push_back(Parameter(parameter).may_be_absent().or_else(""));
        const std::string name = owner + "_region";
        add_struct(name, "Other values for a part of the body.", fields, nullptr);
        return fmt::format("std::vector<{}>", name);
      }
    }
    return {};
  }

  std::string list_name(const ValueType& type, const std::string& field, const std::string& owner,
                        const ModelEntry* entry) {
    const ValueType& element = type.element[0];
    const bool is_fixed = type.min_size == type.max_size;
    if (is_fixed && type.min_size == 3 && element.kind == ValueType::Kind::real) return "Vec3";
    const std::string inside =  // a list of a family that is not complete yet needs no box: vectors do not mind
        element.kind == ValueType::Kind::model ? family_name(element.category)
                                               : type_name(element, field, owner, entry);
    return is_fixed ? fmt::format("std::array<{}, {}>", inside, type.min_size) : fmt::format("std::vector<{}>", inside);
  }

  std::string add_enum(const ValueType& type, const std::string& name) {
    std::string enumerators, names;
    for (const std::string& choice : type.choices) {
      enumerators += (enumerators.empty() ? "" : ", ") + identifier(choice);
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", choice);
    }
    out_ += fmt::format("\nenum class {} {{ {} }};\n", name, enumerators);
    out_ += fmt::format("constexpr std::array<const char*, {}> names_of({}) {{ return {{{}}}; }}\n",
                        type.choices.size(), name, names);
    return name;
  }

  std::string declared_type(const Parameter& field, const std::string& owner, const ModelEntry* entry) {
    const std::string name = type_name(field.type, field.name, owner, entry);
    const ValueType::Kind kind = field.type.kind;
    const bool can_be_empty = kind == ValueType::Kind::model || kind == ValueType::Kind::regions;
    const bool must_be_optional =
        field.required ? kind == ValueType::Kind::choice || kind == ValueType::Kind::boolean : field.fallback.empty();
    return must_be_optional && !can_be_empty ? fmt::format("std::optional<{}>", name) : name;
  }

  std::string initializer(const Parameter& field, const std::string& owner, const ModelEntry* entry) {
    const ValueType& type = field.type;
    if (type.kind == ValueType::Kind::integer && type.range.low == type.range.high)
      return fmt::format(" = {}", type.range.low);
    if (!field.required && field.fallback.empty()) return " = {}";
    if (field.fallback.empty()) return unset(type);
    const std::string value = default_value(type, parse_json(field.fallback, "").value, field.name, owner, entry);
    return value.empty() ? " = {}" : " = " + value;
  }

  static std::string unset(const ValueType& type) {
    if (type.kind == ValueType::Kind::real) return " = unset";
    if (type.kind == ValueType::Kind::integer) return " = unset_integer";
    // A list of models may stand inside one of them: its elements are not complete there, and clang would need them.
    if (type.kind == ValueType::Kind::list && type.element[0].kind == ValueType::Kind::model) return "";
    if (type.kind != ValueType::Kind::list || type.min_size != type.max_size) return " = {}";
    const std::string inside = unset(type.element[0]);
    if (inside == " = {}") return inside;
    if (type.min_size == 3 && type.element[0].kind == ValueType::Kind::real) return " = Vec3(unset, unset, unset)";
    std::string items = inside.substr(3);
    for (std::size_t i = 1; i < type.min_size; ++i) items += ", " + inside.substr(3);
    return fmt::format(" = {{{}}}", items);
  }

  /// Empty: left to the format, which fills it in.
  std::string default_value(const ValueType& type, const JsonValue& value, const std::string& field,
                            const std::string& owner, const ModelEntry* entry) {
    switch (type.kind) {
      case ValueType::Kind::boolean:
        return value.boolean ? "true" : "false";
      case ValueType::Kind::integer:
        return fmt::format("{}", value.number);
      case ValueType::Kind::real:
        return fmt::format(
            "{}", value.is(JsonValue::Kind::number) ? value.number : parse_quantity(value.text, type.quantity).value);
      case ValueType::Kind::text:
      case ValueType::Kind::file:
        return value.text.empty() ? "" : fmt::format("\"{}\"", value.text);
      case ValueType::Kind::choice:
        return fmt::format("{}::{}", nested_name(owner, field, true), identifier(value.text));
      case ValueType::Kind::list: {
        if (type.min_size != type.max_size) return {};
        std::string items;
        for (const JsonValue& item : value.items)
          items += (items.empty() ? "" : ", ") + default_value(type.element[0], item, field, owner, entry);
        const bool is_array_of_arrays = type.element[0].kind == ValueType::Kind::list;
        return is_array_of_arrays || type.min_size != 3 ? fmt::format("{{{}}}", items) : fmt::format("Vec3({})", items);
      }
      default:
        return {};
    }
  }

  std::string out_;
  std::set<Category> complete_;
  std::set<std::string> parts_;  ///< sections of a scene that have their struct
};

}  // namespace

std::string scene_header() { return HeaderWriter().text(); }

}  // namespace dashpot
