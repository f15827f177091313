// Two sheets sewn together: topology of what comes out.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/asset_quality.hpp"

namespace dashpot::testing::test_sewn_sheet {
namespace {

Mesh sewn(const std::string& sheet, double spacing) {
  const ParsedShape parsed = parse_shape(R"({"dashpot_shape": 1, "sheet": )" + sheet + "}", "test.json");
  for (const Problem& problem : parsed.problems) ADD_FAILURE() << problem.text();
  return mesh_shape(parsed.shape, {0, spacing, 0}).mesh;
}

struct Topology {
  int euler = 0, rims = 0, crowded = 0;  ///< nodes - edges + triangles; edges of one, of more than two triangles
};

Topology topology(const Mesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  const ElementGroup& triangles = *mesh.group(ElementKind::triangle);
  std::set<std::set<int>> different;
  for (int t = 0; t < triangles.size(); ++t) {
    const int* n = triangles.element(t);
    different.insert({n[0], n[1], n[2]});
    for (int k = 0; k < 3; ++k) ++edges[std::minmax(n[k], n[(k + 1) % 3])];
  }
  EXPECT_EQ(different.size(), static_cast<std::size_t>(triangles.size())) << "a triangle is there twice";
  Topology result{mesh.num_nodes() - static_cast<int>(edges.size()) + triangles.size()};
  for (const auto& [ends, count] : edges) {
    result.rims += count == 1;
    result.crowded += count > 2;
  }
  return result;
}

double area(const Mesh& mesh) { return surface_area(mesh.nodes, boundary_surface(mesh).triangles); }

const std::string square = R"("outline": [[0, 0], [1, 0], [1, 1], [0, 1]])";

TEST(SewnSheet, APillowIsASphere) {
  const Mesh pillow = sewn("{" + square + R"(, "sewn": {}})", 0.11);
  const Topology found = topology(pillow);
  EXPECT_EQ(found.euler, 2);
  EXPECT_EQ(found.rims, 0);
  EXPECT_EQ(found.crowded, 0);
  EXPECT_NEAR(area(pillow), 2, 1e-9);
}

TEST(SewnSheet, ABagIsADiscWithOneRim) {
  const Mesh bag =
      sewn("{" + square + R"(, "sewn": {"open": [{"box": {"center": [0.5, 1, 0], "size": [2, 0.01, 1]}}]}})", 0.11);
  const Topology found = topology(bag);
  EXPECT_EQ(found.euler, 1);
  EXPECT_GT(found.rims, 10);
  EXPECT_EQ(found.crowded, 0);
  // Node sets cover all nodes, once.
  std::vector<int> times(static_cast<std::size_t>(bag.num_nodes()), 0);
  for (const auto& [name, nodes] : bag.node_sets)
    for (const int node : nodes) ++times[static_cast<std::size_t>(node)];
  for (const int count : times) EXPECT_EQ(count, 1);
}

TEST(SewnSheet, NarrowPartsShareNoEdgeTwice) {
  // One triangle wide: every inner edge joins two nodes of the seam.
  const Mesh sliver = sewn(R"({"outline": [[0, 0], [1, 0], [1, 0.12], [0, 0.12]], "sewn": {}})", 0.1);
  const Topology found = topology(sliver);
  EXPECT_EQ(found.euler, 2);
  EXPECT_EQ(found.crowded, 0);
}

TEST(SewnSheet, TheShirtHasFourOpenings) {
  const Mesh shirt = mesh_shape(load_shape("t_shirt"), {4000, 0, 0}).mesh;
  const Topology found = topology(shirt);
  EXPECT_EQ(found.euler, 2 - 4);  // a sphere with holes for neck, hem and two arms
  EXPECT_EQ(found.crowded, 0);
}

TEST(SewnSheet, ThickSheetsAreNotSewn) {
  const ParsedShape parsed = parse_shape(
      R"({"dashpot_shape": 1, "sheet": {)" + square + R"(, "thickness": "1 cm", "sewn": {}}})", "test.json");
  ASSERT_FALSE(parsed.problems.empty());
  EXPECT_NE(parsed.problems[0].text().find("thickness"), std::string::npos);
}

}  // namespace
}  // namespace dashpot::testing::test_sewn_sheet
