#pragma once
// Products with a matrix that acts on the x, y and z components of node positions alike: one number per slot of a
// BlockPattern, 3 numbers per block in the vectors. 12 bytes and 6 useful operations a slot: at 14-22 GB/s
// of one core 0.5-0.9 ns a slot. Reached inside a frame of projective dynamics, where matrix and vectors come from the
// second and third level of cache: 0.9-1.3 ns where y is written, 1.9 (50k slots) where it is read too.

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

/// y = scale A x + keep y on the given rows, where y is not read if keep = 0; returns scale x.A x over them. x, y and
/// of_slot are those of all rows. Sums are made in a fixed order: bits do not depend on the thread count. Matrices
/// below some 32000 slots stay on the calling thread.
double scalar_product(const BlockPattern& pattern, const BlockRange& rows, const double* of_slot, double scale,
                      const double* x, double keep, double* y);
/// On all rows.
inline double scalar_product(const BlockPattern& pattern, const double* of_slot, double scale, const double* x,
                             double keep, double* y) {
  return scalar_product(pattern, {0, pattern.num_blocks()}, of_slot, scale, x, keep, y);
}

}  // namespace dashpot
