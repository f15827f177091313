#include "dashpot/render/png.hpp"

#include <png.h>

#include <algorithm>
#include <cstring>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/version.hpp"

namespace dashpot::render {
namespace {

// libpng leaves by longjmp or by the exception its error callback throws; exceptions unwind C++ objects properly.
[[noreturn]] void fail(png_structp png, png_const_charp message) {
  const auto* name = static_cast<const std::string*>(png_get_error_ptr(png));
  throw Error(Problem{*name, std::string("broken PNG: ") + message, "a PNG picture", ""});
}
void ignore_warning(png_structp, png_const_charp) {}

void append_bytes(png_structp png, png_bytep data, png_size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

struct Reader {
  std::string_view bytes;
  std::size_t at = 0;
};
void take_bytes(png_structp png, png_bytep data, png_size_t size) {
  auto* reader = static_cast<Reader*>(png_get_io_ptr(png));
  if (size > reader->bytes.size() - reader->at) png_error(png, "the file ends too early");
  std::memcpy(data, reader->bytes.data() + reader->at, size);
  reader->at += size;
}

struct WriteHandle {
  png_structp png = nullptr;
  png_infop info = nullptr;
  ~WriteHandle() { png_destroy_write_struct(&png, &info); }
};
struct ReadHandle {
  png_structp png = nullptr;
  png_infop info = nullptr;
  ~ReadHandle() { png_destroy_read_struct(&png, &info, nullptr); }
};

void set_texts(const WriteHandle& handle, PngTexts texts) {
  texts.emplace_back("Software", std::string("dashpot ") + version());
  std::vector<png_text> entries;
  for (auto& [key, text] : texts) {
    png_text entry{};
    entry.compression = PNG_ITXT_COMPRESSION_NONE;
    entry.key = key.data();
    entry.text = text.data();
    entry.itxt_length = text.size();
    entries.push_back(entry);
  }
  png_set_text(handle.png, handle.info, entries.data(), static_cast<int>(entries.size()));
}

}  // namespace

std::string to_png(const Image& image, const PngTexts& texts) {
  std::string result;
  std::string name = "picture";
  WriteHandle handle;
  handle.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &name, fail, ignore_warning);
  handle.info = png_create_info_struct(handle.png);
  png_set_write_fn(handle.png, &result, append_bytes, nullptr);
  png_set_IHDR(handle.png, handle.info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
               8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(handle.png, handle.info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(handle.png, 6);
  set_texts(handle, texts);
  png_write_info(handle.png, handle.info);
  for (int y = 0; y < image.height; ++y) png_write_row(handle.png, image.pixel(0, y));
  png_write_end(handle.png, handle.info);
  return result;
}

Image read_png(std::string_view bytes, const std::string& name, PngTexts* texts) {
  if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0)
    throw Error(Problem{name, "not a PNG file", "a PNG picture", ""});
  std::string place = name;
  Reader reader{bytes};
  ReadHandle handle;
  handle.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &place, fail, ignore_warning);
  handle.info = png_create_info_struct(handle.png);
  png_set_user_limits(handle.png, 16384, 16384);
  png_set_read_fn(handle.png, &reader, take_bytes);
  png_read_info(handle.png, handle.info);
  png_set_expand(handle.png);
  png_set_scale_16(handle.png);
  png_set_gray_to_rgb(handle.png);
  png_set_strip_alpha(handle.png);
  const int passes = png_set_interlace_handling(handle.png);
  png_read_update_info(handle.png, handle.info);
  Image image(static_cast<int>(png_get_image_width(handle.png, handle.info)),
              static_cast<int>(png_get_image_height(handle.png, handle.info)));
  for (int pass = 0; pass < passes; ++pass)
    for (int y = 0; y < image.height; ++y) png_read_row(handle.png, image.pixel(0, y), nullptr);
  png_read_end(handle.png, handle.info);
  png_textp entries = nullptr;
  const int count = png_get_text(handle.png, handle.info, &entries, nullptr);
  for (int i = 0; i < count && texts != nullptr; ++i)
    texts->emplace_back(entries[i].key, entries[i].text == nullptr ? "" : entries[i].text);
  return image;
}

void write_png(const std::string& path, const Image& image, const PngTexts& texts) {
  write_file_atomically(path, to_png(image, texts));
}

}  // namespace dashpot::render
