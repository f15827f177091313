#pragma once
// Two flat sheets of one outline, sewn together along the rim: what a bag, a pillow or a garment is cut from. The mesh
// is the pattern: both sheets lie in one plane, the second one turned over, and share the nodes of the seam. It says
// how long everything is; where things are at the start is said elsewhere (the start "opened" of a scene). Internal to
// sheet_mesh.

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/shape/triangle_mesh.hpp"

namespace dashpot {

/// Node sets "front", "back" and "seam"; a node belongs to one of them. `is_open`(x): the rim is not sewn at x.
/// An inner edge between two nodes of the seam is split, since both sheets would share it.
Mesh sewn_sheets(TriangleMesh flat, FunctionRef<bool(const Vec3&)> is_open);

}  // namespace dashpot
