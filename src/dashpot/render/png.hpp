#pragma once
// PNG files through libpng: 8-bit RGB, sRGB, with text entries (title, command, version) as libpng's tEXt/iTXt chunks.
// Pixels are kept exactly; the same picture gives the same bytes.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dashpot/render/image.hpp"

namespace dashpot::render {

/// Latin keyword of at most 79 characters, UTF-8 text.
using PngTexts = std::vector<std::pair<std::string, std::string>>;

/// File content; "Software" is added to the texts.
std::string to_png(const Image& image, const PngTexts& texts = {});
/// Reads 8-bit RGB, gray, palette or alpha pictures as RGB; `name` is for messages. dashpot::Error when it is no PNG or
/// broken; texts are appended when asked for.
Image read_png(std::string_view bytes, const std::string& name, PngTexts* texts = nullptr);
/// to_png into a file, whole or not at all.
void write_png(const std::string& path, const Image& image, const PngTexts& texts = {});

}  // namespace dashpot::render
