#include "dashpot/mesh/sliver_bar.hpp"

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/mesh/geometry.hpp"

namespace dashpot {
namespace {

/// Corner c of a cell is at (c>>2 & 1, c>>1 & 1, c & 1). The inner tet has the corners with an even sum; the four
/// outer ones hold one odd corner each.
constexpr std::array<std::array<int, 4>, 5> five_tets{
    {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}}};

struct CellGrid {
  std::array<int, 3> cells;
  int node(int i, int j, int k) const { return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k; }
};

/// Ends of the diagonal that cells to the left have on a face across x, seen in the plane.
bool stands_back(int j, int k) { return (j + k) % 2 != 0; }

void add_tet(Mesh& mesh, std::array<int, 4> nodes) {
  const auto x = [&](int i) { return mesh.nodes[static_cast<std::size_t>(nodes[static_cast<std::size_t>(i)])]; };
  if (tet_volume(x(0), x(1), x(2), x(3)) < 0) std::swap(nodes[2], nodes[3]);
  std::vector<int>& list = mesh.group_or_new(ElementKind::tet4).nodes;
  list.insert(list.end(), nodes.begin(), nodes.end());
}

void check(const Vec3& size, const std::array<int, 3>& cells, double flatness) {
  const bool sized = size.allFinite() && size.minCoeff() > 0;
  const bool divided = cells[0] > 0 && cells[1] > 0 && cells[2] > 0 && 1.0 * cells[0] * cells[1] * cells[2] < 1e8;
  if (!sized || !divided || !(flatness > 0 && flatness < 0.5))
    throw Error(Problem{"bar with slivers",
                        fmt::format("size {:g} {:g} {:g} m, cells {} {} {}, flatness {:g}", size.x(), size.y(),
                                    size.z(), cells[0], cells[1], cells[2], flatness),
                        "sizes and cells > 0, 0 < flatness < 0.5", ""});
}

}  // namespace

Mesh make_sliver_bar(const Vec3& size, const std::array<int, 3>& cells, double flatness) {
  check(size, cells, flatness);
  const CellGrid grid{cells};
  Mesh mesh;
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k) {
        const double shift = i == 0 || i == cells[0] ? 0 : stands_back(j, k) ? -0.5 * flatness : 0.5 * flatness;
        mesh.nodes.push_back(size.cwiseProduct(Vec3((i + shift) / cells[0], 1.0 * j / cells[1], 1.0 * k / cells[2])));
      }
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k)
        for (const std::array<int, 4>& tet : five_tets) {
          std::array<int, 4> nodes{};
          for (std::size_t c = 0; c < 4; ++c) {
            const int dx = tet[c] >> 2 & 1, dy = tet[c] >> 1 & 1, dz = tet[c] & 1;
            nodes[c] = grid.node(i + dx, j + (j % 2 == 0 ? dy : 1 - dy), k + (k % 2 == 0 ? dz : 1 - dz));
          }
          add_tet(mesh, nodes);
        }
  for (int i = 1; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k)
        add_tet(mesh, {grid.node(i, j, k), grid.node(i, j + 1, k), grid.node(i, j + 1, k + 1), grid.node(i, j, k + 1)});
  return mesh;
}

}  // namespace dashpot
