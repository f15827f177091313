#pragma once
// The two ends of a pass over elements: positions or velocities of four elements into packs, forces of four elements
// into a vector. For .cpp files of kernels only.

#include "dashpot/math/pack.hpp"
#include "dashpot/model/element_batch.hpp"

namespace dashpot::kernel {

using math::Pack4;

/// Number of elements of a pack that exist.
inline int lanes_in_use(const ElementBatch& batch, int pack) {
  const int left = batch.num_elements() - pack * ElementBatch::lanes;
  return left < ElementBatch::lanes ? left : ElementBatch::lanes;
}

/// Three numbers of each node of four elements, node by node (3 packs each). Unused lanes repeat the last element.
template <int N>
[[gnu::always_inline]] inline void gather(const ElementBatch& batch, const double* q, int pack, int lanes,
                                          Pack4 x[3 * N]) {
  const int* blocks[4];
  for (int l = 0; l < 4; ++l) blocks[l] = batch.blocks(pack * 4 + (l < lanes ? l : lanes - 1));
  for (int a = 0; a < N; ++a) {
    Pack4 of_lane[4];
    for (int l = 0; l < 4; ++l) of_lane[l] = Pack4::load3(q + 3 * blocks[l][a]);
    transpose3(of_lane[0], of_lane[1], of_lane[2], of_lane[3], x[3 * a], x[3 * a + 1], x[3 * a + 2]);
  }
}

/// Adds the forces of four elements; those of nodes 1 .. N-1 are given, node 0 follows from the sum being zero.
template <int N>
[[gnu::always_inline]] inline void scatter_force(const ElementBatch& batch, int pack, int lanes, Pack4 f[3 * N],
                                                 double* gradient) {
  for (int i = 0; i < 3; ++i) {
    f[i] = -f[3 + i];
    for (int a = 2; a < N; ++a) f[i] -= f[3 * a + i];
  }
  Pack4 even[N], odd[N];
  for (int a = 0; a < N; ++a) interleave(f[3 * a], f[3 * a + 1], even[a], odd[a]);
#pragma GCC unroll 4
  for (int l = 0; l < lanes; ++l) {
    const int* blocks = batch.blocks(pack * 4 + l);
    for (int a = 0; a < N; ++a) {
      double* out = gradient + 3 * blocks[a];
      math::Pair xy;
      __builtin_memcpy(&xy, out, sizeof xy);
      xy += pair_of(even[a], odd[a], l);
      __builtin_memcpy(out, &xy, sizeof xy);
      out[2] += f[3 * a + 2][l];
    }
  }
}

/// One number of each mesh element, of the elements of a pack.
inline Pack4 pack_scale(const ElementBatch& batch, const double* element_scale, int pack, int lanes) {
  Pack4 scale(0.0);
  for (int l = 0; l < lanes; ++l) scale.set(l, element_scale[batch.original(pack * 4 + l)]);
  return scale;
}

}  // namespace dashpot::kernel
