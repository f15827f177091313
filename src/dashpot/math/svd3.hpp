#pragma once
// Singular value decomposition F = U diag(s) V^T, rotation variant: det U = det V = +1, |s0| >= |s1| >= |s2|, and the
// sign of det F sits on s2 (an inverted element has s2 < 0). [IrvingTeranFedkiw2004; reference D section 1]
//
// Jacobi on F^T F gives V up to an error that matters only inside the plane of the two small stretches; one one-sided
// rotation there repairs it. U comes from the columns of F V by Gram-Schmidt and a cross product, so it is a rotation
// for every F, singular ones included. Backward error and loss of orthogonality: a few 1e-16.
// Works on double and on packs (four matrices at once).

#include "dashpot/math/symmetric3.hpp"

namespace dashpot::math {

template <class T>
struct Svd3 {
  Matrix3<T> U;
  T s[3];
  Matrix3<T> V;
};

/// Exchanges columns p and q of A and V where mask holds; negates one of them, so that determinants keep their sign.
template <class T, class Mask>
DASHPOT_FORMULA inline void exchange_columns(Mask mask, int p, int q, Matrix3<T>& A) {
  for (int r = 0; r < 3; ++r) {
    const T ap = A(r, p), aq = A(r, q);
    A(r, p) = select(mask, aq, ap);
    A(r, q) = select(mask, -ap, aq);
  }
}

template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline T dot_columns(const Matrix3<T>& A, int p, const Matrix3<T>& B, int q) {
  return A(0, p) * B(0, q) + A(1, p) * B(1, q) + A(2, p) * B(2, q);
}

/// Sorts the columns of B = F V by decreasing length, applying the same exchanges to V.
template <class T>
DASHPOT_FORMULA inline void sort_columns(Matrix3<T>& B, Matrix3<T>& V) {
  T length[3];
  for (int i = 0; i < 3; ++i) length[i] = dot_columns(B, i, B, i);
  const int order[3][2] = {{0, 1}, {1, 2}, {0, 1}};
  for (const auto& [p, q] : order) {
    const auto wrong = length[p] < length[q];
    exchange_columns(wrong, p, q, B);
    exchange_columns(wrong, p, q, V);
    const T lp = length[p], lq = length[q];
    length[p] = select(wrong, lq, lp);
    length[q] = select(wrong, lp, lq);
  }
}

/// Column q of B minus its part along column 0 of U.
template <class T>
DASHPOT_FORMULA inline void remove_first(const Matrix3<T>& U, Matrix3<T>& B, int q) {
  const T d = dot_columns(U, 0, B, q);
  for (int r = 0; r < 3; ++r) B(r, q) -= d * U(r, 0);
}

template <class T>
DASHPOT_FORMULA inline void cross_columns(const Matrix3<T>& A, int p, int q, T out[3]) {
  out[0] = A(1, p) * A(2, q) - A(2, p) * A(1, q);
  out[1] = A(2, p) * A(0, q) - A(0, p) * A(2, q);
  out[2] = A(0, p) * A(1, q) - A(1, p) * A(0, q);
}

/// Column `column` of U = x / |x|, or `fallback` where |x|^2 <= least.
template <class T>
DASHPOT_FORMULA inline void set_unit_column(Matrix3<T>& U, int column, const T x[3], T least, const T fallback[3]) {
  const T squared = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  const auto usable = squared > least;
  const T inverse = T(1) / sqrt(select(usable, squared, T(1)));
  for (int r = 0; r < 3; ++r) U(r, column) = select(usable, x[r] * inverse, fallback[r]);
}

/// U and s from B = F V whose columns are sorted; the plane of columns 1 and 2 of B and V is rotated once more.
template <class T>
DASHPOT_FORMULA inline void finish_svd(Matrix3<T>& B, Matrix3<T>& V, Matrix3<T>& U, T s[3]) {
  const T x_axis[3] = {T(1), T(0), T(0)};
  set_unit_column(U, 0, B.m, T(0), x_axis);
  s[0] = dot_columns(U, 0, B, 0);
  remove_first(U, B, 1);
  remove_first(U, B, 2);
  T t, c, sn;
  const T b12 = dot_columns(B, 1, B, 2);
  jacobi_angle(dot_columns(B, 2, B, 2) - dot_columns(B, 1, B, 1), b12 + b12, t, c, sn);
  rotate_columns(B, 1, 2, c, sn);
  rotate_columns(V, 1, 2, c, sn);
  const auto wrong = dot_columns(B, 1, B, 1) < dot_columns(B, 2, B, 2);
  exchange_columns(wrong, 1, 2, B);
  exchange_columns(wrong, 1, 2, V);

  // A unit vector orthogonal to u0, for F of rank one: cross product with the axis least aligned with u0.
  const auto x_small = abs(U(0, 0)) < T(0.6);
  const T ax = select(x_small, T(1), T(0)), ay = select(x_small, T(0), T(1));
  const T normal[3] = {-U(2, 0) * ay, U(2, 0) * ax, U(0, 0) * ay - U(1, 0) * ax};
  const T inverse = T(1) / sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  const T fallback[3] = {normal[0] * inverse, normal[1] * inverse, normal[2] * inverse};
  // F is scaled to size one: below 4e-16, b1 is round-off of b0 and may even be parallel to it.
  set_unit_column(U, 1, B.m + 3, T(2e-31), fallback);
  Matrix3<T> again = U;  // a second pass of Gram-Schmidt: needed when |b1| is round-off of |b0|
  remove_first(U, again, 1);
  set_unit_column(U, 1, again.m + 3, T(0), fallback);
  s[1] = dot_columns(U, 1, B, 1);
  T u2[3];
  cross_columns(U, 0, 1, u2);
  for (int r = 0; r < 3; ++r) U(r, 2) = u2[r];
  s[2] = dot_columns(U, 2, B, 2);
}

template <class T>
DASHPOT_FORMULA inline Svd3<T> svd3(const Matrix3<T>& F) {
  // Scale to entries of size one: squares neither overflow nor vanish.
  T largest(0);
  for (const T& x : F.m) largest = max(largest, abs(x));
  const T scale = select(largest > T(0), largest, T(1));
  const T inverse = T(1) / scale;
  Matrix3<T> A;
  for (int i = 0; i < 9; ++i) A.m[i] = F.m[i] * inverse;

  Svd3<T> result;
  T w[3];
  eigen_symmetric3(gram(A), w, result.V);
  Matrix3<T> B = multiply(A, result.V);
  sort_columns(B, result.V);
  finish_svd(B, result.V, result.U, result.s);
  for (T& s : result.s) s *= scale;
  return result;
}

}  // namespace dashpot::math
