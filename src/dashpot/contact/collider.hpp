#pragma once
// A collider: something whose motion is given, and which bodies must not enter. It is known by its signed distance
// d(x, t) [m], positive outside, with unit normal n = dd/dx, curvature H = d2d/dx2, and the velocity of its surface.
//
//   ColliderShape    a solid at rest in its own frame (plane, sphere, capsule, box, closed mesh); never changes
//   ColliderInstant  a collider frozen at one time: what forces are computed from
//   Collider         gives the instant of any time; constant, shareable between threads
//   KeptInstant      the instant last asked for, which a run keeps
//
// For a rigid collider x = R X + p:  d(x) = d_0(X), n = R n_0, H = R H_0 R^T, and dd/dt at fixed x is -n . v_surface.
// Where the nearest surface point is not unique (the medial axis: the center of a sphere, the middle of a plate) d is
// continuous but n jumps: a node that gets there is pushed out on whichever side is nearer.

#include <limits>
#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/model/motion.hpp"
#include "dashpot/model/state.hpp"

namespace dashpot {

/// The surface as a point sees it.
struct SurfaceSample {
  double distance = 0;            ///< d [m]
  Vec3 normal = Vec3::UnitY();    ///< n, unit length, away from the solid
  Mat3 curvature = Mat3::Zero();  /// d2d/dx2 [1/m]; symmetric, H n = 0
};

class ColliderShape {
 public:
  virtual ~ColliderShape() = default;
  /// Samples the surface seen from X; false (and nothing written) when d > reach is certain. Without `with_curvature`
  /// the curvature is left as it was.
  virtual bool sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const = 0;
  /// No inside point is deeper than this [m]; 0 for an open sheet. Nodes that travel further in one step can pass it.
  virtual double depth() const = 0;
  /// Triangles for pictures, in the shape's frame; empty for a plane.
  virtual Mesh outline() const = 0;
};

class ColliderInstant {
 public:
  virtual ~ColliderInstant() = default;
  /// As ColliderShape::sample, in the world.
  virtual bool sample(const Vec3& x, double reach, bool with_curvature, SurfaceSample& sample) const = 0;
  /// Velocity [m/s] of the material at the surface point nearest to x, which `sample` described.
  virtual Vec3 surface_velocity(const Vec3& x, const SurfaceSample& sample) const = 0;
};

class Collider {
 public:
  virtual ~Collider() = default;
  /// The collider at `time` [s]; made anew by each call where it moves (KeptInstant).
  virtual std::shared_ptr<const ColliderInstant> at(double time) const = 0;
  /// True when it never moves: then its forces do no work on it.
  virtual bool is_fixed() const = 0;
  virtual double depth() const = 0;
  /// Triangles for pictures at time zero, and their nodes at any time (null pointers are skipped).
  virtual Mesh outline() const = 0;
  virtual void outline_at(double time, std::vector<Vec3>* x, std::vector<Vec3>* v) const = 0;
};

/// Many evaluations ask for the same time, and an instant of a deforming surface costs as much as sampling it.
struct KeptInstant final : TermScratch {
  double time = std::numeric_limits<double>::quiet_NaN();
  std::shared_ptr<const ColliderInstant> instant;
};
/// The collider at `time`, from what a run has kept of it; null: nothing is kept.
std::shared_ptr<const ColliderInstant> instant_at(const Collider& collider, double time, KeptInstant* kept);

/// A shape that moves rigidly, or not at all (no motion). `hollow` turns it inside out: bodies are kept within.
class RigidCollider final : public Collider {
 public:
  explicit RigidCollider(std::shared_ptr<const ColliderShape> shape,
                         std::shared_ptr<const RigidMotion> motion = nullptr, bool hollow = false);
  std::shared_ptr<const ColliderInstant> at(double time) const override;
  bool is_fixed() const override { return motion_ == nullptr; }
  double depth() const override;
  Mesh outline() const override;
  void outline_at(double time, std::vector<Vec3>* x, std::vector<Vec3>* v) const override;

 private:
  RigidPose pose(double time) const { return motion_ ? motion_->pose(time) : RigidPose(); }

  std::shared_ptr<const ColliderShape> shape_;
  std::shared_ptr<const RigidMotion> motion_;
  bool hollow_;
  std::vector<Vec3> outline_nodes_;
  std::shared_ptr<const ColliderInstant> fixed_;  ///< of all times; null: it moves
};

}  // namespace dashpot
