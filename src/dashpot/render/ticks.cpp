#include "dashpot/render/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dashpot::render {
namespace {

/// A hyphen is too short for a minus beside digits.
std::string with_minus(std::string text) { return !text.empty() && text[0] == '-' ? "\u2212" + text.substr(1) : text; }

double nice_step(double range, int wanted) {
  const double raw = range / std::max(1, wanted), power = std::pow(10, std::floor(std::log10(raw)));
  const double mantissa = raw / power;
  return power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
}

bool takes_prefix(const std::string& unit) {
  static constexpr std::array<const char*, 10> known = {"J", "m", "s", "N", "W", "Pa", "Hz", "V", "m/s", "N·m"};
  return std::find(known.begin(), known.end(), unit) != known.end();
}

std::string scaled_unit(const std::string& unit, int exponent) {
  if (exponent == 0) return unit;
  static constexpr std::array<const char*, 9> prefixes = {"p", "n", "\u00b5", "m", "", "k", "M", "G", "T"};
  const int index = exponent / 3 + 4;
  // Kiloseconds help nobody.
  const bool is_time = unit == "s" && exponent > 0;
  if (takes_prefix(unit) && !is_time && index >= 0 && index < 9)
    return prefixes[static_cast<std::size_t>(index)] + unit;
  return power_of_ten(exponent) + (unit.empty() ? "" : " " + unit);
}

}  // namespace

std::string power_of_ten(int exponent) {
  static constexpr std::array<const char*, 10> digits = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207b" : "10";
  for (const char c : std::to_string(std::abs(exponent))) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

std::string plain_number(double value, int digits) {
  if (std::isnan(value)) return "\u2014";
  if (std::isinf(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude >= 1e-3 && magnitude < 1e6) {
    const int before = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    std::string text = fmt::format("{:.{}f}", value, std::clamp(digits - before, 0, 12));
    if (text.find('.') != std::string::npos) {
      text.erase(text.find_last_not_of('0') + 1);
      if (text.back() == '.') text.pop_back();
    }
    return with_minus(text);
  }
  const std::string text = fmt::format("{:.{}e}", value, std::max(0, digits - 1));
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  return with_minus(mantissa + "\u00d7" + power_of_ten(std::stoi(text.substr(e + 1))));
}

ReadableUnit readable_unit(double magnitude, const std::string& unit) {
  const bool is_plain = magnitude < 1e5 && magnitude >= (takes_prefix(unit) ? 0.5 : 1e-2);
  if (is_plain || !(magnitude > 0) || !std::isfinite(magnitude)) return {1, unit};
  const int exponent = static_cast<int>(std::floor(std::log10(magnitude) / 3)) * 3;
  return {std::pow(10, exponent), scaled_unit(unit, exponent)};
}

Ticks linear_ticks(double low, double high, int wanted, const std::string& unit) {
  Ticks ticks;
  const ReadableUnit readable = readable_unit(std::max(std::abs(low), std::abs(high)), unit);
  const double scale = readable.factor;
  ticks.unit = readable.unit;
  const double step = nice_step(high - low, wanted);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / scale) - 1e-6)), 0, 12);
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i < 1000; ++i) {
    const double value = (first + i) * step;
    if (value > high + 1e-9 * step) break;
    ticks.major.push_back(value);
    ticks.labels.push_back(std::abs(value) < 1e-9 * step ? "0"
                                                         : with_minus(fmt::format("{:.{}f}", value / scale, decimals)));
  }
  return ticks;
}

Ticks log_ticks(double low, double high, int wanted, const std::string& unit) {
  Ticks ticks;
  // Few decades of a small or large quantity read best with a prefix: 0.5, 1, 2 mm.
  const bool is_scaled = takes_prefix(unit) && high / low < 1e5 && (high < 0.5 || low >= 1e3);
  const int exponent = is_scaled ? static_cast<int>(std::floor(std::log10(std::sqrt(low * high)) / 3 + 0.15)) * 3 : 0;
  const double scale = std::pow(10, exponent);
  ticks.unit = scaled_unit(unit, exponent);
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const double decades = std::log10(high / low);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(2, wanted))));
  const auto inside = [&](double v) { return v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9); };
  // A single label on a logarithmic axis gives no scale: fall back to every digit, then to even steps.
  int num_125 = 0, num_digits = 0;
  for (int e = first; e <= last; ++e)
    for (int m = 1; m < 10; ++m)
      if (inside(m * std::pow(10, e))) ++num_digits, num_125 += m == 1 || m == 2 || m == 5;
  if (num_digits < 2) return linear_ticks(low, high, wanted, unit);
  for (int e = first; e <= last; ++e)
    for (int m = 1; m < 10; ++m) {
      const double value = m * std::pow(10, e);
      if (!inside(value)) continue;
      const bool is_major =
          decades < 2 ? (m == 1 || m == 2 || m == 5 || num_125 < 3) : (m == 1 && (e % stride + stride) % stride == 0);
      if (!is_major) {
        if (decades < 4.5) ticks.minor.push_back(value);
        continue;
      }
      ticks.major.push_back(value);
      const bool is_plain = e - exponent >= -3 && e - exponent <= 3 && decades < 5;
      const std::string power = (m == 1 ? "" : fmt::format("{}\u00b7", m)) + power_of_ten(e - exponent);
      ticks.labels.push_back(is_plain ? plain_number(value / scale, 3) : power);
    }
  return ticks;
}

}  // namespace dashpot::render
