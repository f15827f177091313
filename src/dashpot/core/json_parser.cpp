#include <fmt/format.h>

#include <algorithm>

#include "dashpot/core/json_document.hpp"
#include "dashpot/core/json_scanner.hpp"

namespace dashpot {
namespace {

constexpr int max_depth = 64;
constexpr std::size_t max_members = 1000;  // of one object; looking for duplicates costs its square

/// Recursive descent over one text. Small slips (trailing or missing comma, NaN, duplicate key) are reported and
/// reading goes on; a broken structure stops it.
class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : in_(text, file) {}

  ParsedJson run() {
    ParsedJson result;
    if (in_.go_to_bad_byte()) {
      in_.report(in_.here(), "a byte that is not text (UTF-8)", "a text file", "save the scene as UTF-8 text");
    } else {
      in_.skip_blanks();
      if (in_.at_end() && !in_.stopped()) {
        in_.stop(in_.here(), "the file is empty", "an object: { \"dashpot\": 1, ... }");
      } else if (!in_.stopped()) {
        result.value = read_value(0);
        in_.skip_blanks();
        if (!in_.stopped() && !in_.at_end())
          in_.stop(in_.here(), "text after the end of the document", "nothing more", "check the braces above");
      }
    }
    result.problems = in_.take_problems();
    return result;
  }

 private:
  JsonValue read_value(int depth) {
    JsonValue value;
    const JsonScanner::Position start = in_.here();
    if (depth > max_depth) {
      in_.stop(start, fmt::format("values nested deeper than {} levels", max_depth), "a flat scene");
    } else if (in_.at_end()) {
      in_.stop(start, "the file ends where a value should be", "a value", "close the open braces and brackets");
    } else if (in_.peek() == '{') {
      value = read_object(depth);
    } else if (in_.peek() == '[') {
      value = read_array(depth);
    } else if (in_.peek() == '"') {
      value = JsonValue::of(in_.read_string());
    } else if (in_.peek() == '\'') {
      in_.stop(start, "a single quote", "double quotes around text", "write \"...\"");
    } else {
      value = in_.read_word();
    }
    value.line = start.line;
    value.column = start.column;
    return value;
  }

  /// After a value inside `closing`: takes the comma. True when another value follows.
  bool next_in_list(char closing, JsonScanner::Position opened) {
    in_.skip_blanks();
    if (in_.stopped()) return false;
    if (in_.peek() == ',') {
      const JsonScanner::Position comma = in_.here();
      in_.step();
      in_.skip_blanks();
      if (in_.peek() == closing) {
        in_.report(comma, fmt::format("a comma before '{}'", closing), "no comma after the last value",
                   "remove the comma");
        return false;
      }
      return !in_.stopped();
    }
    if (in_.peek() == closing) return false;
    if (in_.at_end()) {
      in_.stop(
          in_.here(),
          fmt::format("the file ends inside the {} opened at line {}", closing == '}' ? "object" : "list", opened.line),
          fmt::format("'{}'", closing));
      return false;
    }
    in_.report(in_.here(), fmt::format("'{}' without a comma before it", in_.peek()),
               fmt::format("',' or '{}'", closing), "add the comma");
    if (++slips_ > 8) in_.stop(in_.here(), "too many missing commas", "JSON");
    return !in_.stopped();
  }

  JsonValue read_array(int depth) {
    JsonValue value = JsonValue::array();
    const JsonScanner::Position opened = in_.here();
    in_.step();
    in_.skip_blanks();
    if (in_.peek() != ']' && !in_.stopped()) do
        value.items.push_back(read_value(depth + 1));
      while (!in_.stopped() && next_in_list(']', opened));
    if (!in_.stopped()) in_.step();
    return value;
  }

  JsonValue read_object(int depth) {
    JsonValue value = JsonValue::object();
    const JsonScanner::Position opened = in_.here();
    in_.step();
    in_.skip_blanks();
    if (in_.peek() != '}' && !in_.stopped()) do
        read_member(value, depth);
      while (!in_.stopped() && next_in_list('}', opened));
    if (!in_.stopped()) in_.step();
    return value;
  }

  void read_member(JsonValue& object, int depth) {
    const JsonScanner::Position at = in_.here();
    if (in_.peek() != '"')
      return in_.stop(at,
                      in_.at_end() ? "the file ends inside an object"
                                   : fmt::format("'{}' where a key should be", in_.peek_character()),
                      "a key in double quotes");
    JsonMember member{in_.read_string(), at.line, at.column, {}};
    in_.skip_blanks();
    if (in_.stopped()) return;
    if (in_.peek() != ':')
      return in_.stop(in_.here(), fmt::format("no ':' after the key \"{}\"", member.key), "':' and a value");
    in_.step();
    in_.skip_blanks();
    if (in_.stopped()) return;
    member.value = read_value(depth + 1);
    const auto same = std::find_if(object.members.begin(), object.members.end(),
                                   [&](const JsonMember& other) { return other.key == member.key; });
    if (same != object.members.end())
      return in_.report(at, fmt::format("the key \"{}\" a second time", member.key),
                        fmt::format("each key once (first at line {})", same->line), "remove one of the two");
    if (object.members.size() >= max_members)
      return in_.stop(at, fmt::format("an object with more than {} keys", max_members), "a scene",
                      "put long data into lists or mesh files");
    object.members.push_back(std::move(member));
  }

  JsonScanner in_;
  int slips_ = 0;
};

}  // namespace

ParsedJson parse_json(std::string_view text, const std::string& file) { return Parser(text, file).run(); }

}  // namespace dashpot
