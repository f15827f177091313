#pragma once
// What every tet mesh must satisfy, as numbers.
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"

namespace dashpot::testing {

struct TetQuality {
  double min_dihedral = 180, max_dihedral = 0, volume = 0, smallest_volume = 1e300;
  int num_bad_faces = 0;  ///< faces of three tets, or of two tets on the same side
  int euler = 0;          ///< V - E + F of the surface
  double surface_area = 0, enclosed = 0;
};

inline TetQuality tet_quality(const Mesh& mesh) {
  TetQuality q;
  const ElementGroup& tets = *mesh.tets();
  std::map<std::array<int, 3>, int> sides;  // face, sorted -> sum of orientations; 2 stands for one face twice
  std::map<std::array<int, 3>, int> uses;
  for (int e = 0; e < tets.size(); ++e) {
    const int* n = tets.element(e);
    const auto X = [&](int i) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(n[i])]; };
    const TetShape shape = tet_shape(X(0), X(1), X(2), X(3));
    const double volume = tet_volume(X(0), X(1), X(2), X(3));
    q.min_dihedral = std::min(q.min_dihedral, shape.min_dihedral);
    q.max_dihedral = std::max(q.max_dihedral, shape.max_dihedral);
    q.smallest_volume = std::min(q.smallest_volume, volume);
    q.volume += volume;
    for (const auto& f : tet_faces) {
      std::array<int, 3> face{n[f[0]], n[f[1]], n[f[2]]};
      int turn = 1;  // sign of the permutation that sorts it
      if (face[0] > face[1]) std::swap(face[0], face[1]), turn = -turn;
      if (face[1] > face[2]) std::swap(face[1], face[2]), turn = -turn;
      if (face[0] > face[1]) std::swap(face[0], face[1]), turn = -turn;
      sides[face] += turn;
      ++uses[face];
    }
  }
  for (const auto& [face, count] : uses) q.num_bad_faces += count > 2 || (count == 2 && sides[face] != 0) ? 1 : 0;
  const Surface surface = boundary_surface(mesh);
  const int faces = static_cast<int>(surface.triangles.size());
  q.euler = static_cast<int>(surface_nodes(surface).size()) - 3 * faces / 2 + faces;
  q.num_bad_faces += static_cast<int>(boundary_edges(surface.triangles).size());
  q.surface_area = dashpot::surface_area(mesh.nodes, surface.triangles);
  q.enclosed = enclosed_volume(mesh.nodes, surface.triangles);
  return q;
}

}  // namespace dashpot::testing
