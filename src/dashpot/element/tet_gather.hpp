#pragma once
// The two ends of a pass over tets: positions or velocities of four tets into packs, forces of four tets into a vector.
// For .cpp files of kernels only.

#include "dashpot/math/matrix3.hpp"
#include "dashpot/math/pack.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot::kernel {

using math::Matrix3;
using math::Pack4;

/// Number of elements of a pack that exist.
inline int lanes_in_use(const TetBatch& batch, int pack) {
  const int left = batch.num_tets() - pack * TetBatch::lanes;
  return left < TetBatch::lanes ? left : TetBatch::lanes;
}

/// Three numbers of each node of four tets, node by node (3 packs each). Unused lanes repeat the last tet.
template <int N>
[[gnu::always_inline]] inline void gather(const TetBatch& batch, const double* q, int pack, int lanes, Pack4 x[3 * N]) {
  const int* blocks[4];
  for (int l = 0; l < 4; ++l) blocks[l] = batch.blocks(pack * 4 + (l < lanes ? l : lanes - 1));
  for (int a = 0; a < N; ++a) {
    Pack4 of_tet[4];
    for (int l = 0; l < 4; ++l) of_tet[l] = Pack4::load3(q + 3 * blocks[l][a]);
    transpose3(of_tet[0], of_tet[1], of_tet[2], of_tet[3], x[3 * a], x[3 * a + 1], x[3 * a + 2]);
  }
}

/// F = sum_a (x_a - x_0) (x) g_a: differences first, so that a body far from the origin loses no digits. Of velocities
/// it is Fdot.
template <int N>
[[gnu::always_inline]] inline Matrix3<Pack4> deformation_gradient(const Pack4 x[3 * N], const double* g) {
  Matrix3<Pack4> F;
  for (int a = 1; a < N; ++a)
    for (int j = 0; j < 3; ++j) {
      const Pack4 gj = Pack4::load(g + 12 * a + 4 * j);
      for (int i = 0; i < 3; ++i) {
        const Pack4 d = x[3 * a + i] - x[i];
        F(i, j) = a == 1 ? d * gj : F(i, j) + d * gj;
      }
    }
  return F;
}

/// f_a = w P g_a for a >= 1, or += where `add`; node 0 follows from the sum being zero.
template <int N, bool add = true>
[[gnu::always_inline]] inline void add_force(const Matrix3<Pack4>& P, const double* g, Pack4 w, Pack4 f[3 * N]) {
  Matrix3<Pack4> wP;
  for (int k = 0; k < 9; ++k) wP.m[k] = w * P.m[k];
  for (int a = 1; a < N; ++a) {
    const Pack4 g0 = Pack4::load(g + 12 * a), g1 = Pack4::load(g + 12 * a + 4), g2 = Pack4::load(g + 12 * a + 8);
    for (int i = 0; i < 3; ++i) {
      const Pack4 here = wP(i, 0) * g0 + wP(i, 1) * g1 + wP(i, 2) * g2;
      f[3 * a + i] = add ? f[3 * a + i] + here : here;
    }
  }
}

template <int N>
[[gnu::always_inline]] inline void scatter_force(const TetBatch& batch, int pack, int lanes, Pack4 f[3 * N],
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

/// One number of each mesh element, of the tets of a pack.
inline Pack4 pack_scale(const TetBatch& batch, const double* element_scale, int pack, int lanes) {
  Pack4 scale(0.0);
  for (int l = 0; l < lanes; ++l) scale.set(l, element_scale[batch.original(pack * 4 + l)]);
  return scale;
}

}  // namespace dashpot::kernel
