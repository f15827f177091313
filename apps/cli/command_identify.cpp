// `dashpot identify SCENE --data CAPTURE`: modulus and damping of a body from captures of its ring-downs.
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
#include "dashpot/learn/identify_data.hpp"
#include "dashpot/learn/identify_report.hpp"
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

struct IdentifyCommand {
  std::string scene, folder, body, sigma, smallest, unit, rate, offset, base_motion, model_error;
  std::vector<std::string> settings, data, laws, markers, base;
  bool density = false, keeps_young = false, fit_all = false, aligned = false, envelope = false;
};

/// "NAME" or "NAME=x,y,z": a marker, and where it sits in the scene [m].
learn::Marker marker_of(OptionReader& reader, const std::string& option, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos) return {text, {}};
  const std::vector<double> place = reader.list(option, text.substr(at + 1), Quantity::length);
  if (place.size() == 3) return {text.substr(0, at), Vec3(place[0], place[1], place[2])};
  reader.add_problem({option, fmt::format("'{}'", text), "NAME, or NAME=x,y,z with its place in the scene", ""});
  return {};
}

/// What all captures have in common.
learn::DataSpec common_data(const IdentifyCommand& command) {
  OptionReader reader;
  learn::DataSpec spec;
  spec.body = command.body;
  spec.offset = learn::OffsetKind::release;
  if (!command.sigma.empty()) spec.sigma = reader.quantity("--sigma", command.sigma, Quantity::length);
  if (!command.rate.empty()) spec.markers.rate = reader.quantity("--rate", command.rate, Quantity::frequency);
  if (!command.offset.empty()) {
    spec.offset = learn::OffsetKind::given;
    spec.clock.offset = reader.quantity("--offset", command.offset, Quantity::time);
  }
  spec.markers.unit = command.unit;
  for (const std::string& text : command.markers) spec.markers.markers.push_back(marker_of(reader, "--marker", text));
  for (const std::string& text : command.base) spec.markers.base.push_back(marker_of(reader, "--base", text));
  std::size_t num_places = 0;
  for (const auto* list : {&spec.markers.markers, &spec.markers.base})
    for (const learn::Marker& marker : *list) num_places += marker.at ? 1 : 0;
  spec.markers.alignment = num_places == 0 || command.aligned ? learn::AlignmentKind::given
                           : num_places < 3                   ? learn::AlignmentKind::translation
                                                              : learn::AlignmentKind::rigid;
  if (command.base_motion == "translation") spec.markers.base_motion = learn::BaseMotion::translation;
  if (command.base_motion == "rigid") spec.markers.base_motion = learn::BaseMotion::rigid;
  reader.finish();
  return spec;
}

/// "run" or "run=other.json".
learn::RingRun ring_run(const std::string& text, const IdentifyCommand& command, const learn::DataSpec& common,
                        const Console& console) {
  const std::size_t split = text.rfind('=');
  learn::DataSpec spec = common;
  spec.file = text.substr(0, split);
  const std::string scene = split == std::string::npos ? command.scene : text.substr(split + 1);
  const std::vector<SceneOverride> own = read_overrides(command.settings);
  load_scene_file(scene, own, console);  // its warnings, once
  const auto compiled = [scene, own](const std::vector<SceneOverride>& changes) {
    std::vector<SceneOverride> all = own;
    all.insert(all.end(), changes.begin(), changes.end());
    CheckedScene checked = check_scene_file(scene, all);
    if (!checked.spec) throw Error(std::move(checked.problems));
    return compile(std::move(*checked.spec));
  };
  spec.kind = learn::ring_data_kind(compiled({}), spec.file);
  std::vector<std::string> notes;
  learn::RingRun run = learn::load_ring(spec.file, compiled, spec, notes);
  for (const std::string& note : notes) console.message(note);
  return run;
}

learn::IdentifyOptions make_options(const IdentifyCommand& command) {
  OptionReader reader;
  learn::IdentifyOptions options;
  options.body = command.body;
  options.ids = command.laws;
  options.density = command.density;
  options.keeps_young = command.keeps_young;
  if (command.fit_all) options.fitted_share = 1;
  if (command.envelope) options.objective = learn::RingObjective::envelope;
  if (!command.smallest.empty()) options.smallest = reader.quantity("--smallest", command.smallest, Quantity::length);
  if (!command.model_error.empty())
    options.model_error = reader.quantity("--model-error", command.model_error, Quantity::ratio);
  reader.finish();
  return options;
}

ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

