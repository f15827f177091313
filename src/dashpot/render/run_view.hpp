#pragma once
// What the camera sees of recorded runs. It stands still and frames everything that moves over the whole time of all
// runs (frames in which something has flown farther than 20 times the bodies' size are not waited for); or it follows
// the bodies' center and frames whatever shape they take on the way. Up is against gravity.

#include <vector>

#include "dashpot/render/camera.hpp"
#include "dashpot/render/recorded_times.hpp"

namespace dashpot::render {

struct RunView {
  Camera camera;  ///< at the start
  bool follow = false;
  Vec3 up = Vec3::UnitY(), home = Vec3::Zero();  ///< home: center of the bodies at the start [m]
  double size = 1;                               ///< of what is framed [m]
  double floor = 0;                              ///< height under everything that is framed [m]

  Camera camera_at(const Recording& recording, const Frame& frame) const;
};

/// One view for all runs; look.up is replaced by the direction against gravity.
RunView frame_runs(const std::vector<ShownRun>& runs, Look look, bool follow, double aspect);

/// Mean of all nodes of all bodies [m].
Vec3 center_of_bodies(const Recording& recording, const Frame& frame);
/// Whether the bodies move together by more than three times their size: small in a picture of the whole way.
bool travels_far(const Recording& recording);

}  // namespace dashpot::render
