#include "studio_commands.hpp"

#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace dashpot::studio {
namespace {

using Kind = JsonValue::Kind;

constexpr double farthest = 1e9;  // of any length, force or time that a page sends, in SI units
constexpr std::size_t most_items = 20000;
constexpr std::size_t longest_name = 4096;

/// The fields of a command; what is wrong with them is collected.
class Fields {
 public:
  Fields(const JsonValue& object, std::string name, std::vector<Problem>& problems)
      : object_(object), name_(std::move(name)), problems_(problems) {}

  bool has(const char* key) const { return object_.find(key) != nullptr; }

  double number(const char* key, double low, double high, std::optional<double> fallback = {}) {
    const JsonValue* value = find(key, fallback.has_value());
    if (value == nullptr) return fallback.value_or(low);
    if (value->is(Kind::number) && value->number >= low && value->number <= high) return value->number;
    wrong(key, *value, fmt::format("a number from {:.6g} to {:.6g}", low, high));
    return low;
  }

  int integer(const char* key, int low, int high, std::optional<int> fallback = {}) {
    const JsonValue* value = find(key, fallback.has_value());
    if (value == nullptr) return fallback.value_or(low);
    if (value->is(Kind::number) && value->number >= low && value->number <= high &&
        value->number == std::floor(value->number))
      return static_cast<int>(value->number);
    wrong(key, *value, fmt::format("a whole number from {} to {}", low, high));
    return low;
  }

  bool flag(const char* key, std::optional<bool> fallback = {}) {
    const JsonValue* value = find(key, fallback.has_value());
    if (value == nullptr) return fallback.value_or(false);
    if (!value->is(Kind::boolean)) wrong(key, *value, "true or false");
    return value->boolean;
  }

  std::string text(const char* key, bool may_be_empty = false) {
    const JsonValue* value = find(key, false);
    if (value == nullptr) return {};
    const bool usable =
        value->is(Kind::string) && value->text.size() <= longest_name && (may_be_empty || !value->text.empty());
    if (!usable) wrong(key, *value, may_be_empty ? "a text" : "a text that is not empty");
    return usable ? value->text : std::string();
  }

  /// The index of a text in a list of choices; 0 where it is none of them.
  std::size_t choice(const char* key, const std::vector<std::string>& choices) {
    const JsonValue* value = find(key, false);
    if (value == nullptr) return 0;
    for (std::size_t i = 0; i < choices.size(); ++i)
      if (value->is(Kind::string) && value->text == choices[i]) return i;
    wrong(key, *value, fmt::format("one of {}", fmt::join(choices, ", ")));
    return 0;
  }

  Vec3 vec3(const char* key) {
    const JsonValue* value = find(key, false);
    Vec3 result = Vec3::Zero();
    if (value == nullptr) return result;
    bool usable = value->is(Kind::array) && value->items.size() == 3;
    for (int i = 0; usable && i < 3; ++i) {
      const JsonValue& item = value->items[static_cast<std::size_t>(i)];
      usable = item.is(Kind::number) && std::abs(item.number) <= farthest;
      if (usable) result[i] = item.number;
    }
    if (!usable) wrong(key, *value, "three numbers");
    return usable ? result : Vec3(Vec3::Zero());
  }

  /// Calls `take` for each item of a list of objects.
  void objects(const char* key, std::size_t most, const std::function<void(Fields&)>& take) {
    const JsonValue* value = find(key, false);
    if (value == nullptr) return;
    if (!value->is(Kind::array) || value->items.empty() || value->items.size() > most)
      return wrong(key, *value, fmt::format("a list of 1 to {} entries", most));
    for (std::size_t i = 0; i < value->items.size(); ++i) {
      const std::string name = fmt::format("{}{}/{}/", name_, key, i);
      if (!value->items[i].is(Kind::object)) {
        problems_.push_back({name, describe(value->items[i].kind), "an object"});
        continue;
      }
      Fields fields(value->items[i], name, problems_);
      take(fields);
    }
  }

  const JsonValue* find(const char* key, bool may_be_absent) {
    const JsonValue* value = object_.find(key);
    if (value == nullptr && !may_be_absent) problems_.push_back({name_ + key, "nothing", fmt::format("\"{}\"", key)});
    return value;
  }

