#include <algorithm>
#include <cmath>
#include <set>

#include <Eigen/Geometry>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/shape/triangle_mesh.hpp"

namespace dashpot {
namespace {

/// Triangles around each node, flat.
struct Stars {
  std::vector<int> first, triangles;
  explicit Stars(const TriangleMesh& mesh) : first(mesh.nodes.size() + 1, 0), triangles(3 * mesh.triangles.size()) {
    for (const auto& t : mesh.triangles)
      for (const int n : t) ++first[at(n) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<int> next(first.begin(), first.end() - 1);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (const int n : mesh.triangles[t]) triangles[at(next[at(n)]++)] = static_cast<int>(t);
  }
};

/// Smallest angle of the triangles around a node at x; negative when one is turned over against `normals`.
double star_quality(const TriangleMesh& mesh, const Stars& stars, int node, const Vec3& x,
                    const std::vector<Vec3>& normals) {
  double smallest = 180;
  for (int s = stars.first[at(node)]; s < stars.first[at(node) + 1]; ++s) {
    const int t = stars.triangles[at(s)];
    std::array<Vec3, 3> X;
    for (std::size_t i = 0; i < 3; ++i) {
      const int n = mesh.triangles[at(t)][i];
      X[i] = n == node ? x : mesh.nodes[at(n)];
    }
    if ((X[1] - X[0]).cross(X[2] - X[0]).dot(normals[at(t)]) <= 0) return -1;
    smallest = std::min(smallest, triangle_min_angle(X[0], X[1], X[2]));
  }
  return smallest;
}

std::vector<Vec3> triangle_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals;
  for (const auto& t : mesh.triangles)
    normals.push_back((mesh.nodes[at(t[1])] - mesh.nodes[at(t[0])]).cross(mesh.nodes[at(t[2])] - mesh.nodes[at(t[0])]));
  return normals;
}

double opposite_angle(const Vec3& a, const Vec3& b, const Vec3& at) {
  const Vec3 u = a - at, v = b - at;
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

/// Directed edges (from, to, triangle), sorted by their ends so that twins are neighbors.
struct HalfEdge {
  int low, high, triangle;
};

bool try_flip(TriangleMesh& mesh, int t1, int t2, int a, int b) {
  auto &first = mesh.triangles[at(t1)], &second = mesh.triangles[at(t2)];
  const auto third = [&](const std::array<int, 3>& t) {
    return t[0] != a && t[0] != b ? t[0] : t[1] != a && t[1] != b ? t[1] : t[2];
  };
  const int c = third(first), d = third(second);
  const auto X = [&](int n) -> const Vec3& { return mesh.nodes[at(n)]; };
  if (opposite_angle(X(a), X(b), X(c)) + opposite_angle(X(a), X(b), X(d)) < 3.1415926 + 1e-6) return false;
  const auto normal = [&](const std::array<int, 3>& t) -> Vec3 {
    return (X(t[1]) - X(t[0])).cross(X(t[2]) - X(t[0])).normalized();
  };
  const Vec3 n1 = normal(first), n2 = normal(second);
  if (n1.dot(n2) < 0.7) return false;  // a fold of more than 45 degrees is meant
  // In `first` the edge runs a -> b or b -> a; keep that turn.
  const auto where = std::find(first.begin(), first.end(), a) - first.begin();
  const bool forward = first[static_cast<std::size_t>((where + 1) % 3)] == b;
  const int p = forward ? a : b, q = forward ? b : a;
  const std::array<int, 3> one{p, d, c}, two{d, q, c};
  if (normal(one).dot(n1 + n2) <= 0.5 || normal(two).dot(n1 + n2) <= 0.5) return false;
  first = one;
  second = two;
  return true;
}

}  // namespace

std::vector<int> rim_nodes(const TriangleMesh& mesh) {
  std::vector<int> nodes;
  for (const auto& [a, b] : boundary_edges(mesh.triangles)) {
    nodes.push_back(a);
    nodes.push_back(b);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void smooth(TriangleMesh& mesh, FunctionRef<Vec3(const Vec3&, bool)> project, const SmoothOptions& options) {
  const Stars stars(mesh);
  std::vector<std::array<int, 2>> rim_neighbors(mesh.nodes.size(), {-1, -1});
  for (const auto& [a, b] : boundary_edges(mesh.triangles)) {
    rim_neighbors[at(a)][1] = b;
    rim_neighbors[at(b)][0] = a;
  }
  for (int sweep = 0; sweep < options.sweeps; ++sweep) {
    const std::vector<Vec3> normals = triangle_normals(mesh);
    for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n) {
      if (!options.is_fixed.empty() && options.is_fixed[at(n)] != 0) continue;
      const auto [before, after] = rim_neighbors[at(n)];
      const bool is_on_rim = before >= 0 || after >= 0;
      if (is_on_rim && (before < 0 || after < 0)) continue;
      Vec3 mean = Vec3::Zero();
      if (is_on_rim) {
        mean = 0.5 * (mesh.nodes[at(before)] + mesh.nodes[at(after)]);
      } else {
        double count = 0;
        for (int s = stars.first[at(n)]; s < stars.first[at(n) + 1]; ++s)
          for (const int other : mesh.triangles[at(stars.triangles[at(s)])])
            if (other != n) {
              mean += mesh.nodes[at(other)];
              count += 1;
            }
        mean /= count;
      }
      Vec3& x = mesh.nodes[at(n)];
      const Vec3 moved = project(0.5 * (x + mean), is_on_rim);
      if (star_quality(mesh, stars, n, moved, normals) >= star_quality(mesh, stars, n, x, normals)) x = moved;
    }
  }
}

void flip_edges(TriangleMesh& mesh) {
  for (int pass = 0; pass < 6; ++pass) {
    std::vector<HalfEdge> edges;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (std::size_t i = 0; i < 3; ++i) {
        const int a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
        edges.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t)});
      }
    std::sort(edges.begin(), edges.end(), [](const HalfEdge& x, const HalfEdge& y) {
      return x.low != y.low ? x.low < y.low : x.high != y.high ? x.high < y.high : x.triangle < y.triangle;
    });
    const auto exists = [&](int a, int b) {
      const HalfEdge wanted{std::min(a, b), std::max(a, b), -1};
      const auto found = std::lower_bound(edges.begin(), edges.end(), wanted, [](const HalfEdge& x, const HalfEdge& y) {
        return x.low != y.low ? x.low < y.low : x.high != y.high ? x.high < y.high : x.triangle < y.triangle;
      });
      return found != edges.end() && found->low == wanted.low && found->high == wanted.high;
    };
    std::set<std::pair<int, int>> made;
    std::vector<char> touched(mesh.triangles.size(), 0);
    bool changed = false;
    for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
      const HalfEdge &one = edges[e], &two = edges[e + 1];
      if (one.low != two.low || one.high != two.high) continue;
      if (touched[at(one.triangle)] != 0 || touched[at(two.triangle)] != 0) continue;
      const auto apex = [&](int t) {
        for (const int n : mesh.triangles[at(t)])
          if (n != one.low && n != one.high) return n;
        return -1;
      };
      const std::pair<int, int> wanted = std::minmax({apex(one.triangle), apex(two.triangle)});
      if (exists(wanted.first, wanted.second) || made.count(wanted) > 0) continue;
      if (!try_flip(mesh, one.triangle, two.triangle, one.low, one.high)) continue;
      touched[at(one.triangle)] = touched[at(two.triangle)] = 1;
      made.insert(wanted);
      changed = true;
    }
    if (!changed) return;
  }
}

}  // namespace dashpot
