#pragma once
// Colors. Light is added and averaged in linear light; what is stored and what people read off a color bar is sRGB.
// Color maps (value in [0, 1] to color) are perceptually uniform: equal steps of the value look equally large.
//   sequential  viridis [Smith2015], for magnitudes: speed, strain, power
//   diverging   blue - light gray - red, for signed quantities [Moreland2009]

#include <Eigen/Core>
#include <string>
#include <vector>

#include "dashpot/render/image.hpp"

namespace dashpot::render {

/// Linear light, each of r, g, b in [0, 1] for what a screen can show.
using Color = Eigen::Array3f;

/// sRGB component in [0, 255] to linear light.
float linear_of_srgb(float component);
Color linear(Rgb color);
/// The nearest 8-bit sRGB color; components outside [0, 1] are clipped.
Rgb srgb(const Color& color);
/// "#rrggbb".
std::string hex(Rgb color);

enum class ColorMap { sequential, diverging };
/// Color of t in [0, 1]; clipped outside, gray for NaN.
Rgb map_color(ColorMap map, double t);

/// Base color of body i: a fixed list of twelve muted colors, repeated.
Rgb body_color(int i);

}  // namespace dashpot::render
