#include "dashpot/exporter/stamp.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/core/version.hpp"

namespace dashpot::exporter {
namespace {

std::string text_at(const JsonValue& object, const char* key) {
  const JsonValue* value = object.find(key);
  return value != nullptr && value->is(JsonValue::Kind::string) ? value->text : std::string();
}

}  // namespace

std::string Stamp::program() { return fmt::format("dashpot {} ({})", version(), commit()); }

std::string Stamp::text() const {
  return scene_hash.empty() ? program() : fmt::format("{}, scene hash {}", program(), scene_hash);
}

Stamp read_stamp(const std::string& folder) {
  Stamp stamp;
  stamp.is_finished = false;
  const std::string path = folder + "/summary.json";
  if (!std::filesystem::exists(path)) return stamp;
  const ParsedJson summary = parse_json(read_file(path), path);
  if (!summary.problems.empty() || !summary.value.is(JsonValue::Kind::object)) return stamp;
  stamp.title = text_at(summary.value, "title");
  if (const JsonValue* input = summary.value.find("input"); input != nullptr && input->is(JsonValue::Kind::object))
    stamp.scene_hash = text_at(*input, "hash");
  stamp.is_finished = text_at(summary.value, "status") == "finished";
  return stamp;
}

}  // namespace dashpot::exporter
