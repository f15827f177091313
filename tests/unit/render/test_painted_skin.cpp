// The fine skin that pictures of runs show in place of a coarse body.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dashpot/mesh/surface.hpp"
#include "dashpot/render/painted_skin.hpp"
#include "dashpot/shape/assets.hpp"
#include "dashpot/shape/shape.hpp"

namespace dashpot::render::test_painted_skin {
namespace {

TEST(PaintedSkin, LiesOnTheShapeWhereTheBodyWasPlacedAndWearsItsColors) {
  ShapeSource source{std::string(asset_text("blob")), 0, 2, Mat3::Identity(), Vec3(0, 3, -1)};
  source.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const auto skin = painted_skin(source, 3000);
  ASSERT_TRUE(skin.has_value());
  ASSERT_EQ(skin->colors.size(), skin->surface.nodes.size());
  ASSERT_GT(skin->surface.group(ElementKind::triangle)->size(), 300);
  const Shape shape = load_shape("blob");
  double farthest = 0;
  for (const Vec3& x : skin->surface.nodes) {
    const Vec3 at = source.rotation.transpose() * (x - source.translation) / source.scale;
    farthest = std::max(farthest, std::abs(shape.value(at)));
  }
  EXPECT_LT(farthest, 1e-3) << "a body of 33 cm";
  EXPECT_TRUE(std::any_of(skin->colors.begin(), skin->colors.end(),
                          [&](const Rgb& color) { return color != skin->colors.front(); }));
}

TEST(PaintedSkin, OfASheetIsClosedAndEnclosesItsThickness) {
  const auto skin = painted_skin({std::string(asset_text("leaf"))}, 3000);
  ASSERT_TRUE(skin.has_value());
  const std::vector<std::array<int, 3>> triangles = boundary_surface(skin->surface).triangles;
  EXPECT_TRUE(boundary_edges(triangles).empty());
  const double volume = enclosed_volume(skin->surface.nodes, triangles);
  EXPECT_NEAR(volume / (0.5 * surface_area(skin->surface.nodes, triangles)), 0.0024, 0.0002) << "2.4 mm thick";
  EXPECT_TRUE(std::any_of(skin->colors.begin(), skin->colors.end(), [&](const Rgb& color) {
    return color != skin->colors.front();
  })) << "veins are paler than the blade";
}

TEST(PaintedSkin, OfAShellOrABrokenFileThereIsNone) {
  for (const std::string& text : {std::string(asset_text("shirt")), std::string("{")}) {
    EXPECT_FALSE(text.empty());
    EXPECT_FALSE(painted_skin({text}, 3000).has_value());
  }
}

}  // namespace
}  // namespace dashpot::render::test_painted_skin
