#include "pose_sheet.hpp"

#include <algorithm>

#include "dashpot/render/contact_sheet.hpp"
#include "dashpot/render/run_painter.hpp"

namespace dashpot::cli {

render::Image pose_sheet(const CompiledScene& scene, const std::vector<NamedPose>& poses, int columns) {
  const System& system = *scene.system;
  Recording recording = scene.recording;
  recording.scenery.clear();
  for (const auto& [name, displacement] : poses) {
    Frame frame;
    frame.time = static_cast<double>(recording.frames.size());
    system.kinematics().positions(system.rest() + displacement, frame.points);
    frame.velocities.assign(frame.points.size(), Vec3::Zero());
    frame.power.assign(frame.points.size(), 0);
    recording.frames.push_back(std::move(frame));
  }
  const int width = 420, height = 315;
  const render::RunPainter painter({{&recording, recording.title}}, {}, static_cast<double>(width) / height);
  std::vector<render::SheetCell> cells;
  for (std::size_t i = 0; i < poses.size(); ++i)
    cells.push_back(
        {painter.draw(0, recording.frames[i].time, render::DrawSettings::draft(width, height)), poses[i].first});
  render::SheetSettings sheet;
  sheet.title = recording.title;
  sheet.note = painter.grid_note();
  sheet.columns = std::min<int>(columns, static_cast<int>(cells.size()));
  return render::contact_sheet(cells, sheet);
}

}  // namespace dashpot::cli
