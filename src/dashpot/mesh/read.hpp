#pragma once
// Meshes from files. Formats by extension:
//   .msh   Gmsh 2.0-2.2 and 4.1, ASCII and binary. Physical groups of the highest dimension become regions, lower ones
//          (and physical points) node sets; $ElementData of one component fields of the elements (those of the mesh's
//          dimension all have a value, or none does).
//   .veg   VegaFEM: tets, sets, materials, regions; *INCLUDE relative to the file's folder.
//   .node/.ele  TetGen, 0- or 1-based, 4 or 10 nodes; attributes become regions, boundary markers node sets.
//   .obj .ply .off .stl  surfaces; polygons are divided into triangle fans; obj groups become regions; stl corners with
//   equal
//          coordinates become one node.
// Files without elements are point clouds (.node .obj .ply .off) or refused (.msh .veg .ele .stl).
//
// A mesh that comes back is sound: finite coordinates, indices in range, tets positively oriented (inverted ones are
// turned and counted), no flat element, no folded 10-node tet. Everything else throws dashpot::Error with the place as
// `file:line`, or as a byte offset in binary files, listing up to 20 problems at once. Nothing is allocated that only a
// header claims.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

/// What was found and done on the way in.
struct MeshReport {
  std::string format;                ///< "Gmsh 4.1, binary"
  int num_flipped_tets = 0;          ///< inverted tets that were turned
  int num_dropped_elements = 0;      ///< flat triangles and edges left out because ReadOptions asked for it
  int num_boundary_elements = 0;     ///< elements below the mesh's dimension: used for node sets only
  std::vector<int> duplicate_nodes;  ///< nodes within 1e-9 of the bounding box's diagonal of an earlier node; kept
  std::vector<int> unused_nodes;     ///< nodes of no element; kept
  std::vector<Problem> warnings;     ///< the same in words, with remedies
};

struct ReadOptions {
  /// Keep edges and triangles beside tets as element groups of their own (Gmsh files often contain the skin too).
  bool keep_lower_dimensions = false;
  /// Leave flat triangles and edges out instead of refusing the file.
  bool drop_degenerate_surface = false;
  /// Leave points out of a point cloud whose coordinates are not finite: where a camera got nothing back.
  bool drop_missing_points = false;
  /// How read_mesh brings its files, those that a file names included; empty: read_file.
  FileReader read = {};
};

/// Reads a mesh by the extension of its name. For TetGen name either file; its partner lies beside it.
Mesh read_mesh(const std::string& path, MeshReport* report = nullptr, const ReadOptions& options = {});
/// Extensions that read_mesh knows, with the dot.
std::vector<std::string> readable_mesh_extensions();

// The same from memory; `name` is used in messages only.
Mesh read_msh(std::string_view bytes, const std::string& name, MeshReport* report = nullptr, const ReadOptions& = {});
Mesh read_obj(std::string_view bytes, const std::string& name, MeshReport* report = nullptr, const ReadOptions& = {});
Mesh read_ply(std::string_view bytes, const std::string& name, MeshReport* report = nullptr, const ReadOptions& = {});
Mesh read_off(std::string_view bytes, const std::string& name, MeshReport* report = nullptr, const ReadOptions& = {});
Mesh read_stl(std::string_view bytes, const std::string& name, MeshReport* report = nullptr, const ReadOptions& = {});
/// `base` is the name without extension; an empty ele_bytes view with a null data pointer means: no .ele file.
Mesh read_tetgen(std::string_view node_bytes, std::string_view ele_bytes, const std::string& base,
                 MeshReport* report = nullptr, const ReadOptions& = {});

/// A *MATERIAL of a .veg file.
struct VegaMaterial {
  std::string name;
  std::string model = "ENU";       ///< ENU, ORTHOTROPIC..., MOONEYRIVLIN: the file's own word
  double density = 1000;           ///< [kg/m^3]
  double young = 0, poisson = 0;   ///< [Pa], [-]; only of ENU
  std::vector<double> parameters;  ///< all numbers after the density, in the file's order
};
/// A *REGION of a .veg file: these elements are made of that material.
struct VegaRegion {
  std::string set;       ///< "allElements" or the name of a *SET
  std::string material;  ///< name of a VegaMaterial
};
/// Entry i of `regions` describes Mesh::regions[i], whose name is that of the set (a repeated set gets " (2)").
struct VegaProperties {
  std::vector<VegaMaterial> materials;
  std::vector<VegaRegion> regions;
};
/// Content of a file named by *INCLUDE; may throw dashpot::Error.
using IncludeLoader = std::function<std::string(const std::string& name)>;

Mesh read_veg(std::string_view bytes, const std::string& name, VegaProperties* properties = nullptr,
              MeshReport* report = nullptr, const ReadOptions& = {}, const IncludeLoader& include = {});
/// From a file, *INCLUDE relative to its folder.
Mesh read_veg_file(const std::string& path, VegaProperties* properties = nullptr, MeshReport* report = nullptr,
                   const ReadOptions& = {});

}  // namespace dashpot
