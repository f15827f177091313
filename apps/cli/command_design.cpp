// `dashpot design SCENE`: finds the gains of a body's examples that meet the scene's targets, and writes a scene that
// has them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/design/design_report.hpp"
#include "dashpot/design/mode_shares.hpp"
#include "dashpot/design/scene_check.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "output_folder.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct DesignOptions {
  std::string scene, folder;
  std::vector<std::string> settings;
};

std::string table_text(const design::DesignTask& task, const design::DesignOutcome& outcome) {
  const auto& names = task.designable.names;
  TextTable table({"example", "from", "asked", "reached", "off by", "gain"});
  for (const design::UnloadingReached& entry : outcome.unloading.targets)
    table.add({names[static_cast<std::size_t>(entry.target.example)], fmt::format("{:.4g}", entry.target.amplitude),
               fmt::format("{:.4g} left", entry.target.residual), fmt::format("{:.4g}", entry.left),
               fmt::format("{:.2g} %", 100 * entry.error), fmt::format("{:.4g}", entry.gain)});
  for (std::size_t i = 0; i < outcome.settle.size(); ++i)
    table.add({names[static_cast<std::size_t>(task.settle[i].example)], fmt::format("{:.4g}", task.settle[i].amplitude),
               fmt::format("settled in {:.4g} s", task.settle[i].time),
               fmt::format("{:.4g} s", outcome.settle[i].settled_after), outcome.settle[i].reached ? "" : "missed",
               fmt::format("{:.4g}", outcome.settle[i].gain)});
  for (std::size_t i = 0; i < outcome.envelopes.size(); ++i)
    table.add({names[static_cast<std::size_t>(task.envelopes[i].example)],
               fmt::format("{:.4g}", task.envelopes[i].amplitude), "an envelope", "",
               fmt::format("{:.2g} % rms", 100 * outcome.envelopes[i].rms_error),
               fmt::format("{:.3g}", fmt::join(outcome.envelopes[i].knot_gains, ", "))});
  return table.text();
}

ordered_json gains_json(const design::DesignTask& task, const design::Gains& gains) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < gains.size(); ++i) {
    ordered_json knots = ordered_json::array();
    for (const math::GainCurve::Point& point : gains[i].knots()) knots.push_back({point.x, point.gamma});
    list.push_back(
        {{"example", task.designable.names[i]}, {"interpolation", to_string(gains[i].kind())}, {"curve", knots}});
  }
  return list;
}

ordered_json outcome_json(const design::DesignTask& task, const design::DesignOutcome& outcome, double seconds) {
  ordered_json targets = ordered_json::array();
  const auto name = [&](int example) { return task.designable.names[static_cast<std::size_t>(example)]; };
  for (const design::UnloadingReached& entry : outcome.unloading.targets)
    targets.push_back({{"example", name(entry.target.example)},
                       {"from", entry.target.amplitude},
                       {"asked_left", entry.target.residual},
                       {"left", entry.left},
                       {"error", entry.error},
                       {"gain", entry.gain},
                       {"reached", entry.reached},
                       {"explanation", entry.explanation}});
  for (std::size_t i = 0; i < outcome.settle.size(); ++i)
    targets.push_back({{"example", name(task.settle[i].example)},
                       {"from", task.settle[i].amplitude},
                       {"asked_settle_time", task.settle[i].time},
                       {"settle_time", outcome.settle[i].settled_after},
                       {"gain", outcome.settle[i].gain},
                       {"reached", outcome.settle[i].reached},
                       {"explanation", outcome.settle[i].explanation}});
  for (std::size_t i = 0; i < outcome.envelopes.size(); ++i)
    targets.push_back({{"example", name(task.envelopes[i].example)},
                       {"from", task.envelopes[i].amplitude},
                       {"envelope_rms_error", outcome.envelopes[i].rms_error}});
  return {{"body", task.body},
          {"reached", outcome.reached},
          {"targets", targets},
          {"gains", gains_json(task, outcome.gains)},
          {"simulations", outcome.simulations},
          {"seconds", seconds}};
}

ordered_json checks_json(const std::vector<design::SceneCheck>& checks) {
  ordered_json list = ordered_json::array();
  for (const design::SceneCheck& check : checks)
    list.push_back({{"example", check.example},
                    {"from", check.amplitude},
                    {"quantity", check.quantity},
                    {"bench", check.bench},
                    {"scene", check.scene},
                    {"obstacle", check.obstacle}});
  return list;
}

/// What the design does in the scene itself; a warning where that is not what it does on the bench.
void tell(const design::SceneCheck& check, double tolerance, const Console& console) {
  const std::string what = fmt::format("{} from {:.4g}", check.example, check.amplitude);
  if (!check.obstacle.empty()) {
    console.warning(fmt::format("{}: not tried in the scene itself: {}", what, check.obstacle));
    return;
  }
  const std::string text = fmt::format("{}, let go in the scene itself: {} {:.4g}, on the bench {:.4g}", what,
                                       check.quantity, check.scene, check.bench);
  const double worst = 5 * tolerance * std::max(std::abs(check.bench), check.least);
  if (std::abs(check.scene - check.bench) > worst || !std::isfinite(check.scene))
    console.warning(text + ". The loads of the scene change what the gains do");
  else
    console.message(text);
}

