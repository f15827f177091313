#pragma once
// Quantities by which a body can be colored, one number per node:
//   speed   |v| [m/s]
//   strain  largest |principal Green strain| of an element, E = (F^T F - I) / 2 [-], averaged to its nodes by rest
//           measure. Tets by their corners; triangles in their plane; edges (l^2/L^2 - 1) / 2.
//   power   power that the damping takes, per rest volume [W/m^3] (area [W/m^2], length [W/m] of sheets and lines; [W]
//           of points). The recording knows each node's share v . f of the loss; shares are summed over a node and its
//           neighbors, because a single one may be negative where neighbors drive it.

#include <string>
#include <vector>

#include "dashpot/mesh/mesh.hpp"
#include "dashpot/record/frames.hpp"

namespace dashpot::render {

enum class FieldKind { none, speed, strain, power };

std::string to_string(FieldKind kind);
/// "m/s", "" (strain), "W/m^3" by the dimension (0 to 3) of the body.
std::string field_unit(FieldKind kind, int dimension);
/// Highest dimension of the mesh's elements; 0 without elements.
int mesh_dimension(const Mesh& mesh);

class Field {
 public:
  Field(FieldKind kind, const Mesh& rest);
  /// One value per node of the body whose first node is point `first_point` of the frame.
  std::vector<double> node_values(const Frame& frame, int first_point) const;

 private:
  std::vector<double> strain(const Frame& frame, int first_point) const;
  std::vector<double> power(const Frame& frame, int first_point) const;
  FieldKind kind_;
  const Mesh* rest_;
  std::vector<double> measure_;             ///< rest measure of every element, all groups in order
  std::vector<double> node_measure_;        ///< share of it at every node
  std::vector<std::pair<int, int>> pairs_;  ///< neighboring nodes, for power
};

}  // namespace dashpot::render
