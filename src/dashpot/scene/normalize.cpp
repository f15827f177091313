#include "dashpot/scene/normalize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "dashpot/scene/settings.hpp"

namespace dashpot {
namespace {

using Kind = JsonValue::Kind;

std::string shown(const JsonValue& value) {
  std::string text = write_json(value);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (text.size() > 60 || text.find('\n') != std::string::npos) return describe(value.kind);
  return text;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_name(word, known);
  return near.empty() ? "" : fmt::format("did you mean \"{}\"?", near);
}

class Normalizer {
 public:
  Normalizer(const std::string& file, const std::string& folder) : file_(file), folder_(folder) {}

  Normalized run(const JsonValue& document) {
    Normalized result;
    if (!document.is(Kind::object))
      report(document, "", shown(document), "an object: { \"dashpot\": 1, ... }");
    else
      result.value = read_object(document, registry().scene_fields, "", nullptr);
    run_checks(result.value);
    result.problems = std::move(problems_);
    return result;
  }

 private:
  struct PendingCheck {
    const ModelEntry* entry;
    std::string pointer;
  };

  void report(const JsonValue& at, const std::string& pointer, std::string found, std::string expected,
              std::string remedy = {}, Problem::Severity severity = Problem::Severity::error) {
    if (severity == Problem::Severity::error) ++num_errors_;
    if (problems_.size() < 200)
      problems_.push_back({place_text(file_, at.line, at.column, pointer.empty() ? "/" : pointer), std::move(found),
                           std::move(expected), std::move(remedy), severity});
  }

  /// Remembers where the value came from.
  static JsonValue located(JsonValue value, const JsonValue& origin) {
    value.line = origin.line;
    value.column = origin.column;
    return value;
  }

  JsonValue read(const JsonValue& value, const Type& type, const Parameter& parameter, const ModelEntry* entry,
                 const std::string& pointer) {
    switch (type.kind) {
      case Type::Kind::boolean:
        if (!value.is(Kind::boolean)) report(value, pointer, shown(value), "true or false");
        return value;
      case Type::Kind::integer:
      case Type::Kind::real:
        return read_number(value, type, parameter, pointer);
      case Type::Kind::text:
        if (!value.is(Kind::string)) report(value, pointer, shown(value), "text in double quotes");
        return value;
      case Type::Kind::file:
        return read_file_name(value, pointer);
      case Type::Kind::choice:
        return read_choice(value, type, pointer);
      case Type::Kind::list:
        return read_list(value, type, parameter, entry, pointer);
      case Type::Kind::object:
        if (!value.is(Kind::object)) {
          report(value, pointer, shown(value), "an object { ... }");
          return value;
        }
        return read_object(value, type.fields, pointer, nullptr);
      case Type::Kind::model:
        return read_model(value, type.category, pointer);
      case Type::Kind::regions:
        return read_regions(value, *entry, pointer);
    }
    return value;
  }

  JsonValue read_number(const JsonValue& value, const Type& type, const Parameter& parameter,
                        const std::string& pointer) {
    const bool whole = type.kind == Type::Kind::integer;
    const QuantityInfo& info = quantity_info(type.quantity);
    const std::string expected = whole ? "a whole number" : fmt::format("{} such as '{}'", info.name, info.example);
    JsonValue result = located(JsonValue::of(0.0), value);
    if (value.is(Kind::number)) {
      result.number = value.number;
    } else if (value.is(Kind::string) && !whole) {
      const ParsedQuantity parsed = parse_quantity(value.text, type.quantity);
      if (!parsed.error.empty()) {
        const std::size_t comma = parsed.error.rfind(", expected ");
        report(value, pointer, parsed.error.substr(0, comma), parsed.error.substr(comma + 11));
        return result;
      }
      result.number = parsed.value;
    } else {
      report(value, pointer, shown(value), expected);
      return result;
    }
    if (whole && result.number != std::floor(result.number)) {
      report(value, pointer, shown(value), expected);
    } else if (!type.range.contains(result.number)) {
      report(value, pointer, fmt::format("{} = {}", parameter.name, describe_quantity(result.number, type.quantity, 8)),
             type.range.text(parameter.name, type.quantity), parameter.remedy);
    } else if (!parameter.doubt.empty() && !parameter.plausible.contains(result.number)) {
      report(value, pointer,
             fmt::format("{} = {} is unusual", parameter.name, describe_quantity(result.number, type.quantity, 8)), "",
             parameter.doubt, Problem::Severity::warning);
    }
    if (!whole && *info.unit != '\0') result.text = format_quantity(result.number, type.quantity);
    return result;
  }

