// `dashpot run SCENE --out DIR`: simulates a scene and leaves ledger, probes, frames, summary and report in DIR.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/hash.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/report/entered_energy.hpp"
#include "exit_codes.hpp"
#include "option_values.hpp"
#include "output_folder.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"
#include "turns.hpp"

namespace dashpot::cli {
namespace {

struct RunOptions {
  std::string scene, folder;
  bool dry_run = false, resume = false, no_frames = false, force = false;
  std::vector<std::string> settings, turns;
};

std::string command_text(const RunOptions& options) {
  std::string text = fmt::format("dashpot run {} --out {}", options.scene, options.folder);
  for (const std::string& setting : options.settings) text += fmt::format(" --set '{}'", setting);
  for (const std::string& turn : options.turns) text += fmt::format(" --turn '{}'", turn);
  if (options.no_frames) text += " --no-frames";
  return text;
}

std::string ring_table(const MeasuredRun& outcome) {
  const auto rings = [](const ProbeRing& ring) { return std::isfinite(ring.ring.zeta); };
  if (std::none_of(outcome.rings.begin(), outcome.rings.end(), rings)) return "";
  TextTable table({"probe", "frequency [Hz]", "damping ratio ζ", "±", "amplitude [m]"});
  for (const ProbeRing& ring : outcome.rings) {
    if (!rings(ring)) continue;
    table.add({ring.column, fmt::format("{:.5g}", ring.ring.frequency), fmt::format("{:.4g}", ring.ring.zeta),
               fmt::format("{:.2g}", ring.ring.zeta_deviation), fmt::format("{:.4g}", ring.ring.initial_amplitude)});
  }
  return "\n" + table.text();
}

std::string energy_table(const MeasuredRun& outcome) {
  const RunResult& run = outcome.run;
  const EnteredEnergy energy = entered_energy(run);
  TextTable table({"energy", "joules"});
  const auto add = [&](const std::string& name, double value) {
    table.add({name, fmt::format("{:.5g}", energy.rounded(value))});
  };
  add(energy.zero < 0 ? "at the start (gravity from the lowest)" : "at the start", energy.start);
  if (run.final_value("external") != 0) add("external work", run.final_value("external"));
  for (const std::string& column : run.ledger.columns_beginning("damping."))
    add("taken by " + column.substr(8), run.final_value(column));
  for (const std::string& column :
       run.ledger.columns_beginning("friction")) {  // there is one where something can touch
    add("taken by friction", run.final_value(column));
    add("taken by impacts", run.final_value("contact") - run.final_value(column));
  }
  if (const double unfinished = run.final_value("solver"); std::abs(unfinished) > 1e-5 * energy.entered)
    add("taken by the solver", unfinished);
  add("taken by the integrator", run.final_value("numerical"));
  add("left at the end", energy.left);
  return table.text();
}

/// How much projective dynamics left undone in its iterations; empty: nothing worth telling.
std::string unfinished_iterations(const CompiledScene& scene, const MeasuredRun& outcome) {
  constexpr double worth_telling = 1e-3;
  const double residual = outcome.run.counters.worst_residual;
  if (!scene.spec.projective || residual < worth_telling) return {};
  return fmt::format(
      "the solver's iterations left up to {:.2g} % of the forces out of balance in a step; what that did to the energy "
      "is in the ledger as 'solver' ({}). More iterations or Anderson acceleration make it less",
      100 * residual, describe_quantity(outcome.run.final_value("solver"), Quantity::energy, 3));
}

int run_scene(const RunOptions& options, const Console& console) {
  // Now, not at the end: the file may be edited while the run goes on.
  const Provenance provenance{command_text(options), options.scene, Hash().text(read_file(options.scene)).hex()};
  SceneSpec spec = load_scene_file(options.scene, read_overrides(options.settings), console);
  if (options.dry_run) {
    read_named_files(spec);
    const std::string filled = filled_in(spec);
    console.print(filled);
    console.print_json({{"input", input_stamp(options.scene)}, {"scene", nlohmann::ordered_json::parse(filled)}});
    return exit_ok;
  }
  if (options.folder.empty())
    throw UsageError(
        Problem{"dashpot run", "no folder for the results", "--out DIR", "or --dry-run to see the scene only"});
  // Before the scene is built, which can take minutes, and before anything there is looked at.
  const FolderLock folder = hold_output_folder(options.folder, console);
  if (!options.force) require_run_folder(options.folder);
  console.detail("building the scene");
  std::optional<CompiledScene> built = compile_with_progress(std::move(spec), console);
  if (!built) {
    console.print_json({{"status", "interrupted"}, {"time", 0.0}, {"folder", options.folder}});
    return exit_interrupted;
  }
  const CompiledScene& scene = *built;
  RunFolderOptions recording;
  recording.write_frames = !options.no_frames;
  recording.resume = options.resume && std::filesystem::exists(options.folder + "/checkpoint.dpc");
  if (!options.resume && std::filesystem::exists(options.folder + "/checkpoint.dpc") &&
      std::filesystem::exists(options.folder + "/ledger.csv.partial"))
    console.warning(
        fmt::format("{} holds an unfinished run, which is replaced; --resume would have continued it", options.folder));
  if (options.resume && !recording.resume) console.message("no checkpoint there yet: starting from the beginning");
  announce_damping(scene, console);
  for (const std::string& note : probe_notes(scene.spec)) console.message("probe: " + note);
  const std::vector<Turn> turns = read_turns(options.turns, *scene.system);
  for (const Turn& turn : turns)
    console.message(fmt::format("turned at {}: {} = {}", describe_quantity(turn.time, Quantity::time), turn.name,
                                describe_quantity(turn.value, scene.system->parameters().at(turn.name).info.quantity)));
  std::string limit_text;
  if (scene.spec.time.stepper.is_explicit()) {
    const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, scene.spec.time.stepper);
    warn_of_long_step(scene, limit, console);
    limit_text = "\n" + explicit_limit_text(scene, limit) + ".";
  }

