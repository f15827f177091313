#pragma once
// What a dashpot on every edge of a mesh does to the motions of the body. Its coefficient is bounded where it would
// overshoot first (edge_graph.hpp), at light nodes with many edges; what is left for all other motions is told here.
#include "dashpot/dissipation/edge_graph.hpp"

namespace dashpot::cli {

/// Damping ratio [1] that dashpots of coefficient c [kg/s] along the edges give a mode of angular frequency omega
/// [1/s]:
///     zeta = c sum_e ((phi_i - phi_j) . d_e)^2 / (2 omega phi.M phi),   d_e the unit vector along the edge.
/// `shape` has three numbers a node.
double edge_dashpot_ratio(const EdgeGraph& graph, const std::vector<Vec3>& nodes, double coefficient,
                          const Vector& shape, double omega);

/// Mean over all motions of what the dashpots brake in a step, of the bound that the fastest one sets [1]: the trace of
/// M^-1 times their matrix over 3 nodes, over the edge bound.
double mean_share_of_bound(const EdgeGraph& graph);

}  // namespace dashpot::cli