  JsonValue read_file_name(const JsonValue& value, const std::string& pointer) {
    if (!value.is(Kind::string) || value.text.empty()) {
      report(value, pointer, shown(value), "the name of a file in double quotes");
      return value;
    }
    const std::filesystem::path written(value.text);
    const std::filesystem::path path = written.is_absolute() || folder_.empty() ? written : folder_ / written;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      report(value, pointer, fmt::format("no file \"{}\"", value.text), "a readable file",
             fmt::format("looked at {}; paths are relative to the scene", path.string()));
    return value;
  }

  JsonValue read_choice(const JsonValue& value, const Type& type, const std::string& pointer) {
    if (!value.is(Kind::string) ||
        std::find(type.choices.begin(), type.choices.end(), value.text) == type.choices.end())
      report(value, pointer, shown(value), "one of " + list_of(type.choices), suggestion(value.text, type.choices));
    return value;
  }

  JsonValue read_list(const JsonValue& value, const Type& type, const Parameter& parameter, const ModelEntry* entry,
                      const std::string& pointer) {
    JsonValue result = located(JsonValue::array(), value);
    if (!value.is(Kind::array)) {
      report(value, pointer, shown(value), "a list [ ... ]");
      return result;
    }
    const std::size_t n = value.items.size();
    if (n < type.min_size || n > type.max_size)
      report(value, pointer, fmt::format("a list of {}", n),
             type.min_size == type.max_size ? fmt::format("{} values", type.min_size)
             : n < type.min_size            ? fmt::format("at least {}", type.min_size)
                                            : fmt::format("at most {}", type.max_size));
    for (std::size_t i = 0; i < n; ++i)
      result.push(read(value.items[i], type.element[0], parameter, entry, fmt::format("{}/{}", pointer, i)));
    return result;
  }

  /// Reads the fields of an object. `skip` is the key that chose the model, if any.
  JsonValue read_object(const JsonValue& value, const std::vector<Parameter>& fields, const std::string& pointer,
                        const ModelEntry* entry, const char* skip = nullptr, bool partial = false) {
    JsonValue result = located(JsonValue::object(), value);
    report_unknown_keys(value, fields, pointer, skip);
    if (skip != nullptr)
      if (const JsonValue* chosen = value.find(skip)) result.add(skip, *chosen);
    for (const Parameter& field : fields) {
      const std::string at = pointer + "/" + field.name;
      if (const JsonValue* given = value.find(field.name)) {
        result.add(field.name, read(*given, field.type, field, entry, at));
      } else if (partial) {
        continue;
      } else if (!field.fallback.empty()) {
        result.add(field.name,
                   read(located(parse_json(field.fallback, "").value, value), field.type, field, entry, at));
      } else if (field.required) {
        report(value, pointer, fmt::format("no \"{}\"", field.name), describe_field(field));
      }
    }
    return result;
  }

  static std::string describe_field(const Parameter& field) {
    const QuantityInfo& info = quantity_info(field.type.quantity);
    if (field.type.kind == Type::Kind::real)
      return fmt::format("\"{}\": {} ({} such as '{}')", field.name, field.meaning, info.name, info.example);
    return fmt::format("\"{}\": {}", field.name, field.meaning);
  }

