#pragma once
// A cloth of 7 x 7 cells, rolled up and crumpled a little, moving: 98 triangles, 133 hinges; no count is a multiple of
// four. Energies and dampings of thin elements are tried on it.
#include <cmath>
#include <vector>

#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/topology.hpp"
#include "dashpot/model/terms.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing {

struct RolledCloth {
  static constexpr int first_block = 2;
  Mesh mesh = make_cloth(0.7, 0.7, {7, 7});
  std::vector<int> edges, rows;  ///< of the mesh; of strands along its rows
  std::shared_ptr<const BlockPattern> pattern;
  Vector q, v;

  explicit RolledCloth(double crumpling = 0.02) {
    for (Vec3& x : mesh.nodes) x = {0.5 * std::sin(2 * x.x()), 0.5 * (1 - std::cos(2 * x.x())), x.z()};
    for (const auto& edge : unique_edges(mesh)) edges.insert(edges.end(), edge.begin(), edge.end());
    for (int i = 0; i + 8 < mesh.num_nodes(); ++i) rows.insert(rows.end(), {i, i + 8});
    q = v = Vector::Zero(3 * (first_block + mesh.num_nodes()));
    for (int i = 0; i < mesh.num_nodes(); ++i)
      for (int c = 0; c < 3; ++c) {
        const int k = 3 * (first_block + i) + c;
        q[k] = mesh.nodes[static_cast<std::size_t>(i)][c] + crumpling * rnd(k);
        v[k] = rnd(1000 + k);
      }
  }
  const std::vector<Vec3>& X() const { return mesh.nodes; }
  const std::vector<int>& triangles() const { return mesh.group(ElementKind::triangle)->nodes; }
  std::size_t num_triangles() const { return triangles().size() / 3; }
  template <class Term>
  void bind(Term& term) {
    PatternBuilder couplings;
    term.couple(couplings);
    pattern = couplings.build(3, first_block + mesh.num_nodes());
    term.bind(*pattern);
  }
  /// v = drift + omega x x.
  Vector rigid(const Vec3& drift, const Vec3& omega) const {
    Vector motion = Vector::Zero(q.size());
    for (Eigen::Index i = 3 * first_block; i < q.size(); i += 3)
      motion.segment<3>(i) = drift + omega.cross(Vec3(q.segment<3>(i)));
    return motion;
  }
  Vector direction() const {
    Vector d = Vector::Zero(q.size());
    for (Eigen::Index i = 3 * first_block; i < d.size(); ++i) d[i] = 0.1 * rnd(5000 + static_cast<int>(i));
    return d;
  }
};

}  // namespace dashpot::testing
