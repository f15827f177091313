#pragma once
// The built page, part of the program: apps/studio/web/dist at the time it was built.

#include <string>
#include <string_view>

namespace dashpot::studio {

struct PageAsset {
  std::string_view bytes;
  const char* type = "";  ///< media type
};

/// The file of the page at "/", "/assets/studio.js", ...; null: there is none.
const PageAsset* page_asset(std::string_view path);
/// Whether the program has a page at all.
bool has_page();
/// What is shown in its place: what is missing, and how to get it.
std::string missing_page();

}  // namespace dashpot::studio
