#pragma once
// Text in pictures: a small stroke font of our own (Latin letters, digits, signs, the Greek of our symbols), drawn as
// anti-aliased round strokes, crisp at any size. UTF-8; a character the font lacks becomes a small box.

#include <string>

#include "dashpot/render/image.hpp"

namespace dashpot::render {

enum class Align { left, center, right };

struct TextStyle {
  double size = 15;  ///< height of a line [pixels]; capitals are 0.58 of it
  Rgb color = {52, 56, 62};
  Align align = Align::left;
  double weight = 1;  ///< 1: regular, 1.5: bold
};

/// Width of a text [pixels].
double text_width(const std::string& text, const TextStyle& style = {});
/// Draws one line; (x, y) is the left end (middle, right end) of its base line.
void draw_text(Image& image, double x, double y, const std::string& text, const TextStyle& style = {});
/// The longest beginning that fits, with "..." when something was cut off.
std::string fit_text(const std::string& text, double width, const TextStyle& style = {});

}  // namespace dashpot::render