  void report_unknown_keys(const JsonValue& value, const std::vector<Parameter>& fields, const std::string& pointer,
                           const char* skip) {
    std::vector<std::string> known;
    for (const Parameter& field : fields) known.push_back(field.name);
    for (const JsonMember& member : value.members) {
      if (skip != nullptr && member.key == skip) continue;
      if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
      std::string hint = suggestion(member.key, known);
      for (const Parameter& field : fields)
        if (std::find(field.synonyms.begin(), field.synonyms.end(), member.key) != field.synonyms.end())
          hint = fmt::format("did you mean \"{}\"?", field.name);
      JsonValue at;
      at.line = member.line;
      at.column = member.column;
      report(at, pointer + "/" + member.key, fmt::format("unknown key \"{}\"", member.key),
             known.empty() ? "no parameters" : "one of " + list_of(known), hint);
    }
  }

  JsonValue read_model(const JsonValue& value, Category category, const std::string& pointer) {
    const CategoryInfo& info = category_info(category);
    return info.field == nullptr ? read_model_by_key(value, info, pointer) : read_model_by_field(value, info, pointer);
  }

  const ModelEntry* find_model(const JsonValue& at, const std::string& name, const CategoryInfo& info,
                               const std::string& pointer) {
    const ModelEntry* entry = registry().find(info.category, name);
    if (entry == nullptr) {
      const std::vector<std::string> names = registry().names(info.category);
      report(at, pointer, fmt::format("unknown {} \"{}\"", info.name, name), "one of " + list_of(names),
             suggestion(name, names));
    }
    return entry;
  }

  JsonValue read_model_by_field(const JsonValue& value, const CategoryInfo& info, const std::string& pointer) {
    JsonValue as_object = located(JsonValue::object(), value);
    if (value.is(Kind::string))
      as_object.add(info.field, value);
    else if (value.is(Kind::object))
      as_object = value;
    else {
      report(value, pointer, shown(value), fmt::format("{}: {{\"{}\": ..., ...}}", info.article, info.field));
      return as_object;
    }
    const JsonValue* name = as_object.find(info.field);
    if (name == nullptr || !name->is(Kind::string)) {
      report(name == nullptr ? value : *name, pointer, fmt::format("no \"{}\"", info.field),
             fmt::format("\"{}\": one of {}", info.field, list_of(registry().names(info.category))));
      return as_object;
    }
    const ModelEntry* entry = find_model(*name, name->text, info, pointer + "/" + info.field);
    if (entry == nullptr) return as_object;
    const int errors = num_errors_;
    JsonValue result = read_object(as_object, entry->parameters, pointer, entry, info.field);
    if (num_errors_ == errors && entry->check) checks_.push_back({entry, pointer});
    return result;
  }

  /// {"bar": {...}}, "bathe", {"file": "part.msh", "scale": 0.001}.
  JsonValue read_model_by_key(const JsonValue& value, const CategoryInfo& info, const std::string& pointer) {
    JsonValue result = located(JsonValue::object(), value);
    std::string name;
    JsonValue parameters = located(JsonValue::object(), value);
    const ModelEntry* entry = nullptr;
    if (value.is(Kind::string)) {
      name = value.text;
      entry = find_model(value, name, info, pointer);
      if (entry == nullptr) return result;
    } else if (value.is(Kind::object) && !value.members.empty()) {
      const JsonMember* chosen = &value.members.front();
      for (const JsonMember& member : value.members)
        if (registry().find(info.category, member.key) != nullptr) {
          chosen = &member;
          break;
        }
      name = chosen->key;
      JsonValue at;
      at.line = chosen->line;
      at.column = chosen->column;
      entry = find_model(at, name, info, pointer + "/" + name);
      if (entry == nullptr) return result;
      if (!merge_parameters(value, *chosen, *entry, parameters, pointer)) return result;
    } else {
      report(value, pointer, shown(value),
             fmt::format("{}: {{\"NAME\": {{...}}}} with NAME one of {}", info.article,
                         list_of(registry().names(info.category))));
      return result;
    }
    const int errors = num_errors_;
    result.add(name, read_object(parameters, entry->parameters, pointer + "/" + name, entry));
    if (num_errors_ == errors && entry->check) checks_.push_back({entry, pointer + "/" + name});
    return result;
  }

