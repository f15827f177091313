#include "edge_dashpots.hpp"

#include <gtest/gtest.h>

namespace dashpot::cli::test_edge_dashpots {
namespace {

TEST(EdgeDashpots, TwoMassesOnOneDashpotHaveTheTextbookRatio) {
  // Reduced mass m/2 and relative motion x: m/2 x'' + c x' + k x = 0, so that zeta = c / (m omega).
  const double m = 0.3, c = 2, omega = 40;
  const EdgeGraph graph({{0, 1}}, {m, m});
  const std::vector<Vec3> nodes{Vec3(0, 0, 0), Vec3(0, 2, 0)};
  Vector along(6), across(6);
  along << 0, -1, 0, 0, 1, 0;
  across << 1, 0, 0, -1, 0, 0;
  EXPECT_NEAR(edge_dashpot_ratio(graph, nodes, c, along, omega), c / (m * omega), 1e-15);
  EXPECT_NEAR(edge_dashpot_ratio(graph, nodes, c, 7 * along, omega), c / (m * omega), 1e-15);
  EXPECT_EQ(edge_dashpot_ratio(graph, nodes, c, across, omega), 0);
}

TEST(EdgeDashpots, OneLightNodeTakesTheBoundForItself) {
  // One dashpot along a line: eigenvalue 2/m, and 0 five times.
  EXPECT_NEAR(mean_share_of_bound(EdgeGraph({{0, 1}}, {1, 1})), 1.0 / 6, 1e-15);
  const EdgeGraph::Edges chain{{0, 1}, {1, 2}, {2, 3}};
  const double even = mean_share_of_bound(EdgeGraph(chain, {1, 1, 1, 1}));
  EXPECT_GT(even, 0.1);
  EXPECT_LT(mean_share_of_bound(EdgeGraph(chain, {0.01, 1, 1, 1})), 0.7 * even);
}

}  // namespace
}  // namespace dashpot::cli::test_edge_dashpots
