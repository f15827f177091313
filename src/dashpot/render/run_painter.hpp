#pragma once
// Pictures of recorded runs: stills, contact sheets, runs side by side. One camera and one color scale serve all
// pictures of a RunPainter, so that what looks alike is alike.
//
// What the camera frames is said in run_view.hpp. A floor of the scene is drawn where it is; without one a floor lies
// under the lowest point reached, for scale and shadow only.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/mesh/embedding.hpp"
#include "dashpot/record/recording.hpp"
#include "dashpot/render/body_skin.hpp"
#include "dashpot/render/camera.hpp"
#include "dashpot/render/color_scale.hpp"
#include "dashpot/render/fields.hpp"
#include "dashpot/render/rasterizer.hpp"
#include "dashpot/render/recorded_times.hpp"
#include "dashpot/render/run_view.hpp"

namespace dashpot::render {

/// A finer surface that is drawn instead of a body's own skin.
struct CarriedSurface {
  std::string body;
  Mesh surface;  ///< triangles, in the rest pose [m]
};

struct RunPictureSettings {
  FieldKind color = FieldKind::none;
  Look look;  ///< look.up is replaced by the direction against gravity
  bool follow = false;
  bool shows_edges = false;
  std::vector<CarriedSurface> surfaces;
};

/// What came of a carried surface.
struct CarriedReport {
  std::string body;
  int num_points = 0, num_outside = 0;
  double largest_distance = 0;  ///< [m]
};

class RunPainter {
 public:
  /// dashpot::Error when there is no run, a run has no frames, or a surface names no solid body.
  RunPainter(std::vector<ShownRun> runs, const RunPictureSettings& settings, double aspect);
  ~RunPainter();

  /// The run at `time` [s] without any text; positions between two frames are interpolated linearly.
  Image draw(std::size_t run, double time, const DrawSettings& settings) const;
  /// The same with title, time, grid distance and color bar.
  Image still(std::size_t run, double time, const DrawSettings& settings) const;
  /// `times` of one run in a grid; `labels`, where given, say what happens then.
  Image sheet(std::size_t run, const std::vector<double>& times, int columns, const DrawSettings& cell,
              const std::vector<std::string>& labels = {}) const;
  /// A column for every run, a row for every time.
  Image side_by_side(const std::vector<double>& times, const std::string& title, const DrawSettings& cell) const;

  const std::optional<ColorScale>& scale() const { return scale_; }
  const std::vector<CarriedReport>& carried() const { return carried_; }
  /// "grid 0.1 m".
  std::string grid_note() const;

 private:
  struct Actor;
  void add_actors(std::size_t run, const RunPictureSettings& settings);
  void find_scale(FieldKind kind);
  void add_grounds(std::size_t run, Stage& stage, const Vec3& center) const;

  std::vector<ShownRun> runs_;
  std::vector<std::vector<std::unique_ptr<Actor>>> actors_;  ///< of each run
  std::optional<ColorScale> scale_;
  std::vector<CarriedReport> carried_;
  RunView view_;
};

}  // namespace dashpot::render
