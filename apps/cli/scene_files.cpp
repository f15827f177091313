#include "scene_files.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/scene/import/vega_config.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"

namespace dashpot::cli {

CheckedScene check_scene_file(const std::string& path, const std::vector<SceneOverride>& overrides) {
  const std::filesystem::path file(path);
  const std::string folder = file.parent_path().string();
  if (file.extension() != ".config") return check_scene(read_file(path), path, folder, overrides);
  const ImportedScene imported = import_vega_config(path);
  CheckedScene checked = check_scene(write_json(imported.scene), path, folder, overrides);
  checked.problems.insert(checked.problems.begin(), imported.warnings.begin(), imported.warnings.end());
  return checked;
}

SceneSpec load_scene_file(const std::string& path, const std::vector<SceneOverride>& overrides,
                          const Console& console) {
  CheckedScene checked = check_scene_file(path, overrides);
  if (!checked.spec) throw Error(std::move(checked.problems));
  for (const Problem& problem : checked.problems) console.warning(problem.text());
  return std::move(*checked.spec);
}

std::vector<SceneOverride> read_overrides(const std::vector<std::string>& settings) {
  std::vector<SceneOverride> overrides;
  OptionReader reader;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (setting.empty() || setting[0] != '/' || equals == std::string::npos)
      reader.add_problem(
          {"--set", fmt::format("found '{}'", setting), "POINTER=VALUE, for example '/time/dt=1 ms'", ""});
    else
      overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  reader.finish();
  return overrides;
}

void add_override_option(CLI::App& app, std::vector<std::string>& settings) {
  app.add_option("--set", settings, "Change a value of the scene, '/time/dt=1 ms'; may be repeated")
      ->type_name("POINTER=VALUE")
      ->take_all();
}

PrecomputeHooks precompute_hooks(const Console& console) {
  struct Stage {
    std::string what;
    std::chrono::steady_clock::time_point start;
    std::optional<Progress> progress;
  };
  PrecomputeHooks hooks;
  hooks.on_progress = [&console, stage = std::make_shared<Stage>()](const std::string& what, double fraction) {
    const auto now = std::chrono::steady_clock::now();
    if (what != stage->what) {
      stage->progress.reset();
      stage->what = what;
      stage->start = now;
    }
    if (!stage->progress && now - stage->start > std::chrono::seconds(1))
      stage->progress.emplace(console, what, 100, "%");
    if (stage->progress) stage->progress->update(100 * fraction);
    if (fraction >= 1) stage->progress.reset();
  };
  hooks.should_stop = [] { return interrupted(); };
  return hooks;
}

std::optional<CompiledScene> compile_with_progress(SceneSpec spec, const Console& console) {
  std::optional<CompiledScene> scene = compile(std::move(spec), precompute_hooks(console));
  if (!scene) {
    console.message("interrupted while the reduced body was prepared; nothing was written");
    return scene;
  }
  for (const std::string& note : scene->reductions) console.message("reduced: " + note);
  for (const Problem& warning : scene->warnings) console.warning(warning.text());
  return scene;
}

std::string explicit_limit_text(const CompiledScene& scene, const ExplicitLimit& limit) {
  std::string filters;
  if (!scene.system->filters().empty()) {
    const std::string without = describe_quantity(limit.dt_without_filters, Quantity::time, 3);
    filters =
        limit.filters == FilteredLimit::Kind::modes ? fmt::format("; {} without its velocity filters", without)
        : limit.filters == FilteredLimit::Kind::overshoot
            ? fmt::format("; longer steps would reverse motions in its velocity filters, without them {}", without)
            : std::string("; velocity filters that are not linear are not included");
  }
  if (limit.zeta_depends_on_speed)
    filters += "; the damping is that of the start's velocities, faster motion lowers this limit";
  return fmt::format(
      "{} is stable {} here (highest mode {}, damping ratio {:.2g}; contact stiffness is not included and lowers this "
      "limit{})",
      scene.spec.time.stepper.name(),
      std::isfinite(limit.dt) ? "up to dt = " + describe_quantity(limit.dt, Quantity::time, 3)
                              : std::string("at any dt"),
      describe_quantity(limit.omega / (2 * std::numbers::pi), Quantity::frequency, 3), limit.zeta, filters);
}

void warn_of_long_step(const CompiledScene& scene, const ExplicitLimit& limit, const Console& console) {
  if (scene.run.dt > limit.dt)
    console.warning(fmt::format("dt = {} is too long: {}; take {} or an implicit stepper",
                                describe_quantity(scene.run.dt, Quantity::time, 3), explicit_limit_text(scene, limit),
                                describe_quantity(0.9 * limit.dt, Quantity::time, 3)));
}

void announce_damping(const CompiledScene& scene, const Console& console) {
  if (scene.dampings.empty()) console.message("damping: none was asked for");
  for (const std::string& damping : scene.dampings) console.message("damping: " + damping);
  for (const std::string& contact : scene.contacts) console.message("contact: " + contact);
  console.message(fmt::format("integrator: {} at {}, whose own loss is in the ledger as 'numerical'",
                              scene.spec.time.stepper.name(), describe_quantity(scene.run.dt, Quantity::time, 3)));
  if (!scene.spec.projective) return;
  const ProjectiveOptions& options = *scene.spec.projective;
  const std::string count = options.iterations > 0 ? fmt::format("{} iterations a stage", options.iterations)
                                                   : fmt::format("to a tolerance of {:.2g}", options.tolerance);
  console.message(
      fmt::format("solver: projective dynamics, {}{}{}{}", count,
                  options.acceleration == Acceleration::anderson ? ", Anderson acceleration" : "",
                  options.precision == ProjectionPrecision::single_precision ? ", projections in single precision" : "",
                  options.budget > 0 ? fmt::format(", at most {} a step (results depend on the machine)",
                                                   describe_quantity(options.budget, Quantity::time, 3))
                                     : std::string()));
}

MeasuredRun run_with_progress(const std::string& folder, const FolderLock& held, const CompiledScene& scene,
                              const RunFolderOptions& options, const std::string& title, const Console& console,
                              RunHooks hooks) {
  Progress progress(console, title, scene.run.end, "s");
  hooks.on_step = [&](double time, double) { progress.update(time - scene.start.time); };
  hooks.should_stop = interrupted;
  const std::string farewell = fmt::format(
      "interrupted within a step; a checkpoint of the state before it was left in {}, for --resume", folder);
  hooks.around_step = [&farewell](const std::function<void()>& step, const std::function<void()>& abandon) {
    interruptible_step(step, abandon, farewell);
  };
  RunResult run = simulate_into(folder, scene, hooks, options, &held);
  if (run.status != RunStatus::interrupted) fetch_frames(folder, run);
  return measured(scene.spec, std::move(run));
}

int exit_code_of(RunStatus status) {
  return status == RunStatus::finished ? exit_ok : status == RunStatus::interrupted ? exit_interrupted : exit_diverged;
}

}  // namespace dashpot::cli
