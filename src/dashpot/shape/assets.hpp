#pragma once
// The cast: shape files of assets/*.json, compiled into the library, so that a name suffices wherever it is installed.

#include <string>
#include <string_view>
#include <vector>

namespace dashpot {

/// Names of all assets, sorted.
std::vector<std::string> asset_names();
/// The shape file of an asset; empty when there is none of this name.
std::string_view asset_text(std::string_view name);

}  // namespace dashpot
