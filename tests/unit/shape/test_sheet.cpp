// Sheets and shells: areas, angles, rims.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/asset_quality.hpp"

namespace dashpot::testing::test_sheet {
namespace {

constexpr double pi = std::numbers::pi;

Shape shape_of(const std::string& text) {
  ParsedShape parsed = parse_shape(text, "test.json");
  for (const Problem& problem : parsed.problems) ADD_FAILURE() << problem.text();
  return std::move(parsed.shape);
}

double area_of(const Mesh& mesh) { return surface_area(mesh.nodes, boundary_surface(mesh).triangles); }

TEST(Sheet, ASquareMembraneKeepsItsCornersAndItsVolume) {
  const Shape shape =
      shape_of(R"({"dashpot_shape": 1, "sheet": {"outline": [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]],
      "thickness": "2 cm", "rotate": [-90, 0, 0]}})");
  for (const double tets : {2000.0, 11000.0}) {
    expect_quality(shape, tets);
    const Mesh mesh = mesh_shape(shape, {tets, 0, 0}).mesh;
    EXPECT_NEAR(tet_quality(mesh).volume, 0.02, 1e-9);
    EXPECT_NEAR(bounding_box(mesh.nodes).size().y(), 0.02, 1e-12);  // turned flat
  }
}

TEST(Sheet, AFoldedWavedLeafHasNoFlatTetsAndItsStemIsANodeSet) {
  const Shape shape = shape_of(
      R"({"dashpot_shape": 1, "sheet": {"outline": [[0, -0.06], [0.032, -0.01], [0.026, 0.03], [0, 0.075], [-0.026, 0.03],
      [-0.032, -0.01]], "spline": true, "thickness": "1.5 mm", "rotate": [-90, 0, 0],
      "bend": {"fold": 18, "fold_round": "4 mm", "arch_y": -6, "wave": "2 mm", "wave_length": "3 cm"}},
      "regions": {"stem": {"box": {"center": [0, -0.06, 0], "size": [0.02, 0.01, 0.1]}}}})");
  for (const double tets : {2000.0, 11000.0}) expect_quality(shape, tets);
  const Mesh mesh = mesh_shape(shape, {2000, 0, 0}).mesh;
  ASSERT_EQ(mesh.node_sets.size(), 1u);
  EXPECT_GT(mesh.node_sets[0].second.size(), 3u);
  EXPECT_GT(bounding_box(mesh.nodes).size().y(), 0.005);  // bent
}

TEST(Sheet, ARoundClothHasTheAreaOfItsDisc) {
  const Shape shape = shape_of(R"({"dashpot_shape": 1, "sheet": {"node": {"sphere": {"radius": 0.5}}}})");
  const Mesh coarse = mesh_shape(shape, {0, 0.05, 0}).mesh, fine = mesh_shape(shape, {0, 0.025, 0}).mesh;
  EXPECT_EQ(fine.tets(), nullptr);
  EXPECT_NEAR((pi / 4 - area_of(coarse)) / (pi / 4 - area_of(fine)), 4, 1);
  expect_quality(shape, 3000);
}

TEST(Shell, ASphereOpenedByAPlaneIsABowlWithALevelRim) {
  const Shape shape = shape_of(R"({"dashpot_shape": 1, "shape": {"sphere": {"radius": 0.1}},
      "shell": {"open": {"plane": {"normal": [0, -1, 0], "offset": "-3 cm"}}}})");
  expect_quality(shape, 2000);
  const Mesh mesh = mesh_shape(shape, {2000, 0, 0}).mesh;
  const std::vector<std::array<int, 2>> rim = boundary_edges(boundary_surface(mesh).triangles);
  ASSERT_GT(rim.size(), 10u);
  for (const auto& [a, b] : rim) EXPECT_NEAR(mesh.nodes[static_cast<std::size_t>(a)].y(), 0.03, 1e-4);
  EXPECT_NEAR(area_of(mesh), 2 * pi * 0.1 * 0.13, 0.01 * area_of(mesh));  // a spherical cap of height 13 cm
}

}  // namespace
}  // namespace dashpot::testing::test_sheet
