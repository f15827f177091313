#pragma once
// Eigen-decomposition of symmetric 3 x 3 matrices by cyclic Jacobi rotations, and the nearest positive semidefinite
// matrix. Branch-free within a sweep, so that four matrices can go through together; stops when all lanes have
// converged.

#include "dashpot/math/matrix3.hpp"

namespace dashpot::math {

/// Jacobi rotation that annihilates b in [[a, b], [b, d]], from difference = d - a and twice_b = 2 b: t = tan(angle),
/// |t| <= 1.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline void jacobi_angle(T difference, T twice_b, T& t, T& c, T& s) {
  const T root = sqrt(difference * difference + twice_b * twice_b);
  t = twice_b / (difference + with_sign(root + T(1e-300), difference));
  c = T(1) / sqrt(T(1) + t * t);
  s = t * c;
}

/// Rotates columns p and q of V: (v_p, v_q) <- (c v_p - s v_q, s v_p + c v_q).
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline void rotate_columns(Matrix3<T>& V, int p, int q, T c, T s) {
  for (int r = 0; r < 3; ++r) {
    const T vp = V(r, p), vq = V(r, q);
    V(r, p) = c * vp - s * vq;
    V(r, q) = s * vp + c * vq;
  }
}

/// One two-sided rotation in the plane (p, q); k is the third index.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline void jacobi_step(Symmetric3<T>& A, Matrix3<T>& V, int p, int q, int k) {
  T t, c, s;
  const T apq = A(p, q);
  jacobi_angle(A(q, q) - A(p, p), apq + apq, t, c, s);
  A(p, p) -= t * apq;
  A(q, q) += t * apq;
  A(p, q) = T(0);
  const T apk = A(p, k), aqk = A(q, k);
  A(p, k) = c * apk - s * aqk;
  A(q, k) = s * apk + c * aqk;
  rotate_columns(V, p, q, c, s);
}

/// A = V diag(w) V^T with V a rotation; eigenvalues in no particular order. Error about 1e-15 |A|.
template <class T>
DASHPOT_FORMULA inline void eigen_symmetric3(Symmetric3<T> A, T w[3], Matrix3<T>& V) {
  V = identity3<T>();
  for (int sweep = 0; sweep < 8; ++sweep) {
    const T diagonal = A.m[0] * A.m[0] + A.m[1] * A.m[1] + A.m[2] * A.m[2];
    const T off = A.m[3] * A.m[3] + A.m[4] * A.m[4] + A.m[5] * A.m[5];
    if (all(off <= T(1e-33) * diagonal)) break;
    jacobi_step(A, V, 0, 1, 2);
    jacobi_step(A, V, 0, 2, 1);
    jacobi_step(A, V, 1, 2, 0);
  }
  for (int i = 0; i < 3; ++i) w[i] = A.m[i];
}

/// Whether A is positive definite by a margin above round-off, told by its leading minors: cheaper than eigenvalues.
template <class T>
DASHPOT_FORMULA inline auto is_clearly_definite(const Symmetric3<T>& A) {
  const T margin(1e-10), trace = A(0, 0) + A(1, 1) + A(2, 2);
  const T minor = A(0, 0) * A(1, 1) - A(0, 1) * A(0, 1);
  const T determinant = A(0, 2) * (A(0, 1) * A(1, 2) - A(1, 1) * A(0, 2)) +
                        A(1, 2) * (A(0, 1) * A(0, 2) - A(0, 0) * A(1, 2)) + A(2, 2) * minor;
  return A(0, 0) > margin * trace && minor > margin * trace * trace && determinant > margin * trace * trace * trace &&
         trace > T(0);
}

/// Nearest positive semidefinite matrix in the Frobenius norm: negative eigenvalues become zero.
template <class T>
DASHPOT_FORMULA inline Symmetric3<T> clamp_positive_semidefinite(const Symmetric3<T>& A) {
  if (all(is_clearly_definite(A))) return A;
  T w[3];
  Matrix3<T> V;
  eigen_symmetric3(A, w, V);
  if (all(min(w[0], min(w[1], w[2])) >= T(0))) return A;
  for (int i = 0; i < 3; ++i) w[i] = max(w[i], T(0));
  Symmetric3<T> B;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      B(i, j) = V(i, 0) * w[0] * V(j, 0) + V(i, 1) * w[1] * V(j, 1) + V(i, 2) * w[2] * V(j, 2);
  return B;
}

}  // namespace dashpot::math
