#include "dashpot/render/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dashpot::render {

double text_width(std::string_view text, double size) {
  double units = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // continuation byte of UTF-8
    if (std::string_view("iljtf.,:;'|!()[] ").find(c) != std::string_view::npos)
      units += 0.32;
    else if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
      units += 0.85;
    else
      units += c >= 'A' && c <= 'Z' ? 0.67 : 0.56;
  }
  return units * size;
}

std::string coordinate(double value, int decimals) {
  if (!std::isfinite(value)) value = 0;
  std::string text = fmt::format("{:.{}f}", std::clamp(value, -1e6, 1e6), decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

}  // namespace dashpot::render
