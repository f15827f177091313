#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/sliver_bar.hpp"

namespace dashpot::test_sliver_bar {
namespace {

TEST(SliverBar, FillsTheBoxWithoutGapOrOverlap) {
  const Mesh mesh = make_sliver_bar({0.4, 0.1, 0.2}, {4, 3, 2}, 0.05);
  const ElementGroup& tets = *mesh.tets();
  ASSERT_EQ(tets.size(), 5 * 24 + 3 * 6);
  double volume = 0;
  for (int e = 0; e < tets.size(); ++e) {
    EXPECT_GT(element_measure(mesh, tets, e), 0) << "tet " << e;
    volume += element_measure(mesh, tets, e);
  }
  EXPECT_NEAR(volume, 0.4 * 0.1 * 0.2, 1e-4 * volume);  // its sides are bent by a fortieth of a cell
  const MeshInfo info = mesh_info(mesh);
  EXPECT_EQ(info.num_overlapping_faces, 0);
  EXPECT_EQ(info.num_rim_edges, 0);
  EXPECT_EQ(info.num_hinged_groups, 0);
  EXPECT_EQ(info.num_parts, 1);
  // Two triangles for every square outside; slivers have no face there.
  EXPECT_EQ(info.num_surface_triangles, 2 * 2 * (4 * 3 + 3 * 2 + 4 * 2));
}

TEST(SliverBar, OnlySliversAreFlat) {
  const Mesh mesh = make_sliver_bar({0.6, 0.2, 0.2}, {6, 2, 2}, 0.02);
  const ElementGroup& tets = *mesh.tets();
  for (int e = 0; e < tets.size(); ++e) {
    const auto x = [&](int i) { return mesh.nodes[static_cast<std::size_t>(tets.element(e)[i])]; };
    const TetShape shape = tet_shape(x(0), x(1), x(2), x(3));
    if (e < 5 * 24) {
      EXPECT_GT(shape.min_dihedral, 45);
    } else {
      EXPECT_LT(shape.min_dihedral, 4);
      EXPECT_GT(shape.max_dihedral, 175);
      EXPECT_NEAR(element_measure(mesh, tets, e), 0.02 * 0.1 * 0.1 * 0.1 / 3, 1e-9);
    }
  }
}

TEST(SliverBar, WhatCannotBeMadeIsRefused) {
  EXPECT_THROW(make_sliver_bar({1, 1, 1}, {2, 2, 2}, 0), Error);
  EXPECT_THROW(make_sliver_bar({1, 1, 1}, {2, 2, 2}, 0.5), Error);
  EXPECT_THROW(make_sliver_bar({1, 0, 1}, {2, 2, 2}, 0.1), Error);
  EXPECT_THROW(make_sliver_bar({1, 1, 1}, {2, 0, 2}, 0.1), Error);
  EXPECT_THROW(make_sliver_bar({1, 1, 1}, {2, 2, 2}, std::nan("")), Error);
  EXPECT_THROW(make_sliver_bar({1, 1, 1}, {1000, 1000, 100}, 0.1), Error) << "more than memory should hold";
}

}  // namespace
}  // namespace dashpot::test_sliver_bar
