#include "scene_file.hpp"

#include <string_view>

#include <fmt/format.h>

#include "dashpot/core/json_document.hpp"

namespace dashpot::cli {
namespace {

struct SceneFile {
  std::string_view name, text;
};

// One initializer {name, text} per file of experiments/scenes, sorted by name; written by cmake/embed_assets.cmake.
constexpr SceneFile files[] = {
#include "experiment_scenes.inc"
};

JsonValue parsed(std::string_view text, const std::string& file) {
  ParsedJson json = parse_json(text, file);
  if (!json.problems.empty()) throw Error(std::move(json.problems));
  return std::move(json.value);
}

}  // namespace

SceneChange::SceneChange(std::string at, double value) : pointer(std::move(at)), json(fmt::format("{}", value)) {}

std::string scene_file(const std::string& name, const std::vector<SceneChange>& changes) {
  for (const SceneFile& file : files) {
    if (file.name != name) continue;
    JsonValue scene = parsed(file.text, name + ".json");
    for (const SceneChange& change : changes)
      if (!put_at_pointer(scene, change.pointer, parsed(change.json, name + ", " + change.pointer)))
        throw Error(Problem{name + ".json", change.pointer, "a place in the scene", ""});
    return write_json(scene) + "\n";
  }
  throw Error(Problem{"experiments/scenes", name, "the name of a scene there", ""});
}

std::vector<std::string> scene_file_names() {
  std::vector<std::string> names;
  for (const SceneFile& file : files) names.emplace_back(file.name);
  return names;
}

}  // namespace dashpot::cli
