// `dashpot parameters SCENE`: every number of a scene that can be fitted, learned or turned while it runs.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/units.hpp"
#include "exit_codes.hpp"
#include "option_values.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct ParametersCommand {
  std::string scene;
  std::vector<std::string> settings;
};

std::string values_text(const ParameterInfo& info) {
  constexpr std::size_t most_shown = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(info.values.size(), most_shown); ++k)
    text += (k == 0 ? "" : ", ") + describe_quantity(info.values[k], info.quantity);
  return info.values.size() > most_shown ? fmt::format("{}, ... ({} values)", text, info.values.size()) : text;
}

/// An interval: "[0, inf)", "(-1, 0.5)".
std::string range_text(const ParameterInfo& info) {
  const auto is_closed = [&](double bound) { return std::isfinite(bound) && !info.is_open; };
  return fmt::format("{}{:g}, {:g}{}", is_closed(info.low) ? "[" : "(", info.low, info.high,
                     is_closed(info.high) ? "]" : ")");
}

int parameters(const ParametersCommand& command, const Console& console) {
  const std::optional<CompiledScene> scene =
      compile_with_progress(load_scene_file(command.scene, read_overrides(command.settings), console), console);
  if (!scene) return exit_interrupted;
  TextTable table({"parameter", "value", "range"});
  ordered_json list = ordered_json::array();
  for (const ParameterLayout::Entry& entry : scene->system->parameters().entries()) {
    const ParameterInfo& info = entry.info;
    table.add({info.name, values_text(info), range_text(info)});
    list.push_back({{"name", info.name}, {"unit", info.unit()}, {"values", info.values}, {"open", info.is_open}});
    if (std::isfinite(info.low)) list.back()["low"] = info.low;
    if (std::isfinite(info.high)) list.back()["high"] = info.high;
  }
  if (list.empty()) console.message("this scene has no parameters");
  if (!list.empty()) console.print(table.text());
  console.print_json({{"input", input_stamp(command.scene)}, {"parameters", list}});
  return exit_ok;
}

}  // namespace

void setup_parameters(CLI::App& app, Session& session) {
  auto o = std::make_shared<ParametersCommand>();
  app.add_option("scene", o->scene, "Scene (.json) or VegaFEM .config file")->required()->type_name("SCENE");
  add_override_option(app, o->settings);
  app.footer("Example: dashpot parameters scenes/cantilever.json");
  app.callback([o, &session] { session.action = [o, &session] { return parameters(*o, session.console); }; });
}

}  // namespace dashpot::cli
