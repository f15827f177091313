// The cast: every asset meshes at the promised quality, and its regions are there.
#include <gtest/gtest.h>

#include "dashpot/mesh/topology.hpp"
#include "dashpot/shape/assets.hpp"
#include "dashpot/shape/mesh_shape.hpp"
#include "mesh_quality.hpp"

namespace dashpot::testing {
namespace {

constexpr double promised_dihedral = 9;  // degrees, at 2k, 11k and 50k tets

class Asset : public ::testing::TestWithParam<std::string> {};

void expect_quality(const Shape& shape, double elements) {
  const ShapeMesh result = mesh_shape(shape, {elements, 0, 0});
  const Mesh& mesh = result.mesh;
  ASSERT_FALSE(mesh.groups.empty());
  EXPECT_NEAR(mesh.groups.front().size(), elements, 0.05 * elements);
  EXPECT_EQ(result.colors.size(), mesh.nodes.size());
  if (mesh.tets() == nullptr) {
    const ElementGroup& triangles = *mesh.group(ElementKind::triangle);
    for (int e = 0; e < triangles.size(); ++e) {
      const int* n = triangles.element(e);
      const auto X = [&](int i) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(n[i])]; };
      ASSERT_GT(triangle_min_angle(X(0), X(1), X(2)), promised_dihedral) << "triangle " << e;
    }
    return;
  }
  const TetQuality q = tet_quality(mesh);
  EXPECT_GE(q.min_dihedral, promised_dihedral) << elements << " tets";
  EXPECT_GT(q.smallest_volume, 0);
  EXPECT_EQ(q.num_bad_faces, 0);
  EXPECT_NEAR(q.volume, q.enclosed, 1e-9 * q.volume);
}

TEST_P(Asset, meshes_with_good_angles_at_two_and_eleven_thousand_elements) {
  const Shape shape = load_shape(GetParam());
  EXPECT_FALSE(shape.title.empty());
  expect_quality(shape, 2000);
  expect_quality(shape, 11000);
}

TEST_P(Asset, meshes_with_good_angles_at_fifty_thousand_elements) { expect_quality(load_shape(GetParam()), 50000); }

TEST_P(Asset, has_all_its_regions_and_sets_at_eleven_thousand_elements) {
  const ShapeMesh result = mesh_shape(load_shape(GetParam()), {11000, 0, 0});
  for (const Problem& warning : result.warnings)
    EXPECT_EQ(warning.found.find(" lies in the region"), std::string::npos) << warning.text();
}

INSTANTIATE_TEST_SUITE_P(Cast, Asset, ::testing::ValuesIn(asset_names()), [](const auto& asset) {
  std::string name = asset.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace dashpot::testing
