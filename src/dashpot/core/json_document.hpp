#pragma once
// JSON with positions. Every value and key knows its line and column, so that a message about physics can point at the
// character to change. Accepts // and /* */ comments; refuses duplicate keys, NaN, Infinity and trailing commas by
// name. Lines and columns count from 1; columns count characters (UTF-8 code points), not bytes.

#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/error.hpp"

namespace dashpot {

struct JsonMember;

/// One value of a document; objects keep the order of their members.
struct JsonValue {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  int line = 0, column = 0;  ///< 0: not from a file (a default value)
  bool boolean = false;
  double number = 0;
  std::string text;  ///< content of a string; literal of a number
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;

  JsonValue() = default;
  static JsonValue of(bool value);
  static JsonValue of(double value);
  static JsonValue of(std::string value);
  static JsonValue of(const char* value);
  static JsonValue array();
  static JsonValue object();

  bool is(Kind k) const { return kind == k; }
  /// Member of an object, or nullptr.
  const JsonValue* find(std::string_view key) const;
  JsonValue* find(std::string_view key);
  /// Appends a member (objects) and returns its value.
  JsonValue& add(std::string key, JsonValue value);
  /// Appends an item (arrays).
  void push(JsonValue value);
};

struct JsonMember {
  std::string key;
  int line = 0, column = 0;
  JsonValue value;
};

/// The value at a JSON pointer ("/time/dt", "/bodies/0/name"; "" is the root), or nullptr.
const JsonValue* at_pointer(const JsonValue& root, std::string_view pointer);
JsonValue* at_pointer(JsonValue& root, std::string_view pointer);
/// Puts a value at a JSON pointer, making objects on the way; the index after the last of a list appends. False when
/// the pointer leads nowhere: nothing but objects that it made on the way has changed then.
bool put_at_pointer(JsonValue& root, std::string_view pointer, JsonValue value);

/// "a number", "an object", ...
std::string describe(JsonValue::Kind kind);

/// What came out of a text: the document, and every problem found. The document is usable when no problem is an error.
struct ParsedJson {
  JsonValue value;
  std::vector<Problem> problems;
};

/// Reads a whole text; never throws, whatever the bytes. `file` is only used in the places of problems.
ParsedJson parse_json(std::string_view text, const std::string& file);

/// Writes a value, two blanks an indent; arrays and objects of scalars that fit stay on one line. Numbers read back
/// exactly.
std::string write_json(const JsonValue& value);

/// "FILE:LINE:COLUMN: POINTER"; parts that are unknown are left out.
std::string place_text(const std::string& file, int line, int column, const std::string& pointer = {});

}  // namespace dashpot
