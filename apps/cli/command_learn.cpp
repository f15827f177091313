// `dashpot learn SCENE --data RUN`: finds the law of a body's material from measured motions.
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/learn/data_spec.hpp"
#include "dashpot/learn/learn_report.hpp"
#include "dashpot/render/svg_plot.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "output_folder.hpp"
#include "scene_files.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

struct LearnCommand {
  std::string scene, folder, sigma;
  std::vector<std::string> settings, data, held_out, parameters, bodies;
  bool no_elasticity = false, damping = false, tail_only = false;
  double ridge = 0.01, smoothness = 1, share = 1;
  std::string estimator = "levenberg";
  learn::EstimatorOptions options;
};

/// "run" or "run=other.json": what was measured, and the scene of that motion.
struct MeasuredFile {
  std::string file, scene;
};

MeasuredFile split(const std::string& text, const std::string& scene) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos) return {text, scene};
  return {text.substr(0, at), text.substr(at + 1)};
}

/// By what the file is: a folder of a run, a capture, an index of point clouds, a table.
learn::DataSpec data_of(const std::string& file, const LearnCommand& command) {
  learn::DataSpec spec;
  spec.file = file;
  spec.nodes.share = command.share;
  if (!command.sigma.empty()) {
    OptionReader reader;
    spec.sigma = reader.quantity("--sigma", command.sigma, Quantity::length);
    reader.finish();
  }
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".c3d") spec.kind = learn::DataKind::markers;
  if (extension == ".json") spec.kind = learn::DataKind::clouds;
  return spec;
}

learn::ObservedRun observed(const MeasuredFile& measured, const LearnCommand& command, const learn::LawRequest& law,
                            const Console& console) {
  const std::vector<SceneOverride> own = read_overrides(command.settings);
  const SceneSpec nominal = load_scene_file(measured.scene, own, console);
  // What can be learned stands in front of what the user sets.
  std::vector<SceneOverride> changes;
  if (!command.no_elasticity || command.damping) changes = learn::learning_overrides(nominal, law);
  changes.insert(changes.end(), own.begin(), own.end());
  learn::ObservedRun run;
  run.name = measured.file;
  run.scene = std::make_shared<CompiledScene>(compile(load_scene_file(measured.scene, changes, console)));
  learn::LoadedData loaded = learn::load_data(*run.scene, data_of(measured.file, command));
  for (const std::string& note : loaded.notes) console.message(fmt::format("{}: {}", measured.file, note));
  run.observations.push_back(std::move(loaded.observation));
  return run;
}

learn::LearnTask make_task(const LearnCommand& command, const Console& console) {
  learn::LearnTask task;
  task.law.bodies = command.bodies;
  task.law.elasticity = !command.no_elasticity;
  task.law.curves = !command.tail_only;
  task.law.damping = command.damping;
  task.law.ridge = command.ridge;
  task.law.smoothness = command.smoothness;
  task.learns_law = !command.no_elasticity || command.damping;
  task.parameters = command.parameters;
  task.fit.stages.clear();
  task.estimator = command.options;
  task.estimator.kind = learn::estimator_of(command.estimator);
  task.estimator.alternation.stiffness = task.estimator.space_time.stiffness;
  task.estimator.alternation.iterations = task.estimator.space_time.rounds;
  task.estimator.alternation.num_modes = task.estimator.space_time.num_modes;
  for (const std::string& text : command.data)
    task.runs.push_back(observed(split(text, command.scene), command, task.law, console));
  for (const std::string& text : command.held_out)
    task.held_out.push_back(observed(split(text, command.scene), command, task.law, console));
  return task;
}

