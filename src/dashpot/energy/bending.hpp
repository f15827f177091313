#pragma once
// Bending of sheets and strands by second differences of node positions, a LineElasticity:
//
//     Psi = sum_e w_e/2 (|g_e| - r_e)^2,     g_e = sum_i c_ei x_i   (over the 4 nodes of a hinge, 3 of a strand's
//     bend).
//
// Straight rest shapes have r = 0: Psi = sum w/2 |g|^2 is quadratic, its Hessian constant. Curved ones have r = |g| at
// rest; the bend keeps its size but may take it in any direction: to the other side too, which this energy does not
// know from the right one.
//
// Hinge (edge i j, opposite corners k l, triangles of areas A0 and A1 at rest), flat at rest [Bergou2006]:
//     c_i = cot(angle at j in both triangles, summed), c_j = the same at i, c_k = -(cotangents at i and j in triangle
//     i j k), c_l likewise; w = k_b / (A0 + A1),  k_b = E h^3 / (12 (1 - nu^2))  [J].
// For a sheet bent without stretch |g| = 2 l sin(theta/2), l the edge, theta the angle between its triangles; the
// energy tends to k_b/2 integral H^2 dA, H the sum of the principal curvatures: k_b A / (2 R^2) for a cylinder.
// [Bergou2006] has w = 3 k_b / (A0 + A1), three times that: there each edge counts for a third of its triangles as if
// all three edges bent alike, but one of them takes the bend. Exact in the limit for equilateral triangles in every
// direction, and for squares cut in two when bent along their sides or across their cuts; bent along the cuts squares
// are three times too stiff (cuts that alternate: 1.5 times, along either diagonal). Made for sheets that hardly
// stretch: the energy of a saddle is too small.
//
// Bend of a strand at node i between x_h and x_j, edges l1 and l2 long:
//     g = (x_j - x_i)/l2 - (x_i - x_h)/l1,  w = 2 EI / (l1 + l2),  EI [N m^2]: EI/2 integral kappa^2 ds.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/line_elasticity.hpp"

namespace dashpot {

struct Bend {
  std::array<int, 4> nodes{};            ///< the fourth of a strand's bend is not read
  std::array<double, 4> coefficients{};  ///< c, sum zero
  double weight = 0;                     ///< w >= 0; w |g|^2 in [J]
  double rest = 0;                       ///< r >= 0, in the unit of g
};

/// What the rest shape of a mesh means for its bends.
enum class RestBend { straight, as_mesh };

/// The hinges between triangles (three nodes each) that share an edge; stiffness[e] of triangle e: k_b [J], the mean of
/// both acts. Edges of one triangle do not bend; at edges of three or more, each pair of neighbors in the list is a
/// hinge.
std::vector<Bend> hinges(const std::vector<int>& triangles, const std::vector<Vec3>& X,
                         const std::vector<double>& stiffness, RestBend rest = RestBend::straight);
/// Bends at the nodes where exactly two edges (two nodes each) meet; stiffness: EI [N m^2].
std::vector<Bend> strand_bends(const std::vector<int>& edges, const std::vector<Vec3>& X, double stiffness,
                               RestBend rest = RestBend::straight);

class Bending final : public LineElasticity {
 public:
  /// nodes_per_bend: 4 (hinges) or 3 (strands). X: rest positions [m]; node i is block first_block + i. Throws Error
  /// for nodes out of range and weights or rest values that are negative or not finite.
  Bending(std::string body, int nodes_per_bend, const std::vector<Bend>& bends, const std::vector<Vec3>& X,
          int first_block);
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;
};

}  // namespace dashpot
