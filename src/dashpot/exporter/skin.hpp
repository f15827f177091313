#pragma once
// What is seen of a mesh: the boundary triangles of its tets (or its own triangles), its edges and points, over only
// the nodes that these use. Its topology stays the same through an animation.

#include <array>
#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot::exporter {

struct Skin {
  std::vector<int> nodes;  ///< node of the mesh for each point of the skin, increasing
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;
  std::vector<int> points;  ///< of point elements; all indices count points of the skin

  std::vector<Vec3> of(const std::vector<Vec3>& mesh_values) const;
  /// As a mesh of triangles, edges and points at these positions (one per point of the skin).
  Mesh mesh(std::vector<Vec3> positions) const;
};

/// With `all_nodes` the inner nodes are kept as well (nodes[i] = i), used by nothing.
Skin skin_of(const Mesh& mesh, bool all_nodes = false);

}  // namespace dashpot::exporter
