#include "dashpot/scene/import/vega_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace dashpot {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

/// Keys about windows, cameras and drawing.
bool is_about_display(const std::string& key) {
  static const std::set<std::string> known = {"windowWidth",
                                              "windowHeight",
                                              "cameraRadius",
                                              "focusPositionX",
                                              "focusPositionY",
                                              "focusPositionZ",
                                              "cameraLongitude",
                                              "cameraLattitude",
                                              "renderWireframe",
                                              "renderSecondaryDeformableObject",
                                              "renderAxes",
                                              "extraSceneGeometry",
                                              "enableTextures",
                                              "backgroundColor",
                                              "lightingConfigFilename",
                                              "groundPlane",
                                              "singleStepMode",
                                              "pauseSimulation",
                                              "lockAt30Hz",
                                              "renderingMeshFilename",
                                              "secondaryRenderingMeshFilename",
                                              "secondaryRenderingMeshInterpolationFilename",
                                              "useRealTimeNormals",
                                              "syncTimestepWithGraphics",
                                              "deformableObjectCompliance",
                                              "forceNeighborhoodSize",
                                              "numInternalForceThreads",
                                              "numSolverThreads",
                                              "outputFilename"};
  return known.count(key) != 0;
}

}  // namespace

VegaKeys::VegaKeys(std::string_view text, std::string name) : name_(std::move(name)) { split(text); }

void VegaKeys::split(std::string_view text) {
  std::string key;
  int line = 0, key_line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string content = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (content.empty() || content[0] == '#') continue;
    if (content[0] == '*') {
      if (!key.empty()) error(key_line, "*" + key + " without a value", "a value on the next line");
      key = content.substr(1);
      key_line = line;
    } else if (key.empty()) {
      error(line, fmt::format("\"{}\" without a key", content.substr(0, 40)), "*key on the line before");
      return;
    } else {
      entries_[key] = {content, line};
      key.clear();
    }
  }
  if (!key.empty()) error(key_line, "*" + key + " without a value", "a value on the next line");
  if (entries_.empty() && errors_.empty()) error(0, "no \"*key\" in the file", "a VegaFEM .config file");
}

std::string VegaKeys::place(int line) const { return line > 0 ? fmt::format("{}:{}", name_, line) : name_; }

int VegaKeys::line_of(const std::string& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? 0 : found->second.line;
}

void VegaKeys::error(int line, std::string found, std::string expected, std::string remedy) {
  if (errors_.size() < 50) errors_.push_back({place(line), std::move(found), std::move(expected), std::move(remedy)});
}
void VegaKeys::errors_of(const Error& error) {
  errors_.insert(errors_.end(), error.problems().begin(), error.problems().end());
}
void VegaKeys::warn(int line, std::string found, std::string remedy) {
  warnings_.push_back({place(line), std::move(found), "", std::move(remedy), Problem::Severity::warning});
}

std::optional<VegaKeys::Entry> VegaKeys::take(const std::string& key) {
  used_.insert(key);
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.value == "__none" || found->second.value == "none") return std::nullopt;
  return found->second;
}

double VegaKeys::number(const std::string& key, double otherwise) {
  const std::optional<Entry> entry = take(key);
  if (!entry) return otherwise;
  double value = 0;
  const char* end = entry->value.data() + entry->value.size();
  const auto parsed = std::from_chars(entry->value.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) {
    error(entry->line, fmt::format("*{} is \"{}\"", key, entry->value.substr(0, 40)), "a number");
    return otherwise;
  }
  return value;
}

void VegaKeys::warn_of_unused() {
  std::string display;
  for (const auto& [key, entry] : entries_) {
    if (used_.count(key) != 0) continue;
    if (is_about_display(key))
      display += (display.empty() ? "" : ", ") + key;
    else
      warn(entry.line, fmt::format("*{}", key), "ignored: not a known key of the simulator");
  }
  if (!display.empty()) warn(0, "keys about display, interaction and threads: " + display, "ignored");
}

}  // namespace dashpot
