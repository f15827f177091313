#pragma once
// Meshes into files. All files are written whole or not at all (core/file.hpp). Numbers are written so that they read
// back bit for bit. What a format cannot hold is told by lost_in_format(); nothing else is lost:
//   .msh   elements, regions (physical groups of the elements' dimension), node sets (physical points), fields
//   .veg   4-node tets, regions as *SET + *REGION with materials; no node sets, no other elements
//   .obj   triangles, edges, points, regions as groups; of a tet mesh its surface
//   .vtu   everything but the names of regions (cell array "region" holds their indices)

#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/mesh/read.hpp"

namespace dashpot {

enum class MshDialect { v41_ascii, v41_binary, v22_ascii, v22_binary };

std::string msh_bytes(const Mesh& mesh, MshDialect dialect = MshDialect::v41_ascii);
/// Without properties the file still gets a material (1000 kg/m^3, 1 GPa, 0.45: our choice), as the format wants one.
std::string veg_bytes(const Mesh& mesh, const VegaProperties* properties = nullptr);
std::string obj_bytes(const Mesh& mesh);

/// Values at the nodes (or elements) for a .vtu file: `components` numbers each, node by node.
struct DataArray {
  std::string name;
  int components = 1;  ///< 1: scalar, 3: vector
  std::vector<double> values;
};
enum class VtuEncoding { base64, ascii };
/// positions: deformed node positions [m], or null for those of the mesh.
std::string vtu_bytes(const Mesh& mesh, const std::vector<DataArray>& node_data = {},
                      const std::vector<Vec3>* positions = nullptr, VtuEncoding encoding = VtuEncoding::base64);

/// One time step of a .pvd collection; file names relative to the .pvd.
struct PvdEntry {
  double time = 0;  ///< [s]
  std::string file;
};
std::string pvd_bytes(const std::vector<PvdEntry>& entries);

/// Writes by extension: .msh (4.1 ASCII), .veg, .obj, .vtu.
void write_mesh(const std::string& path, const Mesh& mesh);
std::vector<std::string> writable_mesh_extensions();
/// Warnings about parts of the mesh that the format of `path` does not carry; empty when it carries all.
std::vector<Problem> lost_in_format(const Mesh& mesh, const std::string& path);

}  // namespace dashpot