  void wrong(const char* key, const JsonValue& value, const std::string& expected) {
    const std::string found = value.is(Kind::number)   ? fmt::format("{:.9g}", value.number)
                              : value.is(Kind::string) ? fmt::format("\"{}\"", value.text.substr(0, 60))
                                                       : describe(value.kind);
    problems_.push_back({name_ + key, found, expected});
  }

 private:
  const JsonValue& object_;
  std::string name_;
  std::vector<Problem>& problems_;
};

constexpr int most_nodes = 100'000'000;

const std::vector<std::string>& view_kinds() {
  static const std::vector<std::string> kinds = {"designed", "reference", "undamped", "example", "mode"};
  return kinds;
}

Command read_set(Fields& fields) {
  command::Set set;
  const JsonValue* values = fields.find("values", false);
  if (values == nullptr) return set;
  if (!values->is(Kind::object) || values->members.size() > 1000) {
    fields.wrong("values", *values, "an object with at most 1000 names");
    return set;
  }
  for (const JsonMember& member : values->members) {
    std::vector<double>& list = set.values[member.key];
    const JsonValue& value = member.value;
    bool usable = value.is(Kind::number) || (value.is(Kind::array) && value.items.size() <= most_items);
    if (value.is(Kind::number)) list.push_back(value.number);
    for (const JsonValue& item : value.items) {
      usable &= item.is(Kind::number);
      list.push_back(item.number);
    }
    if (!usable) fields.wrong("values", value, fmt::format("a number or a list of numbers for {}", member.key));
  }
  return set;
}

Command read_edit(Fields& fields) {
  command::Edit edit;
  edit.quiet = fields.flag("quiet", false);
  fields.objects("changes", 1000, [&](Fields& item) {
    command::Change change;
    change.at = item.text("at", true);
    const bool removes = item.flag("remove", false);
    if (!removes)
      if (const JsonValue* value = item.find("value", false)) change.value = *value;
    edit.changes.push_back(std::move(change));
  });
  return edit;
}

Command read_views(Fields& fields) {
  command::Views views;
  fields.objects("views", 4, [&](Fields& item) {
    View view;
    view.kind = static_cast<View::Kind>(item.choice("kind", view_kinds()));
    if (view.kind == View::Kind::example) view.name = item.text("name");
    if (view.kind == View::Kind::mode) view.index = item.integer("index", 1, 1000);
    views.views.push_back(std::move(view));
  });
  return views;
}

Command read_example(Fields& fields) {
  command::MakeExample make;
  using From = command::MakeExample::From;
  make.from = static_cast<From>(fields.choice("from", {"mode", "current", "pose"}));
  make.name = fields.text("name");
  make.relaxed = fields.flag("relaxed", false);
  if (make.from == From::mode) {
    make.index = fields.integer("index", 1, 1000);
    make.amplitude = fields.number("amplitude", 1e-9, farthest);
  }
  return make;
}

Command read_design(Fields& fields) {
  command::Design design;
  fields.objects("targets", 200, [&](Fields& item) {
    command::Target target;
    target.example = item.text("example");
    target.from = item.number("from", 1e-6, 1e6);
    target.left = item.number("left", 0, 1e6);
    design.targets.push_back(std::move(target));
  });
  return design;
}

Command read_equivalent(Fields& fields) {
  command::Equivalent equivalent;
  using Measure = command::Equivalent::Measure;
  if (fields.has("mode"))
    equivalent.mode = fields.integer("mode", 1, 1000);
  else
    equivalent.frequency = fields.number("frequency", 1e-9, farthest);
  if (fields.has("lost_per_cycle")) {
    equivalent.measure = Measure::lost_per_cycle;
    equivalent.value = fields.number("lost_per_cycle", 0, 1);
  } else if (fields.has("settle_time")) {
    equivalent.measure = Measure::settle_time;
    equivalent.value = fields.number("settle_time", 1e-9, farthest);
  } else {
    equivalent.value = fields.number("zeta", 0, 1000);
  }
  return equivalent;
}

struct Entry {
  const char* name;
  Command (*read)(Fields& fields);
};

Command read_pin(Fields& fields, bool holds) {
  return command::Pin{holds, fields.integer("node", 0, most_nodes), fields.number("radius", 0, farthest, 0)};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> table = {
      {"play", [](Fields&) -> Command { return command::Play{}; }},
      {"pause", [](Fields&) -> Command { return command::Pause{}; }},
      {"reset", [](Fields&) -> Command { return command::Reset{}; }},
      {"step", [](Fields& f) -> Command { return command::Step{f.integer("count", 1, 10000, 1)}; }},
      {"speed", [](Fields& f) -> Command { return command::Speed{f.number("factor", 0.05, 4)}; }},
      {"mouse", [](Fields& f) -> Command { return command::Mouse{f.flag("take")}; }},
      {"pick",
       [](Fields& f) -> Command {
         return command::Pick{f.integer("view", 0, 3), f.vec3("origin"), f.vec3("direction")};
       }},
      {"grab",
       [](Fields& f) -> Command {
         return command::Grab{f.integer("node", 0, most_nodes), f.number("radius", 0, farthest, 0),
                              f.number("stiffness", 0, farthest, 0), f.flag("pose", false)};
       }},
      {"drag", [](Fields& f) -> Command { return command::Drag{f.vec3("target")}; }},
      {"release", [](Fields&) -> Command { return command::Release{}; }},
      {"poke",
       [](Fields& f) -> Command {
         return command::Poke{f.integer("node", 0, most_nodes), f.vec3("impulse")};
       }},
      {"pin", [](Fields& f) -> Command { return read_pin(f, true); }},
      {"unpin", [](Fields& f) -> Command { return read_pin(f, false); }},
      {"set", read_set},
      {"edit", read_edit},
      {"views", read_views},
      {"modes", [](Fields& f) -> Command { return command::Modes{f.integer("count", 1, 60)}; }},
      {"example", read_example},
      {"design", read_design},
      {"cancel", [](Fields& f) -> Command { return command::Cancel{f.integer("job", 0, most_nodes)}; }},
      {"equivalent", read_equivalent},
      {"scrub", [](Fields& f) -> Command { return command::Scrub{f.number("time", -farthest, farthest)}; }},
      {"open",
       [](Fields& f) -> Command {
         command::Open open{f.text("path")};
         open.is_run = f.has("kind") && f.choice("kind", {"scene", "run"}) == 1;
         return open;
       }},
      {"save", [](Fields& f) -> Command { return command::Save{f.text("path")}; }},
      {"ack", [](Fields& f) -> Command { return command::Acknowledge{f.number("frame", 0, 4294967295.0)}; }},
  };
  return table;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.emplace_back(entry.name);
  return names;
}

}  // namespace

