#pragma once
// A matrix that acts on the x, y and z components of node positions alike: one number per slot of a BlockPattern.

#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

/// y += scale * A x, 3 numbers per block; bits do not depend on the thread count.
void multiply_add(const BlockPattern& pattern, const std::vector<double>& of_slot, double scale, const Vector& x,
                  Vector& y);
/// matrix += scale * (A (x) I_3).
void add_to_blocks(const std::vector<double>& of_slot, double scale, BlockMatrix& matrix);
/// of_slot += scale * A where every block of `matrix` is a multiple of I_3; false, and nothing added, where one is not.
bool add_if_scalar(const BlockMatrix& matrix, double scale, std::vector<double>& of_slot);

}  // namespace dashpot
