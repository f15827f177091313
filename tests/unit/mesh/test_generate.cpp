#include "dashpot/mesh/generate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot::test_generate {
namespace {

double volume(const Mesh& mesh) {
  double sum = 0;
  for (int e = 0; e < mesh.tets()->size(); ++e) {
    const double v = element_measure(mesh, *mesh.tets(), e);
    EXPECT_GT(v, 0) << "tet " << e;
    sum += v;
  }
  return sum;
}

TEST(Generate, KuhnCubeIsTheReferenceFixtureCube8) {
  BoxOptions kuhn;
  kuhn.split = CellSplit::kuhn;
  const Mesh cube = make_bar(Vec3(1, 1, 1), {1, 1, 1}, kuhn);
  ASSERT_EQ(cube.num_nodes(), 8);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k) EXPECT_EQ(cube.nodes[static_cast<std::size_t>(4 * i + 2 * j + k)], Vec3(i, j, k));
  const std::vector<int> expected{0, 4, 6, 7, 0, 4, 7, 5, 0, 2, 7, 6, 0, 2, 3, 7, 0, 1, 5, 7, 0, 1, 7, 3};
  EXPECT_EQ(cube.tets()->nodes, expected);
  std::vector<int> tets_at(8, 0);
  for (const int n : cube.tets()->nodes) ++tets_at[static_cast<std::size_t>(n)];
  EXPECT_EQ(tets_at, (std::vector<int>{6, 2, 2, 2, 2, 2, 2, 6}));
  EXPECT_EQ(unique_edges(cube).size(), 19u);
  EXPECT_DOUBLE_EQ(volume(cube), 1);
}

TEST(Generate, KuhnBarIsTheReferenceFixtureBar16) {
  BoxOptions kuhn;
  kuhn.split = CellSplit::kuhn;
  const Mesh bar = make_bar(Vec3(3, 1, 1), {3, 1, 1}, kuhn);
  EXPECT_EQ(bar.num_nodes(), 16);
  EXPECT_EQ(bar.tets()->size(), 18);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(bar.nodes[static_cast<std::size_t>((2 * i + 1) * 2 + 0)], Vec3(i, 1, 0));
}

TEST(Generate, EverySplitFillsTheBoxWithoutGapsOrOverlaps) {
  for (const CellSplit split : {CellSplit::mirrored, CellSplit::kuhn, CellSplit::five}) {
    BoxOptions options;
    options.split = split;
    const Mesh bar = make_bar(Vec3(3, 0.5, 0.7), {5, 2, 3}, options);
    EXPECT_NEAR(volume(bar), 3 * 0.5 * 0.7, 1e-13);
    const Surface skin = boundary_surface(bar);
    EXPECT_NEAR(surface_area(bar.nodes, skin.triangles), 2 * (3 * 0.5 + 3 * 0.7 + 0.5 * 0.7), 1e-12);
    EXPECT_EQ(skin.num_faces_of_three, 0);
    EXPECT_TRUE(boundary_edges(skin.triangles).empty());
  }
}

std::set<std::set<int>> as_sets(const Mesh& mesh, const std::vector<int>& image) {
  std::set<std::set<int>> tets;
  for (int e = 0; e < mesh.tets()->size(); ++e) {
    std::set<int> tet;
    for (int a = 0; a < 4; ++a) tet.insert(image[static_cast<std::size_t>(mesh.tets()->element(e)[a])]);
    tets.insert(tet);
  }
  return tets;
}

/// Node indices after reflection of the y axis.
std::vector<int> reflected_in_y(const std::array<int, 3>& n) {
  std::vector<int> image;
  for (int i = 0; i <= n[0]; ++i)
    for (int j = 0; j <= n[1]; ++j)
      for (int k = 0; k <= n[2]; ++k) image.push_back((i * (n[1] + 1) + n[1] - j) * (n[2] + 1) + k);
  return image;
}

TEST(Generate, MirroredBarWithEvenCellsIsItsOwnMirrorImageAndKuhnIsNot) {
  const std::array<int, 3> cells{4, 2, 2};
  const std::vector<int> image = reflected_in_y(cells);
  std::vector<int> same(image.size());
  for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<int>(i);
  BoxOptions options;
  const Mesh mirrored = make_bar(Vec3(4, 2, 2), cells, options);
  EXPECT_EQ(as_sets(mirrored, image), as_sets(mirrored, same));
  options.split = CellSplit::kuhn;
  const Mesh kuhn = make_bar(Vec3(4, 2, 2), cells, options);
  EXPECT_NE(as_sets(kuhn, image), as_sets(kuhn, same));
}

