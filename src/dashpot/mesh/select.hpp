#pragma once
// Which nodes a scene means by `where`: in a box, in a sphere, nearest to a point, of a region, of a node set.
// All return sorted node indices. Unknown names throw dashpot::Error with the nearest valid name.

#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

/// Nodes with low <= x <= high in every coordinate (closed box) [m].
std::vector<int> nodes_in_box(const Mesh& mesh, const Vec3& low, const Vec3& high);
/// Nodes with |x - center| <= radius [m].
std::vector<int> nodes_in_sphere(const Mesh& mesh, const Vec3& center, double radius);
/// The node nearest to a point, the first of equals; -1 for a mesh without nodes.
int nearest_node(const Mesh& mesh, const Vec3& point);
/// Nodes of all elements of a region; of the node set of that name when no region has it.
std::vector<int> nodes_of_region(const Mesh& mesh, const std::string& region);
/// Nodes of a named set.
std::vector<int> nodes_of_set(const Mesh& mesh, const std::string& name);
/// Index of a region in mesh.regions.
int region_index(const Mesh& mesh, const std::string& region);
/// Elements of one kind that belong to a region; those with all nodes in the node set of that name when no region has
/// it.
std::vector<int> elements_of_region(const Mesh& mesh, const ElementGroup& group, const std::string& region);

}  // namespace dashpot
