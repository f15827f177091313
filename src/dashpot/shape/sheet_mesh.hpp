#pragma once
// Thin things: the outline is triangulated in the plane, extruded to layers of prisms, bent, and each prism is cut into
// three tets along the diagonals that run up from the node of smaller number, so neighbors agree. The number of layers
// is chosen to make a layer about 0.7 triangle sides thick: a regular prism then has no dihedral angle under 35
// degrees. A sheet without thickness stays a mesh of triangles. Internal to mesh_shape.

#include "dashpot/shape/mesh_shape.hpp"

namespace dashpot {

/// Nodes, elements, spacing and warnings; no regions, sets or colors yet.
ShapeMesh mesh_sheet(const Shape& shape, const ShapeMeshOptions& options);
/// The surface of the solid, cut open; triangles.
ShapeMesh mesh_shell(const Shape& shape, const ShapeMeshOptions& options);

}  // namespace dashpot
