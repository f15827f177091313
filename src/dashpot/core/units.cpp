#include "dashpot/core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <optional>

namespace dashpot {
namespace {

/// A unit: factor * 10^decade times base units. The decade is kept apart so that decimal prefixes round only once.
struct Unit {
  double factor = 1;
  int decade = 0;
  Dimension dimension{};
};

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

/// Length of the decimal number at the front of `text` (0: none). "NaN", "inf" and hexadecimal are not numbers here.
std::size_t number_length(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  std::size_t mantissa = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    mantissa += digits();
  }
  if (mantissa == 0) return 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t mark = i++;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (digits() == 0) i = mark;
  }
  return i;
}

/// The decimal number `text` times 10^decade, rounded once. Infinity when it does not fit into a double.
double shifted_number(std::string_view text, int decade) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  const std::size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    int written = 0;
    std::string_view digits = text.substr(mark + 1);
    if (digits[0] == '+') digits.remove_prefix(1);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), written);
    if (parsed.ec != std::errc()) return std::numeric_limits<double>::infinity();
    if (std::abs(written) > 100000) written = written < 0 ? -100000 : 100000;
    decade += written;
    text = text.substr(0, mark);
  }
  const std::string spelled = fmt::format("{}e{}", text, decade);
  double value = 0;
  const auto result = std::from_chars(spelled.data(), spelled.data() + spelled.size(), value);
  if (result.ec == std::errc()) return value;
  return decade < 0 ? 0.0 : std::numeric_limits<double>::infinity();
}

const std::vector<QuantityInfo> quantity_table = {
    {Quantity::number, "a number", "", "0.4"},
    {Quantity::ratio, "a ratio", "", "5 %"},
    {Quantity::length, "a length", "m", "10 cm"},
    {Quantity::area, "an area", "m2", "4 cm2"},
    {Quantity::time, "a time", "s", "5 ms"},
    {Quantity::mass, "a mass", "kg", "20 g"},
    {Quantity::frequency, "a frequency", "Hz", "3 Hz"},
    {Quantity::rate, "a rate", "/s", "0.1 /s"},
    {Quantity::angle, "an angle", "rad", "30 deg"},
    {Quantity::angular_velocity, "an angular velocity", "rad/s", "2 rad/s"},
    {Quantity::velocity, "a velocity", "m/s", "2 m/s"},
    {Quantity::acceleration, "an acceleration", "m/s2", "9.81 m/s2"},
    {Quantity::force, "a force", "N", "2 N"},
    {Quantity::pressure, "a pressure or modulus", "Pa", "12 kPa"},
    {Quantity::density, "a density", "kg/m3", "1000 kg/m3"},
    {Quantity::stiffness, "a spring stiffness", "N/m", "100 N/m"},
    {Quantity::viscosity, "a viscosity", "Pa s", "10 Pa s"},
    {Quantity::damper, "a damper coefficient", "N s/m", "2 N s/m"},
    {Quantity::energy, "an energy", "J", "3 mJ"},
    {Quantity::bedding, "a pressure per length", "Pa/m", "20 MPa/m"},
    {Quantity::slowness, "an inverse speed", "s/m", "0.2 s/m"},
};

/// Units format_quantity may choose from, largest first.
std::vector<const char*> display_units(Quantity quantity) {
  switch (quantity) {
    case Quantity::length:
      return {"m", "mm", "um"};
    case Quantity::time:
      return {"s", "ms", "us"};
    case Quantity::mass:
      return {"kg", "g", "mg"};
    case Quantity::frequency:
      return {"kHz", "Hz"};
    case Quantity::pressure:
      return {"GPa", "MPa", "kPa", "Pa"};
    case Quantity::bedding:
      return {"GPa/m", "MPa/m", "kPa/m", "Pa/m"};
    case Quantity::energy:
      return {"kJ", "J", "mJ", "uJ"};
    case Quantity::force:
      return {"kN", "N", "mN"};
    default:
      return {quantity_info(quantity).unit};
  }
}

double in_unit(double value, const char* unit, Quantity quantity) {
  const Unit shown = *parse_unit(unit);
  const Unit base = *parse_unit(quantity_info(quantity).unit);
  const int decade = shown.decade - base.decade;
  return value * (base.factor / shown.factor) * std::pow(10.0, -decade);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// A unit of the quantity that differs from `written` only in capitals ("Mpa", "khz"); empty when there is none.
std::string with_right_capitals(std::string_view written, Quantity quantity) {
  const std::size_t start = std::min(written.find_first_not_of(' '), written.size());
  for (const char* unit : display_units(quantity))
    if (lower(written.substr(start)) == lower(unit)) return unit;
  return {};
}

}  // namespace

const std::vector<QuantityInfo>& all_quantities() { return quantity_table; }

const QuantityInfo& quantity_info(Quantity quantity) { return quantity_table[static_cast<std::size_t>(quantity)]; }

ParsedQuantity parse_quantity(std::string_view text, Quantity quantity) {
  const QuantityInfo& info = quantity_info(quantity);
  const auto fail = [&](const std::string& why) {
    return ParsedQuantity{0, fmt::format("found '{}'{}, expected {} such as '{}'", text, why, info.name, info.example)};
  };
  std::string_view rest = text;
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
  const std::size_t length = number_length(rest);
  if (length == 0) return fail(" (no decimal number at its start)");
  const std::string_view digits = rest.substr(0, length);
  const std::string_view symbol = rest.substr(length);
  const Unit wanted = *parse_unit(info.unit);
  Unit unit = wanted;
  if (!symbol.empty()) {
    const std::optional<Unit> found = parse_unit(symbol);
    if (!found) {
      const std::string near = with_right_capitals(symbol, quantity);
      return fail(near.empty() ? " (unit not understood)"
                               : fmt::format(" (unit not understood: did you mean '{}'?)", near));
    }
    unit = *found;
  }
  if (unit.dimension != wanted.dimension) return fail("");
  const double shifted = shifted_number(digits, unit.decade - wanted.decade);
  const double value = unit.factor == wanted.factor ? shifted : shifted * (unit.factor / wanted.factor);
  if (!std::isfinite(value)) return fail(" (too large)");
  return {value, ""};
}

std::string format_quantity(double value, Quantity quantity) {
  const char* base = quantity_info(quantity).unit;
  const std::string plain = *base == '\0' ? fmt::format("{}", value) : fmt::format("{} {}", value, base);
  if (value == 0) return plain;
  for (const char* unit : display_units(quantity)) {
    if (*unit == '\0') continue;
    const double shown = in_unit(value, unit, quantity);
    if (std::abs(shown) < 1 || std::abs(shown) >= 1000) continue;
    // Rounded to 15 digits first: 0.3 * 1000 should read "300", not "299.99999999999994".
    for (const std::string& candidate : {fmt::format("{:.15g} {}", shown, unit), fmt::format("{} {}", shown, unit)})
      if (parse_quantity(candidate, quantity).value == value) return candidate;
  }
  return plain;
}

std::string describe_quantity(double value, Quantity quantity, int digits) {
  const std::vector<const char*> units = display_units(quantity);
  const char* chosen = quantity_info(quantity).unit;
  for (const char* unit : units) {
    chosen = unit;
    if (value == 0 || std::abs(in_unit(value, unit, quantity)) >= 1) break;
  }
  if (value == 0) chosen = quantity_info(quantity).unit;
  if (*chosen == '\0') return fmt::format("{:.{}g}", value, digits);
  return fmt::format("{:.{}g} {}", in_unit(value, chosen, quantity), digits, chosen);
}

}  // namespace dashpot
