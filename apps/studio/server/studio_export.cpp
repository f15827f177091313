#include "studio_export.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>

#include "dashpot/core/csv.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/exporter/exporter.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/render/run_painter.hpp"
#include "dashpot/scene/report/run_report.hpp"

namespace dashpot::studio {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "dashpot_studio_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(Problem{fs::temp_directory_path().string(), "no folder can be made here", "a writable folder", ""});
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string file_title(const std::string& title) {
  std::string name;
  for (const char c : title)
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return name.empty() ? "dashpot" : name.substr(0, 60);
}

/// Ledger and probes side by side: both have a row for each recorded instant.
std::string tables_as_csv(const RunResult& run) {
  std::string text;
  std::vector<const std::vector<double>*> columns;
  const auto add = [&](const Table& table, bool with_time) {
    for (std::size_t i = with_time ? 0 : 1; i < table.columns.size(); ++i) {
      text += columns.empty() ? "" : ",";
      text += table.columns[i] + (table.units[i].empty() ? "" : " [" + table.units[i] + "]");
      columns.push_back(&table.values[i]);
    }
  };
  add(run.ledger, true);
  add(run.probes, false);
  for (std::size_t row = 0; row < run.ledger.num_rows(); ++row) {
    text += "\n";
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += fmt::format("{}{:.17g}", i == 0 ? "" : ",", (*columns[i])[row]);
  }
  return text + "\n";
}

Content as_animation(const std::string& kind, const std::string& type, const std::string& title, RunResult run) {
  static std::mutex one_at_a_time;  // exporters are not for two threads
  const std::lock_guard lock(one_at_a_time);
  TemporaryFolder folder;
  exporter::ExportOptions options;
  options.path = (folder.path() / (title + "." + kind)).string();
  options.format = exporter::format_of(options.path, kind);
  options.stamp.title = run.recording.title;
  exporter::Animation animation(std::move(run.recording), {.fps = 30});
  if (kind == "pc2" && animation.actors().size() > 1) animation.select({animation.actors().front().name});
  exporter::export_animation(animation, options);
  return {type, read_file(options.path), title + "." + kind};
}

}  // namespace

Content export_run(const std::string& kind, RunResult run, const CompiledScene* scene) {
  const std::string title = file_title(run.recording.title);
  if (kind == "glb") return as_animation(kind, "model/gltf-binary", title, std::move(run));
  if (kind == "usda") return as_animation(kind, "text/plain; charset=utf-8", title, std::move(run));
  if (kind == "pc2") return as_animation(kind, "application/octet-stream", title, std::move(run));
  if (kind != "csv" && kind != "report")
    throw Error(Problem{"kind", fmt::format("\"{}\"", kind), "one of glb, usda, pc2, csv, report", ""});
  if (scene == nullptr)
    throw Error(Problem{"kind", fmt::format("{} of a recorded run", kind), "glb, usda or pc2",
                        "its folder holds ledger.csv, probes.csv and report.html"});
  if (kind == "csv") return {"text/csv; charset=utf-8", tables_as_csv(run), title + ".csv"};
  const MeasuredRun outcome = measured(scene->spec, std::move(run));
  const render::Report report = run_report(*scene, outcome, {"dashpot studio", "the scene of the session", ""});
  return {"text/html; charset=utf-8", render::to_html(report), title + ".html"};
}

Content picture_of_example(const BuiltScene& scene, const std::string& name) {
  const ExampleInfo* example = scene.example(name);
  if (example == nullptr)
    throw Error(Problem{"example", fmt::format("\"{}\"", name.substr(0, 120)), "an example of the scene", ""});
  Recording recording = scene.scene->recording;
  recording.scenery.clear();
  recording.grounds.clear();
  std::erase_if(recording.bodies, [&](const RecordedBody& body) { return body.name != example->body; });
  Frame frame;
  const System& system = *scene.scene->system;
  system.kinematics().positions(system.rest(), frame.points);
  for (std::size_t i = 0; i < frame.points.size(); ++i) frame.points[i] += example->shape[i];
  frame.velocities.assign(frame.points.size(), Vec3::Zero());
  frame.power.assign(frame.points.size(), 0);
  recording.frames = {frame};
  constexpr int width = 224, height = 168;
  const render::RunPainter painter({{&recording, ""}}, {}, static_cast<double>(width) / height);
  render::DrawSettings settings = render::DrawSettings::draft(width, height);
  settings.samples = 2;  // it is shown at a quarter of its size, and the page waits for four of them
  settings.sun_directions = 6;
  settings.sky_directions = 14;
  return {"image/png", render::to_png(painter.draw(0, 0, settings)), ""};
}

}  // namespace dashpot::studio
