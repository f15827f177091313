// `dashpot fit SCENE`: finds the stress curve of a body's material from load tests, and its rest shape from a sagged
// pose, and writes a scene that has them.
#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/design/fit_report.hpp"
#include "dashpot/mesh/write.hpp"
#include "dashpot/render/svg_plot.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "output_folder.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct FitOptions {
  std::string scene, folder;
  std::vector<std::string> settings;
};

ordered_json curve_json(const SplineMaterial::Points& points) {
  ordered_json list = ordered_json::array();
  for (const auto& [stretch, stress] : points) list.push_back({{"stretch", stretch}, {"stress", stress}});
  return list;
}

ordered_json elasticity_json(const design::FitTask& task, const design::Identified& found) {
  ordered_json points = ordered_json::array(), parts = ordered_json::array();
  for (const design::IdentifiedPoint& point : found.points)
    points.push_back({{"case", task.cases[point.load_case].name},
                      {"load", point.measured.load},
                      {"measured", point.measured.displacement},
                      {"simulated", point.simulated},
                      {"error", point.error},
                      {"held_out", point.measured.held_out},
                      {"leverage", point.leverage}});
  for (const design::IdentifiedParameter& part : found.parameters)
    parts.push_back(
        {{"part", part.name}, {"slope", part.value}, {"spread", part.spread}, {"resolution", part.resolution}});
  return {{"young", found.curve.rest.young},
          {"poisson", found.curve.rest.poisson},
          {"tension", curve_json(found.curve.tension)},
          {"compression", curve_json(found.curve.compression)},
          {"fitted_error", found.fitted_error},
          {"held_out_error", found.held_out_error},
          {"constant_stiffness", {{"young", found.straight_young}, {"error", found.straight_error}}},
          {"stretches", {found.stretches.low, found.stretches.high}},
          {"points", points},
          {"curve", parts},
          {"explanation", found.explanation}};
}

ordered_json rest_json(const design::RestShape& shape) {
  ordered_json result = {{"found", shape.found},
                         {"sag", shape.sag},
                         {"size", shape.size},
                         {"share_of_load", shape.share},
                         {"iterations", shape.iterations},
                         {"explanation", shape.explanation}};
  if (shape.found) result["forward_error"] = shape.forward_error;
  return result;
}

void write_files(const design::FitTask& task, const design::FitOutcome& outcome, const std::string& folder,
                 const ordered_json& json) {
  const bool has_rest = outcome.rest && outcome.rest->found;
  if (has_rest) write_mesh(folder + "/rest.msh", design::rest_mesh(task, outcome.rest->rest));
  // A body too soft to stand has no scene to write: what is there is said in the report.
  if (!outcome.rest || has_rest)
    write_file_atomically(folder + "/scene.json", design::fitted_scene(task, outcome, folder));
  write_file_atomically(folder + "/report.html", render::to_html(design::fit_report(task, outcome)));
  if (outcome.elasticity) {
    const render::Figure figure{"Load against displacement", "Measured, fitted and predicted displacements.",
                                design::load_panels(task.cases, *outcome.elasticity)};
    write_file_atomically(folder + "/loads.svg", render::to_svg(figure));
  }
  write_file_atomically(folder + "/fit.json", json.dump(2) + "\n");
}

int fit(const FitOptions& options, const Console& console) {
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  const SceneSpec spec = load_scene_file(options.scene, read_overrides(options.settings), console);
  design::FitTask task = design::make_fit_task(spec);
  const std::string folder =
      options.folder.empty() ? "out/" + std::filesystem::path(options.scene).stem().string() + "_fit" : options.folder;
  const FolderLock lock = hold_output_folder(folder, console);
  Progress progress(console, "fit", task.identify.max_iterations, "iterations");
  int done = 0;
  task.identify.should_stop = task.sag.should_stop = [] { return interrupted(); };
  task.identify.on_iteration = [&](int, double error) {
    console.detail(fmt::format("loads met within {:.3g} %", 100 * error));
    progress.update(std::min(++done, task.identify.max_iterations));
  };
  task.sag.on_iteration = [&](int, double share, double distance) {
    console.detail(
        fmt::format("rest shape for {:.0f} % of the load: {:.2g} of the size from the pose", 100 * share, distance));
    progress.update(std::min(++done, task.identify.max_iterations));
  };
  const design::FitOutcome outcome = design::run_fit(task);
  progress.finish();
  if (outcome.stopped) {
    console.message("interrupted: nothing was written");
    return exit_interrupted;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ordered_json json = {{"body", task.body_spec().name}, {"reached", outcome.reached}, {"sweeps", outcome.sweeps}};
  if (outcome.elasticity) json["elasticity"] = elasticity_json(task, *outcome.elasticity);
  if (outcome.rest) json["rest_shape"] = rest_json(*outcome.rest);
  json["seconds"] = seconds;
  write_files(task, outcome, folder, json);

  if (outcome.elasticity) {
    console.print(table_text(design::load_table(task.cases, *outcome.elasticity)));
    console.print(table_text(design::curve_table(*outcome.elasticity)));
    if (!outcome.elasticity->explanation.empty()) console.warning(outcome.elasticity->explanation);
  }
  if (outcome.rest) {
    if (outcome.rest->found)
      console.print(fmt::format("rest shape: up to {} from the pose; let go, it sags into the pose within {}\n",
                                describe_quantity(outcome.rest->sag, Quantity::length, 3),
                                describe_quantity(outcome.rest->forward_error, Quantity::length, 2)));
    else
      console.warning(outcome.rest->explanation);
  }
  console.print_json(json);
  console.message(
      fmt::format("{:.1f} s; {}/report.html has the plots{}", seconds, folder,
                  !outcome.rest || outcome.rest->found ? fmt::format(", {}/scene.json what was found", folder) : ""));
  return outcome.reached ? exit_ok : exit_target_missed;
}

}  // namespace

void setup_fit(CLI::App& app, Session& session) {
  auto o = std::make_shared<FitOptions>();
  app.add_option("scene", o->scene, "Scene (.json) with a \"fit\" section")->required()->type_name("SCENE");
  app.add_option("--out", o->folder,
                 "Folder for scene.json, fit.json, loads.svg and report.html (default: out/SCENE_fit)")
      ->type_name("DIR");
  add_override_option(app, o->settings);
  app.footer(
      "Example: dashpot fit leaf.json --out out/leaf ('dashpot reproduce A-static' writes leaf.json and others)");
  app.callback([o, &session] { session.action = [o, &session] { return fit(*o, session.console); }; });
}

}  // namespace dashpot::cli
