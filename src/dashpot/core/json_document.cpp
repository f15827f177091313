#include "dashpot/core/json_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace dashpot {
namespace {

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string one_line(const JsonValue& value);

std::string member_list(const JsonValue& value) {
  std::string result;
  for (const JsonValue& item : value.items) result += (result.empty() ? "" : ", ") + one_line(item);
  for (const JsonMember& member : value.members)
    result += (result.empty() ? "" : ", ") + in_quotes(member.key) + ": " + one_line(member.value);
  return result;
}

std::string one_line(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::null:
      return "null";
    case JsonValue::Kind::boolean:
      return value.boolean ? "true" : "false";
    case JsonValue::Kind::number:
      return value.number == std::floor(value.number) && std::abs(value.number) < 1e15
                 ? fmt::format("{:.0f}", value.number)
                 : fmt::format("{}", value.number);
    case JsonValue::Kind::string:
      return in_quotes(value.text);
    case JsonValue::Kind::array:
      return fmt::format("[{}]", member_list(value));
    case JsonValue::Kind::object:
      return fmt::format("{{{}}}", member_list(value));
  }
  return "null";
}

void write_into(std::string& out, const JsonValue& value, std::size_t indent) {
  const std::string line = one_line(value);
  const bool container = value.is(JsonValue::Kind::array) || value.is(JsonValue::Kind::object);
  if (!container || line.size() + indent <= 100) {
    out += line;
    return;
  }
  const bool object = value.is(JsonValue::Kind::object);
  const std::string blanks(indent + 2, ' ');
  out += object ? "{\n" : "[\n";
  const std::size_t count = object ? value.members.size() : value.items.size();
  for (std::size_t i = 0; i < count; ++i) {
    out += blanks;
    if (object) out += in_quotes(value.members[i].key) + ": ";
    write_into(out, object ? value.members[i].value : value.items[i], indent + 2);
    out += i + 1 < count ? ",\n" : "\n";
  }
  out += std::string(indent, ' ') + (object ? "}" : "]");
}

JsonValue with_kind(JsonValue::Kind k) {
  JsonValue value;
  value.kind = k;
  return value;
}
}  // namespace

JsonValue JsonValue::of(const char* value) { return of(std::string(value)); }
JsonValue JsonValue::array() { return with_kind(Kind::array); }
JsonValue JsonValue::object() { return with_kind(Kind::object); }
void JsonValue::push(JsonValue value) { items.push_back(std::move(value)); }
JsonValue JsonValue::of(bool b) {
  JsonValue value = with_kind(Kind::boolean);
  value.boolean = b;
  return value;
}
JsonValue JsonValue::of(double d) {
  JsonValue value = with_kind(Kind::number);
  value.number = d;
  return value;
}
JsonValue JsonValue::of(std::string s) {
  JsonValue value = with_kind(Kind::string);
  value.text = std::move(s);
  return value;
}

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const JsonMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}
JsonValue* JsonValue::find(std::string_view key) { return const_cast<JsonValue*>(std::as_const(*this).find(key)); }

namespace {

/// Takes the next key off a pointer that begins with '/'.
std::string_view next_key(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const std::string_view key = pointer.substr(0, pointer.find('/'));
  pointer.remove_prefix(key.size());
  return key;
}

/// Digits only: "beam" is no index, and not the first one either.
std::optional<std::size_t> index_of(std::string_view key) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  return error == std::errc() && end == key.data() + key.size() ? std::optional(index) : std::nullopt;
}

}  // namespace

const JsonValue* at_pointer(const JsonValue& root, std::string_view pointer) {
  const JsonValue* value = &root;
  while (!pointer.empty() && value != nullptr) {
    if (pointer[0] != '/') return nullptr;
    const std::string_view key = next_key(pointer);
    if (value->is(JsonValue::Kind::array)) {
      const std::optional<std::size_t> i = index_of(key);
      value = i && *i < value->items.size() ? &value->items[*i] : nullptr;
    } else {
      value = value->find(key);
    }
  }
  return value;
}

bool put_at_pointer(JsonValue& root, std::string_view pointer, JsonValue value) {
  JsonValue* at = &root;
  while (!pointer.empty()) {
    if (pointer[0] != '/') return false;
    const std::string_view key = next_key(pointer);
    if (at->is(JsonValue::Kind::array)) {
      const std::optional<std::size_t> i = index_of(key);
      if (!i || *i > at->items.size()) return false;
      if (*i == at->items.size()) at->items.emplace_back();
      at = &at->items[*i];
    } else {
      if (at->is(JsonValue::Kind::null)) at->kind = JsonValue::Kind::object;
      if (!at->is(JsonValue::Kind::object)) return false;
      JsonValue* next = at->find(key);
      at = next != nullptr ? next : &at->add(std::string(key), {});
    }
  }
  *at = std::move(value);
  return true;
}

JsonValue* at_pointer(JsonValue& root, std::string_view pointer) {
  return const_cast<JsonValue*>(at_pointer(std::as_const(root), pointer));
}

JsonValue& JsonValue::add(std::string key, JsonValue value) {
  const int at_line = value.line, at_column = value.column;
  members.push_back({std::move(key), at_line, at_column, std::move(value)});
  return members.back().value;
}

std::string describe(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::null:
      return "null";
    case JsonValue::Kind::boolean:
      return "true or false";
    case JsonValue::Kind::number:
      return "a number";
    case JsonValue::Kind::string:
      return "text";
    case JsonValue::Kind::array:
      return "a list";
    case JsonValue::Kind::object:
      return "an object";
  }
  return "nothing";
}

std::string write_json(const JsonValue& value) {
  std::string out;
  write_into(out, value, 0);
  return out + '\n';
}

std::string place_text(const std::string& file, int line, int column, const std::string& pointer) {
  std::string place = file;
  if (line > 0) place += fmt::format("{}{}:{}", place.empty() ? "" : ":", line, column);
  if (!pointer.empty()) place += (place.empty() ? "" : ": ") + pointer;
  return place;
}

}  // namespace dashpot
