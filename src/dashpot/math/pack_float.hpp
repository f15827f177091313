#pragma once
// Eight floats that are computed together, one per lane: the single-precision sister of Pack4 (math/pack.hpp). For .cpp
// files of kernels only.

#include "dashpot/math/pack.hpp"

namespace dashpot::math {

struct Mask8 {
  typedef int Lanes __attribute__((vector_size(32)));
  Lanes v;
};

struct Pack8 {
  typedef float Lanes __attribute__((vector_size(32)));
  static constexpr int size = 8;
  static constexpr double unit_roundoff = 0x1p-24;
  Lanes v;

  Pack8() = default;
  Pack8(double x) : Pack8(of(static_cast<float>(x) - Lanes{})) {}  // NOLINT(google-explicit-constructor)
  static Pack8 of(Lanes lanes) {
    Pack8 pack;
    pack.v = lanes;
    return pack;
  }
  /// Eight consecutive floats, any alignment.
  static Pack8 load(const float* p) {
    Pack8 pack;
    __builtin_memcpy(&pack.v, p, sizeof(Lanes));
    return pack;
  }
  void store(float* p) const { __builtin_memcpy(p, &v, sizeof(Lanes)); }
  float operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = static_cast<float>(x); }

  friend Pack8 operator+(Pack8 a, Pack8 b) { return of(a.v + b.v); }
  friend Pack8 operator-(Pack8 a, Pack8 b) { return of(a.v - b.v); }
  friend Pack8 operator*(Pack8 a, Pack8 b) { return of(a.v * b.v); }
  friend Pack8 operator/(Pack8 a, Pack8 b) { return of(a.v / b.v); }
  friend Pack8 operator-(Pack8 a) { return of(-a.v); }
  Pack8& operator+=(Pack8 b) { return v += b.v, *this; }
  Pack8& operator-=(Pack8 b) { return v -= b.v, *this; }
  Pack8& operator*=(Pack8 b) { return v *= b.v, *this; }
  friend Mask8 operator<(Pack8 a, Pack8 b) { return {Mask8::Lanes(a.v < b.v)}; }
  friend Mask8 operator>(Pack8 a, Pack8 b) { return {Mask8::Lanes(a.v > b.v)}; }
  friend Mask8 operator<=(Pack8 a, Pack8 b) { return {Mask8::Lanes(a.v <= b.v)}; }
  friend Mask8 operator>=(Pack8 a, Pack8 b) { return {Mask8::Lanes(a.v >= b.v)}; }
};

inline Mask8 operator&&(Mask8 a, Mask8 b) { return {a.v & b.v}; }
inline Mask8 operator||(Mask8 a, Mask8 b) { return {a.v | b.v}; }
inline Pack8 select(Mask8 mask, Pack8 if_true, Pack8 if_false) { return Pack8::of(mask.v ? if_true.v : if_false.v); }
inline bool all(Mask8 m) {
  typedef long long Quarters __attribute__((vector_size(32)));
  const Quarters q = Quarters(m.v);
  return (q[0] & q[1] & q[2] & q[3]) == -1;
}

/// Transposes the 4 x 4 numbers of lanes 0..3 of a, b, c, d, and likewise those of lanes 4..7.
inline void transpose(Pack8& a, Pack8& b, Pack8& c, Pack8& d) {
  const Pack8::Lanes ab0 = __builtin_shufflevector(a.v, b.v, 0, 8, 1, 9, 4, 12, 5, 13),
                     ab1 = __builtin_shufflevector(a.v, b.v, 2, 10, 3, 11, 6, 14, 7, 15);
  const Pack8::Lanes cd0 = __builtin_shufflevector(c.v, d.v, 0, 8, 1, 9, 4, 12, 5, 13),
                     cd1 = __builtin_shufflevector(c.v, d.v, 2, 10, 3, 11, 6, 14, 7, 15);
  a.v = __builtin_shufflevector(ab0, cd0, 0, 1, 8, 9, 4, 5, 12, 13);
  b.v = __builtin_shufflevector(ab0, cd0, 2, 3, 10, 11, 6, 7, 14, 15);
  c.v = __builtin_shufflevector(ab1, cd1, 0, 1, 8, 9, 4, 5, 12, 13);
  d.v = __builtin_shufflevector(ab1, cd1, 2, 3, 10, 11, 6, 7, 14, 15);
}

}  // namespace dashpot::math
