#pragma once
// A field for points of one ball of space: whatever cannot change a value there is left out of the tree, so that an
// evaluation visits the few bodies near by instead of all of them. Values are those of the whole field to the last bit.
//
// Over a ball of radius rho about c each node has values in [f(c) - rho, f(c) + rho] (1-Lipschitz). In a union with
// blending radius k a child is left out when its lowest value lies more than k above the highest of what was joined
// before, and everything before a child is left out when that lies more than k above the child (without blending: each
// that lies above any other); in a cut, what lies more than k below. Balls inside balls are cut down further: from the
// octree of a lattice to its blocks.

#include <memory>

#include "dashpot/shape/field.hpp"

namespace dashpot {

class LocalField {
 public:
  /// All of a node, anywhere. The field must outlive this.
  LocalField(const Field& field, int node);

  double value(const Vec3& x) const;
  /// For points within `radius` [m] of `center` (of a point within the ball this one is for).
  LocalField within(const Vec3& center, double radius) const;
  /// Number of primitives one evaluation may visit.
  double cost() const;

  /// A node with those of its children that matter. Shared between balls where nothing changes.
  struct Part;

 private:
  LocalField(const Field& field, std::shared_ptr<const Part> part) : field_(&field), part_(std::move(part)) {}
  const Field* field_;
  std::shared_ptr<const Part> part_;
};

}  // namespace dashpot
