#pragma once
// Triangle meshes as colliders: rigid (a ColliderShape, to be carried by a RigidCollider), or deforming, with vertices
// that move as told. What holds of open and of self-crossing surfaces is said in signed_surface.hpp.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/contact/signed_surface.hpp"

namespace dashpot {

/// The surface of a mesh: the boundary of its tets, else its triangles. Turned outwards when it is closed and encloses
/// a negative volume. What is odd but usable (open, crossing itself, turned) is added to `warnings`, one sentence each.
/// `nodes`, when given, receives which node of the mesh each vertex was. Throws Error as SignedSurface does.
SignedSurface collider_surface(const Mesh& mesh, std::vector<std::string>& warnings, std::vector<int>* nodes = nullptr);

class MeshShape final : public ColliderShape {
 public:
  explicit MeshShape(SignedSurface surface);
  bool sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const override;
  double depth() const override { return depth_; }
  Mesh outline() const override;

 private:
  SignedSurface surface_;
  double depth_;
};

/// Vertices of a surface that move as told. The surface gives the triangles; its vertices are the motion's points.
class DeformingCollider final : public Collider {
 public:
  /// Throws Error when the motion has another number of points than the surface.
  DeformingCollider(SignedSurface surface, std::shared_ptr<const PointMotion> motion);
  std::shared_ptr<const ColliderInstant> at(double time) const override;
  bool is_fixed() const override { return false; }
  double depth() const override { return depth_; }
  Mesh outline() const override;
  void outline_at(double time, std::vector<Vec3>* x, std::vector<Vec3>* v) const override;

 private:
  SignedSurface surface_;
  std::shared_ptr<const PointMotion> motion_;
  double depth_;
};

}  // namespace dashpot
