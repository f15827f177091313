#include "dashpot/shape/value_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dashpot {
namespace {

using JsonKind = JsonValue::Kind;
constexpr std::size_t max_problems = 50;
constexpr double largest_length = 1e5, smallest_length = 1e-6;  // [m]; farther apart the lattice could not resolve both

std::string shown(const JsonValue& value) {
  switch (value.kind) {
    case JsonKind::string:
      return fmt::format("\"{}\"", value.text.substr(0, 40));
    case JsonKind::number:
      return fmt::format("{:g}", value.number);
    default:
      return describe(value.kind);
  }
}

}  // namespace

void ValueReader::problem(const JsonValue& at, std::string found, std::string expected, std::string remedy) {
  if (problems.size() < max_problems)
    problems.push_back(
        {place_text(file, at.line, at.column), std::move(found), std::move(expected), std::move(remedy)});
}

void ValueReader::warn(const JsonValue& at, std::string found, std::string remedy) {
  if (problems.size() < max_problems)
    problems.push_back(
        {place_text(file, at.line, at.column), std::move(found), "", std::move(remedy), Problem::Severity::warning});
}

bool ValueReader::has_errors() const {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& p) { return p.severity == Problem::Severity::error; });
}

bool ValueReader::number(const JsonValue& value, const std::string& what, Quantity quantity, double low, double high,
                         double& out) {
  double number = value.number;
  if (value.is(JsonKind::string)) {
    const ParsedQuantity parsed = parse_quantity(value.text, quantity);
    if (!parsed.error.empty()) {
      problem(value, fmt::format("{}: {}", what, parsed.error), "");
      return false;
    }
    number = parsed.value;
  } else if (!value.is(JsonKind::number)) {
    problem(value, fmt::format("{} = {}", what, shown(value)),
            fmt::format("{}, such as \"{}\"", quantity_info(quantity).name, quantity_info(quantity).example));
    return false;
  }
  if (!(number >= low && number <= high)) {
    problem(value, fmt::format("{} = {}", what, shown(value)),
            fmt::format("{} to {}", describe_quantity(low, quantity), describe_quantity(high, quantity)));
    return false;
  }
  out = number;
  return true;
}

bool ValueReader::size(const JsonValue& value, const std::string& what, double& out) {
  return number(value, what, Quantity::length, smallest_length, largest_length, out);
}

bool ValueReader::integer(const JsonValue& value, const std::string& what, int low, int high, int& out) {
  if (!value.is(JsonKind::number) || value.number != std::floor(value.number) || !(value.number >= low) ||
      !(value.number <= high)) {
    problem(value, fmt::format("{} = {}", what, shown(value)), fmt::format("a whole number, {} to {}", low, high));
    return false;
  }
  out = static_cast<int>(value.number);
  return true;
}

bool ValueReader::vector(const JsonValue& value, const std::string& what, Quantity quantity, Vec3& out) {
  if (!value.is(JsonKind::array) || value.items.size() != 3) {
    problem(value, fmt::format("{} = {}", what, shown(value)), "a list of three numbers: x, y, z");
    return false;
  }
  bool good = true;
  for (int i = 0; i < 3; ++i)
    good = number(value.items[static_cast<std::size_t>(i)], what, quantity, -largest_length, largest_length, out[i]) &&
           good;
  return good;
}

bool ValueReader::sizes(const JsonValue& value, const std::string& what, Vec3& out) {
  Vec3 v;
  if (!vector(value, what, Quantity::length, v)) return false;
  if (v.minCoeff() < smallest_length) {
    problem(value, fmt::format("{} = [{:g}, {:g}, {:g}]", what, v[0], v[1], v[2]),
            fmt::format("three lengths of at least {:g} m", smallest_length));
    return false;
  }
  out = v;
  return true;
}

bool ValueReader::degrees(const JsonValue& value, const std::string& what, Vec3& out) {
  if (!value.is(JsonKind::array) || value.items.size() != 3) {
    problem(value, fmt::format("{} = {}", what, shown(value)), "three angles about x, y, z in degrees: [0, 90, 0]");
    return false;
  }
  constexpr double to_degrees = 180 / std::numbers::pi;
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    const JsonValue& item = value.items[static_cast<std::size_t>(i)];
    const bool has_unit = item.is(JsonKind::string);
    good = number(item, what, has_unit ? Quantity::angle : Quantity::number, -3600, 3600, out[i]) && good;
    if (has_unit) out[i] *= to_degrees;
  }
  return good;
}

bool ValueReader::direction(const JsonValue& value, const std::string& what, Vec3& out) {
  if (value.is(JsonKind::string)) {
    for (int i = 0; i < 3; ++i)
      if (value.text == std::string(1, "xyz"[i])) {
        out = Vec3::Unit(i);
        return true;
      }
    problem(value, fmt::format("{} = {}", what, shown(value)), R"("x", "y", "z" or three numbers)");
    return false;
  }
  Vec3 v;
  if (!vector(value, what, Quantity::number, v)) return false;
  if (v.norm() < 1e-9) {
    problem(value, fmt::format("{} = [0, 0, 0]", what), "a direction");
    return false;
  }
  out = v.normalized();
  return true;
}

bool ValueReader::color(const JsonValue& value, Vec3& out) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  const std::string& text = value.text;
  bool good = value.is(JsonKind::string) && text.size() == 7 && text[0] == '#';
  for (std::size_t i = 1; good && i < 7; ++i) good = digit(text[i]) >= 0;
  if (!good) {
    problem(value, fmt::format("color = {}", shown(value)), "red, green and blue as \"#rrggbb\"",
            "\"#808080\" is a middle gray");
    return false;
  }
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(1 + 2 * i);
    out[i] = (16 * digit(text[at]) + digit(text[at + 1])) / 255.0;
  }
  return true;
}

bool ValueReader::text(const JsonValue& value, const std::string& what, std::string& out) {
  if (!value.is(JsonKind::string)) {
    problem(value, fmt::format("{} = {}", what, shown(value)), "text in double quotes");
    return false;
  }
  out = value.text;
  return true;
}

ObjectReader::ObjectReader(ValueReader& reader, const JsonValue& object, std::string what)
    : reader_(reader), object_(object), what_(std::move(what)) {
  if (!object.is(JsonKind::object))
    reader_.problem(object, fmt::format("{} is {}", what_, describe(object.kind)), "an object: { ... }");
}

const JsonValue* ObjectReader::find(const std::string& name) {
  known_.push_back(name);
  return object_.find(name);
}

const JsonValue* ObjectReader::need(const std::string& name, const std::string& example) {
  const JsonValue* found = find(name);
  if (found == nullptr && object_.is(JsonKind::object))
    reader_.problem(object_, fmt::format("{} without \"{}\"", what_, name), fmt::format("\"{}\": {}", name, example));
  return found;
}

void ObjectReader::finish() {
  for (const JsonMember& member : object_.members) {
    if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
    JsonValue at;
    at.line = member.line;
    at.column = member.column;
    const std::string near = nearest_name(member.key, known_);
    reader_.problem(at, fmt::format("unknown key \"{}\" in {}", member.key.substr(0, 40), what_),
                    fmt::format("{}", fmt::join(known_, ", ")),
                    near.empty() ? "" : fmt::format("did you mean \"{}\"?", near));
  }
}

}  // namespace dashpot
