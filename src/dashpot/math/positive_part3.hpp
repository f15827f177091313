#pragma once
// The positive semidefinite part of symmetric 3 x 3 matrices without their eigenvectors, for tangents: as
// clamp_positive_semidefinite (symmetric3.hpp), to about 1e-8 of |A| where eigenvalues are close to zero and to each
// other, to round-off elsewhere, at a tenth of the cost.
//
// Signs of trace, second invariant and determinant tell how many eigenvalues are negative. Where some are, and not all,
// one eigenvalue has a sign of its own: with s = -1 if it is the negative one, s = 1 otherwise, Y = s A has one
// positive eigenvalue x. It is the largest root of the characteristic polynomial, to which Newton's iteration comes
// down from the bound (tr Y + 2 sqrt((tr Y)^2 - 3 I_2)) / 3; and its projector is adj(x I - Y) over its trace, so that
//     A+ = A + x adj(x I - Y) / tr adj   or   x adj(x I - Y) / tr adj.
// Where x is close to the other eigenvalues both are small, and the error of the projector does not matter.

#include "dashpot/math/matrix3.hpp"
#include "dashpot/math/scalar.hpp"

namespace dashpot::math {

template <class T>
DASHPOT_FORMULA inline Symmetric3<T> positive_part3(const Symmetric3<T>& A) {
  const T zero(0), one(1);
  const T d0 = A.m[0], d1 = A.m[1], d2 = A.m[2], o01 = A.m[3], o02 = A.m[4], o12 = A.m[5];
  const T m12 = d1 * d2 - o12 * o12;
  const T trace = d0 + d1 + d2, second = m12 + (d0 * d1 - o01 * o01) + (d0 * d2 - o02 * o02);
  const T det = d0 * m12 - o01 * (o01 * d2 - o12 * o02) + o02 * (o01 * o12 - d1 * o02);
  const T lowest = min(trace, min(second, det));
  if (all(lowest >= zero)) return A;

  const T s = select(det > zero, one, T(-1)), e1 = s * trace, e3 = s * det;
  const T root = sqrt(max(e1 * e1 - T(3) * second, zero)), least = T(1e-9) * root;
  T x = (e1 + T(2) * root) * T(1.0 / 3), slope = one;
  for (int i = 0; i < 40; ++i) {
    const T p = ((x - e1) * x + second) * x - e3;
    slope = (T(3) * x - T(2) * e1) * x + second;
    const T step = max(p, zero) / select(slope > zero, slope, one);
    x -= step;
    if (all(step <= least)) break;
  }
  const T b0 = x - s * d0, b1 = x - s * d1, b2 = x - s * d2;
  Symmetric3<T> B;
  B.m[0] = b1 * b2 - o12 * o12;
  B.m[1] = b0 * b2 - o02 * o02;
  B.m[2] = b0 * b1 - o01 * o01;
  B.m[3] = o02 * o12 + s * o01 * b2;
  B.m[4] = o01 * o12 + s * o02 * b1;
  B.m[5] = o01 * o02 + s * o12 * b0;
  const T sum = B.m[0] + B.m[1] + B.m[2];
  // Nothing is left where no eigenvalue is positive, everything where none is negative.
  const T is_none = select(max(trace, max(zero - second, det)) <= zero, one, zero),
          is_all = select(lowest >= zero, one, zero), is_mixed = (one - is_none) * (one - is_all);
  const T amount = is_mixed * select(sum > zero, max(x, zero) / select(sum > zero, sum, one), zero),
          kept = select(s < zero, is_mixed, zero) + is_all;
  for (int k = 0; k < 6; ++k) B.m[k] = amount * B.m[k] + select(kept > zero, A.m[k], zero);
  return B;
}

}  // namespace dashpot::math
