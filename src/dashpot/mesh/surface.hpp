#pragma once
// The skin of a mesh. Triangles are counter-clockwise seen from outside, so that  (1/3) sum x . n dA  is the enclosed
// volume (divergence theorem). The six-node faces of 10-node tets are divided into four triangles through their middle
// nodes.

#include <array>
#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

struct Surface {
  std::vector<std::array<int, 3>> triangles;  ///< node indices of the mesh
  std::vector<int> element;                   ///< tet (or triangle) each triangle belongs to, index in its group
  int num_faces_of_three = 0;                 ///< interior faces shared by more than two tets: the mesh overlaps itself
};

/// Faces that belong to exactly one tet, in the order of the tets; for a mesh without tets its triangles as they are.
Surface boundary_surface(const Mesh& mesh);

/// Sorted nodes of a surface.
std::vector<int> surface_nodes(const Surface& surface);

/// Unit normals, area-weighted mean over the triangles at a node; zero where there are none. Size positions.
std::vector<Vec3> vertex_normals(const std::vector<Vec3>& positions, const std::vector<std::array<int, 3>>& triangles);

/// Directed edges (a, b) of triangles whose opposite (b, a) belongs to no triangle: the rim of an open surface. Empty
/// for a closed, consistently oriented surface.
std::vector<std::array<int, 2>> boundary_edges(const std::vector<std::array<int, 3>>& triangles);

/// (1/6) sum x1 . (x2 x x3): volume enclosed by a closed outward surface [m^3].
double enclosed_volume(const std::vector<Vec3>& positions, const std::vector<std::array<int, 3>>& triangles);
double surface_area(const std::vector<Vec3>& positions, const std::vector<std::array<int, 3>>& triangles);

}  // namespace dashpot
