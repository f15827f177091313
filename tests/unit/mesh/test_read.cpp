#include "dashpot/mesh/read.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"
#include "tiny_files.hpp"

namespace dashpot::test_read {
namespace {

using namespace dashpot::testing;

double volume(const Mesh& mesh) {
  double sum = 0;
  for (int e = 0; e < mesh.tets()->size(); ++e) sum += element_measure(mesh, *mesh.tets(), e);
  return sum;
}

TEST(ReadMsh, BothVersionsGiveOneTetWithItsRegionAndNodeSets) {
  for (const std::string& bytes : {tiny_msh22, tiny_msh41}) {
    MeshReport report;
    const Mesh mesh = read_msh(bytes, "tiny.msh", &report);
    ASSERT_EQ(mesh.groups.size(), 1u);
    EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-16);
    EXPECT_EQ(mesh.regions, std::vector<std::string>{"soft body"});
    ASSERT_EQ(mesh.node_sets.size(), 2u);
    EXPECT_EQ(mesh.node_sets[0].first, "floor");
    EXPECT_EQ(mesh.node_sets[0].second.size(), 3u);
    EXPECT_EQ(mesh.node_sets[1].first, "tip");
    EXPECT_EQ(mesh.nodes[static_cast<std::size_t>(mesh.node_sets[1].second.at(0))], Vec3(0, 0, 1));
    EXPECT_EQ(report.num_boundary_elements, 2);
    EXPECT_TRUE(report.unused_nodes.empty());
    EXPECT_TRUE(report.warnings.empty());
  }
}

TEST(ReadMsh, LowerDimensionsAreKeptOnRequest) {
  ReadOptions keep;
  keep.keep_lower_dimensions = true;
  const Mesh mesh = read_msh(tiny_msh41, "tiny.msh", nullptr, keep);
  ASSERT_NE(mesh.group(ElementKind::triangle), nullptr);
  EXPECT_EQ(mesh.group(ElementKind::triangle)->size(), 1);
  EXPECT_EQ(mesh.regions, (std::vector<std::string>{"floor", "soft body"}));
}

TEST(ReadMsh, NodeNumbersMayBeSparse) {
  std::string bytes = tiny_msh22;
  for (std::size_t at = 0; (at = bytes.find("40", at)) != std::string::npos; at += 10)
    bytes.replace(at, 2, "4000000000");
  EXPECT_NEAR(volume(read_msh(bytes, "sparse.msh")), 1.0 / 6, 1e-16);
}

TEST(ReadMsh, OtherElementTypesAndVersionsAreRefusedByName) {
  for (const auto& [from, to, needle] : {std::array<std::string, 3>{"3 4 2 5 1", "3 5 2 5 1", "hexahedron"},
                                         {"2.2 0 8", "4 0 8", "version 4"},
                                         {"2.2 0 8", "2.2 0 4", "numbers of 4 bytes"}}) {
    std::string bytes = tiny_msh22;
    bytes.replace(bytes.find(from), from.size(), to);
    try {
      read_msh(bytes, "bad.msh");
      FAIL() << "accepted " << needle;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(needle), std::string::npos) << error.what();
    }
  }
}

TEST(ReadVeg, GivesMaterialsRegionsAndLeftoverSets) {
  VegaProperties properties;
  const Mesh mesh = read_veg(tiny_veg, "tiny.veg", &properties);
  ASSERT_EQ(mesh.tets()->size(), 2);
  EXPECT_NEAR(volume(mesh), 0.5, 1e-15);
  EXPECT_EQ(mesh.regions, (std::vector<std::string>{"allElements", "upper"}));
  EXPECT_EQ(mesh.tets()->region, (std::vector<int>{0, 1}));
  ASSERT_EQ(properties.materials.size(), 2u);
  EXPECT_EQ(properties.materials[1].name, "hard");
  EXPECT_EQ(properties.materials[1].density, 2000);
  EXPECT_EQ(properties.materials[1].young, 1e7);
  EXPECT_EQ(properties.materials[1].poisson, 0.3);
  ASSERT_EQ(properties.regions.size(), 2u);
  EXPECT_EQ(properties.regions[1].set, "upper");
  EXPECT_EQ(properties.regions[1].material, "hard");
  ASSERT_EQ(mesh.node_sets.size(), 1u);
  EXPECT_EQ(mesh.node_sets[0].first, "marked");
  EXPECT_EQ(mesh.node_sets[0].second, (std::vector<int>{0, 1, 2, 3}));
}

TEST(ReadVeg, CountsFromZeroWhenTheFileDoes) {
  const std::string bytes =
      "*VERTICES\n4 3 0 0\n0 0,0,0\n1 1,0,0\n2 0,1,0\n3 0,0,1\n*ELEMENTS\nTETS\n1 4 0\n0 0 1 2 3\n";
  EXPECT_NEAR(volume(read_veg(bytes, "zero.veg")), 1.0 / 6, 1e-16);
}

