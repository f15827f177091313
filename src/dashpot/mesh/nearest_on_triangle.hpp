#pragma once
// The point of a triangle nearest to a point, and which of its faces, edges and corners it lies on.

#include "dashpot/core/types.hpp"

namespace dashpot {

/// Where a nearest point lies: inside the triangle, on edge k (from corner k to corner k + 1), or at corner k.
enum class TriangleFeature { face, edge, corner };

struct NearestOnTriangle {
  Vec3 point = Vec3::Zero();  ///< [m]
  Vec3 barycentric = Vec3::Zero();
  TriangleFeature feature = TriangleFeature::face;
  int which = 0;  ///< edge or corner number 0..2
};
/// Point of triangle abc nearest to x [Ericson2005, 5.1.5].
NearestOnTriangle nearest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace dashpot
