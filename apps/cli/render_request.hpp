#pragma once
// What `dashpot render` was asked for, and the two things it draws: recorded runs, and meshes or shapes at rest.
#include <string>
#include <vector>

#include "console.hpp"
#include "dashpot/render/run_painter.hpp"

namespace dashpot::cli {

/// Options as typed.
struct RenderOptions {
  std::vector<std::string> inputs;
  std::string file, frames_folder;
  std::string at, color = "none", size = "1200x800", look, surface, body;
  double zoom = 1, tets = 11000, fps = 30;
  int stills = 6;
  bool follow = false, stands = false, edges = false, regions = false, draft = false;
};

/// The same, read and checked.
struct RenderRequest {
  RenderOptions options;
  int width = 0, height = 0;
  std::vector<double> times;  ///< [s] from --at
  render::FieldKind color = render::FieldKind::none;
  render::Look look;
  bool has_look = false;  ///< --look was given
  std::string command;    ///< as typed, stamped into the pictures

  /// Settings for a picture of this size.
  render::DrawSettings draw_settings(int w, int h) const;
};
/// UsageError with all problems.
RenderRequest read_request(const RenderOptions& options);

/// True when the input is the folder of a run.
bool is_run(const std::string& input);
/// Both return the exit code.
int render_runs(const RenderRequest& request, const Console& console);
int render_meshes(const RenderRequest& request, const Console& console);

}  // namespace dashpot::cli
