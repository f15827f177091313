#include "dashpot/mesh/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/select.hpp"
#include "dashpot/mesh/surface.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::test_topology {
namespace {

double volume(const Mesh& mesh) {
  double sum = 0;
  for (int e = 0; e < mesh.tets()->size(); ++e) sum += element_measure(mesh, *mesh.tets(), e);
  return sum;
}

TEST(Surface, EnclosesTheVolumeOfItsTetsByTheDivergenceTheorem) {
  BoxOptions quadratic;
  quadratic.kind = ElementKind::tet10;
  quadratic.origin = Vec3(3, -2, 1);
  for (const Mesh& mesh :
       {make_bar(Vec3(2, 1, 1), {4, 2, 2}), make_bar(Vec3(2, 1, 1), {4, 2, 2}, quadratic), make_sphere(1, 3)}) {
    const Surface skin = boundary_surface(mesh);
    ASSERT_FALSE(skin.triangles.empty());
    EXPECT_TRUE(boundary_edges(skin.triangles).empty());
    EXPECT_NEAR(enclosed_volume(mesh.nodes, skin.triangles), volume(mesh), 1e-12);
    const BoundingBox box = bounding_box(mesh.nodes);
    const std::vector<Vec3> normals = vertex_normals(mesh.nodes, skin.triangles);
    for (const int n : surface_nodes(skin)) {
      const auto i = static_cast<std::size_t>(n);
      EXPECT_NEAR(normals[i].norm(), 1, 1e-12);
      EXPECT_GT(normals[i].dot(mesh.nodes[i] - 0.5 * (box.min + box.max)), 0)
          << "normal of node " << n << " points inwards";
    }
  }
}

TEST(Topology, QuadraticMeshHasOneNodePerEdgeAtItsMiddle) {
  Mesh bar = make_bar(Vec3(2, 1, 1), {3, 2, 2});
  bar.node_sets = {{"left", nodes_in_box(bar, Vec3(0, 0, 0), Vec3(0, 1, 1))}};
  const Mesh quadratic = to_quadratic(bar);
  EXPECT_EQ(quadratic.num_nodes(), bar.num_nodes() + static_cast<int>(unique_edges(bar).size()));
  const ElementGroup& group = *quadratic.group(ElementKind::tet10);
  ASSERT_EQ(group.size(), bar.tets()->size());
  for (int e = 0; e < group.size(); ++e) {
    const int* n = group.element(e);
    for (int m = 0; m < 6; ++m) {
      const auto X = [&](int a) { return quadratic.nodes[static_cast<std::size_t>(n[a])]; };
      const auto [a, b] = tet_edges[static_cast<std::size_t>(m)];
      EXPECT_LT((X(4 + m) - 0.5 * (X(a) + X(b))).norm(), 1e-15);
    }
  }
  EXPECT_NEAR(volume(quadratic), 2, 1e-13);
  EXPECT_EQ(quadratic.node_sets[0].second, nodes_in_box(quadratic, Vec3(0, 0, 0), Vec3(0, 1, 1)));
  EXPECT_EQ(quadratic.group(ElementKind::tet4), nullptr);
}

TEST(Topology, CoincidentNodesAreFoundAcrossCellBordersAndMerged) {
  Mesh bar = make_bar(Vec3(1, 1, 1), {2, 2, 2});
  Mesh second = make_bar(Vec3(1, 1, 1), {2, 2, 2});
  int k = 0;
  for (Vec3& x : second.nodes) {
    x[0] += 1;
    for (int c = 0; c < 3; ++c) x[c] += 0.4e-9 * testing::rnd(k++);
  }
  Mesh both = join(bar, second);
  ASSERT_EQ(both.num_nodes(), 54);
  EXPECT_EQ(num_connected_parts(both), 2);
  const NodeMap map = merge_coincident_nodes(both, 1e-8);
  EXPECT_EQ(both.num_nodes(), 45);
  EXPECT_EQ(map.num_new, 45);
  EXPECT_EQ(num_connected_parts(both), 1);
  EXPECT_NEAR(volume(both), 2, 1e-8);
  EXPECT_TRUE(boundary_edges(boundary_surface(both).triangles).empty());
}

TEST(Topology, ExactlyEqualNodesAreFoundWithZeroTolerance) {
  Mesh mesh = make_points({Vec3(0, 0, 0), Vec3(1, 2, 3), Vec3(1, 2, 3 + 1e-12), Vec3(1, 2, 3), Vec3(0, 0, 0)});
  EXPECT_EQ(coincident_nodes(mesh, 0), (std::vector<int>{0, 1, 2, 1, 0}));
}

TEST(Topology, UnusedNodesAreRemovedAndIndicesFollow) {
  Mesh bar = make_bar(Vec3(1, 1, 1), {1, 1, 1});
  bar.nodes.insert(bar.nodes.begin() + 3, Vec3(9, 9, 9));
  for (int& n : bar.groups[0].nodes)
    if (n >= 3) ++n;
  bar.node_sets = {{"some", {2, 3, 4}}};
  EXPECT_EQ(unused_nodes(bar), std::vector<int>{3});
  remove_unused_nodes(bar);
  EXPECT_EQ(bar.num_nodes(), 8);
  EXPECT_EQ(bar.node_sets[0].second, (std::vector<int>{2, 3}));
  EXPECT_NEAR(volume(bar), 1, 1e-15);
}

TEST(Topology, ReverseCuthillMcKeeNarrowsTheBandOfAShuffledBar) {
  const Mesh bar = make_bar(Vec3(10, 1, 1), {40, 4, 4});
  std::vector<int> shuffle(bar.nodes.size());
  for (std::size_t i = 0; i < shuffle.size(); ++i) shuffle[i] = static_cast<int>(i);
  std::sort(shuffle.begin(), shuffle.end(), [](int a, int b) { return testing::rnd(a) < testing::rnd(b); });
  const Mesh shuffled = reorder_nodes(bar, shuffle);
  ASSERT_GT(bandwidth(shuffled), 900);
  const std::vector<int> order = locality_order(shuffled);
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<int>(i)) << "not a permutation";
  const Mesh ordered = reorder_nodes(shuffled, order);
  EXPECT_LT(bandwidth(ordered), 100);
  EXPECT_NEAR(volume(ordered), 10, 1e-11);
}

