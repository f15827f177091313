#pragma once
// The cast: shape files of assets/*.json, and motions of it of assets/tracks/*.json, compiled into the library, so that
// a name suffices wherever it is installed.

#include <string>
#include <string_view>
#include <vector>

namespace dashpot {

/// Names of all shapes, sorted.
std::vector<std::string> asset_names();
/// The file of an asset: a shape ("koala") or a skeleton ("tracks/mannequin_walk"); empty when there is none of this
/// name.
std::string_view asset_text(std::string_view name);

}  // namespace dashpot