std::string to_string(View::Kind kind) { return view_kinds()[static_cast<std::size_t>(kind)]; }

ParsedCommand parse_command(std::string_view text) {
  ParsedCommand result;
  if (text.size() > longest_text) {
    result.problems.push_back({"command", fmt::format("{} bytes", text.size()),
                               fmt::format("at most {} bytes", longest_text), "send less at once"});
    return result;
  }
  const ParsedJson parsed = parse_json(text, "command");
  for (const Problem& problem : parsed.problems)
    if (problem.severity == Problem::Severity::error) result.problems.push_back(problem);
  if (!result.problems.empty()) return result;
  if (!parsed.value.is(Kind::object)) {
    result.problems.push_back({"command", describe(parsed.value.kind), "an object with \"id\" and \"do\""});
    return result;
  }
  const JsonValue* id = parsed.value.find("id");
  if (id != nullptr && id->is(Kind::number)) result.id = id->number;
  Fields fields(parsed.value, "", result.problems);
  if (!result.id) fields.number("id", 0, 9e15);
  const std::string name = fields.text("do");
  if (name.empty()) return result;
  for (const Entry& entry : entries())
    if (name == entry.name) {
      Command command = entry.read(fields);
      if (result.problems.empty()) result.command = std::move(command);
      return result;
    }
  const std::string nearest = nearest_name(name, command_names());
  result.problems.push_back({"do", fmt::format("\"{}\"", name.substr(0, 60)), "a command of dashpot.studio.1",
                             nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest)});
  return result;
}

}  // namespace dashpot::studio