  RunHooks hooks;
  if (!turns.empty())
    hooks.turn = [&turns](double time, const ParameterLayout& layout, std::vector<double>& values) {
      turn_due(turns, time, layout, values);
    };
  const MeasuredRun outcome = run_with_progress(options.folder, folder, scene, recording, "run", console, hooks);
  const int code = exit_code_of(outcome.run.status);
  if (outcome.run.status == RunStatus::interrupted) {
    console.message(fmt::format("{}; a checkpoint was left.\nContinue with: {} --resume", outcome.run.explanation,
                                command_text(options)));
    console.print_json({{"status", "interrupted"}, {"time", outcome.run.state.time}, {"folder", options.folder}});
    return code;
  }
  write_run_report(options.folder, scene, outcome, provenance);
  if (outcome.run.status == RunStatus::diverged)
    console.error("diverged: " + outcome.run.explanation + "\nThe last state that was reached is in " + options.folder +
                  "/checkpoint.dpc." + limit_text);
  else if (!outcome.run.explanation.empty())
    console.message(outcome.run.explanation);
  console.print(energy_table(outcome) + ring_table(outcome));
  if (const std::string left = unfinished_iterations(scene, outcome); !left.empty()) console.message(left);
  for (const std::string& warning : closing_warnings(scene, outcome)) console.warning(warning);
  for (const ProbeRing& ring : outcome.rings)
    if (!ring.obstacle.empty()) console.message(fmt::format("probe {}: {}", ring.probe, ring.obstacle));
  if (console.json()) {
    nlohmann::ordered_json summary = nlohmann::ordered_json::parse(run_summary(scene, outcome, provenance));
    summary.erase("schema");
    summary.erase("program");
    summary["folder"] = options.folder;
    console.print_json(summary);
  }
  console.message(
      fmt::format("report: {}/report.html   (state hash {:016x})", options.folder, outcome.run.state.hash()));
  return code;
}

}  // namespace

void setup_run(CLI::App& app, Session& session) {
  auto o = std::make_shared<RunOptions>();
  app.add_option("scene", o->scene, "Scene (.json) or VegaFEM .config file")->required()->type_name("SCENE");
  app.add_option("--out", o->folder, "Folder for ledger.csv, probes.csv, frames, summary.json and report.html")
      ->type_name("DIR");
  app.add_flag("--dry-run", o->dry_run, "Print the scene with every default filled in, and stop");
  app.add_flag("--resume", o->resume, "Continue from the checkpoint in DIR, with the same bits");
  app.add_flag("--force", o->force, "Write into DIR even if it holds other things than a run");
  app.add_flag("--no-frames", o->no_frames, "Do not record the shape over time");
  add_override_option(app, o->settings);
  app.add_option("--turn", o->turns,
                 "Change a parameter on the way: 'TIME: NAME = VALUE'; may be repeated; names: dashpot parameters")
      ->type_name("TURN");
  app.footer(
      "Examples:\n  dashpot run scenes/beam_ring.json --out out/beam\n"
      "  dashpot run scenes/beam_ring.json --out out/fine --set '/time/dt=1 ms'");
  app.callback([o, &session] { session.action = [o, &session] { return run_scene(*o, session.console); }; });
}

}  // namespace dashpot::cli