TEST(Select, FindsNodesByBoxSphereNearnessRegionAndSet) {
  Mesh bar = make_bar(Vec3(2, 1, 1), {2, 1, 1});
  bar.regions = {"left", "right"};
  bar.groups[0].region = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  bar.node_sets = {{"tip", {8, 11}}};
  EXPECT_EQ(nodes_in_box(bar, Vec3(-1, -1, -1), Vec3(1e-6, 2, 2)), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(nodes_in_sphere(bar, Vec3(2, 0, 0), 1), (std::vector<int>{4, 8, 9, 10}));
  EXPECT_EQ(nearest_node(bar, Vec3(5, 0.9, 0.8)), 11);
  EXPECT_EQ(nodes_of_region(bar, "right"), (std::vector<int>{4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(elements_of_region(bar, bar.groups[0], "left").size(), 6u);
  EXPECT_EQ(nodes_of_set(bar, "tip"), (std::vector<int>{8, 11}));
}

TEST(Select, UnknownNamesAreAnsweredWithTheNearestOne) {
  Mesh bar = make_bar(Vec3(2, 1, 1), {2, 1, 1});
  bar.regions = {"left", "right"};
  bar.node_sets = {{"tip", {8, 11}}};
  try {
    nodes_of_region(bar, "rihgt");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean 'right'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(nodes_of_set(bar, "top"), Error);
}

TEST(Geometry, RegularTetHasAspectOneAndDihedralsOf70Degrees) {
  const TetShape shape = tet_shape(Vec3(1, 1, 1), Vec3(-1, -1, 1), Vec3(-1, 1, -1), Vec3(1, -1, -1));
  EXPECT_NEAR(shape.aspect, 1, 1e-14);
  EXPECT_NEAR(shape.min_dihedral, 70.528779365509308, 1e-12);
  EXPECT_NEAR(shape.max_dihedral, 70.528779365509308, 1e-12);
}

}  // namespace
}  // namespace dashpot::test_topology
