#pragma once
// Mass of elements, by node. With shape functions N_a and density rho, the consistent mass is
//     M_ab = integral rho N_a N_b dV      (times the 3x3 identity)
// exactly, also for curved 10-node tets. The lumped mass is diagonal: rows summed for linear elements (measure / n
// each); for 10-node tets, whose row sums are negative at the corners, the diagonal of M scaled to the element's mass
// [Hinton1976]: 1/36 at each corner and 4/27 at each middle node of a straight tet. All lumped masses are positive.
//
// Density by kind: tets kg/m^3, triangles kg/m^2, edges kg/m, points kg.

#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

/// n x n with n <= 10, no heap.
using ElementMassMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 10, 10>;
using ElementMassVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 10, 1>;

/// X: rest positions of the element's nodes [m].
ElementMassMatrix consistent_mass(ElementKind kind, const Vec3* X, double density);
ElementMassVector lumped_mass(ElementKind kind, const Vec3* X, double density);

/// The same for element e of a group.
ElementMassMatrix consistent_mass(const Mesh& mesh, const ElementGroup& group, int e, double density);
ElementMassVector lumped_mass(const Mesh& mesh, const ElementGroup& group, int e, double density);

/// Lumped masses [kg] of the nodes of element 0, then of element 1, ..., at one density.
std::vector<double> lumped_element_masses(const Mesh& mesh, const ElementGroup& group, double density);
/// Lumped masses [kg] of all nodes, summed over one group; density by region index (one entry: the same everywhere).
Vector lumped_node_masses(const Mesh& mesh, const ElementGroup& group, const std::vector<double>& density_of_region);
/// Mass [kg] of a group.
double total_mass(const Mesh& mesh, const ElementGroup& group, const std::vector<double>& density_of_region);

}  // namespace dashpot