  bool merge_parameters(const JsonValue& value, const JsonMember& chosen, const ModelEntry& entry,
                        JsonValue& parameters, const std::string& pointer) {
    const bool written_out = chosen.value.is(Kind::object);
    if (written_out)
      parameters = chosen.value;
    else if (!entry.shorthand.empty())
      parameters.add(entry.shorthand, chosen.value);
    else {
      report(chosen.value, pointer + "/" + chosen.key, shown(chosen.value),
             fmt::format("the parameters of {}: {{ ... }}", entry.name));
      return false;
    }
    for (const JsonMember& member : value.members) {
      if (&member == &chosen) continue;
      if (written_out) {
        JsonValue at;
        at.line = member.line;
        at.column = member.column;
        report(at, pointer + "/" + member.key, fmt::format("\"{}\" beside \"{}\"", member.key, chosen.key),
               "one choice", fmt::format("parameters of {0} belong inside: {{\"{0}\": {{...}}}}", chosen.key));
      } else {
        parameters.members.push_back(member);
      }
    }
    return true;
  }

  /// Normal form of per-region overrides: a list of {"where": ..., parameters}.
  JsonValue read_regions(const JsonValue& value, const ModelEntry& entry, const std::string& pointer) {
    std::vector<Parameter> fields{model("where", Category::where, "which tets")};
    for (const Parameter& parameter : entry.parameters)
      if (parameter.per_region) fields.push_back(parameter);
    JsonValue result = located(JsonValue::array(), value);
    if (value.is(Kind::object)) {
      for (const JsonMember& member : value.members) {
        JsonValue where = located(JsonValue::object(), member.value);
        where.add("region", located(JsonValue::of(member.key), member.value));
        JsonValue item = located(JsonValue::object(), member.value);
        item.add("where", where);
        for (const JsonMember& parameter : member.value.members) item.members.push_back(parameter);
        result.push(read_object(item, fields, pointer + "/" + member.key, &entry, nullptr, true));
      }
    } else if (value.is(Kind::array)) {
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        const std::string at = fmt::format("{}/{}", pointer, i);
        if (value.items[i].find("where") == nullptr)
          report(value.items[i], at, "no \"where\"", "which tets these parameters are for");
        else
          result.push(read_object(value.items[i], fields, at, &entry, nullptr, true));
      }
    } else {
      report(value, pointer, shown(value), "{\"region name\": {parameters}} or [{\"where\": ..., parameters}]");
    }
    return result;
  }

  void run_checks(const JsonValue& normal) {
    const auto document = std::make_shared<SceneDocument>(SceneDocument{file_, folder_, normal});
    for (const PendingCheck& pending : checks_)
      if (const JsonValue* value = at_pointer(document->value, pending.pointer))
        pending.entry->check(Settings(document, *value, pending.pointer), problems_);
  }

  static const JsonValue* at_pointer(const JsonValue& root, std::string_view pointer) {
    const JsonValue* value = &root;
    while (!pointer.empty() && value != nullptr) {
      pointer.remove_prefix(1);
      const std::size_t end = std::min(pointer.find('/'), pointer.size());
      const std::string key(pointer.substr(0, end));
      pointer.remove_prefix(end);
      if (value->is(Kind::array)) {
        const std::size_t i = static_cast<std::size_t>(std::strtoul(key.c_str(), nullptr, 10));
        value = i < value->items.size() ? &value->items[i] : nullptr;
      } else {
        value = value->find(key);
      }
    }
    return value;
  }

  const std::string& file_;
  const std::filesystem::path folder_;
  std::vector<Problem> problems_;
  std::vector<PendingCheck> checks_;  ///< of models whose own values are faultless
  int num_errors_ = 0;
};

}  // namespace

Normalized normalize(const JsonValue& document, const std::string& file, const std::string& folder) {
  return Normalizer(file, folder).run(document);
}

JsonValue with_units(const JsonValue& normal) {
  JsonValue result = normal;
  if (normal.is(Kind::number) && !normal.text.empty()) result = JsonValue::of(normal.text);
  for (JsonValue& item : result.items) item = with_units(item);
  for (JsonMember& member : result.members) member.value = with_units(member.value);
  return result;
}

bool has_errors(const std::vector<Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& p) { return p.severity == Problem::Severity::error; });
}

}  // namespace dashpot
