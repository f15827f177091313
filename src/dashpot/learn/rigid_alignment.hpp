#pragma once
// The rotation and translation between the frame of a capture and that of the scene, from points known in both,
//
//   minimize sum_i |R x_i + t - y_i|^2,   R = U diag(1, 1, det(U V^T)) V^T,   sum_i (y_i - ybar)(x_i - xbar)^T = U S
//   V^T
//
// [Kabsch1976, Umeyama1991]. What does not fit is looked into: another unit, a left-handed capture (two axes swapped or
// one mirrored), two points whose names are interchanged.

#include <optional>
#include <string>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::learn {

struct RigidAlignment {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();  ///< [m]
  /// From the frame of the capture to that of the scene.
  Vec3 operator()(const Vec3& x) const { return rotation * x + translation; }
};

/// `second` after `first`.
RigidAlignment operator*(const RigidAlignment& second, const RigidAlignment& first);

/// What of the alignment is unknown.
enum class AlignmentKind { given, translation, rigid };

/// A point known in both frames.
struct AlignmentPair {
  std::string name;
  Vec3 measured;  ///< in the frame of the capture [m]
  Vec3 scene;     ///< [m]
};

struct AlignmentFit {
  RigidAlignment alignment;
  double misfit = 0;  ///< root mean square of |R x + t - y| [m]
  double spread = 0;  ///< of the points in the scene about their mean, root mean square [m]
};

/// `given`: the rotation, where only the translation is unknown; all of it, where nothing is. dashpot::Error when there
/// are too few points (1 for a translation, 3 for all) or they lie on one line; `source` is for messages.
AlignmentFit fit_alignment(const std::vector<AlignmentPair>& pairs, AlignmentKind kind, const RigidAlignment& given,
                           const std::string& source);

/// What is wrong when a fit misses by more than `tolerance` [m]: the explanation that mends most of it. Nothing: it
/// does not miss. `unit_length`: of the unit that the measured coordinates were converted from [m].
std::optional<Problem> explain_misfit(const std::vector<AlignmentPair>& pairs, const AlignmentFit& fit,
                                      AlignmentKind kind, double tolerance, const std::string& source,
                                      double unit_length = 1);

/// The unit in which the measured points were written, if they are to be as far apart as those of the scene, within a
/// third; empty: none is, or there are fewer than two points.
std::string fitting_unit(const std::vector<AlignmentPair>& pairs, double unit_length = 1);

}  // namespace dashpot::learn
