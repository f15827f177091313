// The shared element data: gradients reproduce affine maps, weights add up to the volume, chunks of a color do not
// touch.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "dashpot/core/error.hpp"
#include "dashpot/model/tet_batch.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing::test_tet_batch {
namespace {

class Batches : public ::testing::TestWithParam<int> {
 protected:
  TinyMesh bar(int nx, int ny, int nz) const {
    const TinyMesh mesh = kuhn_bar(nx, ny, nz, 0.5);
    return GetParam() == 4 ? mesh : with_mid_nodes(mesh);
  }
};

TEST_P(Batches, GradientsReproduceAnAffineMapAndWeightsTheVolume) {
  const TinyMesh mesh = bar(3, 2, 1);
  const TetBatch batch(mesh.X, mesh.nodes, GetParam(), 0);
  Mat3 F;
  F << 1.1, 0.2, -0.3, 0.4, 0.9, 0.1, -0.2, 0.3, 1.3;
  double volume = 0;
  for (int i = 0; i < batch.num_tets(); ++i) {
    volume += batch.volume(i);
    for (int p = 0; p < batch.num_points(); ++p) {
      Mat3 sum = Mat3::Zero();
      for (int a = 0; a < GetParam(); ++a)
        sum += (F * mesh.X[static_cast<std::size_t>(batch.blocks(i)[a])]) * batch.gradient(i, p, a).transpose();
      EXPECT_LT((sum - F).norm(), 1e-13);
    }
  }
  EXPECT_NEAR(volume, 1.5 * 1 * 0.5, 1e-13);
}

TEST_P(Batches, EveryElementIsVisitedOnceAndNeighborsNeverTogether) {
  const TinyMesh mesh = bar(9, 5, 5);
  const TetBatch batch(mesh.X, mesh.nodes, GetParam(), 7);
  std::vector<int> visits(static_cast<std::size_t>(batch.num_tets()), 0);
  batch.for_each_chunk([&](int begin, int end) {
    EXPECT_EQ(begin % TetBatch::lanes, 0);
    EXPECT_TRUE(end % TetBatch::lanes == 0 || end == batch.num_tets());
    for (int i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(batch.original(i))];
  });
  EXPECT_EQ(std::set<int>(visits.begin(), visits.end()), std::set<int>{1});
  for (int i = 0; i < batch.num_tets(); ++i)
    for (int a = 0; a < GetParam(); ++a)
      EXPECT_EQ(batch.blocks(i)[a], 7 + mesh.nodes[static_cast<std::size_t>(batch.original(i) * GetParam() + a)]);
  EXPECT_GT(batch.num_colors(), 1);
  EXPECT_LT(batch.num_colors(), 20);
}

TEST_P(Batches, ElementsAlongTheCurveAreAllThereAndPiecesAreCompact) {
  const TinyMesh mesh = bar(9, 5, 5);
  const TetBatch batch(mesh.X, mesh.nodes, GetParam(), 0);
  const std::vector<int> curve = batch.elements_along_curve();
  std::vector<int> sorted = curve;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(static_cast<int>(sorted.size()), batch.num_tets());
  for (int k = 0; k < batch.num_tets(); ++k) EXPECT_EQ(sorted[static_cast<std::size_t>(k)], k);
  // The nodes of quarters overlap little, those of quarters in storage order much.
  const auto nodes_of_quarters = [&](const auto& element_at) {
    std::size_t count = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      std::set<int> nodes;
      for (int k = batch.num_tets() * quarter / 4; k < batch.num_tets() * (quarter + 1) / 4; ++k)
        nodes.insert(batch.blocks(element_at(k)), batch.blocks(element_at(k)) + GetParam());
      count += nodes.size();
    }
    return static_cast<double>(count) / static_cast<double>(mesh.X.size());
  };
  const double along = nodes_of_quarters([&](int k) { return curve[static_cast<std::size_t>(k)]; });
  EXPECT_LT(along, 1.85);
  EXPECT_LT(along, 0.9 * nodes_of_quarters([](int k) { return k; }));
}

TEST_P(Batches, ElementsLeftOverFromPacksOfFourAreNotLost) {
  for (int count = 1; count <= 6; ++count) {
    TinyMesh mesh = bar(1, 1, 1);
    mesh.nodes.resize(static_cast<std::size_t>(count * GetParam()));
    const TetBatch batch(mesh.X, mesh.nodes, GetParam(), 0);
    const double volume = batch.sum_over_chunks([&](int begin, int end) {
      double sum = 0;
      for (int i = begin; i < end; ++i) sum += batch.volume(i);
      return sum;
    });
    EXPECT_NEAR(volume, count * 0.125 / 6, 1e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(Nodes, Batches, ::testing::Values(4, 10));

TEST(TetBatch, SlotsLeadToTheBlocksOfTheElement) {
  const TinyMesh mesh = kuhn_bar(2, 2, 2, 1);
  TetBatch batch(mesh.X, mesh.nodes, 4, 1);
  std::vector<int> start{0}, blocks;
  for (int i = 0; i < batch.num_tets(); ++i) {
    blocks.insert(blocks.end(), batch.blocks(i), batch.blocks(i) + 4);
    start.push_back(static_cast<int>(blocks.size()));
  }
  const BlockPattern pattern(3, static_cast<int>(mesh.X.size()) + 1, start, blocks);
  batch.bind(pattern);
  for (int i = 0; i < batch.num_tets(); ++i)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        ASSERT_GE(batch.slots(i)[4 * a + b], 0);
        EXPECT_EQ(batch.slots(i)[4 * a + b], pattern.slot(batch.blocks(i)[a], batch.blocks(i)[b]));
      }
}

TEST(TetBatch, FlatInvertedAndMisnumberedTetsAreRefusedByName) {
  const TinyMesh mesh = unit_tet();
  EXPECT_THROW(TetBatch(mesh.X, {0, 2, 1, 3}, 4, 0), Error);
  EXPECT_THROW(TetBatch(mesh.X, {0, 1, 2, 4}, 4, 0), Error);
  EXPECT_THROW(TetBatch(mesh.X, {0, 1, 2}, 4, 0), Error);
  EXPECT_THROW(TetBatch(mesh.X, {0, 1, 2, 3, 0}, 5, 0), Error);
  try {
    TetBatch(mesh.X, {0, 1, 2, 3, 0, 1, 2, 2}, 4, 0);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("tet 1"), std::string::npos);
  }
}

TEST(TetBatch, ABodyWithoutTetsHasNothingToDo) {
  const TetBatch batch({}, {}, 4, 0);
  EXPECT_EQ(batch.sum_over_chunks([](int, int) { return 1.0; }), 0);
}

}  // namespace
}  // namespace dashpot::testing::test_tet_batch
