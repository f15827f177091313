#pragma once
// Four elements of n nodes (eight in single precision) between the rows of an ElementRanges, four numbers a node, and
// packs of one element per lane. For .cpp files of energy/ only.

#include "dashpot/energy/element_ranges.hpp"
#include "dashpot/math/pack_float.hpp"

namespace dashpot::element_rows {

using math::Pack4;
using math::Pack8;
using Four = ElementRanges::Four;
typedef float Floats4 __attribute__((vector_size(16)));

[[gnu::always_inline]] inline Pack4 row(const Four* rows, int k) { return Pack4::load(rows[k].v); }
[[gnu::always_inline]] inline void add_row(Pack4 more, Four* rows, int k) {
  (Pack4::load(rows[k].v) + more).store(rows[k].v);
}

/// d[3 (a-1) + c]: component c of x_a - x_0, one element per lane.
template <int n>
[[gnu::always_inline]] inline void edges(const int* nodes, const Four* x, Pack4 d[3 * n - 3]) {
  Pack4 first[4];
  for (int l = 0; l < 4; ++l) first[l] = row(x, nodes[l]);
  for (int a = 1; a < n; ++a) {
    Pack4 e[4];
    for (int l = 0; l < 4; ++l) e[l] = row(x, nodes[4 * a + l]) - first[l];
    math::transpose(e[0], e[1], e[2], e[3]);
    for (int c = 0; c < 3; ++c) d[3 * (a - 1) + c] = e[c];
  }
}

template <int n>
[[gnu::always_inline]] inline void edges(const int* nodes, const Four* x, Pack8 d[3 * n - 3]) {
  Pack4 first[8];
  for (int l = 0; l < 8; ++l) first[l] = row(x, nodes[l]);
  for (int a = 1; a < n; ++a) {
    Pack8 e[4];
    for (int l = 0; l < 4; ++l) {
      const Floats4 low = __builtin_convertvector((row(x, nodes[8 * a + l]) - first[l]).v, Floats4),
                    high = __builtin_convertvector((row(x, nodes[8 * a + l + 4]) - first[l + 4]).v, Floats4);
      e[l].v = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    math::transpose(e[0], e[1], e[2], e[3]);
    for (int c = 0; c < 3; ++c) d[3 * (a - 1) + c] = e[c];
  }
}

/// Adds forces d (laid out as above) to nodes 1..n-1 and minus their sum to node 0.
template <int n>
[[gnu::always_inline]] inline void scatter(const int* nodes, const Pack4 d[3 * n - 3], Four* f) {
  Pack4 sum[4];
  for (int a = 1; a < n; ++a) {
    Pack4 e[4] = {d[3 * a - 3], d[3 * a - 2], d[3 * a - 1], Pack4(0.0)};
    math::transpose(e[0], e[1], e[2], e[3]);
    for (int l = 0; l < 4; ++l) {
      add_row(e[l], f, nodes[4 * a + l]);
      sum[l] = a == 1 ? e[l] : sum[l] + e[l];
    }
  }
  for (int l = 0; l < 4; ++l) add_row(-sum[l], f, nodes[l]);
}

template <int n>
[[gnu::always_inline]] inline void scatter(const int* nodes, const Pack8 d[3 * n - 3], Four* f) {
  Pack4 sum[8];
  for (int a = 1; a < n; ++a) {
    Pack8 e[4] = {d[3 * a - 3], d[3 * a - 2], d[3 * a - 1], Pack8(0.0)};
    math::transpose(e[0], e[1], e[2], e[3]);
    for (int l = 0; l < 4; ++l) {
      const Pack4 low =
          Pack4::of(__builtin_convertvector(__builtin_shufflevector(e[l].v, e[l].v, 0, 1, 2, 3), Pack4::Lanes));
      const Pack4 high =
          Pack4::of(__builtin_convertvector(__builtin_shufflevector(e[l].v, e[l].v, 4, 5, 6, 7), Pack4::Lanes));
      add_row(low, f, nodes[8 * a + l]);
      add_row(high, f, nodes[8 * a + l + 4]);
      sum[l] = a == 1 ? low : sum[l] + low;
      sum[l + 4] = a == 1 ? high : sum[l + 4] + high;
    }
  }
  for (int l = 0; l < 8; ++l) add_row(-sum[l], f, nodes[l]);
}

}  // namespace dashpot::element_rows
