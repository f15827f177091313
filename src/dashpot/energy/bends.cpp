// Bends of meshes: hinges between triangles and corners of strands.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <utility>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/energy/bending.hpp"

namespace dashpot {
namespace {

void check_range(const std::vector<int>& nodes, std::size_t num_nodes) {
  for (const int node : nodes)
    if (node < 0 || at(node) >= num_nodes)
      throw Error(Problem{"bending", fmt::format("node {}", node),
                          fmt::format("nodes from 0 to {}", static_cast<long>(num_nodes) - 1), ""});
}

double cotangent(const Vec3& corner, const Vec3& a, const Vec3& b) {
  return (a - corner).dot(b - corner) / (a - corner).cross(b - corner).norm();
}

double area(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * (b - a).cross(c - a).norm(); }

double rest_of(const Bend& bend, int n, const std::vector<Vec3>& X, RestBend rest) {
  if (rest == RestBend::straight) return 0;
  Vec3 g = Vec3::Zero();
  double scale = 0;
  for (std::size_t a = 1; a < at(n); ++a) {
    const Vec3 term = bend.coefficients[a] * (X[at(bend.nodes[a])] - X[at(bend.nodes[0])]);
    g += term;
    scale += term.norm();
  }
  return g.norm() > 1e-6 * scale ? g.norm() : 0;  // round-off of a flat mesh has no direction
}

struct Side {
  int triangle, opposite;
};

}  // namespace

std::vector<Bend> hinges(const std::vector<int>& triangles, const std::vector<Vec3>& X,
                         const std::vector<double>& stiffness, RestBend rest) {
  check_range(triangles, X.size());
  std::map<std::pair<int, int>, std::vector<Side>> sides;
  for (int e = 0; 3 * e + 2 < static_cast<int>(triangles.size()); ++e)
    for (int c = 0; c < 3; ++c) {
      const int i = triangles[at(3 * e + (c + 1) % 3)], j = triangles[at(3 * e + (c + 2) % 3)];
      sides[std::minmax(i, j)].push_back({e, triangles[at(3 * e + c)]});
    }
  std::vector<Bend> result;
  for (const auto& [edge, around] : sides)
    for (std::size_t s = 0; s + 1 < around.size(); ++s) {
      const auto [i, j] = edge;
      const int k = around[s].opposite, l = around[s + 1].opposite;
      if (k == l) continue;  // the same triangle twice
      const Vec3 &xi = X[at(i)], &xj = X[at(j)], &xk = X[at(k)], &xl = X[at(l)];
      const double ik = cotangent(xi, xj, xk), jk = cotangent(xj, xi, xk), il = cotangent(xi, xj, xl),
                   jl = cotangent(xj, xi, xl);
      Bend bend;
      bend.nodes = {i, j, k, l};
      bend.coefficients = {jk + jl, ik + il, -ik - jk, -il - jl};
      bend.weight = 0.5 * (stiffness[at(around[s].triangle)] + stiffness[at(around[s + 1].triangle)]) /
                    (area(xi, xj, xk) + area(xi, xj, xl));
      bend.rest = rest_of(bend, 4, X, rest);
      result.push_back(bend);
    }
  return result;
}

std::vector<Bend> strand_bends(const std::vector<int>& edges, const std::vector<Vec3>& X, double stiffness,
                               RestBend rest) {
  check_range(edges, X.size());
  std::vector<std::vector<int>> neighbors(X.size());
  for (std::size_t k = 0; k + 1 < edges.size(); k += 2) {
    neighbors[at(edges[k])].push_back(edges[k + 1]);
    neighbors[at(edges[k + 1])].push_back(edges[k]);
  }
  std::vector<Bend> result;
  for (int i = 0; i < static_cast<int>(X.size()); ++i) {
    const std::vector<int>& ends = neighbors[at(i)];
    if (ends.size() != 2 || ends[0] == ends[1]) continue;
    const double first = (X[at(i)] - X[at(ends[0])]).norm(), second = (X[at(ends[1])] - X[at(i)]).norm();
    Bend bend;
    bend.nodes = {ends[0], i, ends[1], 0};
    bend.coefficients = {1 / first, -1 / first - 1 / second, 1 / second, 0};
    bend.weight = 2 * stiffness / (first + second);
    bend.rest = rest_of(bend, 3, X, rest);
    result.push_back(bend);
  }
  return result;
}

}  // namespace dashpot
