#pragma once
// Which nodes of cloth are near which triangles, and which edges near which edges: a list made with a margin, which
// stays good while no node has moved by more than half the margin (apart from the motion of all together). Whoever uses
// the list looks at distances again, so that results do not depend on when it was made.
//
// Cost of making it: every triangle's box against a tree of boxes, then distances of the pairs that are left; memory is
// 8 bytes a pair. Pairs that share a node are never near each other.

#include <vector>

#include "dashpot/contact/cloth_surface.hpp"
#include "dashpot/contact/triangle_bvh.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::contact {

struct NodeTriangle {
  int node, triangle;
};
struct EdgePair {
  int first, second;
};

/// How far a node has moved at most [m], apart from the motion of all together.
double largest_change(const std::vector<Vec3>& from, const std::vector<Vec3>& to);

class ClothNeighbors {
 public:
  /// Lists all pairs nearer than `reach` [m] at x, or keeps a list that holds them.
  void update(const ClothSurface& surface, const std::vector<Vec3>& x, double reach);
  /// Lists all pairs whose boxes meet anywhere on the straight way from x to `ahead`; distances are not looked at.
  void update_swept(const ClothSurface& surface, const std::vector<Vec3>& x, const std::vector<Vec3>& ahead);
  /// How far nodes may move until a list of update(.., reach) has to be made anew [m].
  static double allowed_change(double reach);
  /// Whether the list of update() holds all pairs nearer than its reach at x, and on straight ways between such x.
  bool covers(const std::vector<Vec3>& x) const;

  /// Ascending in (node, triangle) and (first, second), first < second.
  const std::vector<NodeTriangle>& node_triangles() const { return node_triangles_; }
  const std::vector<EdgePair>& edge_pairs() const { return edge_pairs_; }

 private:
  /// Pairs whose boxes are nearer than `range`, and which are nearer than it where `by_distance` is set.
  void search(const ClothSurface& surface, const std::vector<Vec3>* ahead, double range, bool by_distance);

  TriangleBvh tree_;
  std::vector<Vec3> made_at_;
  double margin_ = 0, reach_ = 0;
  std::vector<NodeTriangle> node_triangles_;
  std::vector<EdgePair> edge_pairs_;
};

}  // namespace dashpot::contact
