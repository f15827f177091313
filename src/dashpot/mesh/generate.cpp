#include "dashpot/mesh/generate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/kuhn_tets.hpp"
#include "dashpot/mesh/topology.hpp"

namespace dashpot {
namespace {

void require_positive(std::vector<Problem>& problems, const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    problems.push_back({"", fmt::format("{} = {}", name, value), "a positive length in meters", ""});
}

void require_cells(std::vector<Problem>& problems, const char* name, int value) {
  if (value < 1) problems.push_back({"", fmt::format("{} = {}", name, value), "at least 1", ""});
}

void require_tet_kind(std::vector<Problem>& problems, ElementKind kind) {
  if (dimension(kind) != 3)
    problems.push_back({"", "a solid made of elements of kind " + to_string(kind), "tet4 or tet10", ""});
}

void throw_if_any(std::vector<Problem> problems) {
  if (!problems.empty()) throw Error(std::move(problems));
}

/// Node corner c (bits x=4, y=2, z=1) of cell (i, j, k).
struct BoxGrid {
  std::array<int, 3> cells;
  int node(int i, int j, int k) const { return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k; }
  int corner(int i, int j, int k, int bits) const {
    return node(i + (bits >> 2 & 1), j + (bits >> 1 & 1), k + (bits & 1));
  }
};

constexpr int axis_bit(int axis) { return 4 >> axis; }

/// Six tets along the monotone paths from corner `flip` to its opposite; flip mirrors the axes whose bit is set.
void append_kuhn(std::vector<int>& tets, const BoxGrid& grid, int i, int j, int k, int flip) {
  for (std::size_t p = 0; p < axis_permutations.size(); ++p) {
    std::array<int, 4> t{};
    int bits = 0;
    t[0] = grid.corner(i, j, k, flip);
    for (std::size_t s = 0; s < 3; ++s) {
      bits |= axis_bit(axis_permutations[p][s]);
      t[s + 1] = grid.corner(i, j, k, bits ^ flip);
    }
    const bool odd_permutation = p == 1 || p == 2 || p == 5;
    const bool odd_mirror = ((flip >> 2 & 1) + (flip >> 1 & 1) + (flip & 1)) % 2 == 1;
    if (odd_permutation != odd_mirror) std::swap(t[2], t[3]);
    tets.insert(tets.end(), t.begin(), t.end());
  }
}

/// Five tets: one regular-like in the middle, four at the corners it leaves; odd cells are mirrored so that faces
/// match.
void append_five(std::vector<int>& tets, const BoxGrid& grid, int i, int j, int k, bool odd) {
  constexpr int even_tets[5][4] = {{4, 2, 1, 7}, {0, 4, 2, 1}, {6, 2, 4, 7}, {5, 4, 1, 7}, {3, 1, 2, 7}};
  for (const auto& tet : even_tets) {
    std::array<int, 4> t{};
    for (std::size_t a = 0; a < 4; ++a) t[a] = grid.corner(i, j, k, odd ? tet[a] ^ 4 : tet[a]);
    if (odd) std::swap(t[2], t[3]);
    tets.insert(tets.end(), t.begin(), t.end());
  }
}

}  // namespace

Mesh make_bar(const Vec3& size, const std::array<int, 3>& cells, const BoxOptions& options) {
  std::vector<Problem> problems;
  for (int axis = 0; axis < 3; ++axis) {
    require_positive(problems, "size", size[axis]);
    require_cells(problems, "cells", cells[static_cast<std::size_t>(axis)]);
  }
  require_tet_kind(problems, options.kind);
  double num_cells = 1;
  for (const int n : cells) num_cells *= n;
  if (num_cells > 5e7)
    problems.push_back({"", fmt::format("{:.3g} cells", num_cells), "at most 5e7", "use fewer cells along an axis"});
  throw_if_any(std::move(problems));

  const BoxGrid grid{cells};
  Mesh mesh;
  mesh.nodes.reserve(static_cast<std::size_t>(grid.node(cells[0], cells[1], cells[2])) + 1);
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k)
        mesh.nodes.push_back(options.origin +
                             Vec3(size[0] * i / cells[0], size[1] * j / cells[1], size[2] * k / cells[2]));
  std::vector<int>& tets = mesh.group_or_new(ElementKind::tet4).nodes;
  tets.reserve(static_cast<std::size_t>(num_cells) * (options.split == CellSplit::five ? 20 : 24));
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k) {
        if (options.split == CellSplit::five)
          append_five(tets, grid, i, j, k, (i + j + k) % 2 == 1);
        else
          append_kuhn(tets, grid, i, j, k, options.split == CellSplit::kuhn ? 0 : (i % 2) * 4 + (j % 2) * 2 + k % 2);
      }
  return options.kind == ElementKind::tet10 ? to_quadratic(mesh) : mesh;
}

