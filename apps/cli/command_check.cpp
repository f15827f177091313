// `dashpot check SCENE`: every problem at once; when there is none, what a run will cost.
#include <algorithm>
#include <memory>
#include <variant>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "exit_codes.hpp"
#include "scene_files.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct CheckOptions {
  std::string scene;
  std::vector<std::string> settings;
};

ordered_json problems_json(const std::vector<Problem>& problems) {
  ordered_json list = ordered_json::array();
  for (const Problem& problem : problems)
    list.push_back({{"severity", problem.severity == Problem::Severity::error ? "error" : "warning"},
                    {"place", problem.place},
                    {"found", problem.found},
                    {"expected", problem.expected},
                    {"remedy", problem.remedy}});
  return list;
}

std::string memory_text(double bytes) {
  return bytes >= 1e9 ? fmt::format("{:.1f} GB", bytes / 1e9) : fmt::format("{:.0f} MB", bytes / 1e6);
}

bool has_velocity_filters(const SceneSpec& scene) {
  for (const BodySpec& body : scene.bodies)
    for (const ModelSpec& damping : body.damping)
      if (std::holds_alternative<BodyFactory>(damping.entry->factory)) return true;
  return false;
}

/// Velocity filters that cannot follow the scene's dt.
std::vector<Problem> filter_problems(const CompiledScene& scene) {
  std::vector<Problem> problems;
  for (const auto& filter : scene.system->filters())
    if (const std::string problem = filter->refusal_reason(scene.run.dt); !problem.empty())
      problems.push_back({"/time/dt", fmt::format("a step of {}", describe_quantity(scene.run.dt, Quantity::time, 3)),
                          "a step that its damping can follow", problem});
  return problems;
}

/// Says them all; returns how many are errors.
std::size_t report_problems(const std::vector<Problem>& problems, const Console& console) {
  std::size_t num_errors = 0;
  for (const Problem& problem : problems)
    if (problem.severity == Problem::Severity::error)
      console.error(problem.text()), ++num_errors;
    else
      console.warning(problem.text());
  return num_errors;
}

int end_with_errors(std::size_t num_errors, const ordered_json& json, const Console& console) {
  console.message(fmt::format("{} {}", num_errors, num_errors == 1 ? "error" : "errors"));
  console.print_json(json);
  return exit_bad_input;
}

/// Only the built System knows what constructors refuse, step limits and projective forms. Reduced coordinates take
/// long to prepare: those are built only for what cannot be known otherwise.
bool is_built(const SceneSpec& spec) {
  const bool is_reduced = std::any_of(spec.bodies.begin(), spec.bodies.end(),
                                      [](const BodySpec& body) { return body.reduced.has_value(); });
  return !is_reduced || spec.time.stepper.is_explicit() || spec.projective || has_velocity_filters(spec);
}

void show_explicit_limit(const CompiledScene& scene, ordered_json& json, const Console& console) {
  const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, scene.spec.time.stepper);
  warn_of_long_step(scene, limit, console);
  console.print(explicit_limit_text(scene, limit));
  json["explicit_limit"] = {
      {"dt", limit.dt}, {"dt_without_filters", limit.dt_without_filters}, {"omega", limit.omega}, {"zeta", limit.zeta}};
}

void show_prediction(const std::string& scene, const Prediction& cost, ordered_json& json, const Console& console) {
  console.print(
      fmt::format("{}: ok\n  {} nodes, {} tets, {} degrees of freedom, {} steps\n"
                  "  about {} of memory and {} (on two cores; good to a factor of three)",
                  scene, cost.nodes, cost.tets, cost.dofs, cost.steps, memory_text(cost.bytes),
                  cost.seconds < 10 ? fmt::format("{:.1f} s", cost.seconds) : clock_text(cost.seconds)));
  json["prediction"] = {{"nodes", cost.nodes},
                        {"tets", cost.tets},
                        {"dofs", cost.dofs},
                        {"steps", cost.steps},
                        {"bytes", cost.bytes},
                        {"seconds", cost.seconds},
                        {"seconds_per_step", cost.seconds_per_step}};
  if (cost.reduced <= 0) return;
  console.print(
      fmt::format("  reduced to {} coordinates; preparing them takes about {:.2g} s once, then the cache has them",
                  cost.reduced, cost.precompute_seconds));
  json["prediction"].update({{"reduced", cost.reduced}, {"precompute_seconds", cost.precompute_seconds}});
}

int check(const CheckOptions& options, const Console& console) {
  const CheckedScene checked = check_scene_file(options.scene, read_overrides(options.settings));
  const std::size_t num_errors = report_problems(checked.problems, console);
  ordered_json json = {{"input", input_stamp(options.scene)},
                       {"ok", checked.spec.has_value()},
                       {"problems", problems_json(checked.problems)}};
  if (!checked.spec) return end_with_errors(num_errors, json, console);
  const Prediction cost = predict(*checked.spec);
  if (is_built(*checked.spec)) {
    std::optional<CompiledScene> built;
    std::vector<Problem> problems;
    try {
      built = compile_with_progress(*checked.spec, console);
      if (!built) return exit_interrupted;
      problems = filter_problems(*built);
    } catch (const Error& error) {
      problems = error.problems();
    }
    if (!problems.empty()) {
      for (const Problem& problem : problems) console.error(problem.text());
      json["ok"] = false;
      for (const auto& problem : problems_json(problems)) json["problems"].push_back(problem);
      return end_with_errors(problems.size(), json, console);
    }
    if (checked.spec->time.stepper.is_explicit()) show_explicit_limit(*built, json, console);
  }
  show_prediction(options.scene, cost, json, console);
  json["selected"] = probe_notes(*checked.spec);
  for (const std::string& note : probe_notes(*checked.spec)) console.print("  probe " + note);
  console.print_json(json);
  return exit_ok;
}

}  // namespace

void setup_check(CLI::App& app, Session& session) {
  auto o = std::make_shared<CheckOptions>();
  app.add_option("scene", o->scene, "Scene (.json) or VegaFEM .config file")->required()->type_name("SCENE");
  add_override_option(app, o->settings);
  app.footer("Example: dashpot check scenes/beam_ring.json");
  app.callback([o, &session] { session.action = [o, &session] { return check(*o, session.console); }; });
}

}  // namespace dashpot::cli
