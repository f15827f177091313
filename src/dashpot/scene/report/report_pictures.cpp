#include "dashpot/scene/report/report_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dashpot/render/png.hpp"
#include "dashpot/render/run_painter.hpp"

namespace dashpot {
namespace {

constexpr std::size_t most_shown = 8;  ///< runs side by side: more columns would be too small to see

render::Block paragraph_of(const Error& error) {
  return render::Paragraph{fmt::format("No pictures: {}", error.what())};
}

std::string colored_by(const render::RunPainter& painter) {
  return fmt::format("colored by speed from 0 to {:g} m/s", painter.scale()->high);
}

}  // namespace

std::vector<render::Block> run_pictures(const RunResult& run) {
  const Recording& recording = run.recording;
  if (recording.frames.empty()) return {};
  try {
    render::RunPictureSettings settings;
    settings.color = render::FieldKind::speed;
    settings.follow = render::travels_far(recording);
    const int width = 396, height = 264;
    const render::RunPainter painter({{&recording, recording.title}}, settings, static_cast<double>(width) / height);
    const int stills = std::min<int>(6, static_cast<int>(recording.frames.size()));
    std::vector<double> times;
    std::vector<std::string> labels;
    for (const render::Moment& moment : render::key_frames(recording, stills, !run.contacts.columns.empty())) {
      times.push_back(moment.time);
      labels.push_back(moment.label);
    }
    const render::Image sheet = painter.sheet(0, times, 3, render::DrawSettings::draft(width, height), labels);
    return {render::Picture{fmt::format("{} moments of the run{}, {}", times.size(),
                                        settings.follow ? "; the camera follows" : "", colored_by(painter)),
                            "image/png", render::to_png(sheet)}};
  } catch (const Error& error) {
    return {paragraph_of(error)};
  }
}

std::vector<render::Block> comparison_pictures(const std::vector<ComparedRun>& compared) {
  try {
    std::vector<render::ShownRun> runs;
    for (const ComparedRun& run : compared)
      if (const Recording& recording = run.outcome->run.recording;
          !recording.frames.empty() && runs.size() < most_shown)
        runs.push_back({&recording, run.name});
    if (runs.size() < 2) return {};
    std::vector<double> times = render::even_times(*runs.front().recording, 4);
    const double differ = render::most_different_time(runs);
    times.front() = differ;  // all runs begin alike
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    render::RunPictureSettings settings;
    settings.color = render::FieldKind::speed;
    const int width = std::clamp(1200 / static_cast<int>(runs.size()), 200, 400), height = width * 2 / 3;
    const render::RunPainter painter(runs, settings, static_cast<double>(width) / height);
    const render::Image sheet =
        painter.side_by_side(times, runs.front().recording->title, render::DrawSettings::draft(width, height));
    return {render::Paragraph{fmt::format("The runs differ most at {:.4g} s.", differ)},
            render::Picture{fmt::format("The runs side by side at {} moments, {}", times.size(), colored_by(painter)),
                            "image/png", render::to_png(sheet)}};
  } catch (const Error& error) {
    return {paragraph_of(error)};
  }
}

}  // namespace dashpot
