#pragma once
// What `dashpot info MESH` tells about a mesh: counts, size, shape, parts, and what may trouble a simulation.

#include <string>
#include <vector>

#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/mesh.hpp"
#include "dashpot/mesh/read.hpp"

namespace dashpot {

struct MeshInfo {
  struct Kind {
    ElementKind kind = ElementKind::tet4;
    int count = 0;
  };
  struct Part {
    std::string name;
    int num_elements = 0;  ///< of regions
    int num_nodes = 0;
    double measure = 0;  ///< volume, area or length of a region, by the mesh's dimension
  };

  int num_nodes = 0;
  int dimension = 0;  ///< highest of its elements
  std::vector<Kind> kinds;
  BoundingBox box;
  double volume = 0;                                          ///< of the tets [m^3]
  double surface_area = 0;                                    ///< of the tets' boundary, or of the triangles [m^2]
  double length = 0;                                          ///< of the edges [m]
  double shortest_edge = 0, longest_edge = 0, mean_edge = 0;  ///< of all edges of all elements [m]

  double min_dihedral = 0, max_dihedral = 0;  ///< of the tets [degrees]; 0 without tets
  double worst_aspect = 0, mean_aspect = 0;   ///< of the tets; 1 is best
  int worst_tet = -1;                         ///< index of the tet with the worst aspect
  double min_triangle_angle = 0;              ///< of a mesh of triangles [degrees]

  int num_surface_triangles = 0, num_surface_nodes = 0;
  int num_rim_edges = 0;                           ///< boundary edges of the surface; 0: closed
  int num_overlapping_faces = 0;                   ///< faces shared by more than two tets
  int num_parts = 0;                               ///< pieces that share no node
  int num_hinged_groups = 0, num_hinged_tets = 0;  ///< that hang on a vertex or an edge (hinges.hpp)
  std::string hinges;                              ///< that in words; empty: none
  int num_duplicate_nodes = 0, num_unused_nodes = 0;
  int bandwidth = 0;  ///< largest distance of node numbers in an element
  std::vector<Part> regions, node_sets;
  struct Field {
    std::string name;
    ElementKind kind = ElementKind::tet4;  ///< of the elements it is painted on
    double smallest = 0, largest = 0;      ///< of its values
  };
  std::vector<Field> fields;
};

MeshInfo mesh_info(const Mesh& mesh);

/// Several lines for people; what a reader reported is added when given.
std::string to_text(const MeshInfo& info, const MeshReport* report = nullptr);
/// One JSON object, SI units, stable keys.
std::string to_json(const MeshInfo& info, const MeshReport* report = nullptr);

}  // namespace dashpot
