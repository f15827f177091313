#pragma once
// Signed distance to a triangle surface: nearest triangle by a tree of boxes, sign by the angle-weighted pseudo-normal
// of the face, edge or vertex that is nearest [BaerentzenAanaes2005], which is exact for closed surfaces that do not
// cross themselves.
//
//   closed   d < 0 inside; nodes are pushed out from any depth, towards the nearest point of the surface
//   open     the sign says on which side of the nearest triangle a point lies; only points within reach of the surface
//            are seen at all, so that what is far behind a sheet stays there
//   crossing its own triangles: where two parts overlap, the sign is that of the nearer sheet
//
// d is smooth off edges and corners; there the curvature of the rounded edge or corner is used: (I - n n^T - e e^T)/d
// or (I - n n^T)/d. It grows without limit as d -> 0: give the collider a thickness to round its edges.

#include <array>
#include <vector>

#include "dashpot/contact/collider.hpp"
#include "dashpot/contact/triangle_bvh.hpp"

namespace dashpot {

class SignedSurface {
 public:
  /// Throws Error: no triangle, vertices that are not there or not finite, triangles without area, triangles at an edge
  /// that do not agree on which side is outside. Rims (edges of one triangle) make it open.
  SignedSurface(std::vector<std::array<int, 3>> triangles, std::vector<Vec3> x);

  bool is_closed() const { return is_closed_; }
  const std::vector<std::array<int, 3>>& triangles() const { return tree_.triangles(); }
  const std::vector<Vec3>& positions() const { return tree_.positions(); }
  const TriangleBvh& tree() const { return tree_; }
  /// The same triangles at new positions [m].
  void move(const std::vector<Vec3>& x);

  /// As ColliderShape::sample; `spot`, when given, receives the nearest triangle.
  bool sample(const Vec3& p, double reach, bool with_curvature, SurfaceSample& sample,
              NearestTriangle* spot = nullptr) const;

 private:
  void compute_normals();
  const Vec3& pseudo_normal(const NearestTriangle& spot) const;

  TriangleBvh tree_;
  bool is_closed_ = true;
  std::vector<std::array<int, 3>> across_;  ///< triangle on the other side of edge k; -1: a rim
  std::vector<Vec3> face_normals_, corner_normals_;
  std::vector<std::array<Vec3, 3>> edge_normals_;  ///< of each triangle's edges, not normalized
};

/// Pairs of triangles without common vertices that cross or touch each other, edges on edges and faces on faces too
/// (to 1e-9 of the size of everything); stops counting at `limit`.
int count_self_crossings(const TriangleBvh& tree, int limit);

}  // namespace dashpot
