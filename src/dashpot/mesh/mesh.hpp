#pragma once
// A mesh as data: node positions and elements of one or several kinds, with named regions.
// Orientation convention: a tet (a,b,c,d) has positive volume when (b-a, c-a, d-a) is right-handed; its faces seen from
// outside are counter-clockwise: (a,c,b), (a,b,d), (b,c,d), (a,d,c). Mid-edge nodes of a 10-node tet follow Gmsh:
// edges 01, 12, 20, 30, 32, 31 (local nodes 4..9). All indices 0-based.

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

enum class ElementKind { point, edge, triangle, tet4, tet10 };
inline constexpr std::array<ElementKind, 5> all_element_kinds{
    ElementKind::point, ElementKind::edge, ElementKind::triangle, ElementKind::tet4, ElementKind::tet10};
constexpr int nodes_per_element(ElementKind kind) {
  constexpr std::array<int, 5> count{1, 2, 3, 4, 10};
  return count[static_cast<std::size_t>(kind)];
}
/// 0 for points, 1 for edges, 2 for triangles, 3 for tets.
constexpr int dimension(ElementKind kind) { return kind == ElementKind::tet10 ? 3 : static_cast<int>(kind); }
std::string to_string(ElementKind kind);

/// Local corner nodes of the edge whose middle is local node 4 + i of a 10-node tet.
inline constexpr std::array<std::array<int, 2>, 6> tet_edges{{{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}}};
/// Local corner nodes of the faces of a tet, counter-clockwise seen from outside.
inline constexpr std::array<std::array<int, 3>, 4> tet_faces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};

/// Numbers painted on the elements of a group (Gmsh's $ElementData), one for each; units as their user takes them.
struct ElementField {
  std::string name;
  std::vector<double> values;
};

/// Elements of one kind, flat: element e has nodes[e*n .. e*n+n-1].
struct ElementGroup {
  ElementKind kind = ElementKind::tet4;
  std::vector<int> nodes;
  std::vector<int> region;           ///< region index per element (into Mesh::regions); empty: all in region 0
  std::vector<ElementField> fields;  ///< of different names

  int size() const { return static_cast<int>(nodes.size()) / nodes_per_element(kind); }
  const int* element(int e) const {
    return nodes.data() + static_cast<std::size_t>(e) * static_cast<std::size_t>(nodes_per_element(kind));
  }
  int region_of(int e) const { return region.empty() ? 0 : region[static_cast<std::size_t>(e)]; }
  /// The field of this name, or nullptr.
  const ElementField* field(std::string_view name) const;
  /// These elements alone, in this order, with their regions and fields.
  ElementGroup subset(const std::vector<int>& elements) const;
};

struct Mesh {
  std::vector<Vec3> nodes;           ///< rest positions [m]
  std::vector<ElementGroup> groups;  ///< at most one group of each kind
  std::vector<std::string> regions;  ///< names; may be empty (one unnamed region)
  /// Named sets of node indices, sorted: Gmsh physical groups below the mesh's dimension, TetGen boundary markers,
  /// nodes of VegaFEM element sets that no region uses.
  std::vector<std::pair<std::string, std::vector<int>>> node_sets;

  int num_nodes() const { return static_cast<int>(nodes.size()); }
  const ElementGroup* group(ElementKind kind) const;
  ElementGroup* group(ElementKind kind);
  /// The group of that kind, appended empty when there is none.
  ElementGroup& group_or_new(ElementKind kind);
  int num_elements() const;  ///< of all kinds together
  /// The volumetric group (tet4 or tet10), or nullptr.
  const ElementGroup* tets() const;
};

}  // namespace dashpot
