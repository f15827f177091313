#include <algorithm>
#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/scene/format/normalize.hpp"
#include "dashpot/scene/format/scene_spec.hpp"

namespace dashpot {

JsonValue without_places(const SceneSpec& spec) {
  JsonValue value = spec.document->value;
  for (const std::string& pointer : spec.document->paths)
    if (JsonValue* named = at_pointer(value, pointer))
      named->text = std::filesystem::path(named->text).filename().string();
  std::erase_if(value.members, [](const JsonMember& member) { return member.key == "inputs"; });
  return value;
}

std::string filled_in(const SceneSpec& spec) {
  const SceneDocument& document = *spec.document;
  JsonValue value = document.value;
  for (const std::string& pointer : document.paths)
    if (JsonValue* named = at_pointer(value, pointer)) named->text = absolute_path(path_from(document, named->text));
  JsonValue inputs = JsonValue::array();
  for (const InputFile& file : document.files->list()) {
    JsonValue entry = JsonValue::object();
    entry.add("path", JsonValue::of(file.path));
    entry.add("hash", JsonValue::of(file.hash));
    inputs.push(std::move(entry));
  }
  std::erase_if(value.members, [](const JsonMember& member) { return member.key == "inputs"; });
  if (!inputs.items.empty()) value.add("inputs", std::move(inputs));
  return write_json(with_units(value));
}

void read_named_files(const SceneSpec& spec) {
  for (const std::string& pointer : spec.document->paths) {
    const JsonValue* named = at_pointer(spec.document->value, pointer);
    std::error_code failed;
    const std::string path = path_from(*spec.document, named->text);
    if (std::filesystem::is_regular_file(path, failed)) spec.document->files->read(path);
  }
}

}  // namespace dashpot
