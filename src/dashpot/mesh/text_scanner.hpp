#pragma once
// Words and numbers of a text with line numbers, without copying. Internal to the readers.

#include <cstdint>
#include <optional>
#include <string_view>

namespace dashpot {

/// The whole word as a number; nothing when it is not one. "nan" and "inf" parse (and are refused later, with their
/// place); a number too large for double is infinite, one too small is zero.
std::optional<double> parse_double(std::string_view word);
std::optional<std::int64_t> parse_integer(std::string_view word);
/// True when the text begins with `prefix`, whatever the case of its letters.
bool begins_with_ignoring_case(std::string_view text, std::string_view prefix);
/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  /// Next word, whatever line it is on; empty at the end.
  std::string_view word();
  /// The rest of the current line, without its end; the scanner moves to the next line.
  std::string_view line();
  bool at_end() const { return position_ >= text_.size(); }
  std::uint64_t line_number() const { return line_; }     ///< of the next character, from 1
  std::uint64_t word_line() const { return word_line_; }  ///< of the last word or line returned
  std::size_t remaining() const { return text_.size() - position_; }
  std::size_t position() const { return position_; }
  /// Jumps; line numbers are not followed.
  void seek(std::size_t position) { position_ = position; }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
  std::uint64_t line_ = 1, word_line_ = 1;
};

/// Words of one line, separated by blanks (and commas where asked for).
class Words {
 public:
  explicit Words(std::string_view line, bool commas_separate = false) : line_(line), commas_(commas_separate) {}
  /// Next word; empty at the end.
  std::string_view next();
  /// What is left of the line.
  std::string_view rest() const { return line_; }

 private:
  std::string_view line_;
  bool commas_;
};

}  // namespace dashpot
