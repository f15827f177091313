#pragma once
// The rotation R nearest to a matrix F (the one that maximizes tr(R^T F); det R = +1 for every F), found from a guess
// that is nearly right: Newton's method on the rotations, R <- R exp([omega]) [Kugelstadt2018].
//
//     A = R^T F,   (tr(A) I - sym A) omega = ax(A - A^T)
//
// R is kept as a quaternion, q <- q (1, omega/2). The function is even about its maximum, so a step cubes the error:
// from 0.1 rad to 3e-4, and then to 1e-11 (for stretches near 1; errors grow with kappa = max/min of the s_i + s_j). A
// step shorter than 2e-4 rad (8e-3 in single precision) is the last one. Every local maximum of tr(R^T F) is the global
// one, and a stationary point where tr(A) I - sym A is positive definite is a maximum: that is checked at the last
// step. Where the check fails, the start was too far away or F is close to rank one; then the singular value
// decomposition (math/polar3.hpp) decides. So for every start
//
//     |R - polar(F)| <= 1e-11 sqrt(kappa)   (single precision: 1e-6 kappa),
//
// and when starts come closer from call to call, as in a converging iteration, only round-off (kappa unit roundoffs) is
// left.
//
// F = 0 keeps the start. Works on double, Pack4 and Pack8 (single precision: |F| between 1e-9 and 1e9).

#include <cmath>

#include "dashpot/math/polar3.hpp"

