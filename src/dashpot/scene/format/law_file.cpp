#include "dashpot/scene/format/law_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

using Kind = JsonValue::Kind;

JsonValue text_list(const std::vector<std::string>& items) {
  JsonValue list = JsonValue::array();
  for (const std::string& item : items) list.push(JsonValue::of(item));
  return list;
}

JsonValue two_numbers(double first, double second) {
  JsonValue list = JsonValue::array();
  list.push(JsonValue::of(first));
  list.push(JsonValue::of(second));
  return list;
}

/// Reads members of known kinds and remembers what is wrong.
class LawReader {
 public:
  LawReader(const std::string& file) : file_(file) {}

  void report(const JsonValue& at, const std::string& pointer, std::string found, std::string expected,
              std::string remedy = {}) {
    problems_.push_back(
        {place_text(file_, at.line, at.column, pointer), std::move(found), std::move(expected), std::move(remedy)});
  }
  const JsonValue* member(const JsonValue& object, const char* key, Kind kind, const std::string& pointer) {
    const JsonValue* value = object.find(key);
    if (value != nullptr && !value->is(kind)) {
      report(*value, pointer + "/" + key, describe(value->kind), describe(kind));
      return nullptr;
    }
    return value;
  }
  double number(const JsonValue& object, const char* key, const std::string& pointer) {
    const JsonValue* value = member(object, key, Kind::number, pointer);
    return value != nullptr ? value->number : 0;
  }
  std::string text(const JsonValue& object, const char* key, const std::string& pointer) {
    const JsonValue* value = member(object, key, Kind::string, pointer);
    return value != nullptr ? value->text : "";
  }
  void range(const JsonValue& object, const char* key, const std::string& pointer, double& low, double& high) {
    const JsonValue* value = member(object, key, Kind::array, pointer);
    if (value == nullptr) return;
    if (value->items.size() != 2 || !value->items[0].is(Kind::number) || !value->items[1].is(Kind::number))
      return report(*value, pointer + "/" + key, "another list", "two numbers, least and largest");
    low = value->items[0].number, high = value->items[1].number;
  }
  void only(const JsonValue& object, std::initializer_list<const char*> known, const std::string& pointer) {
    for (const JsonMember& one : object.members)
      if (std::find(known.begin(), known.end(), one.key) == known.end()) {
        std::string list;
        for (const char* key : known) list += (list.empty() ? "" : ", ") + std::string(key);
        JsonValue at;
        at.line = one.line, at.column = one.column;
        report(at, pointer + "/" + one.key, fmt::format("unknown key \"{}\"", one.key), "one of " + list);
      }
  }
  void finish() const {
    if (!problems_.empty()) throw Error(problems_);
  }

 private:
  const std::string& file_;
  std::vector<Problem> problems_;
};

}  // namespace

std::string write_law(const LawFile& law) {
  JsonValue file = JsonValue::object();
  file.add("dashpot_law", JsonValue::of(1.0));
  if (!law.title.empty()) file.add("title", JsonValue::of(law.title));
  file.add("material", law.material);
  if (!law.damping.empty()) {
    JsonValue& list = file.add("damping", JsonValue::array());
    for (const JsonValue& damping : law.damping) list.push(damping);
  }
  JsonValue& learned = file.add("learned", JsonValue::object());
  if (law.dt > 0) learned.add("dt", JsonValue::of(law.dt));
  if (!law.stepper.members.empty()) learned.add("stepper", law.stepper);
  if (law.density > 0) learned.add("density", JsonValue::of(law.density));
  if (law.visited.is_known()) {
    learned.add("stretches", two_numbers(law.visited.least, law.visited.largest));
    learned.add("volumes", two_numbers(law.visited.least_volume, law.visited.largest_volume));
    learned.add("middle_stretches", two_numbers(law.visited.least_middle, law.visited.largest_middle));
  }
  if (!law.data.empty()) learned.add("data", text_list(law.data));
  if (!law.version.empty()) learned.add("version", JsonValue::of(law.version));
  if (!law.commit.empty()) learned.add("commit", JsonValue::of(law.commit));
  return write_json(file);
}

LawFile read_law(const std::string& text, const std::string& file) {
  ParsedJson parsed = parse_json(text, file);
  if (!parsed.problems.empty()) throw Error(std::move(parsed.problems));
  const JsonValue& root = parsed.value;
  LawReader reader(file);
  const JsonValue* version = root.find("dashpot_law");
  if (!root.is(Kind::object) || version == nullptr) {
    reader.report(root, "/", root.find("dashpot") != nullptr ? "a scene" : describe(root.kind),
                  "a law: { \"dashpot_law\": 1, \"material\": {...}, ... }", "dashpot learn writes such files");
    reader.finish();
  }
  if (!version->is(Kind::number) || version->number != 1)
    reader.report(*version, "/dashpot_law", write_json(*version), "1", "a newer dashpot may have written it");
  reader.only(root, {"dashpot_law", "title", "material", "damping", "learned"}, "");
  LawFile law;
  law.title = reader.text(root, "title", "");
  if (const JsonValue* material = reader.member(root, "material", Kind::object, "")) law.material = *material;
  if (const JsonValue* damping = reader.member(root, "damping", Kind::array, ""))
    for (std::size_t i = 0; i < damping->items.size(); ++i) {
      const JsonValue& one = damping->items[i];
      if (!one.is(Kind::object))
        reader.report(one, fmt::format("/damping/{}", i), describe(one.kind), "{\"model\": ..., ...}");
      law.damping.push_back(one);
    }
  if (law.material.members.empty() && law.damping.empty())
    reader.report(root, "/", "neither \"material\" nor \"damping\"", "what was learned");
  if (const JsonValue* learned = reader.member(root, "learned", Kind::object, "")) {
    const std::string at = "/learned";
    reader.only(*learned,
                {"dt", "stepper", "density", "stretches", "volumes", "middle_stretches", "data", "version", "commit"},
                at);
    law.dt = reader.number(*learned, "dt", at);
    if (const JsonValue* stepper = reader.member(*learned, "stepper", Kind::object, at)) law.stepper = *stepper;
    law.density = reader.number(*learned, "density", at);
    reader.range(*learned, "stretches", at, law.visited.least, law.visited.largest);
    reader.range(*learned, "volumes", at, law.visited.least_volume, law.visited.largest_volume);
    reader.range(*learned, "middle_stretches", at, law.visited.least_middle, law.visited.largest_middle);
    if (const JsonValue* data = reader.member(*learned, "data", Kind::array, at))
      for (const JsonValue& item : data->items) law.data.push_back(item.text);
    law.version = reader.text(*learned, "version", at);
    law.commit = reader.text(*learned, "commit", at);
  }
  reader.finish();
  return law;
}

}  // namespace dashpot