Mesh make_plate(double width, double depth, double thickness, const std::array<int, 3>& cells,
                const BoxOptions& options) {
  BoxOptions centerd = options;
  centerd.origin += Vec3(-0.5 * width, -0.5 * thickness, -0.5 * depth);
  return make_bar(Vec3(width, thickness, depth), cells, centerd);
}

Mesh make_cloth(double width, double depth, const std::array<int, 2>& cells) {
  std::vector<Problem> problems;
  require_positive(problems, "width", width);
  require_positive(problems, "depth", depth);
  for (const int n : cells) require_cells(problems, "cells", n);
  if (static_cast<double>(cells[0]) * cells[1] > 5e8)
    problems.push_back({"", "more than 5e8 squares", "fewer", "use fewer cells along an axis"});
  throw_if_any(std::move(problems));

  Mesh mesh;
  for (int i = 0; i <= cells[0]; ++i)
    for (int k = 0; k <= cells[1]; ++k) mesh.nodes.emplace_back(width * i / cells[0], 0, depth * k / cells[1]);
  std::vector<int>& triangles = mesh.group_or_new(ElementKind::triangle).nodes;
  const int row = cells[1] + 1;
  for (int i = 0; i < cells[0]; ++i)
    for (int k = 0; k < cells[1]; ++k) {
      const int a = i * row + k, b = a + 1, c = a + row, d = c + 1;  // a, b along z; c, d one step along x
      if ((i + k) % 2 == 0)
        triangles.insert(triangles.end(), {a, b, d, a, d, c});
      else
        triangles.insert(triangles.end(), {a, b, c, b, d, c});
    }
  return mesh;
}

Mesh make_chain(const Vec3& a, const Vec3& b, int num_edges) {
  std::vector<Problem> problems;
  require_cells(problems, "num_edges", num_edges);
  require_positive(problems, "length", (b - a).norm());
  throw_if_any(std::move(problems));
  Mesh mesh;
  std::vector<int>& edges = mesh.group_or_new(ElementKind::edge).nodes;
  for (int i = 0; i <= num_edges; ++i) {
    mesh.nodes.push_back(a + (b - a) * (static_cast<double>(i) / num_edges));
    if (i > 0) edges.insert(edges.end(), {i - 1, i});
  }
  return mesh;
}

Mesh make_strands(const std::array<int, 2>& counts, double width, double depth, const Vec3& to_tip, int num_edges) {
  std::vector<Problem> problems;
  for (const int n : counts) require_cells(problems, "counts", n);
  require_cells(problems, "num_edges", num_edges);
  require_positive(problems, "length", to_tip.norm());
  if (counts[0] > 1) require_positive(problems, "width", width);
  if (counts[1] > 1) require_positive(problems, "depth", depth);
  if (static_cast<double>(counts[0]) * counts[1] * (num_edges + 1.0) > 5e8)
    problems.push_back({"", "more than 5e8 nodes", "fewer", "use fewer strands or edges"});
  throw_if_any(std::move(problems));

  const auto coordinate = [](int i, int n, double size) {
    return n > 1 ? size * (static_cast<double>(i) / (n - 1) - 0.5) : 0;
  };
  Mesh mesh;
  std::vector<int>& edges = mesh.group_or_new(ElementKind::edge).nodes;
  std::vector<int> roots, tips;
  for (int i = 0; i < counts[0]; ++i)
    for (int k = 0; k < counts[1]; ++k) {
      const Vec3 root(coordinate(i, counts[0], width), 0, coordinate(k, counts[1], depth));
      roots.push_back(mesh.num_nodes());
      for (int n = 0; n <= num_edges; ++n) {
        if (n > 0) edges.insert(edges.end(), {mesh.num_nodes() - 1, mesh.num_nodes()});
        mesh.nodes.emplace_back(root + to_tip * (static_cast<double>(n) / num_edges));
      }
      tips.push_back(mesh.num_nodes() - 1);
    }
  mesh.node_sets = {{"roots", roots}, {"tips", tips}};
  return mesh;
}

Mesh make_points(const std::vector<Vec3>& positions) {
  Mesh mesh;
  mesh.nodes = positions;
  std::vector<int>& points = mesh.group_or_new(ElementKind::point).nodes;
  for (int i = 0; i < mesh.num_nodes(); ++i) points.push_back(i);
  return mesh;
}

}  // namespace dashpot
