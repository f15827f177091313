#pragma once
// A surface carried by tets: every point of a render mesh keeps its barycentric coordinates in the rest tet that
// contains it,  x(t) = sum_i w_i x_i(t),  sum w_i = 1. Linear fields are reproduced exactly, so a carried surface moves
// rigidly when the tets do. Points outside take the nearest tet and its coordinates extended (some w_i < 0); how far
// outside they are is reported. In 10-node tets the weights are the quadratic shape functions at the barycentric
// coordinates of the corners; for straight-sided rest tets linear fields are still exact.

#include <vector>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

struct Embedding {
  int num_weights = 4;           ///< per point: 4 or 10
  std::vector<int> nodes;        ///< num_weights per point
  std::vector<double> weights;   ///< the same size
  std::vector<int> tet;          ///< carrying each point
  std::vector<double> distance;  ///< of each point to its tet [m]; 0 inside
  int num_outside = 0;
  double largest_distance = 0;  ///< of a point outside to its tet [m]
  int farthest_point = -1;      ///< which; -1: none is outside

  int size() const { return static_cast<int>(tet.size()); }
  /// Positions of the points when the nodes of the tets are at `nodes` [m].
  std::vector<Vec3> carry(const std::vector<Vec3>& node_positions) const;
  /// The same for a scalar per node.
  std::vector<double> carry(const std::vector<double>& node_values) const;
};

/// dashpot::Error when the mesh has no tets or a point is not finite.
Embedding embed_points(const Mesh& tets, const std::vector<Vec3>& points);

}  // namespace dashpot
