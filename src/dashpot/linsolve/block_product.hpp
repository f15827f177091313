#pragma once
// Rows of a block-sparse product, for loops that fuse the product with something else (CG fuses it with a dot product).
// The bits of a row depend on the row alone, never on how rows are shared among threads.

#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

/// Block rows one worker takes at a time.
int product_rows_per_range(int block_size);

/// y_rows = scale * (A x)_rows, or y_rows += scale * (A x)_rows when `add`, for block rows begin .. end-1.
/// x and y are whole vectors of num_dofs entries and must not overlap.
void multiply_rows(const BlockMatrix& A, int begin, int end, double scale, bool add, const double* x, double* y);

}  // namespace dashpot