ordered_json json_of(const learn::LearnOutcome& outcome) {
  ordered_json runs = ordered_json::array(), unknowns = ordered_json::array(), bodies = ordered_json::array();
  for (const learn::RunQuality& quality : outcome.quality)
    runs.push_back({{"run", quality.name},
                    {"held_out", quality.held_out},
                    {"residuals", quality.num_residuals},
                    {"nominal_rms", quality.nominal_rms},
                    {"learned_rms", quality.learned_rms}});
  const Matrix covariance = outcome.fit.covariance(outcome.problem);
  const Vector share = outcome.fit.determined(outcome.problem);
  for (std::size_t k = 0; k < outcome.problem.unknowns.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const learn::Unknown& unknown = outcome.problem.unknowns[k];
    unknowns.push_back({{"parameter", unknown.parameter},
                        {"number", unknown.number},
                        {"value", outcome.fit.values[k]},
                        {"standard_error", std::sqrt(covariance(i, i)) * std::abs(unknown.slope(outcome.fit.x[i]))},
                        {"determined", share[i]}});
  }
  for (const learn::LearnedBody& body : outcome.bodies)
    bodies.push_back(
        {{"body", body.name},
         {"stretches", {body.visited.range().least, body.visited.range().largest}},
         {"volume_ratios", {body.visited.range().least_volume, body.visited.range().largest_volume}},
         {"definite", body.definiteness ? ordered_json(body.definiteness->is_definite()) : ordered_json()}});
  return {{"chi2", outcome.fit.chi2},
          {"residuals", outcome.fit.num_residuals},
          {"simulations", outcome.fit.num_simulations},
          {"runs", runs},
          {"unknowns", unknowns},
          {"bodies", bodies},
          {"warnings", outcome.warnings}};
}

/// The law as far as it is known: after every better step, so that nothing is lost when the search is stopped.
void write_law_files(const learn::LearnTask& task, const learn::LearnOutcome& outcome, const std::string& folder) {
  for (const learn::LearnedBody& body : outcome.bodies)
    write_file_atomically(fmt::format("{}/{}.law.json", folder, body.name),
                          write_law(learn::learned_law(task, outcome, body)));
  write_file_atomically(folder + "/scene.json", learn::learned_scene(task, outcome));
}

void write_files(const learn::LearnTask& task, const learn::LearnOutcome& outcome, const std::string& folder,
                 const ordered_json& json) {
  write_law_files(task, outcome, folder);
  write_file_atomically(folder + "/learn.json", json.dump(2) + "\n");
  write_file_atomically(folder + "/error.svg", render::to_svg(learn::quality_figure(outcome)));
  write_file_atomically(folder + "/report.html", render::to_html(learn::learn_report(task, outcome)));
}

int run_learn(const LearnCommand& command, const Console& console) {
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  const std::string folder = command.folder.empty()
                                 ? "out/" + std::filesystem::path(command.scene).stem().string() + "_learned"
                                 : command.folder;
  learn::LearnTask task = make_task(command, console);
  const FolderLock lock = hold_output_folder(folder, console);
  // One bar over all stages. How many simulations one takes is not known before: each fills half of what is left.
  Progress progress(console, "learn", 1, "of all stages");
  task.fit.should_stop = interrupted;
  const bool is_staged = task.estimator.kind == learn::Estimator::levenberg;
  const std::size_t num_stages = learn::stages_of(task).size();
  std::size_t stage_now = 0;
  double simulated = 0, last_share = 1;
  task.fit.on_progress = [&](std::size_t stage, double share) {
    if (stage != stage_now)
      simulated = 0;
    else if (share < last_share && last_share > 0)
      simulated += 1;
    stage_now = stage;
    last_share = share;
    if (!is_staged) return progress.update(share);  // they know their number
    progress.update((static_cast<double>(stage) + 1 - std::exp2(-0.5 * (simulated + share))) /
                    static_cast<double>(num_stages));
  };
  task.fit.on_iteration = [&](const learn::FitIteration& step, const Vector&) {
    console.message(fmt::format("{} {}: rms residual {:.4g}{}{}", is_staged ? "stage" : "round", step.stage + 1,
                                std::sqrt(step.chi2 / std::max(1, step.num_residuals)),
                                step.accepted ? (step.note.empty() ? "" : ", ") : ", refused: ", step.note));
  };
  const learn::LearnOutcome outcome = learn::learn(task);
  progress.finish();
  if (outcome.fit.num_residuals == 0) {
    console.error(outcome.stopped() ? "stopped before anything was learned" : outcome.fit.explanation);
    return outcome.stopped() ? exit_interrupted : exit_diverged;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ordered_json json = json_of(outcome);
  json["seconds"] = seconds;
  json["estimator"] = command.estimator;
  if (outcome.stopped()) {
    write_law_files(task, outcome, folder);
    console.message(fmt::format("stopped: {}/scene.json has the best law so far", folder));
    return exit_interrupted;
  }
  write_files(task, outcome, folder, json);
  console.print(table_text(learn::quality_table(outcome)));
  console.print(table_text(learn::unknowns_table(outcome)));
  for (const std::string& warning : outcome.warnings) console.warning(warning);
  console.print_json(json);
  console.message(fmt::format("{:.1f} s; {}/report.html has the plots, {}/scene.json runs with what was learned",
                              seconds, folder, folder));
  return outcome.fit.end == learn::FitResult::End::failed ? exit_diverged : exit_ok;
}

}  // namespace

