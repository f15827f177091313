#pragma once
// An animation as a base shape plus a few weighted displacements (proper orthogonal decomposition, POD):
//   x_f ~ R_f (b + sum_k w_fk d_k) + t_f,       f: frame, k = 1..K
// b is the mean shape and the d_k are the leading left singular vectors of the snapshot matrix D = (x_f - b), found
// from the eigenvectors of the Gram matrix D^T D (method of snapshots [Sirovich1987]); no other K displacements have a
// smaller rms error. K is the smallest number whose largest error is below the request, measured by the size of the
// body: relative to the motion, the error of a falling body would hide its deformation. The rigid motion (R_f, t_f) is
// taken out first, by least squares [Kabsch1976], where that needs clearly fewer targets, as for a tumbling body; else
// R = 1, t = 0. Displacements are scaled such that max_f |w_fk| = 1. Everything is rounded to single precision, and the
// error is measured after that, at the frames themselves: between frames a viewer interpolates weights, translations
// and rotations.

#include <functional>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::exporter {

using Vec3f = Eigen::Vector3f;

struct MorphRequest {
  int most = 16;  ///< targets at most; 0: rigid motion only
  double relative_error =
      0.001;  ///< fewer targets suffice once the largest error is below this part of the body's size
  bool may_take_out_rigid_motion = true;
  double body_size = 0;  ///< diagonal of the body's box at rest [m]; 0: of the first frame's
};

/// Distance between the shape a viewer rebuilds and the recorded one, over all points and frames.
struct MorphError {
  double relative = 0;  ///< max / body size; 0 for a single point
  double rms = 0;       ///< [m]
  double max = 0;       ///< [m]
};

struct RigidPose {
  Eigen::Vector4f rotation{0, 0, 0, 1};  ///< unit quaternion x, y, z, w
  Vec3f translation = Vec3f::Zero();     ///< [m]
};

struct MorphTargets {
  std::vector<Vec3f> base;                  ///< b [m]
  std::vector<std::vector<Vec3f>> targets;  ///< d_k [m]
  Eigen::MatrixXf weights;                  ///< w_fk, num_frames x num_targets
  std::vector<RigidPose> poses;             ///< per frame; empty: none
  MorphError error;

  /// The shape a viewer shows at frame f [m].
  std::vector<Vec3> rebuilt(std::size_t frame) const;
};

/// frames: at least one, all of one size. `poll` is called now and then and may throw to give up.
MorphTargets fit_morph_targets(const std::vector<std::vector<Vec3>>& frames, const MorphRequest& request,
                               const std::function<void()>& poll = {});

}  // namespace dashpot::exporter
