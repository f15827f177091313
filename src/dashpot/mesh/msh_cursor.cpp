#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "dashpot/mesh/msh_format.hpp"

namespace dashpot {

const char* MshCursor::take(std::size_t count) {
  if (remaining() < count)
    raw_.fail(place(), fmt::format("the file ends {} bytes too early", count - remaining()), "more data",
              "the file is cut off; export it again");
  const char* data = scanner_.text().data() + scanner_.position();
  scanner_.seek(scanner_.position() + count);
  return data;
}

template <class T>
T MshCursor::binary() {
  char bytes[sizeof(T)];
  std::memcpy(bytes, take(sizeof(T)), sizeof(T));
  if (swap_bytes) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

std::int64_t MshCursor::text_integer() {
  const std::string_view word = scanner_.word();
  if (const auto value = parse_integer(word)) return *value;
  raw_.fail(place(), word.empty() ? "the file ends here" : in_quotes(word), "an integer");
}

double MshCursor::text_real() {
  const std::string_view word = scanner_.word();
  if (const auto value = parse_double(word)) return *value;
  raw_.fail(place(), word.empty() ? "the file ends here" : in_quotes(word), "a number");
}

std::int64_t MshCursor::integer() { return is_binary ? binary<std::int32_t>() : text_integer(); }
std::int64_t MshCursor::size() { return is_binary ? binary<std::int64_t>() : text_integer(); }
double MshCursor::real() { return is_binary ? binary<double>() : text_real(); }

void MshCursor::read_byte_order() {
  const auto one = binary<std::uint32_t>();
  if (one == 1) return;
  if (one != 0x01000000U) raw_.fail(place(), "the byte-order mark is not 1", "a binary Gmsh file");
  swap_bytes = true;
}

std::string_view MshCursor::line() {
  while (!scanner_.at_end()) {
    const std::string_view text = trimmed(scanner_.line());
    if (!text.empty()) return text;
  }
  return {};
}

void MshCursor::skip_section(std::string_view section) {
  const std::string end = "$End" + std::string(section);
  // Lines are counted on the way, so that later messages name the right one.
  while (!scanner_.at_end())
    if (trimmed(scanner_.line()) == end) return;
  raw_.fail(place(), "the section $" + std::string(section.substr(0, 40)) + " does not end", end.substr(0, 44));
}

void MshCursor::expect_end(std::string_view section) {
  const std::string_view text = line();
  if (text != "$End" + std::string(section))
    raw_.fail(place(), text.empty() ? "the file ends here" : in_quotes(text), "$End" + std::string(section),
              "the count in the header may be wrong");
}

}  // namespace dashpot
