#pragma once
// From a shape to a mesh: solids by isosurface stuffing (stuffing.hpp), sheets by a triangulated outline, extruded and
// bent (sheet_mesh.hpp), shells as the skin of the solid (shell_mesh.hpp).
//
// Regions: a tet belongs to the region at its centroid; points of no tagged node are in the region "body". Named node
// sets come from the file's "regions". Nodes are numbered for locality. The same shape and options give the same bits
// for any number of threads.

#include <functional>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/shape/shape.hpp"

namespace dashpot {

struct ShapeMeshOptions {
  double elements =
      0;               ///< wanted number of tets (of triangles for shells and cloth); met to 3 % where the shape allows
  double spacing = 0;  ///< lattice spacing a [m] instead: tets have edges of 0.87 a to a
  double height = 0;   ///< > 0: the finished body is scaled so that its bounding box is this high (y) [m]
  /// Called before each trial of the search for the spacing with its number, 0, 1, ..; it may throw to give up.
  std::function<void(int)> on_trial = {};
};

struct ShapeMesh {
  Mesh mesh;
  std::vector<Vec3> colors;  ///< sRGB of each node
  double spacing = 0;        ///< that was used [m], before scaling to a height
  std::vector<Problem> warnings;
};

inline constexpr double max_shape_elements = 2e7;

/// dashpot::Error when the options make no sense, the shape cannot be meshed at this size, or a solid's mesh would hold
/// less than 60 % of its volume or 80 % of an extent (a warning: less than 95 %).
ShapeMesh mesh_shape(const Shape& shape, const ShapeMeshOptions& options);

}  // namespace dashpot
