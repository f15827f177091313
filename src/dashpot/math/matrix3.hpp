#pragma once
// 3 x 3 matrices over any scalar (double, Pack4), column-major like everything in Dashpot: vec(F) = (F00, F10, F20,
// F01, ...). Only what element formulas need. Symmetric matrices are stored as (00, 11, 22, 01, 02, 12).

#include "dashpot/core/types.hpp"
#include "dashpot/math/scalar.hpp"

namespace dashpot::math {

template <class T>
struct Matrix3 {
  T m[9];
  [[gnu::always_inline]] DASHPOT_FORMULA T& operator()(int row, int column) { return m[3 * column + row]; }
  [[gnu::always_inline]] DASHPOT_FORMULA const T& operator()(int row, int column) const { return m[3 * column + row]; }
};

/// Symmetric, six numbers: 00, 11, 22, 01, 02, 12.
template <class T>
struct Symmetric3 {
  T m[6];
  DASHPOT_FORMULA static constexpr int index(int i, int j) { return i == j ? i : i + j + 2; }
  [[gnu::always_inline]] DASHPOT_FORMULA T& operator()(int i, int j) { return m[index(i, j)]; }
  [[gnu::always_inline]] DASHPOT_FORMULA const T& operator()(int i, int j) const { return m[index(i, j)]; }
};

template <class T>
DASHPOT_FORMULA inline Matrix3<T> identity3() {
  return {{T(1), T(0), T(0), T(0), T(1), T(0), T(0), T(0), T(1)}};
}

/// A B.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline Matrix3<T> multiply(const Matrix3<T>& A, const Matrix3<T>& B) {
  Matrix3<T> C;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) C(r, c) = A(r, 0) * B(0, c) + A(r, 1) * B(1, c) + A(r, 2) * B(2, c);
  return C;
}
/// A B^T.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline Matrix3<T> multiply_transposed(const Matrix3<T>& A, const Matrix3<T>& B) {
  Matrix3<T> C;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) C(r, c) = A(r, 0) * B(c, 0) + A(r, 1) * B(c, 1) + A(r, 2) * B(c, 2);
  return C;
}
/// A^T B.
template <class T>
[[gnu::always_inline]] inline Matrix3<T> transposed_multiply(const Matrix3<T>& A, const Matrix3<T>& B) {
  Matrix3<T> C;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) C(r, c) = A(0, r) * B(0, c) + A(1, r) * B(1, c) + A(2, r) * B(2, c);
  return C;
}
/// A diag(d).
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline Matrix3<T> scale_columns(const Matrix3<T>& A, const T d[3]) {
  Matrix3<T> C;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) C(r, c) = A(r, c) * d[c];
  return C;
}
/// F^T F.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline Symmetric3<T> gram(const Matrix3<T>& F) {
  Symmetric3<T> C;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) C(i, j) = F(0, i) * F(0, j) + F(1, i) * F(1, j) + F(2, i) * F(2, j);
  return C;
}
/// A S with S symmetric.
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline Matrix3<T> multiply(const Matrix3<T>& A, const Symmetric3<T>& S) {
  Matrix3<T> C;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) C(r, c) = A(r, 0) * S(0, c) + A(r, 1) * S(1, c) + A(r, 2) * S(2, c);
  return C;
}
template <class T>
DASHPOT_FORMULA inline T determinant(const Matrix3<T>& A) {
  return A(0, 0) * (A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1)) + A(0, 1) * (A(1, 2) * A(2, 0) - A(1, 0) * A(2, 2)) +
         A(0, 2) * (A(1, 0) * A(2, 1) - A(1, 1) * A(2, 0));
}

inline Matrix3<double> from_eigen(const Mat3& A) {
  Matrix3<double> B;
  Mat3::Map(B.m) = A;
  return B;
}
inline Mat3 to_eigen(const Matrix3<double>& A) { return Mat3::Map(A.m); }
inline Mat3 to_eigen(const Symmetric3<double>& A) {
  Mat3 B;
  B << A(0, 0), A(0, 1), A(0, 2), A(0, 1), A(1, 1), A(1, 2), A(0, 2), A(1, 2), A(2, 2);
  return B;
}

}  // namespace dashpot::math
