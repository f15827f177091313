#include "dashpot/shape/assets.hpp"

namespace dashpot {
namespace {

struct Asset {
  std::string_view name, text;
};

// One initializer {name, text} per file of assets/ and its subfolders, sorted by name; written by
// cmake/embed_assets.cmake.
constexpr Asset assets[] = {
#include "shape_assets.inc"
};

}  // namespace

std::vector<std::string> asset_names() {
  std::vector<std::string> names;
  for (const Asset& asset : assets)
    if (asset.name.find('/') == std::string_view::npos) names.emplace_back(asset.name);
  return names;
}

std::string_view asset_text(std::string_view name) {
  for (const Asset& asset : assets)
    if (asset.name == name) return asset.text;
  return {};
}

}  // namespace dashpot
