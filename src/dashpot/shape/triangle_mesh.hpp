#pragma once
// Triangles on their way to a sheet or a shell: cutting along the zero line of a field, and making them more regular.
// Internal to sheet_mesh and shell_mesh.

#include <array>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {

struct TriangleMesh {
  std::vector<Vec3> nodes;
  std::vector<std::array<int, 3>> triangles;
};

/// Triangles about equilateral, side h, that cover the box [low, high] in the plane z = 0.
TriangleMesh triangle_lattice(const Eigen::Vector2d& low, const Eigen::Vector2d& high, double h);

/// The part with g < 0: isosurface stuffing in two dimensions. Nodes closer to a cut than 0.3 of an edge move onto it,
/// the other triangles are cut; quadrilaterals are split along the shorter diagonal. Unused nodes are removed.
TriangleMesh cut(const TriangleMesh& mesh, FunctionRef<double(const Vec3&)> g);

/// Sorted nodes on the rim (edges of one triangle).
std::vector<int> rim_nodes(const TriangleMesh& mesh);

struct SmoothOptions {
  int sweeps = 12;
  std::vector<char> is_fixed;  ///< per node; empty: none
};
/// Moves each node towards the mean of its neighbors (a rim node: of its two rim neighbors), calls `project`(x,
/// is_on_rim) to put it back where it belongs, and keeps the move when the smallest angle around the node does not
/// fall.
void smooth(TriangleMesh& mesh, FunctionRef<Vec3(const Vec3&, bool)> project, const SmoothOptions& options);

/// Exchanges diagonals until opposite angles sum to at most 180 degrees (a few passes); edges of folds stay.
void flip_edges(TriangleMesh& mesh);

}  // namespace dashpot
