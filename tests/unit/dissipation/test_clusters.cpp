#include "dashpot/dissipation/clusters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dashpot/core/error.hpp"

namespace dashpot::testing::test_clusters {
namespace {

using ::testing::ElementsAre;

TEST(Clusters, APointBelongsToAsManyAsNameIt) {
  Clusters clusters(4);
  clusters.add(std::vector{2, 0, 2});
  clusters.add(std::vector{1, 2});
  EXPECT_THAT(clusters[0], ElementsAre(0, 2)) << "repeated points count once";
  EXPECT_THAT(clusters.copies(), ElementsAre(1, 1, 2, 0));
}

TEST(Clusters, OfFewerThanTwoPointsAreLeftOut) {
  Clusters clusters(3);
  clusters.add(std::vector<int>{});
  clusters.add(std::vector{1});
  clusters.add(std::vector{2, 2});
  EXPECT_EQ(clusters.size(), 0);
  EXPECT_EQ(one_cluster(1).size(), 0);
  EXPECT_EQ(one_cluster(0).size(), 0);
}

TEST(Clusters, OfPointsThatDoNotExistAreRefused) {
  Clusters clusters(3);
  EXPECT_THROW(clusters.add(std::vector{0, 3}), Error);
  EXPECT_THROW(clusters.add(std::vector{-1, 2}), Error);
}

TEST(Clusters, PartsAreJoinedByEdges) {
  const std::vector<Edge> edges{{3, 4}, {0, 2}, {4, 6}};
  const Clusters parts = connected_parts(7, edges);
  ASSERT_EQ(parts.size(), 2) << "points 1 and 5 are alone";
  EXPECT_THAT(parts[0], ElementsAre(0, 2));
  EXPECT_THAT(parts[1], ElementsAre(3, 4, 6));
}

TEST(Clusters, NearestNeighborsAreThoseOfLeastDistance) {
  std::vector<Vec3> points;
  for (const double x : {0.0, 1.0, 2.5, 10.0, 10.5}) points.emplace_back(x, 0, 0);
  const Clusters clusters = nearest_clusters(points, 2);
  ASSERT_EQ(clusters.size(), 5);
  EXPECT_THAT(clusters[0], ElementsAre(0, 1, 2));
  EXPECT_THAT(clusters[3], ElementsAre(2, 3, 4));
  EXPECT_THAT(nearest_clusters(points, 99)[2], ElementsAre(0, 1, 2, 3, 4)) << "no more than there are";
  EXPECT_THROW(nearest_clusters(points, 0), Error);
}

TEST(Clusters, PointsAtOnePlaceAreTheirOwnNeighbors) {
  const std::vector<Vec3> points(5, Vec3(1, 2, 3));
  const Clusters clusters = nearest_clusters(points, 1);
  ASSERT_EQ(clusters.size(), 5);
  for (int c = 0; c < 5; ++c) {
    ASSERT_EQ(clusters[c].size(), 2U);
    EXPECT_TRUE(clusters[c][0] == c || clusters[c][1] == c);
  }
}

TEST(Clusters, EdgesWithinAreNumberedByTheirCluster) {
  Clusters clusters(5);
  clusters.add(std::vector{1, 3, 4});
  clusters.add(std::vector{0, 1});
  const std::vector<Edge> edges{{0, 1}, {1, 3}, {2, 3}, {3, 4}};
  const auto within = edges_within(clusters, edges);
  EXPECT_THAT(within[0], ElementsAre(Edge{0, 1}, Edge{1, 2}));
  EXPECT_THAT(within[1], ElementsAre(Edge{0, 1}));
}

}  // namespace
}  // namespace dashpot::testing::test_clusters
