#pragma once
// B doubles handled as one value: a row of a block vector. Pack<3> is one four-lane SIMD vector whose last lane is zero
// between operations; the others are plain arrays. In files compiled with -ffp-contract=fast `sum + column * x` is one
// fused multiply-add.

#include <cstddef>
#include <cstring>

namespace dashpot {

typedef double Lanes __attribute__((vector_size(32)));  // GCC and Clang lower it to what the target has

inline Lanes load_lanes(const double* p) {
  Lanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <int B>
struct Pack {
  double v[B] = {};
  static constexpr int stride = B;
  static Pack load(const double* p) {
    Pack pack;
    std::memcpy(pack.v, p, sizeof pack.v);
    return pack;
  }
  void store(double* p) const { std::memcpy(p, v, sizeof v); }
  Pack operator+(const Pack& o) const {
    Pack sum;
    for (int i = 0; i < B; ++i) sum.v[i] = v[i] + o.v[i];
    return sum;
  }
  Pack operator-(const Pack& o) const {
    Pack difference;
    for (int i = 0; i < B; ++i) difference.v[i] = v[i] - o.v[i];
    return difference;
  }
  /// this += a * b, entry by entry; the entries' sum() is then a dot product.
  void add_product(const Pack& a, const Pack& b) {
    for (int i = 0; i < B; ++i) v[i] += a.v[i] * b.v[i];
  }
  double sum() const {
    double total = 0;
    for (int i = 0; i < B; ++i) total += v[i];
    return total;
  }
};

template <>
struct Pack<3> {
  Lanes v = {0, 0, 0, 0};
  static constexpr int stride = 4;
  static Pack load(const double* p) { return {load_lanes(p)}; }
  void store(double* p) const { std::memcpy(p, &v, sizeof v); }
  Pack operator+(const Pack& o) const { return {v + o.v}; }
  Pack operator-(const Pack& o) const { return {v - o.v}; }
  void add_product(const Pack& a, const Pack& b) { v += a.v * b.v; }
  double sum() const { return (v[0] + v[1]) + v[2]; }
};

/// Sum of blocks s = begin .. end-1 times the rows of x that `column` names. Blocks are ROW-major, B*B doubles.
template <int B>
inline Pack<B> row_product(const double* values, const int* column, int begin, int end, const double* x) {
  Pack<B> sum;
  for (int s = begin; s < end; ++s) {
    const double* block = values + static_cast<std::ptrdiff_t>(s) * B * B;
    const double* from = x + static_cast<std::ptrdiff_t>(column[s]) * Pack<B>::stride;
    for (int r = 0; r < B; ++r)
      for (int c = 0; c < B; ++c) sum.v[r] += block[r * B + c] * from[c];
  }
  return sum;
}

/// Each row of a block times a row of x as it lies in memory: four loads a block. The surplus lane of a load holds the
/// next entry of `values` (finite, and one spare entry at the end) and meets the zero in the fourth lane of x.
template <>
inline Pack<3> row_product<3>(const double* values, const int* column, int begin, int end, const double* x) {
  const Lanes zero = {0, 0, 0, 0};
  Lanes a = zero, b = zero, c = zero;
  for (int s = begin; s < end; ++s) {
    const double* block = values + static_cast<std::ptrdiff_t>(s) * 9;
    const Lanes from = load_lanes(x + static_cast<std::ptrdiff_t>(column[s]) * 4);
    a += load_lanes(block) * from;
    b += load_lanes(block + 3) * from;
    c += load_lanes(block + 6) * from;
  }
  const Lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes c0 = __builtin_shufflevector(c, zero, 0, 4, 2, 6) + __builtin_shufflevector(c, zero, 1, 5, 3, 7);
  return {__builtin_shufflevector(ab, c0, 0, 1, 4, 5) + __builtin_shufflevector(ab, c0, 2, 3, 6, 7)};
}

}  // namespace dashpot
