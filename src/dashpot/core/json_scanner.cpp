#include "dashpot/core/json_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace dashpot {
namespace {

constexpr std::size_t max_problems = 50;

void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    text += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  }
}

std::string shortened(const std::string& word) { return word.size() <= 40 ? word : word.substr(0, 37) + "..."; }

}  // namespace

JsonScanner::JsonScanner(std::string_view text, const std::string& file) : text_(text), file_(file) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") i_ = 3;
}

void JsonScanner::step() {
  const unsigned char c = static_cast<unsigned char>(text_[i_++]);
  if (c == '\n') {
    ++here_.line;
    here_.column = 1;
  } else if ((c & 0xC0) != 0x80) {
    ++here_.column;
  }
}

void JsonScanner::step(std::size_t n) {
  for (; n > 0 && !at_end(); --n) step();
}

void JsonScanner::report(Position at, std::string found, std::string expected, std::string remedy) {
  if (problems_.size() < max_problems)
    problems_.push_back(
        {place_text(file_, at.line, at.column), std::move(found), std::move(expected), std::move(remedy)});
}

void JsonScanner::stop(Position at, std::string found, std::string expected, std::string remedy) {
  if (!stopped_) report(at, std::move(found), std::move(expected), std::move(remedy));
  stopped_ = true;
}

bool JsonScanner::go_to_bad_byte() {
  const std::size_t bad = first_bad_byte();
  if (bad == std::string_view::npos) return false;
  while (i_ < bad) step();
  return true;
}

std::size_t JsonScanner::first_bad_byte() const {
  for (std::size_t i = i_; i < text_.size();) {
    const unsigned char c = static_cast<unsigned char>(text_[i]);
    const std::size_t n = c == 0 ? 0 : c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (n == 0 || i + n > text_.size()) return i;
    for (std::size_t k = 1; k < n; ++k)
      if ((static_cast<unsigned char>(text_[i + k]) & 0xC0) != 0x80) return i;
    i += n;
  }
  return std::string_view::npos;
}

void JsonScanner::skip_blanks() {
  while (!at_end()) {
    const std::string_view rest = text_.substr(i_, 2);
    if (rest == "//") {
      while (!at_end() && peek() != '\n') step();
    } else if (rest == "/*") {
      const Position start = here_;
      const std::size_t end = text_.find("*/", i_ + 2);
      if (end == std::string_view::npos) {
        step(text_.size() - i_);
        return stop(start, "a comment that never ends", "*/ after it");
      }
      step(end + 2 - i_);
    } else if (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
      step();
    } else {
      return;
    }
  }
}

std::string JsonScanner::peek_character() const {
  std::size_t n = 1;
  while (i_ + n < text_.size() && (static_cast<unsigned char>(text_[i_ + n]) & 0xC0) == 0x80) ++n;
  return std::string(text_.substr(i_, n));
}

std::string JsonScanner::read_string() {
  std::string text;
  const Position start = here_;
  step();
  while (!stopped_) {
    if (at_end() || peek() == '\n') {
      stop(start, "text that never ends", "a closing double quote on the same line");
      break;
    }
    const char c = peek();
    if (c == '"') {
      step();
      break;
    }
    if (c == '\\')
      read_escape(text);
    else if (static_cast<unsigned char>(c) < 0x20)
      stop(here_, "a control character inside text", "printable characters", "write \\t for a tab");
    else {
      text += c;
      step();
    }
  }
  return text;
}

void JsonScanner::read_escape(std::string& text) {
  const Position at = here_;
  step();
  const char c = peek();
  static constexpr std::string_view names = "\"\\/bfnrt", values = "\"\\/\b\f\n\r\t";
  if (const std::size_t k = names.find(c); !at_end() && k != std::string_view::npos) {
    text += values[k];
    return step();
  }
  if (c != 'u')
    return stop(at, fmt::format("the escape \\{}", at_end() ? "" : peek_character()),
                "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
  step();
  std::uint32_t code = read_hex4(at);
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(i_, 2) == "\\u") {
    step(2);
    const std::uint32_t low = read_hex4(at);
    code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : 0xD800;
  }
  if (code == 0 || (code >= 0xD800 && code < 0xE000))
    return stop(at, "an escape that is no character", "\\uXXXX of a character, or a surrogate pair");
  append_utf8(text, code);
}

std::uint32_t JsonScanner::read_hex4(Position at) {
  const std::string_view digits = text_.substr(i_, 4);
  std::uint32_t code = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() < 4 || result.ptr != digits.data() + 4) stop(at, "\\u without four hexadecimal digits", "\\uXXXX");
  step(4);
  return code;
}

JsonValue JsonScanner::read_word() {
  const Position start = here_;
  std::size_t n = 0;
  while (i_ + n < text_.size() && std::string_view(" \t\r\n,:[]{}\"/").find(text_[i_ + n]) == std::string_view::npos)
    ++n;
  const std::string word(text_.substr(i_, n));
  if (n == 0) {
    stop(start, fmt::format("'{}' where a value should be", peek_character()), "a value");
    return {};
  }
  step(n);
  if (word == "true" || word == "false") return JsonValue::of(word == "true");
  if (word == "null") return {};
  return read_number(word, start);
}

JsonValue JsonScanner::read_number(const std::string& word, Position start) {
  JsonValue value = JsonValue::of(0.0);
  value.text = word;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value.number);
  const bool starts_well = word[0] == '-' ? word.size() > 1 && std::isdigit(static_cast<unsigned char>(word[1])) != 0
                                          : std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  if (starts_well && end == word.data() + word.size() && error == std::errc::result_out_of_range) {
    report(start, fmt::format("the number {} does not fit into double precision", shortened(word)), "a finite number");
    value.number = 0;
  } else if (!starts_well || end != word.data() + word.size() || !std::isfinite(value.number)) {
    value.number = 0;
    std::string lower = word;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower.find("nan") != std::string::npos || lower.find("inf") != std::string::npos)
      report(start, shortened(word), "a finite number");
    else
      report(start, fmt::format("'{}'", shortened(word)),
             "a number, text in double quotes, true, false, a list or an object",
             "put text and quantities with units into double quotes: \"5 ms\"");
  }
  return value;
}

}  // namespace dashpot
