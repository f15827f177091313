#pragma once
// What every asset must satisfy at every resolution.
#include <cmath>

#include <gtest/gtest.h>

#include "dashpot/shape/mesh_shape.hpp"
#include "support/tet_quality.hpp"

namespace dashpot::testing {

inline constexpr double promised_dihedral = 9;  ///< [degrees], at 2k, 11k and 50k tets

/// Largest |f| at a node of the surface [m]. Two tets that split a common face differently leave inner nodes on it.
inline double largest_surface_value(const Shape& shape, const Mesh& mesh) {
  double largest = 0;
  for (const int n : surface_nodes(boundary_surface(mesh)))
    largest = std::max(largest, std::abs(shape.value(mesh.nodes[static_cast<std::size_t>(n)])));
  return largest;
}

/// Expects good angles, positive volumes and a conforming mesh; returns the mesher's warnings.
inline std::vector<Problem> expect_quality(const Shape& shape, double elements) {
  const ShapeMesh result = mesh_shape(shape, {elements, 0, 0});
  const Mesh& mesh = result.mesh;
  EXPECT_NEAR(mesh.groups.front().size(), elements, 0.05 * elements);
  EXPECT_EQ(result.colors.size(), mesh.nodes.size());
  if (mesh.tets() == nullptr) {
    const ElementGroup& triangles = *mesh.group(ElementKind::triangle);
    for (int e = 0; e < triangles.size(); ++e) {
      const int* n = triangles.element(e);
      const auto X = [&](int i) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(n[i])]; };
      EXPECT_GT(triangle_min_angle(X(0), X(1), X(2)), promised_dihedral) << "triangle " << e;
    }
    return result.warnings;
  }
  const TetQuality q = tet_quality(mesh);
  EXPECT_GE(q.min_dihedral, promised_dihedral) << elements << " tets";
  EXPECT_GT(q.smallest_volume, 0);
  EXPECT_EQ(q.num_bad_faces, 0);
  if (!shape.sheet) EXPECT_LT(largest_surface_value(shape, mesh), 1e-6 * result.spacing);
  EXPECT_NEAR(q.volume, q.enclosed, 1e-9 * q.volume);
  return result.warnings;
}

}  // namespace dashpot::testing