namespace dashpot::math {

/// w + (x, y, z), of any length but zero.
template <class T>
struct Quaternion {
  T w, x, y, z;
};

template <class T>
inline Quaternion<T> no_rotation() {
  return {T(1), T(0), T(0), T(0)};
}

template <class T>
[[gnu::always_inline]] inline Matrix3<T> rotation_matrix(const Quaternion<T>& q) {
  const T s = T(2) / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const T x = s * q.x, y = s * q.y, z = s * q.z;
  const T xx = x * q.x, yy = y * q.y, zz = z * q.z, xy = x * q.y, xz = x * q.z, yz = y * q.z;
  const T wx = x * q.w, wy = y * q.w, wz = z * q.w;
  return {{T(1) - (yy + zz), xy + wz, xz - wy, xy - wz, T(1) - (xx + zz), yz + wx, xz + wy, yz - wx, T(1) - (xx + yy)}};
}

/// The quaternion of a rotation, w >= 0 or nearly so.
inline Quaternion<double> to_quaternion(const Matrix3<double>& R) {
  const double trace = R(0, 0) + R(1, 1) + R(2, 2);
  // Four times the square of each component; the largest is at least 1.
  const double square[4] = {1 + trace, 1 - trace + 2 * R(0, 0), 1 - trace + 2 * R(1, 1), 1 - trace + 2 * R(2, 2)};
  int k = 0;
  for (int i = 1; i < 4; ++i)
    if (square[i] > square[k]) k = i;
  const double s = 0.5 / std::sqrt(square[k]), big = s * square[k];
  const double dx = s * (R(2, 1) - R(1, 2)), dy = s * (R(0, 2) - R(2, 0)), dz = s * (R(1, 0) - R(0, 1));
  const double xy = s * (R(0, 1) + R(1, 0)), xz = s * (R(0, 2) + R(2, 0)), yz = s * (R(1, 2) + R(2, 1));
  if (k == 0) return {big, dx, dy, dz};
  if (k == 1) return {dx, big, xy, xz};
  if (k == 2) return {dy, xy, big, yz};
  return {dz, xz, yz, big};
}

namespace rotation_search {

template <class T>
constexpr double unit_roundoff() {
  if constexpr (requires { T::unit_roundoff; })
    return T::unit_roundoff;
  else
    return 0x1p-53;
}
/// A step this long [rad] leaves a quarter of its cube as error.
template <class T>
constexpr double last_step() {
  return unit_roundoff<T>() < 1e-12 ? 2e-4 : 8e-3;
}
inline constexpr int max_steps = 6;

inline double lane(double x, int) { return x; }
inline bool lane(bool mask, int) { return mask; }
inline void set_lane(double& x, int, double value) { x = value; }
template <class T>
inline double lane(const T& pack, int l) requires requires {
  pack.v[0];
}
{ return pack.v[l]; }
template <class T>
inline void set_lane(T& pack, int l, double value) requires requires {
  pack.set(l, value);
}
{ pack.set(l, value); }
template <class T>
constexpr int num_lanes() {
  if constexpr (requires { T::size; })
    return T::size;
  else
    return 1;
}

/// One Newton step. Returns where it was the last: short, and at a maximum.
template <class T>
[[gnu::always_inline]] inline auto step(const Matrix3<T>& F, const Matrix3<T>& R, Quaternion<T>& q) {
  Matrix3<T> A;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) A(i, j) = R(0, i) * F(0, j) + R(1, i) * F(1, j) + R(2, i) * F(2, j);
  const T gx = A(2, 1) - A(1, 2), gy = A(0, 2) - A(2, 0), gz = A(1, 0) - A(0, 1);
  const T h00 = A(1, 1) + A(2, 2), h11 = A(0, 0) + A(2, 2), h22 = A(0, 0) + A(1, 1);
  const T h01 = T(-0.5) * (A(0, 1) + A(1, 0)), h02 = T(-0.5) * (A(0, 2) + A(2, 0)), h12 = T(-0.5) * (A(1, 2) + A(2, 1));
  const T c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22, c02 = h01 * h12 - h02 * h11;
  const T c11 = h00 * h22 - h02 * h02, c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
  const T det = h00 * c00 + h01 * c01 + h02 * c02, trace = h00 + h11 + h22;
  const T half = T(0.5) / det;
  const T x = half * (c00 * gx + c01 * gy + c02 * gz), y = half * (c01 * gx + c11 * gy + c12 * gz),
          z = half * (c02 * gx + c12 * gy + c22 * gz);  // omega / 2
  q = {q.w - q.x * x - q.y * y - q.z * z, q.x + q.w * x + q.y * z - q.z * y, q.y + q.w * y + q.z * x - q.x * z,
       q.z + q.w * z + q.x * y - q.y * x};
  // 27 det / trace^3 is about 1/kappa: badly conditioned maxima ask for shorter steps.
  constexpr double limit = 27 * 0.25 * last_step<T>() * last_step<T>();
  const auto is_maximum = (T(0) < trace) && (T(0) < c00 + c11 + c22) && (T(0) < det);
  return is_maximum && ((x * x + y * y + z * z) * (trace * trace * trace) <= T(limit) * det);
}

/// The answer by singular values, in the lanes where `good` does not hold.
template <class T, class Mask>
[[gnu::noinline]] void repair(const Matrix3<T>& F, const Quaternion<T>& start, Mask good, Quaternion<T>& q) {
  for (int l = 0; l < num_lanes<T>(); ++l) {
    if (lane(good, l)) continue;
    Matrix3<double> f;
    double size = 0;
    for (int k = 0; k < 9; ++k) size += std::abs(f.m[k] = lane(F.m[k], l));
    const Quaternion<double> r =
        size > 0 ? to_quaternion(polar3(f).R)
                 : Quaternion<double>{lane(start.w, l), lane(start.x, l), lane(start.y, l), lane(start.z, l)};
    set_lane(q.w, l, r.w);
    set_lane(q.x, l, r.x);
    set_lane(q.y, l, r.y);
    set_lane(q.z, l, r.z);
  }
}

}  // namespace rotation_search

/// R nearest to F. q: the start, and afterwards the quaternion of R. Returns the number of Newton steps in num_steps,
/// or max_steps + 1 where singular values decided in some lane.
template <class T>
[[gnu::always_inline]] inline Matrix3<T> nearest_rotation(const Matrix3<T>& F, Quaternion<T>& q, int& num_steps) {
  using namespace rotation_search;
  const Quaternion<T> start = q;
  Matrix3<T> R = rotation_matrix(q);
  auto good = step(F, R, q);
  num_steps = 1;
  while (!all(good) && num_steps < max_steps) {
    R = rotation_matrix(q);
    good = step(F, R, q);
    ++num_steps;
  }
  if (!all(good)) [[unlikely]] {
    repair(F, start, good, q);
    num_steps = max_steps + 1;
  }
  R = rotation_matrix(q);
  // Back towards unit length: 1/sqrt(n) to first order, and a factor that suffices where n has grown.
  const T n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, scale = T(1.5) - T(0.5) * select(n < T(2), n, T(2));
  q = {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
  return R;
}

}  // namespace dashpot::math
