#include "edge_dashpots.hpp"

namespace dashpot::cli {

double edge_dashpot_ratio(const EdgeGraph& graph, const std::vector<Vec3>& nodes, double coefficient,
                          const Vector& shape, double omega) {
  double braked = 0, mass = 0;
  for (const auto& [i, j] : graph.edges()) {
    const Vec3 along =
        (nodes.at(static_cast<std::size_t>(i)) - nodes.at(static_cast<std::size_t>(j))).stableNormalized();
    const Vec3 apart = shape.segment<3>(3 * i) - shape.segment<3>(3 * j);
    braked += apart.dot(along) * apart.dot(along);
  }
  for (int i = 0; i < graph.num_nodes(); ++i)
    if (const double inverse = graph.inverse_mass()[static_cast<std::size_t>(i)]; inverse > 0)
      mass += shape.segment<3>(3 * i).squaredNorm() / inverse;
  return coefficient * braked / (2 * omega * mass);
}

double mean_share_of_bound(const EdgeGraph& graph) {
  double trace = 0;
  int num_moving = 0;
  for (const auto& [i, j] : graph.edges())
    trace += graph.inverse_mass()[static_cast<std::size_t>(i)] + graph.inverse_mass()[static_cast<std::size_t>(j)];
  for (const double inverse : graph.inverse_mass()) num_moving += inverse > 0 ? 1 : 0;
  return trace / (3 * num_moving * graph.edge_bound());
}

}  // namespace dashpot::cli
