#pragma once
// Bodies made of numbers: bars, plates, balls, cloth, chains. Positions in meters, elements positively oriented.
//
// Box-shaped bodies number their nodes (i*(ny+1)+j)*(nz+1)+k at origin + size * (i/nx, j/ny, k/nz). Cells are cut into
// tets by
//   mirrored (default)  six Kuhn tets per cell, reflected in every second cell of each axis: an even number of cells
//   gives a
//                       mesh that is its own mirror image, so symmetric loads bend it straight;
//   kuhn                six Kuhn tets per cell, all with the diagonal 000 -> 111: the reference fixtures CUBE8 and
//   BAR16; the tets
//                       of a cell come in lexicographic order of the axis permutation; biased (twists a little under
//                       bending);
//   five                five tets per cell, alternating: fewest elements, one larger tet in the middle of each cell.
// Quadratic bodies are the same tets with a middle node on every edge (topology.hpp: to_quadratic).
//
// Arguments out of range (sizes not positive and finite, no cells, more than 2^31-1 node indices) throw dashpot::Error.

#include <array>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

enum class CellSplit { mirrored, kuhn, five };

struct BoxOptions {
  CellSplit split = CellSplit::mirrored;
  ElementKind kind = ElementKind::tet4;  ///< tet4 or tet10
  Vec3 origin = Vec3::Zero();            ///< the corner with the smallest coordinates [m]
};

/// A box of size [m] from `origin`, divided into cells along x, y, z.
Mesh make_bar(const Vec3& size, const std::array<int, 3>& cells, const BoxOptions& options = {});

/// A flat slab in the xz plane, centerd at the origin, its thickness along y (up). cells: along x, through the
/// thickness (y), along z. options.origin is added to the centerd position.
Mesh make_plate(double width, double depth, double thickness, const std::array<int, 3>& cells,
                const BoxOptions& options = {});

/// A solid ball: an icosahedron's 20 tets, each divided into layers^3 and pressed onto concentric spheres.
/// 20 layers^3 tets; its volume approaches 4/3 pi r^3 from below with error O(1/layers^2). kind: tet4 or tet10
/// (straight edges inside, middle nodes of surface edges on the sphere).
Mesh make_sphere(double radius, int layers, ElementKind kind = ElementKind::tet4, const Vec3& center = Vec3::Zero());

/// Triangles in the xz plane from (0, 0, 0) to (width, 0, depth), normals along +y; node i*(cells[1]+1)+k. Diagonals
/// alternate from square to square, so warp and weft look alike.
Mesh make_cloth(double width, double depth, const std::array<int, 2>& cells);

/// A straight chain of `num_edges` edges from a to b.
Mesh make_chain(const Vec3& a, const Vec3& b, int num_edges);

/// Straight strands (hair) side by side: roots on a grid of counts[0] x counts[1] in the x-z plane, `width` along x and
/// `depth` along z, centerd at the origin; each runs along `to_tip` [m] in num_edges edges, nodes from root to tip. The
/// node sets "roots" and "tips" name their ends.
Mesh make_strands(const std::array<int, 2>& counts, double width, double depth, const Vec3& to_tip, int num_edges);

/// Separate mass points.
Mesh make_points(const std::vector<Vec3>& positions);

}  // namespace dashpot
