#pragma once
// A bar with slivers in it, to try what bad elements do to a simulation.
//
// Each box-shaped cell is cut into five tets. The cut is reflected from cell to cell along y and z, but not along x: on
// every inner face across x the diagonals of the two neighbors cross, and what closes the gap between them is a flat
// tet, the sliver of textbooks: four nodes near a square, no short edge, no small face, hardly any height. The ends of
// the one diagonal stand back by half the height, those of the other stand out, so slivers have a height of
// `flatness` times the cell's length. All other tets keep their shape.

#include <array>

#include "dashpot/mesh/mesh.hpp"

namespace dashpot {

/// A box of size [m] from the origin; nodes numbered (i*(ny+1)+j)*(nz+1)+k. 5 nx ny nz well shaped tets, then
/// (nx-1) ny nz slivers. 0 < flatness < 0.5; dashpot::Error otherwise, and for sizes or cells that are not positive.
Mesh make_sliver_bar(const Vec3& size, const std::array<int, 3>& cells, double flatness);

}  // namespace dashpot
