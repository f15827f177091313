#include "dashpot/render/color.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dashpot::render {
namespace {

constexpr std::array<Rgb, 17> viridis{{{68, 1, 84},
                                       {72, 24, 106},
                                       {71, 45, 123},
                                       {66, 64, 134},
                                       {59, 82, 139},
                                       {51, 99, 141},
                                       {44, 114, 142},
                                       {38, 130, 142},
                                       {33, 145, 140},
                                       {31, 160, 136},
                                       {40, 174, 128},
                                       {63, 188, 115},
                                       {94, 201, 98},
                                       {132, 212, 75},
                                       {173, 220, 48},
                                       {216, 226, 25},
                                       {253, 231, 37}}};
constexpr std::array<Rgb, 9> cool_warm{{{59, 76, 192},
                                        {98, 130, 234},
                                        {141, 176, 254},
                                        {184, 208, 249},
                                        {221, 221, 221},
                                        {245, 196, 173},
                                        {244, 154, 123},
                                        {222, 96, 77},
                                        {180, 4, 38}}};

template <std::size_t N>
Rgb interpolate(const std::array<Rgb, N>& table, double t) {
  const double at = std::clamp(t, 0.0, 1.0) * static_cast<double>(N - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), N - 2);
  const double f = at - static_cast<double>(i);
  Rgb result;
  for (std::size_t k = 0; k < 3; ++k)
    result[k] = static_cast<std::uint8_t>(std::lround(table[i][k] * (1 - f) + table[i + 1][k] * f));
  return result;
}

std::uint8_t srgb_component(float light) {
  const float x = std::clamp(light, 0.0F, 1.0F);
  const float coded = x <= 0.0031308F ? 12.92F * x : 1.055F * std::pow(x, 1 / 2.4F) - 0.055F;
  return static_cast<std::uint8_t>(std::lround(255 * coded));
}

}  // namespace

float linear_of_srgb(float component) {
  const float c = component / 255;
  return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
}

Color linear(Rgb color) {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < 256; ++i) values[i] = linear_of_srgb(static_cast<float>(i));
    return values;
  }();
  return {table[color[0]], table[color[1]], table[color[2]]};
}

Rgb srgb(const Color& color) { return {srgb_component(color[0]), srgb_component(color[1]), srgb_component(color[2])}; }

std::string hex(Rgb color) { return fmt::format("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]); }

Rgb map_color(ColorMap map, double t) {
  if (std::isnan(t)) return {128, 128, 128};
  return map == ColorMap::sequential ? interpolate(viridis, t) : interpolate(cool_warm, t);
}

Rgb body_color(int i) {
  constexpr std::array<Rgb, 12> palette{{{214, 137, 104},
                                         {104, 150, 172},
                                         {171, 176, 120},
                                         {196, 164, 187},
                                         {222, 190, 130},
                                         {120, 166, 150},
                                         {186, 120, 122},
                                         {150, 152, 176},
                                         {232, 168, 160},
                                         {118, 128, 96},
                                         {176, 206, 214},
                                         {142, 104, 138}}};
  constexpr int count = static_cast<int>(palette.size());
  return palette[static_cast<std::size_t>(((i % count) + count) % count)];
}

}  // namespace dashpot::render
