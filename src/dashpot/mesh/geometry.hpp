#pragma once
// Size and shape of elements from their rest positions.
//   point: measure 1;  edge: length [m];  triangle: area [m^2];  tet: signed volume [m^3].
// Tets are positive when (b-a, c-a, d-a) is right-handed. The volume of a 10-node tet is the exact integral of det J
// over its (possibly curved) shape; its shape figures are those of the straight tet through its corners.

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

double edge_length(const Vec3& a, const Vec3& b);
double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c);
/// Signed volume of a straight tet: (b-a) x (c-a) . (d-a) / 6.
double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Volume of a 10-node tet, X[0..9] in the node order of mesh.hpp; exact for curved edges (det J is a cubic).
double tet10_volume(const Vec3* X);
/// Smallest det J of a 10-node tet at its four quadrature points and four corners; positive everywhere there means that
/// the element is not folded.
double tet10_min_jacobian(const Vec3* X);
/// True when every middle node is the midpoint of its edge, to 1e-10 of that edge's length.
bool tet10_is_straight(const Vec3* X);

/// Length, area or volume of an element; 1 for a point.
double element_measure(ElementKind kind, const Vec3* X);
/// The same for element e of a group.
double element_measure(const Mesh& mesh, const ElementGroup& group, int e);

/// Shape of one straight tet.
struct TetShape {
  double min_dihedral = 0;  ///< smallest angle between two faces [degrees]; 70.53 for the regular tet
  double max_dihedral = 0;  ///< largest angle between two faces [degrees]
  double aspect = 0;        ///< longest edge over shortest height, scaled to 1 for the regular tet; grows without limit
};
TetShape tet_shape(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Smallest angle of a triangle [degrees].
double triangle_min_angle(const Vec3& a, const Vec3& b, const Vec3& c);

/// An axis-aligned box; empty (min > max) when there are no points.
struct BoundingBox {
  Vec3 min = Vec3::Constant(1), max = Vec3::Constant(-1);
  Vec3 size() const { return (max - min).cwiseMax(0.0); }
  double diagonal() const { return size().norm(); }
};
BoundingBox bounding_box(const std::vector<Vec3>& points);

}  // namespace dashpot
