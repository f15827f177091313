#pragma once
// Colours. Light is added and averaged in linear light; what is stored and what people read off a colour bar is sRGB.
// Colour maps (value in [0, 1] to colour) are perceptually uniform: equal steps of the value look equally large.
//   sequential  viridis [Smith2015], for magnitudes: speed, strain, power
//   diverging   blue - light grey - red, for signed quantities [Moreland2009]

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
/// The nearest 8-bit sRGB colour; components outside [0, 1] are clipped.
Rgb srgb(const Color& color);
/// "#rrggbb".
std::string hex(Rgb color);

enum class ColorMap { sequential, diverging };
/// Colour of t in [0, 1]; clipped outside, grey for NaN.
Rgb map_color(ColorMap map, double t);

/// Base colour of body i: a fixed list of twelve muted colours, repeated.
Rgb body_color(int i);

}  // namespace dashpot::render
