#pragma once
// A tree of boxes over triangles that move: built once from where they start, refitted when they have moved (the tree
// keeps its shape, so it stays fast while neighbors stay neighbors). Queries are constant and may run in parallel.

#include <array>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/mesh/nearest_on_triangle.hpp"

namespace dashpot {

struct NearestTriangle : NearestOnTriangle {
  int triangle = -1;
  double distance = 0;  ///< [m], >= 0
};

/// An axis-aligned box.
struct Box3 {
  Eigen::Array3d low = Eigen::Array3d::Constant(1e300), high = Eigen::Array3d::Constant(-1e300);
  void cover(const Vec3& x) {
    low = low.min(x.array());
    high = high.max(x.array());
  }
  void cover(const Box3& other) {
    low = low.min(other.low);
    high = high.max(other.high);
  }
  void grow(double margin) {
    low -= margin;
    high += margin;
  }
  bool overlaps(const Box3& other) const { return is_within(other, 0); }
  /// Whether some point of the other box is nearer than `range` along each axis.
  bool is_within(const Box3& other, double range) const {
    return low[0] <= other.high[0] + range && other.low[0] <= high[0] + range && low[1] <= other.high[1] + range &&
           other.low[1] <= high[1] + range && low[2] <= other.high[2] + range && other.low[2] <= high[2] + range;
  }
  /// Squared distance of a point outside; 0 inside.
  double squared_distance(const Vec3& x) const {
    return (low - x.array()).max(x.array() - high).max(0.0).square().sum();
  }
};

class TriangleBvh {
 public:
  TriangleBvh() = default;
  /// Indices must be within x, coordinates finite.
  TriangleBvh(std::vector<std::array<int, 3>> triangles, std::vector<Vec3> x);

  /// New positions of the same vertices [m].
  void refit(const std::vector<Vec3>& x);
  /// The same, with boxes that also cover where the vertices go: from x to `ahead`.
  void refit(const std::vector<Vec3>& x, const std::vector<Vec3>& ahead);

  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
  const std::vector<Vec3>& positions() const { return x_; }
  bool empty() const { return triangles_.empty(); }
  /// Box around everything; inverted when there are no triangles.
  Box3 bounds() const { return nodes_.empty() ? Box3() : nodes_[0].box; }

  /// The triangle nearest to p, if one is within `reach` [m]. Equal distances: the smallest index.
  bool nearest(const Vec3& p, double reach, NearestTriangle& result) const;
  /// Calls visit(triangle) for every triangle whose box overlaps `box`, in the order of the tree.
  void overlapping(const Box3& box, FunctionRef<void(int)> visit) const;

  /// Two subtrees, or one with itself, whose triangles may be near each other.
  struct Meeting {
    int first, second;
  };
  /// Splits the search for pairs of near triangles into parts that may be done in parallel.
  std::vector<Meeting> meetings(double range) const;
  /// Calls visit(s, t) once for every pair s != t of a part whose boxes are within `range` of each other [m].
  void near_pairs(const Meeting& part, double range, FunctionRef<void(int, int)> visit) const;

 private:
  /// Children are at 2 places: the left one follows its parent, the right one is at `right`. Leaves have right = 0.
  struct Node {
    Box3 box;
    int right = 0, first = 0, count = 0;
  };
  int build(int first, int count, std::vector<Vec3>& centroid);
  /// Replaces a part by the parts of the larger subtree's children; false: both are leaves.
  bool split(const Meeting& part, double range, std::vector<Meeting>& parts) const;
  void refit_boxes(const std::vector<Vec3>* ahead);

  std::vector<std::array<int, 3>> triangles_;
  std::vector<Vec3> x_;
  std::vector<int> order_;   ///< triangles in the order of the leaves
  std::vector<Box3> boxes_;  ///< of each triangle, in that order
  std::vector<Node> nodes_;
};

}  // namespace dashpot
