#include "page_assets.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace dashpot::studio {

struct Embedded {
  const char* path;
  const char* begin;
  std::size_t size;
};

// Written when the program is built (embed_page.cmake): the bytes of each file, and their list.
#include "embedded_page.inc"

namespace {

bool ends_in(std::string_view path, std::string_view ending) { return path.ends_with(ending); }

const char* type_of(std::string_view path) {
  if (ends_in(path, ".html")) return "text/html; charset=utf-8";
  if (ends_in(path, ".js")) return "text/javascript; charset=utf-8";
  if (ends_in(path, ".css")) return "text/css; charset=utf-8";
  if (ends_in(path, ".svg")) return "image/svg+xml";
  if (ends_in(path, ".woff2")) return "font/woff2";
  if (ends_in(path, ".png")) return "image/png";
  return "application/octet-stream";
}

const std::vector<std::pair<std::string, PageAsset>>& assets() {
  static const std::vector<std::pair<std::string, PageAsset>> list = [] {
    std::vector<std::pair<std::string, PageAsset>> made;
    for (const Embedded* file = embedded_page; file->path != nullptr; ++file)
      made.emplace_back(file->path, PageAsset{{file->begin, file->size}, type_of(file->path)});
    return made;
  }();
  return list;
}

}  // namespace

const PageAsset* page_asset(std::string_view path) {
  const std::string_view wanted = path == "/" ? "/index.html" : path;
  for (const auto& [name, asset] : assets())
    if (name == wanted) return &asset;
  return nullptr;
}

bool has_page() { return page_asset("/") != nullptr; }

std::string missing_page() {
  return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Dashpot studio: no page</title>"
         "<body style=\"font:16px/1.5 system-ui;max-width:40em;margin:3em auto;padding:0 1em\">"
         "<h1>This program was built without its page</h1>"
         "<p>The simulation runs, but what shows it is missing: the page is made by npm, which was not there when the "
         "program was built.</p>"
         "<p>On Debian: <code>apt-get install nodejs npm</code>, then <code>./dev build</code> in the source folder, "
         "and start <code>dashpot studio</code> again.</p></body></html>";
}

}  // namespace dashpot::studio
