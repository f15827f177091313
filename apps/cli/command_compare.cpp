// `dashpot compare SCENE --damping ... --stepper ...`: one scene under several dampings or integrators, one report.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "damping_cases.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/hash.hpp"
#include "exit_codes.hpp"
#include "option_values.hpp"
#include "scene_files.hpp"

namespace dashpot::cli {
namespace {

struct CompareOptions {
  std::string scene, folder = "out/compare", measured;
  std::vector<std::string> dampings, steppers, settings;
  bool force = false;
};

int compare(const CompareOptions& options, const Console& console) {
  if (options.dampings.empty() && options.steppers.empty())
    throw UsageError(Problem{"dashpot compare", "nothing to compare", "--damping and/or --stepper, several times",
                             "for example --damping none --damping 'rayleigh zeta=0.02'"});
  const std::vector<SceneOverride> common = read_overrides(options.settings);
  const SceneSpec first = load_scene_file(options.scene, common, console);
  ComparisonRequest request;
  request.title = first.title.empty() ? "Dampings side by side" : first.title;
  request.folder = options.folder;
  request.may_hold_others = options.force;
  request.provenance = {fmt::format("dashpot compare {} --out {}", options.scene, options.folder), options.scene,
                        Hash().text(read_file(options.scene)).hex()};
  for (const std::string& text : options.dampings) {
    request.cases.push_back(damping_case(text, first.bodies.size()));
    request.provenance.command += fmt::format(" --damping '{}'", text);
  }
  for (const std::string& text : options.steppers) {
    request.cases.push_back(stepper_case(text));
    request.provenance.command += fmt::format(" --stepper '{}'", text);
  }
  if (!options.measured.empty()) {
    request.measured = read_overlay(options.measured);
    request.provenance.command += fmt::format(" --measured '{}'", options.measured);
    if (!request.measured->has_unit) console.message(request.measured->name + ": no unit is stated, meters are taken");
  }
  Console silent = console;  // warnings of the scene were printed once already
  silent.settings.quiet = true;
  request.load = [&](const std::vector<SceneOverride>& changes) {
    std::vector<SceneOverride> all = common;
    all.insert(all.end(), changes.begin(), changes.end());
    return load_scene_file(options.scene, all, silent);
  };
  for (const DampingCase& entry : request.cases) request.load(entry.changes);  // every mistake before the first run
  return run_comparison(request, console);
}

}  // namespace

void setup_compare(CLI::App& app, Session& session) {
  auto o = std::make_shared<CompareOptions>();
  app.add_option("scene", o->scene, "Scene (.json) or VegaFEM .config file")->required()->type_name("SCENE");
  app.add_option(
         "--damping", o->dampings,
         "A damping for all bodies, may be repeated: none, 'rayleigh zeta=0.02', 'ether_drag rate=1 /s', or JSON")
      ->take_all()
      ->type_name("DAMPING");
  app.add_option("--stepper", o->steppers, "An integrator with the scene's own damping, may be repeated")
      ->take_all()
      ->type_name("STEPPER");
  app.add_option(
         "--measured", o->measured,
         "A measured ring-down (CSV, C3D) to show beside the runs; FILE:COLUMN where the column that moves most "
         "is not the one")
      ->type_name("FILE[:COLUMN]");
  app.add_option("--out", o->folder, "Folder for the report and one folder per run")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_flag("--force", o->force, "Write into DIR even if it holds other things than a comparison");
  add_override_option(app, o->settings);
  app.footer(
      "Example:\n  dashpot compare scenes/cantilever.json --damping none --damping 'rayleigh zeta=0.02' "
      "--damping 'rayleigh beta=2 ms'");
  app.callback([o, &session] { session.action = [o, &session] { return compare(*o, session.console); }; });
}

}  // namespace dashpot::cli
