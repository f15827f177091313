#pragma once
// What the commands that take a SCENE have in common: reading it, telling what will damp it, running it with progress.
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/scene/read_scene.hpp"
#include "dashpot/scene/report/run_report.hpp"

namespace dashpot::cli {

/// Checks a scene (.json) or a VegaFEM .config. Problems, warnings included, are in the result; nothing is thrown for
/// them.
CheckedScene check_scene_file(const std::string& path, const std::vector<SceneOverride>& overrides);
/// The same, throwing dashpot::Error with all problems; warnings go to the console.
SceneSpec load_scene_file(const std::string& path, const std::vector<SceneOverride>& overrides, const Console& console);
/// "/time/dt=1 ms" from --set.
std::vector<SceneOverride> read_overrides(const std::vector<std::string>& settings);
void add_override_option(CLI::App& app, std::vector<std::string>& settings);

/// Builds a scene; the precomputation of a reduced body has a progress bar, and Ctrl-C stops it (nothing is returned).
/// What building showed goes to the console.
std::optional<CompiledScene> compile_with_progress(SceneSpec spec, const Console& console);
/// Progress of precomputations that take more than a second, and Ctrl-C.
PrecomputeHooks precompute_hooks(const Console& console);

/// "leapfrog is stable up to dt = 0.2 ms (...)".
std::string explicit_limit_text(const CompiledScene& scene, const ExplicitLimit& limit);
/// Warns where dt is longer than an explicit stepper can bear.
void warn_of_long_step(const CompiledScene& scene, const ExplicitLimit& limit, const Console& console);
/// Says everything that will damp the motion, the integrator included.
void announce_damping(const CompiledScene& scene, const Console& console);
/// Runs with a progress bar into a folder, whose lock is `held`; Ctrl-C stops it and leaves a checkpoint. A run that
/// was not stopped is measured and has its frames, for reports. `hooks` may turn parameters.
MeasuredRun run_with_progress(const std::string& folder, const FolderLock& held, const CompiledScene& scene,
                              const RunFolderOptions& options, const std::string& title, const Console& console,
                              RunHooks hooks = {});
/// Exit code for the way a run ended.
int exit_code_of(RunStatus status);

}  // namespace dashpot::cli
