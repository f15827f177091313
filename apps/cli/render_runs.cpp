// Pictures of recorded runs for `dashpot render`.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/render/contact_sheet.hpp"
#include "dashpot/render/png.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "option_values.hpp"
#include "output_folder.hpp"
#include "render_request.hpp"

namespace dashpot::cli {
namespace {

using nlohmann::ordered_json;

std::string run_name(const std::string& folder, const Recording& recording, std::size_t num_runs) {
  if (num_runs == 1 && !recording.title.empty()) return recording.title;
  std::filesystem::path path(folder);
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

void check_times(const RenderRequest& request, const std::vector<Recording>& recordings) {
  double end = 0;
  for (const Recording& recording : recordings)
    if (!recording.frames.empty()) end = std::max(end, recording.frames.back().time);
  OptionReader reader;
  for (const double time : request.times)
    if (!(time >= 0 && time <= end * (1 + 1e-9) + 1e-12))
      reader.add_problem({"--at", fmt::format("{:g} s", time), fmt::format("0 to {:g} s, what was recorded", end), ""});
  reader.finish();
}

ordered_json report_json(const RenderRequest& request, const render::RunPainter& painter,
                         const std::vector<double>& times, const std::vector<std::string>& files) {
  ordered_json json = {{"runs", request.options.inputs}, {"times", times}, {"pictures", files}};
  if (painter.scale())
    json["scale"] = {{"field", request.options.color},
                     {"low", painter.scale()->low},
                     {"high", painter.scale()->high},
                     {"unit", painter.scale()->unit}};
  json["carried"] = ordered_json::array();
  for (const render::CarriedReport& report : painter.carried())
    json["carried"].push_back({{"body", report.body},
                               {"points", report.num_points},
                               {"outside", report.num_outside},
                               {"largest_distance", report.largest_distance}});
  return json;
}

/// All runs of one moment beside each other, or one run alone.
render::Image moment(const RenderRequest& request, const render::RunPainter& painter, std::size_t runs, double time,
                     const std::string& title) {
  if (runs == 1) return painter.still(0, time, request.draw_settings(request.width, request.height));
  const int columns = static_cast<int>(runs);
  return painter.side_by_side({time}, title, request.draw_settings(request.width / columns, request.height / columns));
}

int write_sequence(const RenderRequest& request, const render::RunPainter& painter, double end, std::size_t runs,
                   const std::string& title, const Console& console) {
  const FolderLock lock = hold_output_folder(request.options.frames_folder, console);
  const auto count = static_cast<std::int64_t>(std::floor(end * request.options.fps + 1e-9)) + 1;
  if (count > 100000)
    throw UsageError(
        Problem{"--fps", fmt::format("{} pictures", count), "at most 100000", "Choose fewer frames per second."});
  Progress progress(console, "pictures", static_cast<double>(count), "pictures");
  std::vector<double> times;
  std::vector<std::string> files;
  for (std::int64_t i = 0; i < count; ++i) {
    if (interrupted()) return exit_interrupted;
    const double time = static_cast<double>(i) / request.options.fps;
    const std::string file = fmt::format("{}/frame_{:05d}.png", request.options.frames_folder, i);
    render::write_png(file, moment(request, painter, runs, time, title),
                      {{"Title", title}, {"Comment", fmt::format("{} ({} s)", request.command, time)}});
    times.push_back(time);
    files.push_back(file);
    progress.update(static_cast<double>(i + 1));
  }
  progress.finish();
  console.message(fmt::format("{} pictures in {}", count, request.options.frames_folder));
  console.print_json(report_json(request, painter, times, files));
  return exit_ok;
}

render::Image sheet(const RenderRequest& request, const render::RunPainter& painter, const std::vector<double>& times,
                    const std::vector<std::string>& labels, std::size_t runs, const std::string& title) {
  if (times.size() == 1) return moment(request, painter, runs, times[0], title);
  const int columns = runs > 1 ? static_cast<int>(runs) : std::min<int>(3, static_cast<int>(times.size()));
  const render::DrawSettings cell = request.draw_settings(request.width / columns, request.height / columns);
  return runs > 1 ? painter.side_by_side(times, title, cell) : painter.sheet(0, times, columns, cell, labels);
}

}  // namespace

int render_runs(const RenderRequest& request, const Console& console) {
  std::vector<Recording> recordings;
  for (const std::string& folder : request.options.inputs) recordings.push_back(read_recording(folder));
  check_times(request, recordings);
  std::vector<render::ShownRun> runs;
  double end = 0;
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    runs.push_back({&recordings[i], run_name(request.options.inputs[i], recordings[i], recordings.size())});
    if (!recordings[i].frames.empty()) end = std::max(end, recordings[i].frames.back().time);
  }
  render::RunPictureSettings settings;
  settings.color = request.color;
  settings.look = request.look;
  settings.follow = request.options.follow || (!request.options.stands && !recordings.front().frames.empty() &&
                                               render::travels_far(recordings.front()));
  settings.shows_edges = request.options.edges;
  if (!request.options.surface.empty())
    settings.surfaces.push_back({request.options.body, read_mesh(request.options.surface)});
  const render::RunPainter painter(runs, settings, static_cast<double>(request.width) / request.height);
  for (const render::CarriedReport& report : painter.carried())
    if (report.num_outside > 0)
      console.message(fmt::format("{}: {} of {} points of the surface lie outside its tets, by up to {:.3g} m",
                                  report.body, report.num_outside, report.num_points, report.largest_distance));
  const std::string title = runs.size() > 1 ? recordings.front().title : runs.front().name;
  if (!request.options.frames_folder.empty()) return write_sequence(request, painter, end, runs.size(), title, console);
  std::vector<double> times = request.times;
  std::vector<std::string> labels;
  if (times.empty() && runs.size() == 1 && request.options.stills > 1) {
    const bool can_touch = std::filesystem::exists(request.options.inputs.front() + "/contacts.csv") ||
                           std::filesystem::exists(request.options.inputs.front() + "/contacts.csv.partial");
    for (const render::Moment& moment : render::key_frames(recordings.front(), request.options.stills, can_touch)) {
      times.push_back(moment.time);
      labels.push_back(moment.label);
    }
  }
  if (times.empty()) times = render::even_times(recordings.front(), runs.size() > 1 ? 4 : request.options.stills);
  render::write_png(request.options.file, sheet(request, painter, times, labels, runs.size(), title),
                    {{"Title", title}, {"Comment", request.command}});
  console.message(request.options.file);
  console.print_json(report_json(request, painter, times, {request.options.file}));
  return exit_ok;
}

}  // namespace dashpot::cli
