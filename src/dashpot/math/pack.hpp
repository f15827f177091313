#pragma once
// Four doubles that are computed together, one per lane (one tet per lane in element loops). Vector extensions of GCC
// and Clang: one AVX register on x86-64-v3, two SSE registers on older machines, the same results on both. For .cpp
// files of kernels only.

#include <cmath>

#pragma GCC diagnostic ignored "-Wpsabi"  // inline everywhere: no ABI is crossed

namespace dashpot::math {

struct Mask4 {
  typedef long long Lanes __attribute__((vector_size(32)));
  Lanes v;
};

struct Pack4 {
  typedef double Lanes __attribute__((vector_size(32)));
  static constexpr int size = 4;
  Lanes v;

  Pack4() = default;
  Pack4(double x) : v{x, x, x, x} {}  // NOLINT(google-explicit-constructor): numbers in formulas
  Pack4(double a, double b, double c, double d) : v{a, b, c, d} {}
  static Pack4 of(Lanes lanes) {
    Pack4 pack;
    pack.v = lanes;
    return pack;
  }
  /// Four consecutive doubles, any alignment.
  static Pack4 load(const double* p) {
    Pack4 pack;
    __builtin_memcpy(&pack.v, p, sizeof(Lanes));
    return pack;
  }
  /// Three consecutive doubles and a zero; the fourth is not touched.
  static Pack4 load3(const double* p) {
#if defined(__AVX__)
    return of(__builtin_ia32_maskloadpd256(reinterpret_cast<const Lanes*>(p), Mask4::Lanes{-1, -1, -1, 0}));
#else
    return {p[0], p[1], p[2], 0.0};
#endif
  }
  void store(double* p) const { __builtin_memcpy(p, &v, sizeof(Lanes)); }
  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }

  friend Pack4 operator+(Pack4 a, Pack4 b) { return of(a.v + b.v); }
  friend Pack4 operator-(Pack4 a, Pack4 b) { return of(a.v - b.v); }
  friend Pack4 operator*(Pack4 a, Pack4 b) { return of(a.v * b.v); }
  friend Pack4 operator/(Pack4 a, Pack4 b) { return of(a.v / b.v); }
  friend Pack4 operator-(Pack4 a) { return of(-a.v); }
  Pack4& operator+=(Pack4 b) { return v += b.v, *this; }
  Pack4& operator-=(Pack4 b) { return v -= b.v, *this; }
  Pack4& operator*=(Pack4 b) { return v *= b.v, *this; }
  friend Mask4 operator<(Pack4 a, Pack4 b) { return {Mask4::Lanes(a.v < b.v)}; }
  friend Mask4 operator>(Pack4 a, Pack4 b) { return {Mask4::Lanes(a.v > b.v)}; }
  friend Mask4 operator<=(Pack4 a, Pack4 b) { return {Mask4::Lanes(a.v <= b.v)}; }
  friend Mask4 operator>=(Pack4 a, Pack4 b) { return {Mask4::Lanes(a.v >= b.v)}; }
};

inline Mask4 operator&&(Mask4 a, Mask4 b) { return {a.v & b.v}; }
inline Mask4 operator||(Mask4 a, Mask4 b) { return {a.v | b.v}; }
inline Pack4 select(Mask4 mask, Pack4 if_true, Pack4 if_false) { return Pack4::of(mask.v ? if_true.v : if_false.v); }
inline bool any(Mask4 m) { return (m.v[0] | m.v[1] | m.v[2] | m.v[3]) != 0; }
inline bool all(Mask4 m) { return (m.v[0] & m.v[1] & m.v[2] & m.v[3]) != 0; }

inline Pack4 pow(Pack4 x, double exponent) {
  return {std::pow(x[0], exponent), std::pow(x[1], exponent), std::pow(x[2], exponent), std::pow(x[3], exponent)};
}
inline Pack4 sqrt(Pack4 x) {
#if defined(__AVX__)
  return Pack4::of(__builtin_ia32_sqrtpd256(x.v));
#else
  return {std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
#endif
}
inline Pack4 atan2(Pack4 y, Pack4 x) {
  return {std::atan2(y[0], x[0]), std::atan2(y[1], x[1]), std::atan2(y[2], x[2]), std::atan2(y[3], x[3])};
}
inline Pack4 log(Pack4 x) { return {std::log(x[0]), std::log(x[1]), std::log(x[2]), std::log(x[3])}; }
inline Pack4 max(Pack4 a, Pack4 b) { return select(a < b, b, a); }
inline Pack4 min(Pack4 a, Pack4 b) { return select(b < a, b, a); }
inline Pack4 with_sign(Pack4 x, Pack4 sign) {
  constexpr long long top = static_cast<long long>(0x8000000000000000ULL);
  const Mask4::Lanes bit = {top, top, top, top};
  return Pack4::of(Pack4::Lanes((Mask4::Lanes(x.v) & ~bit) | (Mask4::Lanes(sign.v) & bit)));
}
inline Pack4 abs(Pack4 x) { return with_sign(x, Pack4(0.0)); }

/// Transposes the 4 x 4 numbers of a, b, c, d: lane i of the j-th becomes lane j of the i-th.
inline void transpose(Pack4& a, Pack4& b, Pack4& c, Pack4& d) {
  const Pack4::Lanes ab0 = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6),
                     ab1 = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
  const Pack4::Lanes cd0 = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6),
                     cd1 = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
  a.v = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  b.v = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  c.v = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  d.v = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

/// Lane l of x, y, z from the l-th of a, b, c, d: x, y, z, 0.
inline void transpose3(Pack4 a, Pack4 b, Pack4 c, Pack4 d, Pack4& x, Pack4& y, Pack4& z) {
  const Pack4::Lanes xz0 = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6),
                     xz1 = __builtin_shufflevector(c.v, d.v, 0, 4, 2, 6);
  const Pack4::Lanes y0 = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7),
                     y1 = __builtin_shufflevector(c.v, d.v, 1, 5, 3, 7);
  x.v = __builtin_shufflevector(xz0, xz1, 0, 1, 4, 5);
  y.v = __builtin_shufflevector(y0, y1, 0, 1, 4, 5);
  z.v = __builtin_shufflevector(xz0, xz1, 2, 3, 6, 7);
}

/// Two doubles.
typedef double Pair __attribute__((vector_size(16)));

/// (x, y) of lane l, as two numbers side by side: lanes 0 and 2 are in `even`, 1 and 3 in `odd`.
inline Pair pair_of(Pack4 even, Pack4 odd, int lane) {
  const Pack4::Lanes v = lane % 2 == 0 ? even.v : odd.v;
  return lane < 2 ? __builtin_shufflevector(v, v, 0, 1) : __builtin_shufflevector(v, v, 2, 3);
}
inline void interleave(Pack4 x, Pack4 y, Pack4& even, Pack4& odd) {
  even.v = __builtin_shufflevector(x.v, y.v, 0, 4, 2, 6);
  odd.v = __builtin_shufflevector(x.v, y.v, 1, 5, 3, 7);
}

}  // namespace dashpot::math