TEST(Generate, PlateIsCenterdWithItsThicknessAlongY) {
  const Mesh plate = make_plate(2, 1, 0.1, {4, 1, 2});
  const BoundingBox box = bounding_box(plate.nodes);
  EXPECT_TRUE(box.min.isApprox(Vec3(-1, -0.05, -0.5)));
  EXPECT_TRUE(box.max.isApprox(Vec3(1, 0.05, 0.5)));
}

TEST(Generate, SphereVolumeConvergesWithTheSquareOfTheLayers) {
  const double exact = 4.0 / 3 * M_PI * 8;
  std::vector<double> error;
  for (const int layers : {2, 4, 8}) {
    const Mesh ball = make_sphere(2, layers, ElementKind::tet4, Vec3(1, 2, 3));
    EXPECT_EQ(ball.tets()->size(), 20 * layers * layers * layers);
    EXPECT_EQ(num_connected_parts(ball), 1);
    EXPECT_TRUE(boundary_edges(boundary_surface(ball).triangles).empty());
    EXPECT_EQ(boundary_surface(ball).triangles.size(), static_cast<std::size_t>(20 * layers * layers));
    error.push_back(exact - volume(ball));
  }
  EXPECT_GT(error[2], 0);
  EXPECT_GT(std::log2(error[0] / error[1]), 1.8);
  EXPECT_GT(std::log2(error[1] / error[2]), 1.9);
}

TEST(Generate, QuadraticSphereIsRounderThanTheLinearOneOfEqualNodes) {
  const double exact = 4.0 / 3 * M_PI;
  const double quadratic = volume(make_sphere(1, 3, ElementKind::tet10)), linear = volume(make_sphere(1, 6));
  EXPECT_LT(std::abs(quadratic - exact), 0.1 * std::abs(linear - exact));
}

TEST(Generate, SphereTetsAreWellShaped) {
  const Mesh ball = make_sphere(1, 5);
  double smallest = 180;
  for (int e = 0; e < ball.tets()->size(); ++e) {
    const int* n = ball.tets()->element(e);
    const auto X = [&](int a) { return ball.nodes[static_cast<std::size_t>(n[a])]; };
    smallest = std::min(smallest, tet_shape(X(0), X(1), X(2), X(3)).min_dihedral);
  }
  EXPECT_GT(smallest, 25);
}

TEST(Generate, ClothNormalsPointUpAndItsRimIsTheFourSides) {
  const Mesh cloth = make_cloth(2, 1, {6, 3});
  const Surface surface = boundary_surface(cloth);
  EXPECT_NEAR(surface_area(cloth.nodes, surface.triangles), 2, 1e-14);
  for (const Vec3& n : vertex_normals(cloth.nodes, surface.triangles)) EXPECT_TRUE(n.isApprox(Vec3::UnitY()));
  EXPECT_EQ(boundary_edges(surface.triangles).size(), 18u);
}

TEST(Generate, ChainHasEqualEdgesFromEndToEnd) {
  const Mesh chain = make_chain(Vec3(0, 0, 0), Vec3(0, -2, 0), 8);
  EXPECT_EQ(chain.group(ElementKind::edge)->size(), 8);
  for (int e = 0; e < 8; ++e) EXPECT_NEAR(element_measure(chain, chain.groups[0], e), 0.25, 1e-15);
  EXPECT_EQ(chain.nodes.back(), Vec3(0, -2, 0));
}

TEST(Generate, ImpossibleSizesAreAllNamedAtOnce) {
  try {
    make_bar(Vec3(-1, NAN, 1), {0, 1, 1});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
  EXPECT_THROW(make_sphere(1, 0), Error);
  EXPECT_THROW(make_cloth(1, 1, {0, 1}), Error);
  EXPECT_THROW(make_bar(Vec3(1, 1, 1), {10000, 10000, 10000}), Error);
  EXPECT_THROW(make_chain(Vec3(0, 0, 0), Vec3(0, 0, 0), 3), Error);
}

}  // namespace
}  // namespace dashpot::test_generate
