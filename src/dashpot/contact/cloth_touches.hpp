#pragma once
// Where cloth touches itself, or another sheet, at given positions: nodes on triangles, and edges on edges,
//
//     Psi = sum over nodes i  A_i/2 sum over simplices F  c_F psi(d_F(x_i))
//         + sum over pairs of edges  (A_e + A_f)/8  m_ef psi(d_ef),
//
// d the distances, psi the barrier (barrier_law.hpp), c_F the counts by which a plane presses exactly once wherever a
// node is (contact_surface.hpp; counted here over the triangles that do not have the node), m the factor of parallel
// edges. Flat layers press by their nodes alone with psi, and edges that cross add to that: without them, the ridges of
// two folds would meet no node. Things that share a node do not press on each other.

#include <array>
#include <vector>

#include "dashpot/contact/barrier_law.hpp"
#include "dashpot/contact/cloth_neighbors.hpp"
#include "dashpot/contact/feature_gap.hpp"
#include "dashpot/contact/parallel_edges.hpp"

namespace dashpot::contact {

/// One term of the sums.
struct ClothTouch {
  FeatureGap gap;              ///< over the first gap.num_points nodes
  int count = 0;               ///< of nodes
  std::array<int, 4> nodes{};  ///< of the surface
  double scale = 0;            ///< A c / 2 or (A_e + A_f) / 8 [m^2]
  int triangle = -1;           ///< one that has what is touched
  bool is_edge_pair = false;
  ParallelFactor parallel;  ///< m = 1 for nodes
  int along[2][4]{};        ///< edges: u = sum along[0][k] x_k, v likewise
};

/// All with psi > 0: those of nodes in the order of nodes, then those of edges.
void find_touches(const ClothSurface& surface, const ClothNeighbors& neighbors, const std::vector<Vec3>& x,
                  double thickness, std::vector<ClothTouch>& touches);

}  // namespace dashpot::contact
