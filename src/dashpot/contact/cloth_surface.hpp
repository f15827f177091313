#pragma once
// The triangles of cloth as contact with itself sees them: one sheet, or two sheets of which only pairs across count.
// Nodes are numbered from 0 within the surface; `points` says which points of the kinematics they are.

#include <array>
#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot::contact {

struct ClothSurface {
  std::string bodies;  ///< "shirt" or "shirt-coat"
  std::vector<int> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;
  std::vector<std::array<int, 3>> triangle_edges;  ///< edge k joins corners k and (k + 1) % 3
  std::vector<double> node_area, edge_area;        ///< thirds of the triangles there, at rest [m^2]
  std::vector<double> edge_length;                 ///< at rest [m]
  std::vector<int> node_owner, edge_owner;         ///< one triangle of each, that speaks for it in searches
  std::vector<char> is_second;                     ///< per node: belongs to the second sheet
  std::vector<char> is_tied;                       ///< per node: attached to the other sheet, and left alone
  bool is_pair = false;                            ///< two sheets

  int num_nodes() const { return static_cast<int>(points.size()); }
  /// Whether things at these nodes are to be kept apart.
  bool may_touch(int a, int b) const;
};

/// A sheet: the triangles of a mesh whose nodes are the points first_point, ...
struct ClothSheet {
  std::string body;
  const Mesh* mesh = nullptr;
  int first_point = 0;
};

/// One sheet, or two; `tied_points` are points of either that are attached to the other.
ClothSurface make_cloth_surface(const std::vector<ClothSheet>& sheets, const std::vector<int>& tied_points = {});

}  // namespace dashpot::contact
