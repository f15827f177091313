// How a scene names its models: by a field ({"model": "stvk", ...}) or by a key ({"bar": {...}}), with parameters of
// regions.
#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/format/law_file.hpp"
#include "dashpot/scene/format/normalizer.hpp"

namespace dashpot {

using Kind = JsonValue::Kind;

JsonValue Normalizer::read_model(const JsonValue& value, Category category, const std::string& pointer) {
  const CategoryInfo& info = category_info(category);
  return info.field == nullptr ? read_model_by_key(value, info, pointer) : read_model_by_field(value, info, pointer);
}

const ModelEntry* Normalizer::find_model(const JsonValue& at, const std::string& name, const CategoryInfo& info,
                                         const std::string& pointer) {
  const ModelEntry* entry = registry().find(info.category, name);
  if (entry == nullptr) {
    const std::vector<std::string> names = registry().names(info.category);
    report(at, pointer, fmt::format("unknown {} \"{}\"", info.name, name), "one of " + list_of(names),
           suggestion(name, names));
  }
  return entry;
}

JsonValue Normalizer::read_model_by_field(const JsonValue& value, const CategoryInfo& info,
                                          const std::string& pointer) {
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
  JsonValue result =
      read_object(with_law(as_object, *entry, info, pointer), entry->parameters, pointer, entry, info.field);
  if (num_errors_ == errors && entry->check) checks_.push_back({entry, pointer});
  return result;
}

JsonValue Normalizer::with_law(const JsonValue& model, const ModelEntry& entry, const CategoryInfo& info,
                               const std::string& pointer) {
  const JsonValue* name = model.find("law");
  std::error_code failed;
  if (name == nullptr || !name->is(Kind::string) || entry.parameter("law") == nullptr ||
      !std::filesystem::is_regular_file(resolved(name->text), failed))
    return model;
  const std::string path = resolved(name->text).string(), at = pointer + "/law";
  LawFile law;
  try {
    law = read_law(read_file(path), path);
  } catch (const Error& error) {
    ++num_errors_;
    problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    return model;
  }
  std::vector<JsonValue> offered = law.damping;
  if (info.category == Category::material) offered = {law.material};
  const JsonValue* fragment = nullptr;
  std::string models;
  for (const JsonValue& one : offered) {
    const JsonValue* of = one.find(info.field);
    if (of == nullptr || !of->is(Kind::string)) continue;
    models += (models.empty() ? "" : ", ") + of->text;
    if (of->text == entry.name) fragment = &one;
  }
  if (fragment == nullptr) {
    report(*name, at, models.empty() ? fmt::format("a law without {}", info.name) : "a law of " + models,
           fmt::format("one of {}", entry.name));
    return model;
  }
  // In the file's own places first: what is wrong there must not be looked for in the scene.
  const std::string folder = std::filesystem::path(path).parent_path().string();
  Normalizer inside(path, folder);
  inside.read_object(*fragment, entry.parameters, std::string("/") + info.name, &entry, info.field, true);
  problems_.insert(problems_.end(), inside.problems_.begin(), inside.problems_.end());
  num_errors_ += inside.num_errors_;
  JsonValue result = model;
  if (inside.num_errors_ > 0) return result;
  for (const JsonMember& member : fragment->members)
    if (model.find(member.key) == nullptr) result.add(member.key, located(member.value, *name));
  return result;
}

/// {"bar": {...}}, "bathe", {"file": "part.msh", "scale": 0.001}.
JsonValue Normalizer::read_model_by_key(const JsonValue& value, const CategoryInfo& info, const std::string& pointer) {
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
    entry = find_model(place_of(*chosen), name, info, pointer + "/" + name);
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

bool Normalizer::merge_parameters(const JsonValue& value, const JsonMember& chosen, const ModelEntry& entry,
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
      report(place_of(member), pointer + "/" + member.key, fmt::format("\"{}\" beside \"{}\"", member.key, chosen.key),
             "one choice", fmt::format("parameters of {0} belong inside: {{\"{0}\": {{...}}}}", chosen.key));
    } else {
      parameters.members.push_back(member);
    }
  }
  return true;
}

/// Normal form of per-region overrides: a list of {"where": ..., parameters}.
JsonValue Normalizer::read_regions(const JsonValue& value, const ModelEntry& entry, const std::string& pointer) {
  std::vector<Parameter> fields{parameter::model("where", Category::where, "which tets")};
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

}  // namespace dashpot
