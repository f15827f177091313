#pragma once
// Pairs of triangles that share an edge, ready for element loops: nodes 0 and 1 are the edge, 2 and 3 the corners
// opposite to it. Their measure is the angle between the triangles (element/dihedral_angle.hpp).

#include <vector>

#include "dashpot/model/element_batch.hpp"

namespace dashpot {

class HingeBatch : public ElementBatch {
 public:
  /// nodes: four per hinge, indices into the rest positions X [m]; node k is block first_block + k of the System.
  HingeBatch(const std::vector<int>& nodes, const std::vector<Vec3>& X, int first_block);
  /// The angle of hinge i [rad].
  double angle(const Vector& q, int i) const;
};

/// The angle between two triangles with the edge x0 x1 and the corners x2 and x3 [rad]; 0: flat.
double dihedral_angle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);

}  // namespace dashpot
