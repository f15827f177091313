// `dashpot sensitivity SCENE --of tip.y --to /bodies/0/material/young`: how a motion changes with parameters.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/csv.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/learn/probe_sensitivity.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct SensitivityCommand {
  std::string scene, out, method = "automatic";
  std::vector<std::string> settings, outputs, parameters;
};

/// A list longer than this is not differentiated unless it is asked for by name.
constexpr std::size_t most_by_default = 40;

double largest_of(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

void write_table(const std::string& path, const Table& table) {
  std::string text = csv_line(table.columns);
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    std::vector<double> values;
    for (const std::vector<double>& column : table.values) values.push_back(column[row]);
    text += csv_line(values);
  }
  write_file_atomically(path, text);
}

learn::ProbeSensitivities go_forward(const SensitivityCommand& command, const CompiledScene& scene,
                                     const std::vector<learn::ParameterNumber>& numbers, const Console& console) {
  Progress progress(console, "sensitivities", scene.run.end, "s");
  RunHooks hooks;
  hooks.on_step = [&](double time, double) { progress.update(time - scene.start.time); };
  hooks.should_stop = interrupted;
  return learn::probe_sensitivities(scene, command.outputs, numbers, hooks);
}

learn::ProbeSensitivities go_back(const SensitivityCommand& command, const CompiledScene& scene,
                                  const std::vector<learn::ParameterNumber>& numbers, const Console& console) {
  // One bar for both ways: the run, then as many steps back.
  Progress progress(console, "run and gradient", 2 * scene.run.end, "s");
  RunHooks hooks;
  double reached = 0;
  std::int64_t num_steps = 0;
  hooks.on_step = [&](double time, double) {
    reached = time - scene.start.time;
    ++num_steps;
    progress.update(reached);
  };
  hooks.should_stop = interrupted;
  return learn::probe_gradients_at_end(scene, command.outputs, numbers, hooks, [&](std::int64_t left) {
    progress.update(reached *
                    (2 - static_cast<double>(left) / static_cast<double>(std::max<std::int64_t>(1, num_steps))));
  });
}

int sensitivity(const SensitivityCommand& command, const Console& console) {
  const std::optional<CompiledScene> scene =
      compile_with_progress(load_scene_file(command.scene, read_overrides(command.settings), console), console);
  if (!scene) return exit_interrupted;
  const bool all = command.parameters == std::vector<std::string>{"all"};
  const std::vector<learn::ParameterNumber> numbers =
      learn::parameter_numbers(*scene->system, all ? std::vector<std::string>() : command.parameters);
  if (numbers.empty()) {
    console.message("this scene has no parameters");
    return exit_bad_input;
  }
  if (command.parameters.empty() && numbers.size() > most_by_default)
    throw UsageError(Problem{"--to", fmt::format("this scene has {} numbers", numbers.size()),
                             fmt::format("at most {} when none are named", most_by_default),
                             "name those you want (`dashpot parameters` lists them), or --to all"});
  if (command.method == "adjoint" && !command.out.empty())
    throw UsageError(Problem{"--out", "derivatives at every instant by the adjoint", "--method forward with --out",
                             "the adjoint tells those at the end"});
  const bool backwards =
      command.method == "adjoint" || (command.method == "automatic" && command.out.empty() &&
                                      learn::backwards_is_cheaper(*scene, command.outputs, numbers.size()));
  const learn::ProbeSensitivities found =
      backwards ? go_back(command, *scene, numbers, console) : go_forward(command, *scene, numbers, console);
  if (found.status != RunStatus::finished) {
    console.error(fmt::format("stopped at t = {:.4g} s: {}", found.table.values[0].back(),
                              found.explanation.empty() ? to_string(found.status) : found.explanation));
    return exit_code_of(found.status);
  }
  if (!command.out.empty()) write_table(command.out, found.table);

  const double end = found.table.values[0].back();
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < found.outputs.size(); ++i) {
    TextTable table({"parameter", "value", "derivative at the end", "1 % more moves it by", "largest over time"});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const std::vector<double>& slope = found.slope(i, k);
      const double percent = 0.01 * numbers[k].value * slope.back(), most = 0.01 * numbers[k].value * largest_of(slope);
      const auto moved = [&](double length) {
        return numbers[k].value == 0 ? std::string("-") : describe_quantity(length, Quantity::length, 3);
      };
      table.add({numbers[k].name, describe_quantity(numbers[k].value, numbers[k].quantity),
                 fmt::format("{:.5g} {}", slope.back(), numbers[k].slope_unit()), moved(percent),
                 found.is_of_end ? std::string("-") : moved(std::abs(most))});
      list.push_back({{"of", found.outputs[i]},
                      {"to", numbers[k].name},
                      {"value", numbers[k].value},
                      {"derivative", slope.back()},
                      {"unit", numbers[k].slope_unit()}});
      if (!found.is_of_end) list.back()["largest"] = largest_of(slope);
    }
    console.print(fmt::format("{} at t = {}:\n", found.outputs[i], describe_quantity(end, Quantity::time)));
    console.print(table.text());
  }
  if (found.is_of_end)
    console.detail(
        fmt::format("by the adjoint: {} steps, {} of them taken twice, {:.1f} MB of checkpoints; products "
                    "agree with differences to {:.1e}",
                    found.num_steps, found.num_steps_again, 1e-6 * found.checkpoint_bytes, found.worst_residual));
  else
    console.detail(fmt::format("linear equations solved to {:.1e}", found.worst_residual));
  console.print_json({{"input", input_stamp(command.scene)},
                      {"time", end},
                      {"method", found.is_of_end ? "adjoint" : "forward"},
                      {"worst_residual", found.worst_residual},
                      {"sensitivities", list}});
  return exit_ok;
}

}  // namespace

void setup_sensitivity(CLI::App& app, Session& session) {
  auto o = std::make_shared<SensitivityCommand>();
  app.add_option("scene", o->scene, "Scene (.json) or VegaFEM .config file")->required()->type_name("SCENE");
  app.add_option("--of", o->outputs, "Coordinate of a probe, e.g. tip.y (default: all)")->type_name("PROBE.AXIS");
  app.add_option("--to", o->parameters, "Parameter, as `dashpot parameters` names it, or all (default: all, if few)")
      ->type_name("NAME");
  app.add_option("--method", o->method,
                 "forward: at every instant, a solve a parameter; adjoint: at the end, one sweep back for all "
                 "parameters; automatic: the cheaper one (default)")
      ->check(CLI::IsMember({"automatic", "forward", "adjoint"}))
      ->type_name("METHOD");
  app.add_option("--out", o->out, "Derivatives at every recorded instant, as CSV")->type_name("FILE");
  add_override_option(app, o->settings);
  app.footer("Example: dashpot sensitivity scenes/cantilever.json --of tip.y --to /bodies/0/material/young");
  app.callback([o, &session] { session.action = [o, &session] { return sensitivity(*o, session.console); }; });
}

}  // namespace dashpot::cli
