#pragma once
// Small geometry shared by the readers.
#include <numbers>

#include <Eigen/Geometry>

#include "dashpot/core/types.hpp"

namespace dashpot {

/// Turns about x, then y, then z by these angles [degrees].
inline Mat3 rotation_of(const Vec3& degrees) {
  const Vec3 r = degrees * (std::numbers::pi / 180);
  return (Eigen::AngleAxisd(r.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(r.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(r.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

/// Straight pieces between two points of a spline (round cones of a tube, edges of an outline).
inline constexpr int spline_pieces = 8;

/// Uniform Catmull-Rom spline from p1 (t = 0) to p2 (t = 1).
template <class V>
V catmull_rom(const V& p0, const V& p1, const V& p2, const V& p3, double t) {
  return 0.5 *
         (2 * p1 + t * (p2 - p0) + t * t * (2 * p0 - 5 * p1 + 4 * p2 - p3) + t * t * t * (3 * p1 - p0 - 3 * p2 + p3));
}

}  // namespace dashpot