TEST(ReadVeg, FollowsIncludesAndNamesTheIncludedFileInMessages) {
  const std::string bytes = "*VERTICES\n*INCLUDE part.node\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n";
  std::string part = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
  const auto loader = [&](const std::string& name) {
    EXPECT_EQ(name, "part.node");
    return part;
  };
  EXPECT_NEAR(volume(read_veg(bytes, "whole.veg", nullptr, nullptr, {}, loader)), 1.0 / 6, 1e-16);
  part = "4 3 0 0\n1 0 0 0\n2 1 x 0\n3 0 1 0\n4 0 0 1\n";
  try {
    read_veg(bytes, "whole.veg", nullptr, nullptr, {}, loader);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].place, "part.node:3");
  }
}

TEST(ReadVeg, FileThatIncludesItselfIsRefused) {
  const std::string bytes = "*INCLUDE self.veg\n";
  EXPECT_THROW(read_veg(bytes, "self.veg", nullptr, nullptr, {}, [&](const std::string&) { return bytes; }), Error);
  EXPECT_THROW(read_veg(bytes, "memory.veg"), Error);
}

TEST(ReadVeg, CubicMeshesAreRefusedWithARemedy) {
  std::string bytes = tiny_veg;
  bytes.replace(bytes.find("TET\n2 4 0"), 9, "CUBIC\n2 8 0");
  try {
    read_veg(bytes, "cubes.veg");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("Divide the cubes into tets"), std::string::npos) << error.what();
  }
}

TEST(ReadVeg, UnknownMaterialsSetsAndElementsAreNamedTogether) {
  std::string bytes = tiny_veg;
  bytes.replace(bytes.find("upper, hard"), 11, "uper, hrad ");
  bytes.replace(bytes.find("marked\n1,"), 9, "marked\n7,");
  try {
    read_veg(bytes, "bad.veg");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 3u) << error.what();
    EXPECT_NE(std::string(error.what()).find("Did you mean 'hard'"), std::string::npos) << error.what();
  }
}

TEST(ReadTetgen, OneAndZeroBasedFilesAgree) {
  const Mesh one = read_tetgen(tiny_node, tiny_ele, "tiny");
  const Mesh zero = read_tetgen("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "1 4 0\n0 0 1 2 3\n", "tiny");
  EXPECT_EQ(one.tets()->nodes, zero.tets()->nodes);
  EXPECT_EQ(one.nodes, zero.nodes);
  EXPECT_EQ(one.regions, std::vector<std::string>{"17"});
  ASSERT_EQ(one.node_sets.size(), 1u);
  EXPECT_EQ(one.node_sets[0].first, "marker 3");
  EXPECT_EQ(one.node_sets[0].second, std::vector<int>{3});
}

TEST(ReadTetgen, MiddleNodesInAnyOrderFindTheirEdges) {
  const std::string nodes =
      "10 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 .5 .5\n6 .5 0 .5\n7 0 0 .5\n8 .5 .5 0\n9 0 .5 0\n10 .5 0 0\n";
  const Mesh mesh = read_tetgen(nodes, "1 10 0\n1 1 2 3 4 5 6 7 8 9 10\n", "quadratic");
  ASSERT_NE(mesh.group(ElementKind::tet10), nullptr);
  EXPECT_EQ(mesh.tets()->nodes, (std::vector<int>{0, 1, 2, 3, 9, 7, 8, 6, 4, 5}));
  EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-16);
}

TEST(ReadTetgen, NodesAloneAreAPointCloud) {
  const Mesh mesh = read_tetgen(tiny_node, {}, "cloud");
  EXPECT_EQ(mesh.group(ElementKind::point)->size(), 4);
}

TEST(ReadSurface, EveryFormatGivesTheSameClosedTetrahedron) {
  const Mesh meshes[] = {read_obj(tiny_obj, "t.obj"),
                         read_off(tiny_off, "t.off"),
                         read_ply(tiny_ply, "t.ply"),
                         read_ply(tiny_binary_ply(false), "t.ply"),
                         read_ply(tiny_binary_ply(true), "t.ply"),
                         read_stl(tiny_stl(), "t.stl"),
                         read_stl(tiny_binary_stl(), "t.stl"),
                         read_stl(tiny_binary_stl("solid but binary"), "t.stl")};
  for (const Mesh& mesh : meshes) {
    EXPECT_EQ(mesh.num_nodes(), 4);
    const Surface surface = boundary_surface(mesh);
    ASSERT_EQ(surface.triangles.size(), 4u);
    EXPECT_TRUE(boundary_edges(surface.triangles).empty());
    EXPECT_NEAR(enclosed_volume(mesh.nodes, surface.triangles), 1.0 / 6, 1e-16);
  }
  EXPECT_EQ(meshes[0].regions, std::vector<std::string>{"skin"});
}