ordered_json json_of(const learn::Identification& found) {
  ordered_json runs = ordered_json::array(), laws = ordered_json::array();
  for (std::size_t r = 0; r < found.measured.size(); ++r) {
    const learn::MeasuredRing& ring = found.measured[r];
    runs.push_back({{"run", found.run_names[r]},
                    {"frequency", number(ring.ring.frequency)},
                    {"zeta", number(ring.ring.zeta)},
                    {"initial_amplitude", number(ring.ring.initial_amplitude)},
                    {"noise", number(ring.ring.noise)},
                    {"direction", {ring.direction.x(), ring.direction.y(), ring.direction.z()}},
                    {"from", ring.from},
                    {"fitted_until", ring.middle},
                    {"to", ring.to}});
  }
  for (const learn::IdentifiedLaw& law : found.laws) {
    ordered_json values = ordered_json::array(), rings = ordered_json::array();
    for (const learn::IdentifiedValue& value : law.values)
      values.push_back({{"name", value.name},
                        {"value", number(value.value)},
                        {"unit", quantity_info(value.quantity).unit},
                        {"standard_error", number(value.error)},
                        {"scatter", value.alone.empty() ? ordered_json() : number(value.scatter)}});
    for (std::size_t r = 0; r < law.runs.size(); ++r)
      rings.push_back({{"run", found.run_names[r]},
                       {"frequency", number(law.runs[r].ring.frequency)},
                       {"frequency_error", number(law.runs[r].frequency_error)},
                       {"envelope_error_fitted", number(law.runs[r].fitted_error)},
                       {"envelope_error_predicted", number(law.runs[r].held_error)},
                       {"start_displacement", number(law.runs[r].displacement)},
                       {"start_velocity", number(law.runs[r].velocity)}});
    laws.push_back({{"law", law.law.id},
                    {"name", law.law.name},
                    {"failure", law.failure},
                    {"envelope_error_predicted", number(law.held_error)},
                    {"bic", number(law.bic)},
                    {"chi2", number(law.chi2)},
                    {"residuals", law.num_residuals},
                    {"unknowns", law.num_unknowns},
                    {"converged", law.converged},
                    {"values", values},
                    {"runs", rings}});
  }
  return {{"body", found.body},
          {"best", found.laws.empty() ? "" : found.laws.front().law.id},
          {"rayleigh", found.rayleigh < 0 ? "" : found.laws[static_cast<std::size_t>(found.rayleigh)].law.id},
          {"runs", runs},
          {"laws", laws},
          {"simulations", found.num_simulations},
          {"notes", found.notes},
          {"warnings", found.warnings}};
}

void write_files(const std::vector<learn::RingRun>& runs, const learn::Identification& found, const ordered_json& json,
                 const std::string& folder, const learn::IdentifyOptions& options) {
  for (std::size_t r = 0; r < runs.size(); ++r)
    write_file_atomically(r == 0 ? folder + "/identified.json" : fmt::format("{}/identified_{}.json", folder, r + 1),
                          filled_in(runs[r].scene(found.laws.front().overrides[r]).spec));
  write_file_atomically(folder + "/identify.json", json.dump(2) + "\n");
  write_file_atomically(folder + "/motion.svg", render::to_svg(learn::motion_figure(found)));
  write_file_atomically(folder + "/damping.svg", render::to_svg(learn::zeta_figure(found)));
  write_file_atomically(folder + "/report.html", render::to_html(learn::identify_report(found, options)));
}

