#pragma once
// Solids: a field on a lattice, filled with tets. Internal to mesh_shape.

#include "dashpot/shape/mesh_shape.hpp"
#include "dashpot/shape/stuffing.hpp"

namespace dashpot {

class SolidMesher {
 public:
  explicit SolidMesher(const Shape& shape);
  /// dashpot::Error when the body is empty, saying what emptied it.
  void expect_inside() const;
  /// Nodes and tets at lattice spacing a [m]; dashpot::Error when that would be too large.
  Mesh at(double a, CutSearch search) const;
  double width() const { return (bounds_.high - bounds_.low).maxCoeff(); }
  const FieldBounds& bounds() const { return bounds_; }
  const LocalField& field() const { return field_; }

 private:
  const Shape& shape_;
  LocalField field_;
  FieldBounds bounds_;
  LatticeLimits limits_;
};

/// Nodes, tets, spacing and warnings; no regions, sets or colors yet.
ShapeMesh mesh_solid(const Shape& shape, const ShapeMeshOptions& options);

/// The thinnest part of a solid that is thinner than a spacing.
struct ThinPart {
  double thickness = 0;  ///< [m]
  int line = 0;          ///< of the shape file
  int count = 0;         ///< parts thinner than the spacing; 0: none
};
ThinPart find_thin_parts(const Shape& shape, const LocalField& field, double spacing);

/// Groups of tets that hang on the rest by a vertex or an edge (mesh/hinges.hpp): those of less than a hundredth of the
/// volume are left out, larger ones stay; a warning in both cases, with the number of tets that would do.
void mend_hinges(const Shape& shape, const SolidMesher& mesher, ShapeMesh& result);

/// Compares a solid's mesh with the body itself: dashpot::Error when two fifths of the volume or a fifth of an extent
/// are missing, a warning when more than a twentieth is, or when parts are thinner than the spacing.
void check_completeness(const Shape& shape, const SolidMesher& mesher, ShapeMesh& result);

}  // namespace dashpot
