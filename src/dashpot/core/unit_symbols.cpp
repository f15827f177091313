#include "dashpot/core/unit_symbols.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace dashpot {
namespace {

struct Symbol {
  const char* text;
  bool takes_prefix;
  Unit unit;
};

constexpr double turn_per_radian = 0.5 / std::numbers::pi;

// Dimension order: mass [kg], length [m], time [s], turn.
const Symbol symbols[] = {
    {"m", true, {1, 0, {0, 1, 0, 0}}},
    {"g", true, {1, -3, {1, 0, 0, 0}}},
    {"s", true, {1, 0, {0, 0, 1, 0}}},
    {"Hz", true, {1, 0, {0, 0, -1, 1}}},
    {"N", true, {1, 0, {1, 1, -2, 0}}},
    {"Pa", true, {1, 0, {1, -1, -2, 0}}},
    {"J", true, {1, 0, {1, 2, -2, 0}}},
    {"W", true, {1, 0, {1, 2, -3, 0}}},
    {"rad", true, {turn_per_radian, 0, {0, 0, 0, 1}}},
    {"turn", false, {1, 0, {0, 0, 0, 1}}},
    {"deg", false, {1.0 / 360, 0, {0, 0, 0, 1}}},
    {"\xC2\xB0", false, {1.0 / 360, 0, {0, 0, 0, 1}}},
    {"rpm", false, {1.0 / 60, 0, {0, 0, -1, 1}}},
    {"%", false, {1, -2, {}}},
    {"min", false, {60, 0, {0, 0, 1, 0}}},
    {"h", false, {3600, 0, {0, 0, 1, 0}}},
    {"t", false, {1, 3, {1, 0, 0, 0}}},
    {"bar", true, {1, 5, {1, -1, -2, 0}}},
    {"l", true, {1, -3, {0, 3, 0, 0}}},
    {"L", true, {1, -3, {0, 3, 0, 0}}},
    {"in", false, {254, -4, {0, 1, 0, 0}}},
    {"ft", false, {3048, -4, {0, 1, 0, 0}}},
    {"lb", false, {45359237, -8, {1, 0, 0, 0}}},
    {"psi", false, {6894.757293168361, 0, {1, -1, -2, 0}}},
};

struct Prefix {
  const char* text;
  int decade;
};
const Prefix prefixes[] = {{"n", -9}, {"u", -6}, {"\xC2\xB5", -6}, {"\xCE\xBC", -6}, {"m", -3}, {"c", -2},
                           {"d", -1}, {"h", 2},  {"k", 3},         {"M", 6},         {"G", 9},  {"T", 12}};

std::optional<Unit> find_symbol(std::string_view word) {
  for (const Symbol& symbol : symbols)
    if (word == symbol.text) return symbol.unit;
  for (const Prefix& prefix : prefixes) {
    const std::string_view head(prefix.text);
    if (word.substr(0, head.size()) != head) continue;
    for (const Symbol& symbol : symbols) {
      if (!symbol.takes_prefix || word.substr(head.size()) != symbol.text) continue;
      Unit unit = symbol.unit;
      unit.decade += prefix.decade;
      return unit;
    }
  }
  return std::nullopt;
}

bool is_exponent_start(std::string_view rest) {
  return !rest.empty() && ((rest[0] >= '0' && rest[0] <= '9') || rest[0] == '^' || rest.substr(0, 2) == "\xC2\xB2" ||
                           rest.substr(0, 2) == "\xC2\xB3");
}

/// Reads "^-2", "3", "²" off the front of `rest`; 1 when there is none, 0 when it makes no sense.
int take_exponent(std::string_view& rest) {
  if (!is_exponent_start(rest)) return 1;
  if (rest[0] == '\xC2') {
    const int exponent = rest[1] == '\xB2' ? 2 : 3;
    rest.remove_prefix(2);
    return exponent;
  }
  if (rest[0] == '^') rest.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
  if (error != std::errc() || std::abs(exponent) > 6) return 0;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return exponent;
}

void multiply(Unit& product, const Unit& unit, int exponent) {
  product.factor *= std::pow(unit.factor, exponent);
  product.decade += unit.decade * exponent;
  for (std::size_t i = 0; i < product.dimension.size(); ++i) product.dimension[i] += unit.dimension[i] * exponent;
}

/// Skips blanks and product signs; says whether any was there.
bool skip_product(std::string_view& rest) {
  const std::size_t before = rest.size();
  while (!rest.empty()) {
    if (rest[0] == ' ' || rest[0] == '*')
      rest.remove_prefix(1);
    else if (rest.substr(0, 2) == "\xC2\xB7")
      rest.remove_prefix(2);
    else
      break;
  }
  return rest.size() != before;
}

}  // namespace

std::optional<Unit> parse_unit(std::string_view rest) {
  Unit product;
  bool divided = false;
  skip_product(rest);
  if (rest.substr(0, 2) == "1/") rest.remove_prefix(1);
  while (!rest.empty()) {
    const bool slash = rest[0] == '/';
    if (slash) {
      divided = true;
      rest.remove_prefix(1);
      skip_product(rest);
    } else if (divided) {
      return std::nullopt;  // "kg/m s" has two readings
    }
    std::size_t length = 0;
    while (length < rest.size() && rest[length] != ' ' && rest[length] != '*' && rest[length] != '/' &&
           rest.substr(length, 2) != "\xC2\xB7" && !is_exponent_start(rest.substr(length)))
      ++length;
    const std::optional<Unit> unit = find_symbol(rest.substr(0, length));
    if (!unit) return std::nullopt;
    rest.remove_prefix(length);
    const int exponent = take_exponent(rest);
    if (exponent == 0) return std::nullopt;
    multiply(product, *unit, slash ? -exponent : exponent);
    skip_product(rest);
  }
  return product;
}

}  // namespace dashpot
