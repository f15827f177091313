#pragma once
// Solids: a field on a lattice, filled with tets. Internal to mesh_shape.

#include "dashpot/shape/mesh_shape.hpp"
#include "dashpot/shape/stuffing.hpp"

namespace dashpot {

class SolidMesher {
 public:
  explicit SolidMesher(const Shape& shape);
  /// Nodes and tets at lattice spacing a [m]; dashpot::Error when that would be too large.
  Mesh at(double a, CutSearch search) const;
  double width() const { return (bounds_.high - bounds_.low).maxCoeff(); }

 private:
  const Shape& shape_;
  FieldBounds bounds_;
  LatticeLimits limits_;
};

/// Nodes, tets, spacing and warnings; no regions, sets or colours yet.
ShapeMesh mesh_solid(const Shape& shape, const ShapeMeshOptions& options);

/// Warns about parts thinner than the spacing, with the number of tets they would need.
void warn_about_thin_parts(const Shape& shape, ShapeMesh& result);

}  // namespace dashpot
