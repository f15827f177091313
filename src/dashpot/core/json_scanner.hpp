#pragma once
// The letters of a JSON text: position, blanks and comments, strings, words and numbers. Small slips are reported and
// reading goes on; what cannot be read stops it. The structure is read by json_parser.cpp.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dashpot/core/json_document.hpp"

namespace dashpot {

class JsonScanner {
 public:
  struct Position {
    int line = 1, column = 1;
  };

  /// `file` must outlive the scanner. A byte order mark is passed over.
  JsonScanner(std::string_view text, const std::string& file);

  bool at_end() const { return i_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[i_]; }
  /// All bytes of the character that comes next.
  std::string peek_character() const;
  void step();
  void step(std::size_t n);
  Position here() const { return here_; }
  /// Passes over blanks and comments.
  void skip_blanks();

  std::string read_string();
  /// true, false, null or a number.
  JsonValue read_word();

  /// Goes to the first byte that is not part of well-formed UTF-8, or is NUL; false: there is none.
  bool go_to_bad_byte();

  void report(Position at, std::string found, std::string expected, std::string remedy = {});
  /// The same, and nothing more is read or reported.
  void stop(Position at, std::string found, std::string expected, std::string remedy = {});
  bool stopped() const { return stopped_; }
  std::vector<Problem> take_problems() { return std::move(problems_); }

 private:
  std::size_t first_bad_byte() const;
  void read_escape(std::string& text);
  std::uint32_t read_hex4(Position at);
  JsonValue read_number(const std::string& word, Position start);

  std::string_view text_;
  const std::string& file_;
  std::size_t i_ = 0;
  Position here_;
  bool stopped_ = false;
  std::vector<Problem> problems_;
};

}  // namespace dashpot
