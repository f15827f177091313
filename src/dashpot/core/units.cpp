#include "dashpot/core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "dashpot/core/unit_symbols.hpp"

namespace dashpot {
namespace {

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
    {Quantity::pressure_stiffness, "a pressure per length", "Pa/m", "20 MPa/m"},
    {Quantity::slowness, "an inverse speed", "s/m", "0.2 s/m"},
    {Quantity::bending_viscosity, "a bending viscosity", "J s", "2e-6 J s"},
    {Quantity::linear_density, "a mass per length", "kg/m", "0.2 g/m"},
    {Quantity::rod_bending, "a bending stiffness", "N m2", "1e-9 N m2"},
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
    case Quantity::pressure_stiffness:
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
