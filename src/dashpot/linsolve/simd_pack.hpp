#pragma once
// B doubles handled as one value: a row of a block vector. Pack<3> is one four-lane SIMD vector whose last lane is zero
// between operations; the others are plain arrays. Include only in files compiled with -ffp-contract=fast, so that
// `sum + column * x` is one fused multiply-add.

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

/// Sum of blocks s = begin .. end-1 times the rows of x that `column` names. Blocks are column-major, B*B doubles.
template <int B>
inline Pack<B> row_product(const double* values, const int* column, int begin, int end, const double* x) {
  Pack<B> sum;
  for (int s = begin; s < end; ++s) {
    const double* block = values + static_cast<std::ptrdiff_t>(s) * B * B;
    const double* from = x + static_cast<std::ptrdiff_t>(column[s]) * Pack<B>::stride;
    for (int c = 0; c < B; ++c)
      for (int r = 0; r < B; ++r) sum.v[r] += block[c * B + r] * from[c];
  }
  return sum;
}

/// Nine contiguous doubles a block. Columns 0 and 1 are read with one lane too many, column 2 one entry early, so that
/// no load leaves the block; the surplus lanes are dropped at the end.
template <>
inline Pack<3> row_product<3>(const double* values, const int* column, int begin, int end, const double* x) {
  Lanes sum0 = {0, 0, 0, 0}, sum1 = sum0, early = sum0;
  for (int s = begin; s < end; ++s) {
    const double* block = values + static_cast<std::ptrdiff_t>(s) * 9;
    const double* from = x + static_cast<std::ptrdiff_t>(column[s]) * 4;
    sum0 += load_lanes(block) * from[0];
    sum1 += load_lanes(block + 3) * from[1];
    early += load_lanes(block + 5) * from[2];
  }
  const Lanes zero = {0, 0, 0, 0};
  const Lanes sum = sum0 + sum1;
  return {__builtin_shufflevector(sum, zero, 0, 1, 2, 4) + __builtin_shufflevector(early, zero, 1, 2, 3, 4)};
}

}  // namespace dashpot
