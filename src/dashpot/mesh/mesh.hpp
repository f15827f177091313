#pragma once
// A mesh as data: node positions and elements of one or several kinds, with named regions.
// Orientation convention: a tet (a,b,c,d) has positive volume when (b-a, c-a, d-a) is right-handed; its faces seen from
// outside are counter-clockwise: (a,c,b), (a,b,d), (b,c,d), (a,d,c). Mid-edge nodes of a 10-node tet follow Gmsh:
// edges 01, 12, 20, 30, 32, 31 (local nodes 4..9). All indices 0-based.

#include <array>
#include <string>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

enum class ElementKind { point, edge, triangle, tet4, tet10 };
int nodes_per_element(ElementKind kind);
std::string to_string(ElementKind kind);

/// Elements of one kind, flat: element e has nodes[e*n .. e*n+n-1].
struct ElementGroup {
  ElementKind kind = ElementKind::tet4;
  std::vector<int> nodes;
  std::vector<int> region;  ///< region index per element (into Mesh::regions); empty: all in region 0

  int size() const { return static_cast<int>(nodes.size()) / nodes_per_element(kind); }
  const int* element(int e) const { return nodes.data() + static_cast<std::size_t>(e) * static_cast<std::size_t>(nodes_per_element(kind)); }
};

struct Mesh {
  std::vector<Vec3> nodes;           ///< rest positions [m]
  std::vector<ElementGroup> groups;  ///< at most one group of each kind
  std::vector<std::string> regions;  ///< names; may be empty (one unnamed region)
  /// Named sets of node indices (VegaFEM *SET, Gmsh physical points, ...), sorted.
  std::vector<std::pair<std::string, std::vector<int>>> node_sets;

  int num_nodes() const { return static_cast<int>(nodes.size()); }
  const ElementGroup* group(ElementKind kind) const;
  ElementGroup* group(ElementKind kind);
  /// The volumetric group (tet4 or tet10), or nullptr.
  const ElementGroup* tets() const;
};

}  // namespace dashpot
