// `dashpot check SCENE`: every problem at once; when there is none, what a run will cost.
#include <memory>
#include <variant>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/explicit_step.hpp"
#include "dashpot/scene/registry.hpp"
#include "dashpot/scene/scene_checks.hpp"
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
    if (const std::string problem = filter->step_problem(scene.run.dt); !problem.empty())
      problems.push_back({"/time/dt", fmt::format("a step of {}", describe_quantity(scene.run.dt, Quantity::time, 3)),
                          "a step that its damping can follow", problem});
  return problems;
}

int check(const CheckOptions& options, const Console& console) {
  const CheckedScene checked = check_scene_file(options.scene, read_overrides(options.settings));
  std::size_t num_errors = 0;
  for (const Problem& problem : checked.problems) {
    const bool is_error = problem.severity == Problem::Severity::error;
    num_errors += is_error ? 1 : 0;
    if (is_error)
      console.error(problem.text());
    else
      console.warning(problem.text());
  }
  ordered_json json = {{"input", input_stamp(options.scene)},
                       {"ok", checked.spec.has_value()},
                       {"problems", problems_json(checked.problems)}};
  if (checked.spec) {
    const Prediction cost = predict(*checked.spec);
    const bool is_explicit_run = is_explicit(checked.spec->time.stepper.kind);
    std::optional<CompiledScene> built;
    // Only the built System knows step limits and projective forms.
    if (is_explicit_run || checked.spec->projective || has_velocity_filters(*checked.spec)) {
      built = compile_with_progress(*checked.spec, console);
      if (!built) return exit_interrupted;
      if (const std::vector<Problem> problems = filter_problems(*built); !problems.empty()) {
        for (const Problem& problem : problems) console.error(problem.text());
        json["ok"] = false;
        for (const auto& problem : problems_json(problems)) json["problems"].push_back(problem);
        console.message(fmt::format("{} {}", problems.size(), problems.size() == 1 ? "error" : "errors"));
        console.print_json(json);
        return exit_bad_input;
      }
    }
    if (is_explicit_run) {
      const CompiledScene& scene = *built;
      const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, checked.spec->time.stepper.kind);
      warn_of_long_step(scene, limit, console);
      console.print(explicit_limit_text(scene, limit));
      json["explicit_limit"] = {{"dt", limit.dt},
                                {"dt_without_filters", limit.dt_without_filters},
                                {"omega", limit.omega},
                                {"zeta", limit.zeta}};
    }
    console.print(
        fmt::format("{}: ok\n  {} nodes, {} tets, {} degrees of freedom, {} steps\n"
                    "  about {} of memory and {} (on two cores; good to a factor of three)",
                    options.scene, cost.nodes, cost.tets, cost.dofs, cost.steps, memory_text(cost.bytes),
                    cost.seconds < 10 ? fmt::format("{:.1f} s", cost.seconds) : clock_text(cost.seconds)));
    if (cost.reduced > 0)
      console.print(
          fmt::format("  reduced to {} coordinates; preparing them takes about {:.2g} s once, then the cache has them",
                      cost.reduced, cost.precompute_seconds));
    json["prediction"] = {{"nodes", cost.nodes},
                          {"tets", cost.tets},
                          {"dofs", cost.dofs},
                          {"steps", cost.steps},
                          {"bytes", cost.bytes},
                          {"seconds", cost.seconds},
                          {"seconds_per_step", cost.seconds_per_step}};
    if (cost.reduced > 0)
      json["prediction"].update({{"reduced", cost.reduced}, {"precompute_seconds", cost.precompute_seconds}});
  } else {
    console.message(fmt::format("{} {}", num_errors, num_errors == 1 ? "error" : "errors"));
  }
  console.print_json(json);
  return checked.spec ? exit_ok : exit_bad_input;
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
