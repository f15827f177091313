#pragma once
// Small tet meshes for tests: a bar of Kuhn cubes, one tet, and their 10-node versions (mid-edge nodes in Gmsh order).
#include <array>
#include <map>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot::testing {

struct TinyMesh {
  std::vector<Vec3> X;
  std::vector<int> nodes;
  int nodes_per_tet = 4;

  Vector rest() const {
    Vector q(3 * static_cast<Eigen::Index>(X.size()));
    for (std::size_t i = 0; i < X.size(); ++i) q.segment<3>(3 * static_cast<Eigen::Index>(i)) = X[i];
    return q;
  }
};

/// The unit corner tet of reference fixture TET1.
inline TinyMesh unit_tet() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 2, 3}, 4}; }

/// nx x ny x nz cubes of side h, six tets each; node index (i (ny+1) + j)(nz+1) + k.
inline TinyMesh kuhn_bar(int nx, int ny, int nz, double h) {
  TinyMesh mesh;
  const auto id = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k) mesh.X.emplace_back(h * i, h * j, h * k);
  constexpr int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        for (int path = 0; path < 6; ++path) {
          std::array<int, 3> at{i, j, k};
          std::array<int, 4> tet{};
          tet[0] = id(i, j, k);
          for (int step = 0; step < 3; ++step) {
            ++at[static_cast<std::size_t>(axes[path][step])];
            tet[static_cast<std::size_t>(step) + 1] = id(at[0], at[1], at[2]);
          }
          if (path >= 3) std::swap(tet[2], tet[3]);  // odd paths are left-handed
          mesh.nodes.insert(mesh.nodes.end(), tet.begin(), tet.end());
        }
  return mesh;
}

/// The same body with 10-node tets; edges stay straight.
inline TinyMesh with_mid_nodes(const TinyMesh& linear) {
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}};
  TinyMesh mesh{linear.X, {}, 10};
  std::map<std::pair<int, int>, int> middle;
  for (std::size_t t = 0; t < linear.nodes.size(); t += 4) {
    const int* corner = linear.nodes.data() + t;
    mesh.nodes.insert(mesh.nodes.end(), corner, corner + 4);
    for (const auto& edge : edges) {
      const int a = std::min(corner[edge[0]], corner[edge[1]]), b = std::max(corner[edge[0]], corner[edge[1]]);
      const auto [found, is_new] = middle.try_emplace({a, b}, static_cast<int>(mesh.X.size()));
      if (is_new) mesh.X.push_back(0.5 * (mesh.X[static_cast<std::size_t>(a)] + mesh.X[static_cast<std::size_t>(b)]));
      mesh.nodes.push_back(found->second);
    }
  }
  return mesh;
}

}  // namespace dashpot::testing
