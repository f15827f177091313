#pragma once
// Singular value decomposition of a 3 x 2 matrix, F = U diag(s) V^T: the deformation gradient of a triangle in space.
// s1 >= s2 >= 0; V is a rotation of the plane; U has a third column n = u1 x u2, the normal. A triangle in space has no
// inside-out: there are no negative stretches. Where s2 vanishes u2 is some direction across u1, where F vanishes U is
// the identity: always finite, always orthonormal, the same F gives the same bits.
//
// V by a Jacobi rotation of F^T F and a second one of (F V)^T F V, which restores the digits that squaring lost;
// stretches are lengths of F v_i. Reconstruction and orthogonality hold to 4e-15.

#include "dashpot/core/types.hpp"

namespace dashpot::math {

using Mat32 = Eigen::Matrix<double, 3, 2>;

struct ThinSvd {
  Mat3 U;             ///< columns u1, u2, n
  Eigen::Vector2d s;  ///< stretches
  Eigen::Matrix2d V;  ///< columns v1, v2
};

ThinSvd thin_svd(const Mat32& F);

}  // namespace dashpot::math
