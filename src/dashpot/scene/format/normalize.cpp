#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "dashpot/scene/format/normalizer.hpp"
#include "dashpot/shape/assets.hpp"

namespace dashpot {

using Kind = JsonValue::Kind;

namespace {

std::string describe_field(const Parameter& field) {
  const QuantityInfo& info = quantity_info(field.type.quantity);
  if (field.type.kind == ValueType::Kind::real)
    return fmt::format("\"{}\": {} ({} such as '{}')", field.name, field.meaning, info.name, info.example);
  return fmt::format("\"{}\": {}", field.name, field.meaning);
}

}  // namespace

std::string Normalizer::shown(const JsonValue& value) {
  std::string text = write_json(value);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (text.size() > 60 || text.find('\n') != std::string::npos) return describe(value.kind);
  return text;
}

std::string Normalizer::list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string Normalizer::suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_name(word, known);
  return near.empty() ? "" : fmt::format("did you mean \"{}\"?", near);
}

JsonValue Normalizer::located(JsonValue value, const JsonValue& origin) {
  value.line = origin.line;
  value.column = origin.column;
  return value;
}

JsonValue Normalizer::place_of(const JsonMember& member) {
  JsonValue place;
  place.line = member.line;
  place.column = member.column;
  return place;
}

Normalized Normalizer::run(const JsonValue& document) {
  Normalized result;
  if (!document.is(Kind::object))
    report(document, "", shown(document), "an object: { \"dashpot\": 1, ... }");
  else
    result.value = read_object(document, registry().scene_fields, "", nullptr);
  run_checks(result.value);
  result.problems = std::move(problems_);
  result.paths = std::move(paths_);
  return result;
}

void Normalizer::report(const JsonValue& at, const std::string& pointer, std::string found, std::string expected,
                        std::string remedy, Problem::Severity severity) {
  if (severity == Problem::Severity::error) ++num_errors_;
  if (problems_.size() < 200)
    problems_.push_back({place_text(file_, at.line, at.column, pointer.empty() ? "/" : pointer), std::move(found),
                         std::move(expected), std::move(remedy), severity});
}

JsonValue Normalizer::read(const JsonValue& value, const ValueType& type, const Parameter& parameter,
                           const ModelEntry* entry, const std::string& pointer) {
  switch (type.kind) {
    case ValueType::Kind::boolean:
      if (!value.is(Kind::boolean)) report(value, pointer, shown(value), "true or false");
      return value;
    case ValueType::Kind::integer:
    case ValueType::Kind::real:
      return read_number(value, type, parameter, pointer);
    case ValueType::Kind::text:
      if (!value.is(Kind::string)) report(value, pointer, shown(value), "text in double quotes");
      if (type.may_be_path && !value.text.empty() && asset_text(value.text).empty()) {
        std::error_code failed;
        if (std::filesystem::exists(resolved(value.text), failed)) paths_.push_back(pointer);
      }
      return value;
    case ValueType::Kind::file:
      return read_file_name(value, pointer);
    case ValueType::Kind::choice:
      return read_choice(value, type, pointer);
    case ValueType::Kind::list:
      return read_list(value, type, parameter, entry, pointer);
    case ValueType::Kind::object:
      if (!value.is(Kind::object)) {
        report(value, pointer, shown(value), "an object { ... }");
        return value;
      }
      return read_object(value, type.fields, pointer, nullptr);
    case ValueType::Kind::model:
      return read_model(value, type.category, pointer);
    case ValueType::Kind::regions:
      return read_regions(value, *entry, pointer);
  }
  return value;
}

JsonValue Normalizer::read_number(const JsonValue& value, const ValueType& type, const Parameter& parameter,
                                  const std::string& pointer) {
  const bool whole = type.kind == ValueType::Kind::integer;
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

std::filesystem::path Normalizer::resolved(const std::string& written) const {
  const std::filesystem::path path(written);
  return path.is_absolute() || folder_.empty() ? path : folder_ / path;
}

JsonValue Normalizer::read_file_name(const JsonValue& value, const std::string& pointer) {
  if (!value.is(Kind::string) || value.text.empty()) {
    report(value, pointer, shown(value), "the name of a file in double quotes");
    return value;
  }
  const std::filesystem::path path = resolved(value.text);
  paths_.push_back(pointer);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    report(value, pointer, fmt::format("no file \"{}\"", value.text), "a readable file",
           fmt::format("looked at {}; paths are relative to the scene", path.string()));
  return value;
}

JsonValue Normalizer::read_choice(const JsonValue& value, const ValueType& type, const std::string& pointer) {
  if (!value.is(Kind::string) || std::find(type.choices.begin(), type.choices.end(), value.text) == type.choices.end())
    report(value, pointer, shown(value), "one of " + list_of(type.choices), suggestion(value.text, type.choices));
  return value;
}

JsonValue Normalizer::read_list(const JsonValue& value, const ValueType& type, const Parameter& parameter,
                                const ModelEntry* entry, const std::string& pointer) {
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

JsonValue Normalizer::read_object(const JsonValue& value, const std::vector<Parameter>& fields,
                                  const std::string& pointer, const ModelEntry* entry, const char* skip, bool partial) {
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
      result.add(field.name, read(located(parse_json(field.fallback, "").value, value), field.type, field, entry, at));
    } else if (field.required) {
      report(value, pointer, fmt::format("no \"{}\"", field.name), describe_field(field));
    }
  }
  return result;
}

void Normalizer::report_unknown_keys(const JsonValue& value, const std::vector<Parameter>& fields,
                                     const std::string& pointer, const char* skip) {
  std::vector<std::string> known;
  for (const Parameter& field : fields) known.push_back(field.name);
  for (const JsonMember& member : value.members) {
    if (skip != nullptr && member.key == skip) continue;
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    std::string hint = suggestion(member.key, known);
    for (const Parameter& field : fields)
      if (std::find(field.synonyms.begin(), field.synonyms.end(), member.key) != field.synonyms.end())
        hint = fmt::format("did you mean \"{}\"?", field.name);
    report(place_of(member), pointer + "/" + member.key, fmt::format("unknown key \"{}\"", member.key),
           known.empty() ? "no parameters" : "one of " + list_of(known), hint);
  }
}

void Normalizer::run_checks(const JsonValue& normal) {
  const auto document = std::make_shared<SceneDocument>(SceneDocument{file_, folder_, normal});
  for (const PendingCheck& pending : checks_)
    if (const JsonValue* value = at_pointer(document->value, pending.pointer))
      pending.entry->check(Settings(document, *value, pending.pointer), problems_);
}

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
