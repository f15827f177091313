#pragma once
// Analytic solids with exact signed distance, normal and curvature.
//
//   plane    everything behind a point, against its unit normal; infinitely deep
//   sphere   center, radius
//   capsule  all points within a radius of a segment (a = b: a sphere)
//   box      center, half extents along the axes of a rotation, edges rounded with a radius r (which lies within the
//            half extents). With r = 0 the normal jumps at edges; r > 0 makes the distance smooth down to depth r.
//
// Constructors throw Error for zero normals, radii that are not positive, and anything not finite.

#include "dashpot/contact/collider.hpp"

namespace dashpot {

class PlaneShape final : public ColliderShape {
 public:
  PlaneShape(const Vec3& point, const Vec3& normal);
  bool sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const override;
  double depth() const override { return std::numeric_limits<double>::infinity(); }
  Mesh outline() const override { return {}; }
  const Vec3& point() const { return point_; }
  const Vec3& normal() const { return normal_; }

 private:
  Vec3 point_, normal_;
};

class CapsuleShape final : public ColliderShape {
 public:
  CapsuleShape(const Vec3& a, const Vec3& b, double radius);
  /// A sphere is a capsule of length zero.
  static CapsuleShape sphere(const Vec3& center, double radius) { return {center, center, radius}; }
  bool sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const override;
  double depth() const override { return radius_; }
  Mesh outline() const override;

 private:
  Vec3 a_, axis_;  ///< axis_: unit length, or zero for a sphere
  double length_, radius_;
};

class BoxShape final : public ColliderShape {
 public:
  /// X = center + rotation * (coordinates along the edges); half: half extents including the rounding [m].
  BoxShape(const Vec3& center, const Vec3& half, double rounding = 0, const Mat3& rotation = Mat3::Identity());
  bool sample(const Vec3& X, double reach, bool with_curvature, SurfaceSample& sample) const override;
  double depth() const override { return (core_.array() + rounding_).minCoeff(); }
  Mesh outline() const override;

 private:
  Vec3 center_, core_;  ///< core_: half extents less the rounding
  double rounding_;
  Mat3 rotation_;
};

}  // namespace dashpot
