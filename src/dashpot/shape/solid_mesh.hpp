#pragma once
// Solids: the lattice spacing for a wanted number of tets, and warnings about what the lattice cannot resolve. Internal
// to mesh_shape.

#include "dashpot/shape/mesh_shape.hpp"

namespace dashpot {

/// Nodes, tets, spacing and warnings; no regions, sets or colours yet.
ShapeMesh mesh_solid(const Shape& shape, const ShapeMeshOptions& options);

}  // namespace dashpot
