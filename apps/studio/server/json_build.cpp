#include "json_build.hpp"

#include <cmath>

namespace dashpot::studio {
namespace {

void write_text(const std::string& text, std::string& out) {
  // The document's own writer knows how texts are quoted.
  out += write_json(JsonValue::of(text));
  while (!out.empty() && out.back() == '\n') out.pop_back();
}

void write(const JsonValue& value, std::string& out) {
  using Kind = JsonValue::Kind;
  if (value.is(Kind::array)) {
    out += '[';
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (i > 0) out += ',';
      write(value.items[i], out);
    }
    out += ']';
  } else if (value.is(Kind::object)) {
    out += '{';
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      if (i > 0) out += ',';
      write_text(value.members[i].key, out);
      out += ':';
      write(value.members[i].value, out);
    }
    out += '}';
  } else if (value.is(Kind::string)) {
    write_text(value.text, out);
  } else {
    out += write_json(value);
    while (!out.empty() && out.back() == '\n') out.pop_back();
  }
}

}  // namespace

JsonValue json(double value) { return std::isfinite(value) ? JsonValue::of(value) : JsonValue(); }

JsonValue json(const Vec3& value) {
  JsonValue list = JsonValue::array();
  for (int i = 0; i < 3; ++i) list.push(json(value[i]));
  return list;
}

JsonValue json(const std::vector<double>& values) {
  JsonValue list = JsonValue::array();
  for (const double value : values) list.push(json(value));
  return list;
}

JsonValue json(const std::vector<std::string>& values) {
  JsonValue list = JsonValue::array();
  for (const std::string& value : values) list.push(json(value));
  return list;
}

JsonValue object(std::initializer_list<std::pair<const char*, JsonValue>> members) {
  JsonValue result = JsonValue::object();
  for (const auto& [key, value] : members) result.add(key, value);
  return result;
}

std::string compact(const JsonValue& value) {
  std::string out;
  write(value, out);
  return out;
}

}  // namespace dashpot::studio
