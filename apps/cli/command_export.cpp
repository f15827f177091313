// `dashpot export RUN -o FILE|DIR`: a recorded run as animation for other programs.
#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/exporter/exporter.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/read.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

struct ExportRequest {
  std::string run, out, format, time, surface, points = "surface";
  std::vector<std::string> bodies;
  double fps = 24;
  bool every = false;
  int morphs = -1;
  double morph_error = -1;
};

exporter::Sampling sampling_of(const ExportRequest& request) {
  exporter::Sampling sampling;
  sampling.fps = request.fps;
  sampling.as_recorded = request.every;
  if (!request.time.empty()) {
    OptionReader reader;
    sampling.time = reader.quantity("--time", request.time, Quantity::time);
    reader.finish();
  }
  return sampling;
}

/// --morphs asks for a number of targets, --morph-error for an accuracy; together the number limits the accuracy.
exporter::MorphRequest morphs_of(const ExportRequest& request) {
  exporter::MorphRequest morphs;
  if (request.morphs >= 0) {
    morphs.most = request.morphs;
    morphs.relative_error = 0;
  }
  if (request.morph_error >= 0) {
    morphs.relative_error = request.morph_error;
    if (request.morphs < 0) morphs.most = 256;
  }
  return morphs;
}

std::string morph_table(const exporter::ExportReport& report) {
  TextTable table({"body", "morph targets", "rigid motion", "largest error [m]", "of its size", "rms [m]"});
  for (const exporter::ActorMorphs& m : report.morphs)
    table.add({m.actor, std::to_string(m.num_targets), m.moves_rigidly ? "in the node" : "none",
               fmt::format("{:.3g}", m.error.max), fmt::format("{:.3g} %", 100 * m.error.relative),
               fmt::format("{:.3g}", m.error.rms)});
  return table.text();
}

nlohmann::ordered_json report_json(const ExportRequest& request, const exporter::ExportReport& report,
                                   const exporter::Stamp& stamp) {
  nlohmann::ordered_json morphs = nlohmann::ordered_json::array();
  for (const exporter::ActorMorphs& m : report.morphs)
    morphs.push_back({{"body", m.actor},
                      {"morph_targets", m.num_targets},
                      {"rigid_motion", m.moves_rigidly},
                      {"relative_error", m.error.relative},
                      {"rms_error_m", m.error.rms},
                      {"max_error_m", m.error.max}});
  return {{"run", request.run},
          {"scene_hash", stamp.scene_hash},
          {"finished_run", stamp.is_finished},
          {"status", report.is_interrupted ? "interrupted" : "finished"},
          {"frames", report.num_frames},
          {"files", report.files},
          {"morphs", morphs}};
}

void carry_surface(exporter::Animation& animation, const std::string& path, const Console& console) {
  MeshReport report;
  ReadOptions options;
  options.drop_degenerate_surface = true;
  Mesh surface = read_mesh(path, &report, options);
  for (const Problem& warning : report.warnings) console.warning(warning.text());
  const double size = bounding_box(surface.nodes).diagonal();
  const Embedding& carrier = animation.carry_surface(std::move(surface));
  if (carrier.num_outside > 0 && carrier.largest_distance > 0.01 * size)
    console.warning(
        fmt::format("{}: {} of {} points lie outside the body's tets, up to {:.3g} m; they follow the nearest tet",
                    path, carrier.num_outside, carrier.size(), carrier.largest_distance));
}

int export_run(const ExportRequest& request, const Console& console) {
  exporter::ExportOptions options;
  options.path = request.out;
  options.format = exporter::format_of(request.out, request.format);
  options.all_nodes = request.points == "all";
  options.morphs = morphs_of(request);
  options.stamp = exporter::read_stamp(request.run);
  exporter::Animation animation(read_recording(request.run), sampling_of(request));
  if (!request.bodies.empty()) animation.select(request.bodies);
  if (!request.surface.empty()) carry_surface(animation, request.surface, console);
  if (!options.stamp.is_finished)
    console.warning(fmt::format("{} is not finished: its frames so far are exported", request.run));

  if (const std::string folder = std::filesystem::path(request.out).parent_path().string(); !folder.empty())
    create_folder(folder);
  catch_interrupts();
  exporter::ExportReport report;
  {
    const double frames = static_cast<double>(animation.times().size());
    Progress progress(console, "export", frames, "frames");
    const auto start = std::chrono::steady_clock::now();
    exporter::Hooks hooks;
    hooks.on_progress = [&](double done) {  // short exports stay silent
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) progress.update(done * frames);
    };
    hooks.should_stop = interrupted;
    report = exporter::export_animation(animation, options, hooks);
  }
  console.print_json(report_json(request, report, options.stamp));
  if (report.is_interrupted) {
    console.message("interrupted; nothing was written");
    return exit_interrupted;
  }
  if (!report.morphs.empty()) console.print(morph_table(report));
  console.message(fmt::format("{} frames -> {}", report.num_frames, fmt::join(report.files, ", ")));
  return exit_ok;
}

std::string format_help() {
  std::string text = "Formats (by the extension of -o, or --format):";
  for (const exporter::FormatInfo& info : exporter::all_formats())
    text += fmt::format("\n  {:5} {:6} {}", info.name, info.extension, info.holds);
  return text;
}

}  // namespace

void setup_export(CLI::App& app, Session& session) {
  auto o = std::make_shared<ExportRequest>();
  app.add_option("run", o->run, "Folder of a run (dashpot run SCENE --out RUN)")->required()->type_name("RUN");
  app.add_option("-o,--out", o->out, "File to write, or folder (with --format)")->required()->type_name("FILE|DIR");
  std::vector<std::string> names;
  for (const exporter::FormatInfo& info : exporter::all_formats()) names.push_back(info.name);
  app.add_option("--format", o->format, "Format, where the extension of -o does not say it")
      ->check(CLI::IsMember(names, CLI::ignore_case));
  app.add_option("--body", o->bodies, "Only this body or collider; may be repeated")->type_name("NAME");
  app.add_option("--fps", o->fps, "Frames a second, interpolated between the recorded ones")
      ->check(CLI::Range(1e-3, 1e6))
      ->capture_default_str();
  auto* every = app.add_flag("--every", o->every, "Every recorded frame as it is, instead of --fps");
  app.add_option("--time", o->time, "One instant only, \"0.5 s\"")->type_name("TIME")->excludes(every);
  app.add_option("--surface", o->surface, "Show this surface, carried by the body's tets, in place of the body")
      ->type_name("MESH");
  app.add_option("--points", o->points, "Points of .pc2 and .mdd: those of the surface, or all nodes")
      ->check(CLI::IsMember({"surface", "all"}))
      ->capture_default_str();
  app.add_option("--morphs", o->morphs,
                 ".glb: this many morph targets a body (default: as --morph-error 0.001, at most 16)")
      ->check(CLI::Range(0, 1024));
  app.add_option(
         "--morph-error", o->morph_error,
         ".glb: morph targets until the largest error is below this part of the body's size (diagonal of its box)")
      ->check(CLI::Range(0.0, 1.0));
  app.footer(format_help() +
             "\n\nExamples:\n  dashpot export out/beam -o beam.usda\n  dashpot export out/beam -o beam.glb "
             "--morph-error 0.0001\n"
             "  dashpot export out/beam -o frames --format obj --fps 30");
  app.callback([o, &session] { session.action = [o, &session] { return export_run(*o, session.console); }; });
}

}  // namespace dashpot::cli
