#pragma once
// Scene files and texts, read and checked: what a SceneSpec (format/scene_spec.hpp) comes from.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

/// A value put in place of one in the file before it is checked: {"/time/dt", "\"1 ms\""}.
struct SceneOverride {
  std::string pointer;
  std::string json;
};

/// Everything known about a scene text: the spec when it is usable, and every problem found, warnings included.
struct CheckedScene {
  std::optional<SceneSpec> spec;
  std::vector<Problem> problems;
};

/// Never throws for bad input. The document is a scene as JSON; `file` names it in messages, `folder` is where relative
/// paths start. Meshes are built too, so that missing files, broken meshes and selections that match nothing are
/// reported along with misspelled keys.
CheckedScene check_scene(const JsonValue& document, const std::string& file, const std::string& folder);
/// The same from a text.
CheckedScene check_scene(std::string_view text, const std::string& file, const std::string& folder,
                         const std::vector<SceneOverride>& overrides = {});

/// Reads and checks a scene file; dashpot::Error with all problems when it cannot be used.
SceneSpec load_scene(const std::string& path, const std::vector<SceneOverride>& overrides = {});
/// The same from a text.
SceneSpec parse_scene(std::string_view text, const std::string& file = "scene", const std::string& folder = {},
                      const std::vector<SceneOverride>& overrides = {});

}  // namespace dashpot