int design(const DesignOptions& options, const Console& console) {
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const std::vector<SceneOverride> overrides = read_overrides(options.settings);
  const SceneSpec spec = load_scene_file(options.scene, overrides, console);
  const std::string folder = options.folder.empty()
                                 ? "out/" + std::filesystem::path(options.scene).stem().string() + "_design"
                                 : options.folder;
  const FolderLock lock = hold_output_folder(folder, console);
  console.message("preparing the body: examples, modes, reduced model");
  const std::unique_ptr<design::DesignTask> task = design::make_design_task(spec, precompute_hooks(console));
  if (!task) {
    console.message("interrupted while the reduced body was prepared; nothing was written");
    return exit_interrupted;
  }
  for (const std::string& note : task->bench.reductions) console.message("reduced: " + note);
  for (const Problem& warning : task->bench.warnings) console.warning(warning.text());
  const ExampleBased& examples = design::examples_of(task->bench);
  const design::ModeShares modes = design::mode_shares(*task->bench.system, examples);
  for (const std::string& warning : design::idle_example_warnings(modes, examples)) console.warning(warning);
  const std::size_t num_targets = task->unloading.size() + task->settle.size() + task->envelopes.size();
  console.message(fmt::format("{}: {} dofs, {} examples, {} targets ({:.1f} s so far)", task->body,
                              task->bench.system->num_dofs(), task->designable.num_examples(), num_targets, seconds()));
  Progress progress(console, "simulations", std::max(1.0, 5.0 * static_cast<double>(num_targets)), "");
  task->options.should_stop = [] { return interrupted(); };
  task->options.on_simulation = [&](const design::UnloadingTarget& target, int simulations, double gain, double left) {
    console.detail(fmt::format("{} from {:.4g}: gain {:.4g} gives {:.4g}",
                               task->designable.names[static_cast<std::size_t>(target.example)], target.amplitude, gain,
                               left));
    progress.update(std::min<double>(simulations, 5.0 * static_cast<double>(num_targets)));
  };
  const design::DesignOutcome outcome = design::run_design(*task);
  progress.finish();
  const double search_seconds = seconds();

  read_named_files(spec);  // it lies in another folder than the scene it is made from
  write_file_atomically(folder + "/scene.json", design::with_gains(filled_in(spec), *task, outcome.gains));
  if (!outcome.stopped)
    write_file_atomically(folder + "/report.html", render::to_html(design::design_report(*task, outcome)));
  const std::vector<design::SceneCheck> checks =
      outcome.stopped ? std::vector<design::SceneCheck>() : design::check_in_scene(spec, *task, outcome);
  ordered_json json = outcome_json(*task, outcome, search_seconds);
  json["in_scene"] = checks_json(checks);
  write_file_atomically(folder + "/design.json", json.dump(2) + "\n");

  if (outcome.stopped) {
    console.message(fmt::format("interrupted after {} simulations; the best gains so far are in {}/scene.json",
                                outcome.simulations, folder));
    return exit_interrupted;
  }
  console.print(table_text(*task, outcome));
  for (const design::SceneCheck& check : checks) tell(check, task->options.tolerance, console);
  for (const design::UnloadingReached& entry : outcome.unloading.targets)
    if (!entry.reached && !entry.explanation.empty())
      console.warning(fmt::format("{} from {:.4g}: {}",
                                  task->designable.names[static_cast<std::size_t>(entry.target.example)],
                                  entry.target.amplitude, entry.explanation));
  for (const design::SettleDesign& found : outcome.settle)
    if (!found.explanation.empty()) console.warning(found.explanation);
  console.print_json(json);
  console.message(fmt::format("{} simulations, {:.1f} s; {}/scene.json has the gains, {}/report.html the pictures",
                              outcome.simulations, search_seconds, folder, folder));
  return outcome.reached ? exit_ok : exit_target_missed;
}

}  // namespace

void setup_design(CLI::App& app, Session& session) {
  auto o = std::make_shared<DesignOptions>();
  app.add_option("scene", o->scene, "Scene (.json) with an example_based damping and a \"design\" section")
      ->required()
      ->type_name("SCENE");
  app.add_option("--out", o->folder, "Folder for scene.json, design.json and report.html (default: out/SCENE_design)")
      ->type_name("DIR");
  add_override_option(app, o->settings);
  app.footer("Example: dashpot design scenes/designed_bar.json --out out/bar");
  app.callback([o, &session] { session.action = [o, &session] { return design(*o, session.console); }; });
}

}  // namespace dashpot::cli
