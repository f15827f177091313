#include "dashpot/mesh/embedding.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot::test_embedding {
namespace {

/// Points in the box from `low` to `high`, the same on every machine.
std::vector<Vec3> scattered(int count, const Vec3& low, const Vec3& high) {
  std::vector<Vec3> points;
  unsigned seed = 7;
  const auto next = [&] {
    seed = seed * 1664525U + 1013904223U;
    return seed / 4294967296.0;
  };
  for (int i = 0; i < count; ++i) points.push_back(low + Vec3(next(), next(), next()).cwiseProduct(high - low));
  return points;
}

Vec3 affine(const Vec3& x) {
  Mat3 a;
  a << 1.1, 0.3, -0.2, 0.1, 0.8, 0.4, -0.5, 0.2, 1.3;
  return a * x + Vec3(3, -2, 1);
}

TEST(Embedding, LinearFieldsAreReproducedExactlyInsideAndOutside) {
  for (const ElementKind kind : {ElementKind::tet4, ElementKind::tet10}) {
    const Mesh bar = make_bar({1, 0.3, 0.2}, {7, 3, 2}, {CellSplit::mirrored, kind, Vec3::Zero()});
    const std::vector<Vec3> points = scattered(400, {-0.1, -0.05, -0.05}, {1.1, 0.35, 0.25});
    const Embedding embedding = embed_points(bar, points);
    EXPECT_GT(embedding.num_outside, 50);
    EXPECT_LT(embedding.num_outside, 350);
    std::vector<Vec3> moved;
    for (const Vec3& x : bar.nodes) moved.push_back(affine(x));
    const std::vector<Vec3> carried = embedding.carry(moved);
    for (std::size_t i = 0; i < points.size(); ++i) ASSERT_LT((carried[i] - affine(points[i])).norm(), 1e-12) << i;
  }
}

TEST(Embedding, TenNodeTetsCarryQuadraticFields) {
  const Mesh bar = make_bar({1, 1, 1}, {2, 2, 2}, {CellSplit::mirrored, ElementKind::tet10, Vec3::Zero()});
  const std::vector<Vec3> points = scattered(200, {0.01, 0.01, 0.01}, {0.99, 0.99, 0.99});
  const auto field = [](const Vec3& x) { return x.x() * x.y() - 2 * x.z() * x.z() + x.x(); };
  std::vector<double> values;
  for (const Vec3& x : bar.nodes) values.push_back(field(x));
  const Embedding embedding = embed_points(bar, points);
  const std::vector<double> carried = embedding.carry(values);
  EXPECT_EQ(embedding.num_outside, 0);
  for (std::size_t i = 0; i < points.size(); ++i) ASSERT_NEAR(carried[i], field(points[i]), 1e-12);
}

TEST(Embedding, PointsInsideHaveWeightsBetweenZeroAndOne) {
  const Mesh ball = make_sphere(1, 5);
  const Embedding embedding = embed_points(ball, scattered(500, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  EXPECT_EQ(embedding.num_outside, 0);
  EXPECT_EQ(embedding.farthest_point, -1);
  for (const double w : embedding.weights) {
    EXPECT_GE(w, -1e-8);
    EXPECT_LE(w, 1 + 1e-8);
  }
}

TEST(Embedding, TheDistanceOfAPointOutsideIsItsDistanceToTheBody) {
  const Mesh bar = make_bar({1, 1, 1}, {4, 4, 4});
  const std::vector<Vec3> points{{0.3, 1.25, 0.4}, {2, 2, 2}, {0.5, 0.5, 0.5}, {1 + 3e-3, 0.2, 0.2}};
  const Embedding embedding = embed_points(bar, points);
  EXPECT_EQ(embedding.num_outside, 3);
  EXPECT_EQ(embedding.farthest_point, 1);
  EXPECT_NEAR(embedding.largest_distance, std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(embed_points(bar, {points[0]}).largest_distance, 0.25, 1e-12);
  EXPECT_NEAR(embed_points(bar, {points[3]}).largest_distance, 3e-3, 1e-12);
}

TEST(Embedding, TheNearestTetIsFoundAlsoFromFarAway) {
  // Two separate cubes: a point beyond the second belongs to the second.
  const Mesh near = make_bar({1, 1, 1}, {1, 1, 1});
  BoxOptions away;
  away.origin = {50, 0, 0};
  const Mesh both = join(near, make_bar({1, 1, 1}, {1, 1, 1}, away));
  const Embedding embedding = embed_points(both, {{90, 0.5, 0.5}, {-40, 0.5, 0.5}, {24, 0.5, 0.5}});
  EXPECT_GE(embedding.tet[0], 6);
  EXPECT_LT(embedding.tet[1], 6);
  EXPECT_LT(embedding.tet[2], 6);
  EXPECT_NEAR(embedding.largest_distance, 40, 1e-9);
}

TEST(Embedding, WhatCannotCarryIsRefused) {
  EXPECT_THROW(embed_points(make_cloth(1, 1, {2, 2}), {{0, 0, 0}}), Error);
  EXPECT_THROW(embed_points(make_bar({1, 1, 1}, {1, 1, 1}), {{NAN, 0, 0}}), Error);
  EXPECT_EQ(embed_points(make_bar({1, 1, 1}, {1, 1, 1}), {}).size(), 0);
}

TEST(Embedding, FlatTetsCarryNothing) {
  Mesh bar = make_bar({1, 1, 1}, {1, 1, 1}, {CellSplit::mirrored, ElementKind::tet4, Vec3::Zero()});
  const std::vector<Vec3> points = scattered(50, Vec3::Zero(), Vec3::Ones());
  const Embedding before = embed_points(bar, points);
  ElementGroup& tets = bar.groups.front();
  const int first = tets.nodes[0], second = tets.nodes[1];
  tets.nodes.insert(tets.nodes.begin(), {first, second, first, second});  // no volume, and the smallest index
  const Embedding after = embed_points(bar, points);
  for (const double weight : after.weights) ASSERT_TRUE(std::isfinite(weight));
  EXPECT_EQ(after.weights, before.weights);
  tets.nodes.resize(4);
  EXPECT_THROW(embed_points(bar, points), Error);
}

}  // namespace
}  // namespace dashpot::test_embedding
