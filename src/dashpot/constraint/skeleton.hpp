#pragma once
// Joints that carry skin. Joint j turns and shifts what hangs on it about its rest position A_j, within its parent:
//
//     W_j = W_parent(j) o L_j,   L_j(X) = A_j + tau_j(t) + R_j(t) (X - A_j),   x(X, t) = sum_j w_j(X) W_j(X)
//
// (linear blend skinning; all rest axes are the world's). Tracks give R_j and tau_j by keys in time, joined by splines
// with continuous acceleration, so velocities and accelerations of the skin are exact sums of rigid ones.
//
//   euler       degrees about x, then y, then z of the parent; each angle is a spline of its own (whole turns count)
//   vector      rotation vector, degrees; a spline in exponential coordinates
//   quaternion  w, x, y, z, keys at most half a turn apart; a spline of the four numbers, divided by its length. It
//               has no preferred axis: the best choice where axes change. Cyclic tracks whose last key is not the
//               first go by rotation vectors instead, each by the nearest whole turn
//
// Weights: given per node, or from distance: with d_j the distance to the nearest bone of joint j (to its children and
// its tail), w_j = (1 - ((d_j - d_min)/blend)^2)^2 within `blend`, normalized: rigid far from joints, smooth across
// them.
//
// File (JSON; lengths in meters, in the coordinates of the shape or mesh file): see docs/theory/constraint.md.

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/file.hpp"
#include "dashpot/math/spline.hpp"
#include "dashpot/model/motion.hpp"

namespace dashpot {

/// Scale, then rotate, then shift: from the coordinates of a file to those of the world.
struct Placement {
  double scale = 1;
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();  ///< [m]

  Vec3 to_world(const Vec3& x) const { return R * (scale * x) + p; }
  Vec3 from_world(const Vec3& x) const { return R.transpose() * (x - p) / scale; }
  Vec3 turn(const Vec3& v) const { return scale * (R * v); }  ///< of a velocity or acceleration
};

struct Joint {
  enum class Rotation { none, vector, euler, quaternion };

  std::string name;
  int parent = -1;                         ///< an earlier joint, or -1
  Vec3 at = Vec3::Zero();                  ///< rest position [m]
  std::vector<std::array<Vec3, 2>> bones;  ///< segments that move with it [m]
  Rotation rotation_kind = Rotation::none;
  math::Spline rotation;        ///< [rad], or quaternions
  math::Spline translation;     ///< [m]; dimension 0: none
  std::vector<double> weights;  ///< given skin weights, one per node of the mesh; empty: from distance
};

class Skeleton {
 public:
  /// Reads a skeleton with its tracks; `folder` is where the files it names are. Throws dashpot::Error with all
  /// problems: unknown parents, circles, keys that do not increase or are not finite, ...
  static Skeleton parse(std::string_view text, const std::string& file, const std::string& folder,
                        const FileReader& read = read_file);
  static Skeleton read(const std::string& path, const FileReader& read = read_file);

  const std::vector<Joint>& joints() const { return joints_; }  ///< parents before children
  bool has_weights() const;
  /// Index of a joint; throws dashpot::Error with the nearest name.
  int find(const std::string& name) const;
  /// W_j of every joint, in the coordinates of the file.
  std::vector<RigidPose> poses(double time) const;

 private:
  std::vector<Joint> joints_;
};

/// One joint of a skeleton, as a rigid motion in the world.
class JointMotion final : public RigidMotion {
 public:
  /// The skeleton's time zero is `start` [s].
  JointMotion(std::shared_ptr<const Skeleton> skeleton, int joint, Placement placement, double start = 0);
  RigidPose pose(double time) const override;

 private:
  std::shared_ptr<const Skeleton> skeleton_;
  int joint_;
  Placement placement_;
  double start_;
};

/// Skin: points carried by several joints.
class SkinnedPoints final : public PointMotion {
 public:
  struct Influence {
    int joint;
    double weight;
  };
  /// `rest` in world coordinates; influences[i] of point i, weights summing to one.
  SkinnedPoints(std::shared_ptr<const Skeleton> skeleton, const std::vector<Vec3>& rest, Placement placement,
                const std::vector<std::vector<Influence>>& influences);
  int num_points() const override { return static_cast<int>(rest_.size()); }
  void evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const override;

 private:
  std::shared_ptr<const Skeleton> skeleton_;
  std::vector<Vec3> rest_;  ///< in the coordinates of the file
  Placement placement_;
  std::vector<int> start_;
  std::vector<Influence> influence_;
};

/// Smooth weights from distance to bones; `points` and `blend` [m] in the coordinates of the file.
std::vector<std::vector<SkinnedPoints::Influence>> skin_weights(const Skeleton& skeleton,
                                                                const std::vector<Vec3>& points, double blend);
/// The weights the file gives to the nodes numbered `nodes`; throws dashpot::Error when they do not fit a mesh of
/// num_nodes, or leave a node without any.
std::vector<std::vector<SkinnedPoints::Influence>> given_weights(const Skeleton& skeleton,
                                                                 const std::vector<int>& nodes, int num_nodes);

}  // namespace dashpot