TEST(ReadSurface, PolygonsBecomeFansAndLinesEdges) {
  const Mesh mesh = read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nl 1 2 3\np 4\n", "square.obj");
  EXPECT_EQ(mesh.group(ElementKind::triangle)->nodes, (std::vector<int>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(mesh.group(ElementKind::edge)->nodes, (std::vector<int>{0, 1, 1, 2}));
  EXPECT_EQ(mesh.group(ElementKind::point)->nodes, (std::vector<int>{3}));
}

TEST(ReadSurface, FlatTrianglesAreRefusedOrDroppedOnRequest) {
  const std::string bytes = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n";
  EXPECT_THROW(read_obj(bytes, "flat.obj"), Error);
  ReadOptions drop;
  drop.drop_degenerate_surface = true;
  MeshReport report;
  const Mesh mesh = read_obj(bytes, "flat.obj", &report, drop);
  EXPECT_EQ(mesh.groups[0].size(), 1);
  EXPECT_EQ(report.num_dropped_elements, 1);
}

TEST(MeshReport, InvertedTetsAreTurnedAndCounted) {
  MeshReport report;
  const Mesh mesh = read_tetgen("4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "2 4 0\n1 2 1 3 4\n2 1 2 3 4\n",
                                "inverted", &report);
  EXPECT_EQ(report.num_flipped_tets, 1);
  EXPECT_NEAR(volume(mesh), 2.0 / 6, 1e-16);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(report.warnings[0].severity, Problem::Severity::warning);
}

TEST(MeshReport, InvertedQuadraticTetKeepsItsMiddleNodesOnTheirEdges) {
  const std::string nodes =
      "10 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 -1\n5 0 .5 -.5\n6 .5 0 -.5\n7 0 0 -.5\n8 .5 .5 0\n9 0 .5 0\n10 .5 0 "
      "0\n";
  MeshReport report;
  const Mesh mesh = read_tetgen(nodes, "1 10 0\n1 1 2 3 4 5 6 7 8 9 10\n", "quadratic", &report);
  EXPECT_EQ(report.num_flipped_tets, 1);
  EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-16);
  std::array<Vec3, 10> X;
  for (std::size_t a = 0; a < 10; ++a) X[a] = mesh.nodes[static_cast<std::size_t>(mesh.tets()->nodes[a])];
  EXPECT_TRUE(tet10_is_straight(X.data()));
}

TEST(MeshReport, DuplicateAndUnusedNodesAreReportedAndKept) {
  MeshReport report;
  const Mesh mesh = read_tetgen("6 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 0 0\n6 9 9 9\n", "1 4 0\n1 1 2 3 4\n",
                                "spare", &report);
  EXPECT_EQ(mesh.num_nodes(), 6);
  EXPECT_EQ(report.duplicate_nodes, std::vector<int>{4});
  EXPECT_EQ(report.unused_nodes, (std::vector<int>{4, 5}));
  EXPECT_EQ(report.warnings.size(), 2u);
}

/// Meshes from outside the project; empty when they are not here.
std::filesystem::path outside_data() {
  if (const char* folder = std::getenv("DASHPOT_DATA")) return folder;
  // tests/unit/mesh/read_test.cpp -> four up is the source folder, the data lies beside it.
  const auto source = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path();
  return source.parent_path() / "shared" / "data";
}

TEST(OutsideMeshes, TheFourGmshDialectsOfOneMeshAgree) {
  const std::filesystem::path folder = outside_data() / "meshes" / "polyfem-data";
  if (!std::filesystem::exists(folder / "22_ascii.msh"))
    GTEST_SKIP() << "no outside meshes in " << folder << " (set DASHPOT_DATA)";
  const Mesh first = read_mesh((folder / "22_ascii.msh").string());
  EXPECT_EQ(first.tets()->size(), 5);
  EXPECT_EQ(first.regions, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_GT(volume(first), 0.1);
  for (const char* name : {"22_binary.msh", "41_ascii.msh", "41_binary.msh"}) {
    const Mesh other = read_mesh((folder / name).string());
    EXPECT_EQ(other.regions, first.regions);
    EXPECT_EQ(other.tets()->region, first.tets()->region);
    // Node order differs between the dialects: compare positions of element corners.
    ASSERT_EQ(other.tets()->size(), first.tets()->size());
    for (std::size_t i = 0; i < first.tets()->nodes.size(); ++i)
      EXPECT_EQ(other.nodes[static_cast<std::size_t>(other.tets()->nodes[i])],
                first.nodes[static_cast<std::size_t>(first.tets()->nodes[i])])
          << name;
  }
}

TEST(OutsideMeshes, BodiesOfOtherProgramsAreClosedAndSound) {
  const std::filesystem::path folder = outside_data() / "meshes";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no outside meshes in " << folder << " (set DASHPOT_DATA)";
  for (const char* name :
       {"polyfem-data/bar-651.msh", "polyfem-data/sphere1K.msh", "polyfem-data/torus.msh", "vegafem/beam3_tet.veg"}) {
    MeshReport report;
    const Mesh mesh = read_mesh((folder / name).string(), &report);
    const Surface skin = boundary_surface(mesh);
    EXPECT_TRUE(boundary_edges(skin.triangles).empty()) << name;
    EXPECT_GT(volume(mesh), 0) << name;
    EXPECT_NEAR(enclosed_volume(mesh.nodes, skin.triangles), volume(mesh), 1e-10 * volume(mesh)) << name;
  }
  EXPECT_GT(read_mesh((folder / "spot/spot.obj").string()).group(ElementKind::triangle)->size(), 5000);
}

}  // namespace
}  // namespace dashpot::test_read
