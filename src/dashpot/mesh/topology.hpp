#pragma once
// Changes of a mesh that keep its shape: quadratic elements, merged or removed nodes, a better node order; and its
// edges. Node maps are given as new_of_old: new_of_old[i] is the new index of old node i, -1 when it is gone.

#include <array>
#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

/// tet4 -> tet10: a node in the middle of every edge, appended after the existing nodes in order of first appearance.
/// Node sets gain the middle node of an edge whose two ends they contain. Other kinds of elements stay as they are.
Mesh to_quadratic(const Mesh& mesh);

/// Distinct edges (a < b) of all edges, triangles and tet corners, sorted.
std::vector<std::array<int, 2>> unique_edges(const Mesh& mesh);

/// For each node the smallest index of a node within `tolerance` [m] of it (itself when it has no twin).
std::vector<int> coincident_nodes(const Mesh& mesh, double tolerance);
/// Which nodes belong to no element.
std::vector<int> unused_nodes(const Mesh& mesh);

struct NodeMap {
  std::vector<int> new_of_old;
  int num_new = 0;
};
/// Merges nodes closer than `tolerance` [m] into the one of smallest index. Elements keep their number and order, so
/// one whose nodes coincide becomes degenerate.
NodeMap merge_coincident_nodes(Mesh& mesh, double tolerance);
/// Removes nodes that no element uses; keeps the order of the others.
NodeMap remove_unused_nodes(Mesh& mesh);

/// Reverse Cuthill-McKee order of the node graph (nodes of one element are neighbors): a permutation new_of_old with
/// small bandwidth, so that neighbors in space are neighbors in memory.
std::vector<int> locality_order(const Mesh& mesh);
/// The same mesh with node i at new_of_old[i]; new_of_old must be a permutation.
Mesh reorder_nodes(const Mesh& mesh, const std::vector<int>& new_of_old);
/// Largest |i - j| over nodes i, j of one element.
int bandwidth(const Mesh& mesh);

/// Number of parts that share no node (unused nodes do not count).
int num_connected_parts(const Mesh& mesh);

/// Joins b to a: nodes, elements, regions and node sets of the same name are united.
Mesh join(const Mesh& a, const Mesh& b);

}  // namespace dashpot
