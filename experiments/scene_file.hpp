#pragma once
// Scenes of reproductions are data: files in experiments/scenes that `dashpot run` takes as they are, and that are part
// of the program. What a file says is the default variant; other variants are values put in place of those in the file.

#include <string>
#include <vector>

namespace dashpot::cli {

/// A value put at a JSON pointer: {"/time/dt", 0.01}, {"/bodies/0/damping", "[...]"}.
struct SceneChange {
  std::string pointer, json;

  SceneChange(std::string at, double value);
  SceneChange(std::string at, int value) : SceneChange(std::move(at), static_cast<double>(value)) {}
  /// JSON
  SceneChange(std::string at, std::string value) : pointer(std::move(at)), json(std::move(value)) {}
};

/// experiments/scenes/<name>.json with changes, as JSON. dashpot::Error when there is no such file, a change is no
/// JSON, or its pointer leads nowhere.
std::string scene_file(const std::string& name, const std::vector<SceneChange>& changes = {});

/// A list in JSON, of entries that are JSON with commas between them.
inline std::string list_of(const std::string& entries) { return "[" + entries + "]"; }

/// Names of all of them.
std::vector<std::string> scene_file_names();

}  // namespace dashpot::cli
