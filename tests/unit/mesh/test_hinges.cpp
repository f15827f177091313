#include "dashpot/mesh/hinges.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/info.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot::test_hinges {
namespace {

/// Two bars of 2 x 1 x 1 cells, the second moved by `offset` and joined where nodes coincide.
Mesh two_bars(const Vec3& offset, ElementKind kind = ElementKind::tet4) {
  BoxOptions first, second;
  first.kind = second.kind = kind;
  second.origin = offset;
  Mesh mesh = join(make_bar(Vec3(2, 1, 1), {2, 1, 1}, first), make_bar(Vec3(2, 1, 1), {2, 1, 1}, second));
  merge_coincident_nodes(mesh, 1e-9);
  return mesh;
}

TEST(Hinges, ASolidBodyHasNoneAndNeitherHaveBodiesThatDoNotTouch) {
  EXPECT_TRUE(hinged_groups(make_bar(Vec3(2, 1, 1), {4, 2, 2})).empty());
  EXPECT_TRUE(hinged_groups(make_sphere(1, 2)).empty());
  EXPECT_TRUE(hinged_groups(two_bars(Vec3(2, 0, 0))).empty());
  const Mesh apart = two_bars(Vec3(5, 0, 0));
  ASSERT_EQ(num_connected_parts(apart), 2);
  EXPECT_TRUE(hinged_groups(apart).empty());
}

TEST(Hinges, AnEdgeLetsBarsTurnAndAVertexDoesInLinearAndQuadraticTets) {
  for (const ElementKind kind : {ElementKind::tet4, ElementKind::tet10}) {
    for (const auto& [offset, shared] :
         {std::pair{Vec3(2, 1, 0), kind == ElementKind::tet4 ? 2U : 3U}, std::pair{Vec3(2, 1, 1), 1U}}) {
      const Mesh mesh = two_bars(offset, kind);
      ASSERT_EQ(num_connected_parts(mesh), 1);
      const std::vector<HingedGroup> groups = hinged_groups(mesh);
      ASSERT_EQ(groups.size(), 1U);
      EXPECT_EQ(2 * static_cast<int>(groups[0].tets.size()), mesh.tets()->size());
      EXPECT_EQ(groups[0].nodes.size(), shared);
      EXPECT_NEAR(groups[0].volume, 2, 1e-12);
    }
  }
}

TEST(Hinges, ThreeSharedNodesHoldOnlyWhenTheyAreNotInALine) {
  // Two tets on opposite sides of a triangle's corners, but one of them does not have that triangle as a face: it has
  // the corners in three tets around a fourth node.
  Mesh mesh;
  mesh.nodes = {Vec3(0, 0, 0),      Vec3(1, 0, 0),       Vec3(0, 1, 0),
                Vec3(0.3, 0.3, -1), Vec3(0.3, 0.3, 0.2), Vec3(0.3, 0.3, 1)};
  mesh.group_or_new(ElementKind::tet4).nodes = {0, 2, 1, 3, 0, 1, 4, 5, 1, 2, 4, 5, 2, 0, 4, 5};
  EXPECT_TRUE(hinged_groups(mesh).empty());
  mesh.nodes[2] = Vec3(2, 0, 0);  // in a line with the other two: an axis
  EXPECT_EQ(hinged_groups(mesh).size(), 1U);
}

TEST(Hinges, TheLargestGroupOfAPartIsTheBodyAndTheOthersCanBeLeftOut) {
  BoxOptions large, small;
  small.origin = Vec3(4, 1, 1);
  Mesh mesh = join(make_bar(Vec3(1, 1, 1), {1, 1, 1}, small), make_bar(Vec3(4, 1, 1), {4, 1, 1}, large));
  merge_coincident_nodes(mesh, 1e-9);
  const std::vector<HingedGroup> groups = hinged_groups(mesh);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_NEAR(groups[0].volume, 1, 1e-12);
  const Mesh rest = without_tets(mesh, groups);
  EXPECT_TRUE(hinged_groups(rest).empty());
  EXPECT_EQ(rest.num_nodes(), mesh.num_nodes() - 7);
  EXPECT_NEAR(mesh_info(rest).volume, 4, 1e-12);
}

TEST(Hinges, InformationAboutAMeshSaysWhereTheyAre) {
  const MeshInfo info = mesh_info(two_bars(Vec3(2, 1, 1)));
  EXPECT_EQ(info.num_hinged_groups, 1);
  EXPECT_GT(info.num_hinged_tets, 0);
  EXPECT_NE(to_text(info).find("(2, 1, 1) m"), std::string::npos) << to_text(info);
  EXPECT_NE(to_json(info).find("\"hinged\""), std::string::npos);
  EXPECT_TRUE(mesh_info(two_bars(Vec3(2, 0, 0))).hinges.empty());
}

TEST(Hinges, ManyTetsAroundOneNodeAreCountedWithoutComparingAllPairs) {
  Mesh mesh;
  mesh.nodes.push_back(Vec3::Zero());
  std::vector<int>& tets = mesh.group_or_new(ElementKind::tet4).nodes;
  for (int i = 0; i < 20000; ++i) {
    const int n = mesh.num_nodes();
    const double x = 2.0 * i + 1;
    mesh.nodes.insert(mesh.nodes.end(), {Vec3(x, 1, 0), Vec3(x + 1, 1, 0), Vec3(x, 2, 1)});
    tets.insert(tets.end(), {0, n, n + 1, n + 2});
  }
  EXPECT_EQ(hinged_groups(mesh).size(), 19999U);
}

}  // namespace
}  // namespace dashpot::test_hinges
