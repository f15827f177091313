#include "dashpot/mesh/text_scanner.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

namespace dashpot {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::optional<double> parse_double(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  if (word.empty() || word.front() == '+') return std::nullopt;
  double value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || status == std::errc::invalid_argument) return std::nullopt;
  if (status == std::errc::result_out_of_range) return std::strtod(std::string(word).c_str(), nullptr);
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || end != word.data() + word.size() || status != std::errc()) return std::nullopt;
  return value;
}

bool begins_with_ignoring_case(std::string_view text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  for (std::size_t i = 0; i < prefix.size(); ++i)
    if (lower(text[i]) != lower(prefix[i])) return false;
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view TextScanner::word() {
  while (position_ < text_.size() && is_blank(text_[position_])) line_ += text_[position_++] == '\n' ? 1U : 0U;
  const std::size_t begin = position_;
  while (position_ < text_.size() && !is_blank(text_[position_])) ++position_;
  word_line_ = line_;
  return text_.substr(begin, position_ - begin);
}

std::string_view TextScanner::line() {
  word_line_ = line_;
  const std::size_t begin = position_;
  const std::size_t end = text_.find('\n', begin);
  if (end == std::string_view::npos) {
    position_ = text_.size();
    return text_.substr(begin);
  }
  position_ = end + 1;
  ++line_;
  return text_.substr(begin, end - begin - (end > begin && text_[end - 1] == '\r' ? 1 : 0));
}

std::string_view Words::next() {
  const auto separates = [this](char c) { return is_blank(c) || (commas_ && c == ','); };
  std::size_t begin = 0;
  while (begin < line_.size() && separates(line_[begin])) ++begin;
  std::size_t end = begin;
  while (end < line_.size() && !separates(line_[end])) ++end;
  const std::string_view word = line_.substr(begin, end - begin);
  line_.remove_prefix(end);
  return word;
}

}  // namespace dashpot
