#pragma once
// The one rotation of a body that fits its motion best in the norm of a Laplacian L (reference ABCE, 4.3, "global"):
//     (tr S I - S) omega = sum_i r_i x (L v)_i = sum_i y_i x v_i,    S = sum_i r_i y_i^T,    y = L r.
// The second form of the moment (L is symmetric) needs no product with v. L does not see translations, so y is summed
// from differences of positions, r may be measured from anywhere, and a body far from the origin loses no digits.
// One pass over L.

#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

struct BodySpin {
  Vector y;      ///< L r [N s], 3 numbers per block; only at the given blocks
  Mat3 inverse;  ///< of tr S I - S
  Vec3 omega;    ///< [1/s]
};

/// L: one number per slot. blocks: the nodes that L couples, ascending. Bits do not depend on the thread
/// count.
BodySpin find_body_spin(const BlockPattern& pattern, const double* L, const std::vector<int>& blocks, const Vector& q,
                        const Vector& v);

}  // namespace dashpot