int run_identify(const IdentifyCommand& command, const Console& console) {
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  const std::string folder = command.folder.empty()
                                 ? "out/" + std::filesystem::path(command.scene).stem().string() + "_identified"
                                 : command.folder;
  const learn::DataSpec common = common_data(command);
  learn::IdentifyOptions options = make_options(command);
  std::vector<learn::RingRun> runs;
  std::vector<Problem> problems;
  for (const std::string& text : command.data) try {
      runs.push_back(ring_run(text, command, common, console));
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  if (!problems.empty()) throw Error(std::move(problems));
  const FolderLock lock = hold_output_folder(folder, console);
  Progress progress(console, "identify", 1, "of all laws");
  options.should_stop = interrupted;
  std::string last;
  options.on_progress = [&](const std::string& what, double share) {
    if (what != last) console.detail(what);
    last = what;
    progress.update(share);
  };
  const learn::Identification found = learn::identify(runs, options);
  progress.finish();
  if (found.stopped) {
    console.message("stopped before all laws were compared; nothing was written");
    return exit_interrupted;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ordered_json json = json_of(found);
  json["seconds"] = seconds;
  write_files(runs, found, json, folder, options);
  console.print(table_text(learn::laws_table(found)));
  console.print(table_text(learn::values_table(found)));
  for (const std::string& note : found.notes) console.message(note);
  for (const std::string& warning : found.warnings) console.warning(warning);
  console.print_json(json);
  console.message(fmt::format("{:.1f} s, {} simulations; {}/report.html has the plots, {}/identified.json runs",
                              seconds, found.num_simulations, folder, folder));
  return exit_ok;
}

}  // namespace

void setup_identify(CLI::App& app, Session& session) {
  auto o = std::make_shared<IdentifyCommand>();
  app.add_option("scene", o->scene, "Scene (.json) of the captured motion; its modulus need only be roughly right")
      ->required()
      ->type_name("SCENE");
  app.add_option("--data", o->data,
                 "Captures of ring-downs: C3D or CSV of markers, CSV with probes of the scene, folder of a run; "
                 "FILE=SCENE where a capture has a scene of its own (another load)")
      ->required()
      ->type_name("FILE[=SCENE]");
  app.add_option("--marker", o->markers,
                 "Marker of the body, with its place at rest in the scene [m] where that is known (default: all)")
      ->type_name("NAME[=x,y,z]");
  app.add_option("--base", o->base, "Marker on what holds the body: it only helps to find the frame")
      ->type_name("NAME[=x,y,z]");
  app.add_flag("--aligned", o->aligned, "The capture is in the frame of the scene already");
  app.add_option("--base-motion", o->base_motion, "How the motion of the base is taken out of the markers'")
      ->check(CLI::IsMember({"keep", "translation", "rigid"}));
  app.add_option("--unit", o->unit, "Unit of the coordinates (default: as the file says, else what fits the body)");
  app.add_option("--rate", o->rate, "Frames a second of a file without times, '100 Hz'");
  app.add_option("--offset", o->offset,
                 "Time of the scene minus that of the capture (default: the scene starts at the release)");
  app.add_option("--sigma", o->sigma, "Noise of a coordinate, '0.02 mm' (default: read off the capture)");
  app.add_option("--smallest", o->smallest, "Cycles of a smaller amplitude are not looked at, '1 mm'");
  app.add_option("--model-error", o->model_error, "Share of the amplitude by which even the right law is off (2 %)");
  app.add_option("--law", o->laws,
                 "Laws that are tried (default: all): alpha, beta, rayleigh, structural, prony, prony_2, curve, "
                 "hysteresis, loss_hysteresis, air_drag")
      ->type_name("NAME");
  app.add_flag("--density", o->density, "Look for the density too: a check, where loads differ");
  app.add_flag("--keep-young", o->keeps_young, "Leave the modulus as it is");
  app.add_flag("--fit-all", o->fit_all, "Fit all cycles, and rank by the information criterion instead of prediction");
  app.add_flag("--envelope", o->envelope,
               "Fit sizes of swings, frequency and phase alone, not every instant: for damping that depends on the "
               "amplitude");
  app.add_option("--body", o->body, "Body whose material is looked for (default: the only one)")->type_name("NAME");
  app.add_option("--out", o->folder,
                 "Folder for identified.json, identify.json and report.html (default: out/SCENE_identified)")
      ->type_name("DIR");
  add_override_option(app, o->settings);
  app.footer(
      "Examples:\n  dashpot identify beam.json --data run.csv --out out/beam\n"
      "  dashpot identify beam.json --data free.c3d --data loaded.c3d=loaded.json --marker Tip1=0.1,0.03,0 "
      "--smallest \"1 mm\"");
  app.callback([o, &session] { session.action = [o, &session] { return run_identify(*o, session.console); }; });
}

}  // namespace dashpot::cli
