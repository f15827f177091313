#include <algorithm>
#include <cmath>
#include <map>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/kuhn_tets.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot {
namespace {

/// The 12 corners of a regular icosahedron on the unit sphere.
std::vector<Vec3> icosahedron_corners() {
  const double golden = 0.5 * (1 + std::sqrt(5.0));
  std::vector<Vec3> corners;
  for (const double s : {-1.0, 1.0})
    for (const double t : {-golden, golden}) {
      corners.push_back(Vec3(0, s, t).normalized());
      corners.push_back(Vec3(s, t, 0).normalized());
      corners.push_back(Vec3(t, 0, s).normalized());
    }
  return corners;
}

/// Its 20 faces: triples of mutually neighboring corners, ascending.
std::vector<std::array<int, 3>> icosahedron_faces(const std::vector<Vec3>& corners) {
  const double neighbor = 1.1;  // edge length on the unit sphere is 1.0515; the next distance is 1.7013
  const auto near = [&](int a, int b) {
    return (corners[static_cast<std::size_t>(a)] - corners[static_cast<std::size_t>(b)]).norm() < neighbor;
  };
  std::vector<std::array<int, 3>> faces;
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b)
      for (int c = b + 1; c < 12; ++c)
        if (near(a, b) && near(b, c) && near(a, c)) faces.push_back({a, b, c});
  return faces;
}

/// Lattice nodes of the 20 tets (center, face corners); nodes on shared faces are made once.
class BallNodes {
 public:
  BallNodes(double radius, int layers, const Vec3& center)
      : corners_(icosahedron_corners()), radius_(radius), layers_(layers), center_(center) {}

  const std::vector<Vec3>& corners() const { return corners_; }

  /// Node with integer weights w (sum = shell number) on the three face corners; the shell has radius r * sum / layers.
  int at(Mesh& mesh, const std::array<int, 3>& face, const std::array<int, 3>& w) {
    std::array<int, 6> key{-1, 0, -1, 0, -1, 0};
    Vec3 direction = Vec3::Zero();
    std::size_t used = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      if (w[c] == 0) continue;
      key[used++] = face[c];
      key[used++] = w[c];
      direction += w[c] * corners_[static_cast<std::size_t>(face[c])];
    }
    const auto [found, is_new] = index_.try_emplace(key, mesh.num_nodes());
    if (is_new) {
      const double shell = radius_ * (w[0] + w[1] + w[2]) / layers_;
      mesh.nodes.push_back(used == 0 ? center_ : Vec3(center_ + shell * direction.normalized()));
    }
    return found->second;
  }

 private:
  std::vector<Vec3> corners_;
  double radius_;
  int layers_;
  Vec3 center_;
  std::map<std::array<int, 6>, int> index_;
};

/// Freudenthal's division of one tet into layers^3: the Kuhn tets of the unit cubes inside layers >= x0 >= x1 >= x2 >=
/// 0. Face corners are in ascending order, which makes neighboring tets match on their common face.
void divide_tet(Mesh& mesh, BallNodes& nodes, const std::array<int, 3>& face, int layers) {
  std::vector<int>& tets = mesh.group_or_new(ElementKind::tet4).nodes;
  for (int i = 0; i < layers; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k <= j; ++k)
        for (const auto& permutation : axis_permutations) {
          std::array<int, 3> x{i, j, k};
          std::array<std::array<int, 3>, 4> path{x, x, x, x};
          bool inside = true;
          for (std::size_t s = 0; s < 3; ++s) {
            ++x[static_cast<std::size_t>(permutation[s])];
            path[s + 1] = x;
            inside = inside && x[0] >= x[1] && x[1] >= x[2];
          }
          if (!inside) continue;
          std::array<int, 4> t{};
          for (std::size_t a = 0; a < 4; ++a)
            t[a] = nodes.at(mesh, face, {path[a][0] - path[a][1], path[a][1] - path[a][2], path[a][2]});
          const auto X = [&](std::size_t a) { return mesh.nodes[static_cast<std::size_t>(t[a])]; };
          if (tet_volume(X(0), X(1), X(2), X(3)) < 0) std::swap(t[2], t[3]);
          tets.insert(tets.end(), t.begin(), t.end());
        }
}

/// Moves the middle nodes of surface edges out to the sphere.
void round_surface(Mesh& mesh, double radius, const Vec3& center) {
  for (const auto& triangle : boundary_surface(mesh).triangles)
    for (const int n : triangle) {
      Vec3& x = mesh.nodes[static_cast<std::size_t>(n)];
      x = center + radius * (x - center).normalized();
    }
}

}  // namespace

Mesh make_sphere(double radius, int layers, ElementKind kind, const Vec3& center) {
  std::vector<Problem> problems;
  if (!(radius > 0) || !std::isfinite(radius))
    problems.push_back({"", "radius = " + std::to_string(radius), "a positive length in meters", ""});
  if (layers < 1 || layers > 200)
    problems.push_back({"", "layers = " + std::to_string(layers), "1 to 200 (20 layers^3 tets)", ""});
  if (dimension(kind) != 3)
    problems.push_back({"", "a solid made of elements of kind " + to_string(kind), "tet4 or tet10", ""});
  if (!problems.empty()) throw Error(std::move(problems));

  Mesh mesh;
  BallNodes nodes(radius, layers, center);
  for (const auto& face : icosahedron_faces(nodes.corners())) divide_tet(mesh, nodes, face, layers);
  if (kind == ElementKind::tet4) return mesh;
  mesh = to_quadratic(mesh);
  round_surface(mesh, radius, center);
  return mesh;
}

}  // namespace dashpot