void setup_learn(CLI::App& app, Session& session) {
  auto o = std::make_shared<LearnCommand>();
  app.add_option("scene", o->scene, "Scene (.json) with the law that is believed: it is corrected")
      ->required()
      ->type_name("SCENE");
  app.add_option(
         "--data", o->data,
         "What was measured: folder of a run, table (.csv), capture (.c3d), point clouds (.json of 'dashpot scan'); "
         "FILE=SCENE where that motion has a scene of its own")
      ->required()
      ->type_name("FILE[=SCENE]");
  app.add_option("--held-out", o->held_out, "The same, predicted and compared, never fitted")
      ->type_name("FILE[=SCENE]");
  app.add_option("--sigma", o->sigma, "Standard deviation of a measured coordinate, e.g. \"0.1 mm\"")
      ->type_name("LENGTH");
  app.add_option("--share", o->share, "Share of the nodes of a run that are looked at")->check(CLI::Range(0.0, 1.0));
  app.add_flag("--damping", o->damping, "Learn how damping depends on stretch too (of bodies with Rayleigh damping)");
  app.add_flag("--no-elasticity", o->no_elasticity, "Leave the elasticity as it is");
  app.add_flag("--tail", o->tail_only, "Learn two numbers of the elasticity alone: a change of both Lame parameters");
  app.add_option("--to", o->parameters, "Learn this parameter too, as `dashpot parameters` names it")
      ->type_name("NAME");
  app.add_option("--body", o->bodies, "Learn the law of this body (default: all that can be)")->type_name("NAME");
  app.add_option("--ridge", o->ridge, "Weight of the prior that all weights are zero")->check(CLI::NonNegativeNumber);
  app.add_option("--smoothness", o->smoothness, "Weight of the prior that curves have no bends")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--estimator", o->estimator,
                 "How: levenberg (through the simulator), spacetime (trajectory and weights at once), alternation (the "
                 "paper's), nelder_mead or cma (without derivatives, a few parameters)")
      ->check(CLI::IsMember(learn::estimator_names()))
      ->capture_default_str();
  app.add_option("--rounds", o->options.space_time.rounds, "spacetime, alternation: how often modes are made anew")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--modes", o->options.space_time.num_modes, "spacetime, alternation: of the motion; 0: all dofs")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--eta", o->options.space_time.stiffness,
                 "spacetime, alternation: force that the law may leave open, over the distance from what was measured "
                 "[N/m]")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--evaluations", o->options.plain.budget.max_evaluations, "nelder_mead, cma: simulations at most")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--restarts", o->options.plain.budget.max_restarts, "nelder_mead, cma: at most")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--out", o->folder,
                 "Folder for the law, scene.json, learn.json and report.html (default: "
                 "out/SCENE_learned)")
      ->type_name("DIR");
  add_override_option(app, o->settings);
  app.footer(
      "Example: dashpot learn believed.json --data out/measured --held-out out/other=other.json --out out/learned");
  app.callback([o, &session] { session.action = [o, &session] { return run_learn(*o, session.console); }; });
}

}  // namespace dashpot::cli
