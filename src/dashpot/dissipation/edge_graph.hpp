#pragma once
// Pairs of mass points, and how fast a dashpot between each pair can act: with E the incidence matrix of the edges
// (+1 at one end, -1 at the other), v <- v - c h M^-1 E^T E v multiplies motions by 1 - c h lambda, lambda an
// eigenvalue of M^-1/2 E^T E M^-1/2 [1/kg]. It never adds energy while c h lambda_max <= 2, and never overshoots while
// c h lambda_max <= 1. Upper bounds, dearest and sharpest first:
//     lambda_max                                     by Lanczos iteration,
//     max over edges ij of deg_i/m_i + deg_j/m_j     Gershgorin's circles of E M^-1 E^T, which has the same spectrum,
//     max over nodes i of 2 deg_i/m_i                Gershgorin's circles of M^-1 E^T E.
// They hold for forces along the edges too, as E^T P E <= E^T E for a projection P.
// Source: [SchmeddingGisslerTeschner2009, lemma 1], whose proof holds for equal masses only; the similarity with
// M^1/2 repairs it.
//
// Edges with an end without mass and edges from a node to itself are left out. An edge given twice counts twice.

#include <array>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

class EdgeGraph {
 public:
  using Edges = std::vector<std::array<int, 2>>;
  /// masses[i] [kg] >= 0 of node i, edges between nodes; dashpot::Error for nodes that do not exist and masses that are
  /// negative or not finite.
  EdgeGraph(Edges edges, const std::vector<double>& masses);

  const Edges& edges() const { return edges_; }
  int num_nodes() const { return static_cast<int>(inverse_mass_.size()); }
  /// 1/m [1/kg]; 0 for nodes without mass.
  const std::vector<double>& inverse_mass() const { return inverse_mass_; }

  /// Largest eigenvalue [1/kg], to about 1e-9; on the high side. 0 without edges.
  double lambda_max() const;
  /// max over edges of deg_i/m_i + deg_j/m_j [1/kg].
  double edge_bound() const;
  /// max over nodes of 2 deg_i/m_i [1/kg].
  double node_bound() const;

 private:
  std::vector<double> degree_over_mass() const;
  Edges edges_;
  std::vector<double> inverse_mass_;
};

}  // namespace dashpot
