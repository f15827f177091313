#pragma once
// Vectors of three numbers of any scalar: of double, or of four elements at a time.

#include "dashpot/core/formula.hpp"

namespace dashpot::math {

template <class T>
struct Vector3 {
  T x, y, z;

  [[gnu::always_inline]] DASHPOT_FORMULA friend Vector3 operator+(const Vector3& a, const Vector3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  [[gnu::always_inline]] DASHPOT_FORMULA friend Vector3 operator-(const Vector3& a, const Vector3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  [[gnu::always_inline]] DASHPOT_FORMULA friend Vector3 operator*(const T& s, const Vector3& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  [[gnu::always_inline]] DASHPOT_FORMULA const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline T dot(const Vector3<T>& a, const Vector3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
[[gnu::always_inline]] DASHPOT_FORMULA inline Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace dashpot::math
