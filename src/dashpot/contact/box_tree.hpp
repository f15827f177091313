#pragma once
// A tree of axis-aligned boxes over a few hundred to a few thousand small things, built anew whenever they have moved:
// n log n with a small constant, median splits along the longest side. The order of the answers depends on the boxes
// alone.

#include <vector>

#include <Eigen/Geometry>

#include "dashpot/core/types.hpp"

namespace dashpot::contact {

using Box = Eigen::AlignedBox3d;

class BoxTree {
 public:
  explicit BoxTree(std::vector<Box> boxes);

  /// Calls visit(index) for things whose box is nearer to p than the radius visit() returned last (first: `radius`).
  /// Nearer subtrees come first, so that a search for the closest thing ends soon.
  template <class Visit>
  void near(const Vec3& p, double radius, Visit visit) const {
    if (nodes_.empty()) return;
    int stack[64], size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const Node& node = nodes_[static_cast<std::size_t>(stack[--size])];
      if (node.box.squaredExteriorDistance(p) > radius * radius) continue;
      if (node.count > 0) {
        for (int i = node.first; i < node.first + node.count; ++i) {
          const int thing = order_[static_cast<std::size_t>(i)];
          if (boxes_[static_cast<std::size_t>(thing)].squaredExteriorDistance(p) <= radius * radius)
            radius = visit(thing);
        }
        continue;
      }
      const int left = node.first, right = node.first + 1;
      const bool left_first = distance2(left, p) <= distance2(right, p);
      stack[size++] = left_first ? right : left;
      stack[size++] = left_first ? left : right;
    }
  }

 private:
  struct Node {
    Box box;
    int first = 0;  ///< of a leaf: place in order_; else the left child, which the right one follows
    int count = 0;  ///< things in a leaf; 0: an inner node
  };
  double distance2(int node, const Vec3& p) const {
    return nodes_[static_cast<std::size_t>(node)].box.squaredExteriorDistance(p);
  }
  void split(int node, int begin, int end);

  std::vector<Box> boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace dashpot::contact
